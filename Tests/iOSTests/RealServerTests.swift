import Client
import Domain
import Foundation
import ScreenUI
import SwiftUI
import TestKit
import Testing

@testable import AppShell

/// The app's own views with the real client and the real server, over sockets.
@Suite("The app with the real server", .serialized)
@MainActor
struct RealServerTests {
    /// A school on a server that runs as a process of its own.
    @MainActor
    private struct School {
        struct Missing: Error { let text: String }
        struct Entity: Decodable { let id: UUID }
        struct Listing<Item: Decodable>: Decodable { let items: [Item] }
        struct Resident: Decodable {
            let id: UUID
            let roomId: UUID?
        }
        struct Day: Decodable {
            struct Student: Decodable {
                let id: UUID
                let status: String
            }
            let students: [Student]
        }

        nonisolated static let email = "ana@maple.example"
        nonisolated static let password = "a few words in a row"

        private let server: ServerProcess
        private let auth: LiveAuthManager
        private let api: LiveAPIManager

        init(in folder: URL) async throws {
            server = try ServerProcess(in: folder)
            auth = try LiveAuthManager(
                server: server.address, storage: SessionFile(folder.appending(path: "founder")))
            api = LiveAPIManager(server: server.address, auth: auth)
        }

        var address: URL { server.address }
        func end() { server.end() }

        /// Signs up the founder, who runs the school.
        func found() async throws {
            struct Person: Encodable {
                let name = "Ana"
                let email = School.email
                let password = School.password
                let bornOn = "1990-02-28"
                let agrees = true
            }
            _ = try await api.send(
                APIRequest(.post, "/api/v1/auth/sign-up", body: try JSONEncoder().encode(Person())))
            try await signIn()
            _ = try await run("/organizations", ["name": "Maple", "timeZone": "UTC"])
        }

        func signIn() async throws {
            guard case .signedIn = try await auth.signIn(email: Self.email, password: Self.password) else {
                throw Missing(text: "a session")
            }
        }

        @discardableResult
        func run(_ path: String, _ fields: [String: String]) async throws -> UUID {
            let data = try await api.send(
                APIRequest(
                    .post, "/api/v1\(path)", body: try JSONEncoder().encode(fields), account: auth.userId))
            return try JSONDecoder().decode(Entity.self, from: data).id
        }

        func read<Value: Decodable>(_ type: Value.Type, _ path: String) async throws -> Value {
            try JSONDecoder().decode(
                type, from: try await api.send(APIRequest(.get, "/api/v1\(path)", account: auth.userId)))
        }
    }

    @Test(
        "a warden signs in, moves a resident to another room and records a passage, and the server has both",
        .requirement("PG-6.02.c"), .timeLimit(.minutes(2)))
    func residents() async throws {
        let folder = try TemporaryFolder()
        let school = try await School(in: folder.url)
        defer { school.end() }
        try await school.found()
        let pgId = try await school.run(
            "/residences", ["name": "Birch", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"])
        let classroom = try await school.run("/classrooms", ["name": "Maple room"])
        let bea = try await school.run(
            "/students", ["firstName": "Bea", "lastName": "Ruiz", "classroomId": classroom.text])
        let base = "/residences/\(pgId.text)"
        try await school.run("\(base)/rooms", ["number": "12", "type": "Twin"])
        let garden = try await school.run("\(base)/rooms", ["number": "14", "type": "Twin"])
        try await school.run("\(base)/students", ["studentId": bea.text])

        let device = try AppDevice(folder: folder, at: school.address)
        await device.start()
        try device.enter(School.email, into: "Email address")
        try device.enter(School.password, into: "Password")
        try device.press("Sign in")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        let person = try #require(device.session.signedIn)
        defer { person.store.stop() }
        await person.store.refresh()
        func isSent() -> Bool { person.store.syncSummary.unsent == 0 }

        // The members.
        person.navigator.open("\(base)/residents", isReplacing: false)
        device.show()
        try await device.wait("the resident is shown") {
            device.root.all("MembersManagementView").first?.texts.contains("Bea Ruiz") == true
        }
        try device.press("Move to a room")
        let pickers = device.root.all("Picker")
        try #require(pickers.first { $0.spoken.contains("Room") }).enter(garden.text)
        device.show()
        let submit = try #require(
            device.root.all("SheetView").first?.all("Button").first { $0.spoken.contains("Move to a room") })
        submit.press()
        try await device.wait("the new room is shown, and the server has it") {
            // The rooms were also in the sheet.
            !device.has("SheetView") && device.texts.contains("Room 14") && isSent()
        }
        let residents = try await school.read(School.Listing<School.Resident>.self, "\(base)/students").items
        #expect(residents.first { $0.id == bea }?.roomId == garden)

        // The attendance.
        person.navigator.open("\(base)#attendance", isReplacing: false)
        device.show()
        try await device.wait("the passages can be recorded") {
            device.root.all("AttendanceView").first?.all("Button").contains {
                $0.spoken == "Check in: Bea Ruiz"
            } == true
        }
        try device.press("Check in: Bea Ruiz")
        try await device.wait("the resident is in, and the server has it") {
            device.root.all("Button").contains { $0.spoken == "Check out: Bea Ruiz" } && isSent()
        }
        let day = try await school.read(School.Day.self, "\(base)/attendance")
        #expect(day.students.first { $0.id == bea }?.status == "checkedIn")
    }
}
