import Client
import DesignSystem
import Domain
import Foundation
import ServerProcess
import SwiftUI
import Synchronization
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

    /// A network that a test switches off.
    private final class Network: Sendable {
        private let state = Mutex(true)
        var isOn: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// The API behind a network that a test switches off.
    private struct SwitchedAPI: APIManager {
        let api: any APIManager
        let network: Network

        private func check() throws {
            guard network.isOn else { throw APIError.unreachable("switched off") }
        }
        func send(_ request: APIRequest) async throws -> Data {
            try check()
            return try await api.send(request)
        }
        func answer(_ request: APIRequest) async throws -> APIAnswer {
            try check()
            return try await api.answer(request)
        }
        func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error> {
            AsyncThrowingStream { _ in }
        }
    }

    private struct NewRoutine: Encodable {
        let name = "Morning"
        let activeDays = (1...7).map(String.init)
    }
    private struct NewTask: Encodable {
        let name: String
        let minutes = 2
    }
    private struct Played: Decodable {
        let id: UUID
        let completedSessions: Int
    }

    @Test(
        "a child plays a quest without a network, the app is closed in the middle, and the server has it once",
        .requirement("BY-1.04.a", "BY-1.04.b"), .timeLimit(.minutes(2)))
    func quest() async throws {
        let folder = try TemporaryFolder()
        let school = try await RealSchool(in: folder)
        defer { school.end() }
        let mia = try await school.run("/quest/players", ["name": "Mia"])
        let routine = try await school.run("/quest/players/\(mia.text)/routines", NewRoutine())
        for task in ["Dress", "Brush teeth"] {
            try await school.run("/quest/routines/\(routine.text)/tasks", NewTask(name: task))
        }
        func played() async throws -> Int? {
            try await school.read(RealSchool.Listing<Played>.self, "/quest/players/\(mia.text)/routines").items
                .first { $0.id == routine }?.completedSessions
        }

        let (network, clock) = (Network(), FixedClock(Date()))
        func makeDevice() throws -> AppDevice {
            try AppDevice(folder: folder, at: try school.server.url, clock: clock) {
                SwitchedAPI(api: $0, network: network)
            }
        }
        let first = try makeDevice()
        try await first.signIn().navigator.open("/play", isReplacing: false)
        first.show()
        await first.appear()
        try await first.wait("the quests are shown") { first.texts.contains("Hello, Mia") }
        // Other pages of the app have buttons with the same names.
        func press(_ title: String, on device: AppDevice) throws {
            let all = try #require(device.root.all("QuestView").first).all("Button")
            try #require(all.first { $0.spoken == title } ?? all.first { $0.spoken.contains(title) }, "\(title)")
                .press()
            device.show()
        }
        network.isOn = false
        try press("Morning", on: first)
        try press("Start", on: first)
        clock.advance(by: 30)
        first.session.signedIn?.store.stop()

        // The app starts again, still without a network.
        let device = try makeDevice()
        await device.start()
        let person = try #require(device.session.signedIn)
        defer { person.store.stop() }
        person.navigator.open("/play", isReplacing: false)
        device.show()
        await device.appear()
        try await device.wait("the task goes on") { device.texts.contains("You guessed 2 minutes") }
        clock.advance(by: 60)
        try press("I’m done", on: device)
        #expect(device.texts.contains("A discovery"))
        try press("Next", on: device)
        try press("Start", on: device)
        clock.advance(by: 45)
        try press("I’m done", on: device)
        try press("See the path", on: device)
        #expect(device.texts.contains("Safe here. It will be sent when the internet is back."))
        #expect(try await played() == 0)

        network.isOn = true
        person.store.retry()
        try await device.wait("the session has arrived") { device.texts.contains("It has arrived.") }
        #expect(try await played() == 1)
        #expect(person.store.notices.isEmpty && person.store.syncSummary.unsent == 0)
        try press("Back to the quests", on: device)
        await device.appear()
        #expect(device.recorder.faults == [])
    }

    @Test(
        "on a device that was handed over the code opens the parent's side, and the next start is in player mode",
        .requirement("TQ-0.01.b", "TQ-2.06.a", "TQ-2.06.c"), .timeLimit(.minutes(2)))
    func handedOver() async throws {
        let folder = try TemporaryFolder()
        let school = try await RealSchool(in: folder)
        defer { school.end() }
        try await school.run("/quest/players", ["name": "Mia"])

        let device = try AppDevice(folder: folder, at: try school.server.url)
        let person = try await device.signIn()
        let pages = person.store.pageStore
        for (path, fields) in [("code", ["code": "4711", "again": "4711"]), ("hand-over", [:])] {
            let command = PageCommand(path: "/api/v1/quest/\(path)", fields: fields, key: UUID().text)
            _ = try await pages.run(command, isQueued: false)
        }
        person.navigator.open("/play", isReplacing: false)
        device.show()
        await device.appear()
        try await device.wait("the quests are shown") { device.texts.contains("Hello, Mia") }
        func isOpen(_ person: SignedIn) async throws -> Bool {
            // In player mode the server leads back to the quests.
            try await person.store.pageStore.load("/quest", accept: ScreenDocument.accept).found == "/quest"
        }
        #expect(try await !isOpen(person))
        func enter(_ code: String) throws {
            for digit in code {
                let keys = try #require(device.root.all("QuestKeypadView").first).all("Button")
                try #require(keys.first { $0.spoken == String(digit) }).press()
                device.show()
            }
        }
        try #require(device.root.all("Text").first { $0.text == "TimeQuest" && !$0.modifiers.isEmpty })
            .tap(count: 3)
        try await device.wait("the keypad is shown") { device.has("QuestKeypadView") }
        try enter("1234")
        try await device.wait("the code is wrong") { device.texts.contains("Try again") }
        #expect(try await !isOpen(person))
        try enter("4711")
        try await device.wait("the parent's side is shown") { person.navigator.stack.last == Place("/quest") }
        #expect(try await isOpen(person))
        person.store.stop()

        let next = try AppDevice(folder: folder, at: try school.server.url)
        await next.start()
        let child = try #require(next.session.signedIn)
        defer { child.store.stop() }
        child.navigator.open("/play", isReplacing: false)
        next.show()
        await next.appear()
        try await next.wait("the quests are shown") { next.texts.contains("Hello, Mia") }
        #expect(try await !isOpen(child))
    }
}
