import DesignSystem
import Domain
import FeatureKit
import Foundation
import QuestModel
import TestKit
import Testing

@testable import Quest

@Suite("Pages of the parent mode")
struct ParentsTests {
    @Test(
        "the dashboard asks for a first player, then shows the routines and leads back to playing",
        .requirement("TQ-2.11.a"), arguments: Language.allCases)
    func dashboard(_ language: Language) async throws {
        let fixture = try await QuestFixture()
        let first = try await fixture.outline("/quest", as: fixture.luz, language: language)
        #expect(first.contains { $0.contains("/api/v1/quest/players") })
        try await fixture.routine(days: [1, 3])
        let page = try await fixture.outline("/quest", language: language)
        #expect(page[0].contains(language == .english ? "Setup" : "Préparation"))
        #expect(page.contains { $0.contains("Morning") })
        #expect(page.contains { $0.contains(CloseGate.contract.path) })
        for line in first + page { #expect(!line.contains("«quest"), "\(line)") }
    }

    @Test("several players can be switched, and each has their own routines")
    func switches() async throws {
        let fixture = try await QuestFixture()
        try await fixture.routine()
        let leo = try await fixture.school.execute(AddPlayer.self, ["name": "Leo"], as: fixture.ana).id
        let page = try await fixture.outline("/quest/players/\(leo.text)")
        #expect(page.contains { $0.contains("Mia | *Leo*") })
        #expect(!page.contains { $0.contains("Morning") })
        try await fixture.school.execute(
            ArchivePlayer.self, ["playerId": .id(leo), "archived": .bool(true)], as: fixture.ana)
        #expect(try await fixture.properties()?.players.map(\.name) == ["Mia"])
    }

    @Test("a routine's page has buttons to move its tasks", .requirement("TQ-2.12.b"))
    func routinePage() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine(tasks: ["A", "B", "C"])
        let page = try await fixture.outline("/quest/routines/\(routine.id.text)")
        #expect(page.filter { $0.contains("Move up") }.count == 2)
        #expect(page.filter { $0.contains("Move down") }.count == 2)
        let task = routine.orderedTasks[0].id.text
        #expect(try await fixture.outline("/quest/routines/\(routine.id.text)/tasks/\(task)")[0].contains("A"))
    }

    @Test("a parent orders routines, and the child sees them in that order", .requirement("TQ-2.12.c"))
    func ordersRoutines() async throws {
        let fixture = try await QuestFixture()
        func lines() async throws -> [String] {
            try await fixture.outline("/quest").filter { $0.contains("Move ") }
        }
        let first = try await fixture.routine("Morning")
        #expect(try await lines().isEmpty, "one alone has no order")
        let second = try await fixture.routine("Noon")
        let third = try await fixture.routine("Evening")
        func order() async throws -> [String] {
            try await fixture.school.answer(
                ListRoutines.self, ["playerId": .text(fixture.mia.text)], as: fixture.ana
            ).items.map(\.name)
        }
        @discardableResult
        func move(_ routine: Routine, before: Routine? = nil) async throws -> Routine {
            var input: [String: InputValue] = ["routineId": .id(routine.id)]
            if let before { input["before"] = .id(before.id) }
            return try await fixture.school.execute(MoveRoutine.self, .object(input), as: fixture.ana)
        }
        #expect(try await order() == ["Morning", "Noon", "Evening"])
        let page = try await lines().joined()
        #expect(page.components(separatedBy: "Move up").count == 3)
        #expect(page.components(separatedBy: "Move down").count == 3)
        #expect(try await move(third, before: first).orderIndex == 1)
        #expect(try await order() == ["Evening", "Morning", "Noon"])
        try await move(third, before: third)
        try await move(third)
        #expect(try await order() == ["Morning", "Noon", "Evening"])
        try await move(second)
        #expect(try await fixture.properties()?.routines.map(\.displayName) == ["Morning", "Evening", "Noon"])
        let foreign = try await problem {
            try await fixture.school.execute(MoveRoutine.self, ["routineId": .id(first.id)], as: fixture.luz)
        }
        #expect(foreign?.status == 404)
        let unknown = try await problem {
            try await fixture.school.execute(
                MoveRoutine.self, ["routineId": .id(first.id), "before": .id(fixture.mia)], as: fixture.ana)
        }
        #expect(unknown?.status == 404)
        try await fixture.routine("Night")
        #expect(try await order().last == "Night", "a new one comes last")
    }

    @Test(
        "results show accuracy and bias over weeks as a chart and as a table",
        .requirement("BY-1.26.a", "BY-1.26.c"),
        arguments: Language.allCases)
    func results(_ language: Language) async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        for _ in 0..<3 {
            try await fixture.record(fixture.played(routine, [(60, 120), (120, 120)]))
            fixture.school.clock.advance(by: 7 * 86_400)
        }
        for path in ["/quest/routines/\(routine.id.text)/results", "/quest/players/\(fixture.mia.text)/results"] {
            let page = try await fixture.outline(path, language: language)
            #expect(page.filter { $0.contains("(chart") }.count == 2, "\(page)")
            #expect(page.contains { $0.contains("(chart") && $0.contains("75\u{00A0}%") })
            #expect(page.contains { $0.contains("−25\u{00A0}%") })
            for line in page { #expect(!line.contains("«quest"), "\(line)") }
        }
        let empty = try await fixture.routine("Evening")
        let nothing = try await fixture.outline("/quest/routines/\(empty.id.text)/results", language: language)
        #expect(!nothing.contains { $0.contains("(chart") })
    }

    @Test("only its owner sees the QR code of a new device, while it is valid")
    func devices() async throws {
        let fixture = try await QuestFixture()
        let page = try await fixture.outline("/quest/devices")
        #expect(page.contains { $0.contains(SetQuestCode.contract.path) })
        #expect(page.contains { $0.contains(AllowDevice.contract.path) })
        #expect(!page.contains { $0.contains(HandOver.contract.path) })
        try await fixture.school.execute(
            AllowDevice.self, ["pairingCode": "ABCD2345", "code": "4321", "again": "4321"], as: fixture.ana)
        let link = "https://tower.example/play/pair/ABCD2345"
        #expect(try await fixture.outline("/quest/devices/ABCD2345").contains { $0.contains("ABCD2345") })
        let foreign = try await fixture.outline("/quest/devices/ABCD2345", as: fixture.luz)
        #expect(!foreign.contains { $0.contains(link) })
        try await fixture.school.execute(SetQuestCode.self, ["code": "1234", "again": "1234"], as: fixture.ana)
        #expect(try await fixture.outline("/quest/devices").contains { $0.contains(HandOver.contract.path) })
        fixture.school.clock.advance(by: Pairing.lifetime + 1)
        #expect(!(try await fixture.outline("/quest/devices/ABCD2345").contains { $0.contains(link) }))
    }

    @Test("a parent without a player is redirected to the dashboard")
    func redirectsToDashboard() async throws {
        let fixture = try await QuestFixture()
        #expect(try await fixture.school.environment.redirect("/play", as: fixture.luz) == "/quest")
    }
}
