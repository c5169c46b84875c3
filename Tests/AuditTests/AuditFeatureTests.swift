import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Audit

@Suite("The audit log")
struct AuditTests {
    let fixture: TestEnvironment
    let school: TestSchool
    let ana: Caller
    let child = UUID()
    let gone = UUID()

    init() async throws {
        let child = child
        var garden = Feature(
            "Garden",
            catalog: try StringCatalog(json: Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8)))
        garden.audit.title = "audit.group.audit"
        garden.audit.kinds = [
            AuditKind("plant.watered", "audit.about", .name("student", of: "person")),
            AuditKind("plant.seen", "audit.seen"),
        ]
        garden.access.permissions = [Permission("plant.water", [.guide, .student])]
        garden.audit.names = [
            NameSource("person") { ids, _ in ids.contains(child) ? [child: "Amara Mensah"] : [:] }
        ]
        fixture = try await TestEnvironment([garden, AuditFeature.make(others: [garden])])
        school = try await fixture.makeSchool()
        ana = school.makeCaller(.admin)
        let (gone, now, actor) = (gone, school.clock.now, try #require(ana.membership).personId)
        try await school.database.write { sql in
            for (day, id) in [(0, child), (1, gone)] {
                _ = try ChangeLog.append(
                    [Change("plant.watered", topics: [], audience: [], payload: ["student": id.text])],
                    at: now.addingTimeInterval(Double(day) * 86_400), actor: actor, in: sql)
            }
            _ = try ChangeLog.append(
                [Change("rain.fell", topics: [], audience: [])], at: now.addingTimeInterval(2 * 86_400), actor: nil,
                in: sql)
        }
    }

    private func lines(_ input: InputValue = [:]) async throws -> [AuditLine] {
        try await fixture.answer(ReadAuditTrail.self, input, as: ana).items
    }

    @Test(
        "the audit log shows who did what in sentences, newest first, with current names", .requirement("BY-1.25.a")
    )
    func sentences() async throws {
        let told = try await lines()
        #expect(
            told.map(\.sentence) == [
                "Unknown action: rain.fell", "About a removed person",
                "About Amara Mensah",
            ])
        #expect(told.map(\.actor) == ["Server", "a removed person", "a removed person"])
        #expect(told.last?.subjects.map(\.name) == ["Amara Mensah"])
    }

    @Test(
        "the audit log is filtered by person, block, thing and days, and read page by page",
        .requirement("BY-1.25.c"))
    func filters() async throws {
        let actor = try #require(ana.membership).personId
        #expect(try await lines(["actor": .id(actor)]).map(\.seq) == [2, 1])
        #expect(try await lines(["group": "Garden"]).map(\.seq) == [2, 1])
        #expect(try await lines(["subject": .id(child)]).map(\.seq) == [1])
        let day = Day(school.clock.now, in: TimeZone(identifier: "America/Toronto") ?? .gmt)
        let second = day.adding(days: 1).description
        #expect(try await lines(["from": .text(second), "until": .text(second)]).map(\.seq) == [2])
        let page = try await fixture.answer(ReadAuditTrail.self, ["limit": "1", "group": "Garden"], as: ana)
        #expect(page.items.map(\.seq) == [2] && page.next == "2")
        #expect(try await lines(["after": "2", "group": "Garden"]).map(\.seq) == [1])
        let refusal = try await problem { _ = try await lines(["group": "Cellar"]) }
        #expect(refusal?.status == 404)
    }

    @Test("an export is a CSV file for spreadsheets, and makes an entry in the audit log")
    func export() async throws {
        let bytes = try await fixture.answer("audit.export", [:], as: ana, language: .french)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("\u{FEFF}entry,time,person,kind,what,personId,hash\r\n"))
        #expect(text.contains("Amara Mensah") && text.contains("une personne retirée"))
        #expect(try await school.changes().last?.change.kind == "audit.exported")
        #expect(
            String(decoding: AuditHandlers.csv([["=1+1", "a,\"b\""]]), as: UTF8.self)
                == "\u{FEFF}'=1+1,\"a,\"\"b\"\"\"\r\n")
    }

    @Test("only admins can see the audit log", arguments: [Role.guide, .parent, .student, .warden])
    func access(role: Role) async throws {
        for name in ["audit.list", "audit.export", "audit.check"] {
            let refusal = try await problem { _ = try await fixture.answer(name, [:], as: school.makeCaller(role)) }
            #expect(refusal == .notAllowed)
        }
    }

    private func page(_ path: String, _ query: [String: String] = [:], _ language: Language = .english)
        async throws -> String
    {
        let route = try #require(fixture.features.flatMap(\.pages.screens).first { $0.path == path })
        let request = try await ScreenRequest(
            context: fixture.context(of: ana, language: language), path: path, parameters: [:], query: query)
        guard case .screen(let screen) = try await route.make(request) else { return "" }
        return Outline(screen).description
    }

    @Test("the page filters by links and shows whether the audit log is intact")
    func screen() async throws {
        let all = try await page("/settings/audit")
        #expect(all.contains("About Amara Mensah") && all.contains("Views"))
        #expect(try await page("/settings/audit", ["check": "1"]).contains("The audit log is intact"))
        #expect(
            try await page("/settings/audit", ["check": "1"], .french).contains("Le journal d’audit est intact"))
        let narrowed = try await page("/settings/audit", ["subject": child.text])
        #expect(!narrowed.contains("rain.fell"))
        #expect(try await page("/settings/audit", ["group": "Audit"]).contains("No entries found"))
        #expect(try await fixture.answer(CheckAuditChain.self, as: ana).isIntact)
    }

    @Test("the page names the log entries that the school's file has lost")
    func lost() async throws {
        #expect(try await !page("/settings/audit").contains("lost"))
        let (id, now) = (school.organization.id, school.clock.now)
        try await fixture.directory.write {
            try SchoolSeals.store(LogSeal(seq: 9, hash: "of a lost entry"), of: id, at: now, in: $0)
        }
        let loss = try await SealBook(directory: fixture.directory, clock: school.clock).compare(
            id, school.database)
        #expect(loss?.first == 4 && loss?.last == 9)
        #expect(try await page("/settings/audit").contains("Entries 4 to 9 are missing"))
        #expect(try await page("/settings/audit", [:], .french).contains("Les entrées 4 à 9 manquent"))
    }

    @Test("the roles page shows every permission for every role")
    func roles() async throws {
        let route = RolesScreen(features: fixture.features).route
        let request = try await ScreenRequest(
            context: fixture.context(of: ana), path: route.path, parameters: [:], query: [:])
        guard case .screen(let screen) = try await route.make(request), case .table(let table) = screen.body.last
        else {
            Issue.record("there is no table")
            return
        }
        #expect(table.columns.count == Role.allCases.count + 1)
        let permissions = fixture.features.flatMap(\.access.permissions)
        #expect(table.rows.map(\.id) == permissions.map(\.name))
        for (row, permission) in zip(table.rows, permissions) {
            for (cell, role) in zip(row.cells, Role.allCases) {
                let may = permission.roles.contains(role)
                #expect(cell == .check(may, spoken: may ? "Allowed" : "Not allowed"))
            }
        }
    }
}
