import Client
import Domain
import Foundation
import ServerProcess
import SwiftUI
import TestKit
import Testing

@testable import AppShell

/// The app's own views with the real client and the real server, over sockets.
@Suite("The app with the real server", .serialized)
@MainActor
struct RealServerTests {
    private struct Resident: Decodable {
        let id: UUID
        let roomId: UUID?
    }
    private struct Day: Decodable {
        struct Student: Decodable {
            let id: UUID
            let status: String
        }
        let students: [Student]
    }

    @Test(
        "a warden signs in, moves a resident to another room and records a passage, and the server has both",
        .requirement("PG-6.02.c"), .timeLimit(.minutes(2)))
    func residents() async throws {
        let folder = try TemporaryFolder()
        let school = try await RealSchool(in: folder)
        defer { school.end() }
        let pgId = try await school.run(
            "/residences", ["name": "Birch", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"])
        let classroom = try await school.run("/classrooms", ["name": "Maple room"])
        let bea = try await school.run(
            "/students", ["firstName": "Bea", "lastName": "Ruiz", "classroomId": classroom.text])
        let base = "/residences/\(pgId.text)"
        try await school.run("\(base)/rooms", ["number": "12", "type": "Twin"])
        let garden = try await school.run("\(base)/rooms", ["number": "14", "type": "Twin"])
        try await school.run("\(base)/students", ["studentId": bea.text])

        let device = try AppDevice(folder: folder, at: try school.server.url)
        let person = try await device.signIn()
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
        let residents = try await school.read(RealSchool.Listing<Resident>.self, "\(base)/students").items
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
        let day = try await school.read(Day.self, "\(base)/attendance")
        #expect(day.students.first { $0.id == bea }?.status == "checkedIn")
    }
}
