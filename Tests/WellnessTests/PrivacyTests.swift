import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Wellness

@Suite("Who sees a check-in")
struct PrivacyTests {
    private static let secret = "zebra"

    /// Everything that a person can read of the block: pages, parts of the home page, queries, and the notifications.
    private func everything(
        of caller: Caller, in fixture: WellnessFixture, _ checkIn: CheckIn, _ help: HelpRequest
    ) async throws -> String {
        var text = try await fixture.home(of: caller)
        let ids = [
            "checkInId": checkIn.id.text, "personId": WellnessFixture.id(fixture.noah).text, "helpId": help.id.text,
        ]
        for route in fixture.feature.pages.screens {
            for query in [[:], ["shown": "all"], ["of": "sleep"]] {
                let path = ids.reduce(route.path) {
                    $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value)
                }
                do {
                    let page = try await fixture.school.environment.page(path, as: caller, query: query)
                    text += Outline(page).description
                } catch let problem as Problem {
                    #expect([403, 404].contains(problem.status), "\(path)")
                }
            }
        }
        for query in fixture.feature.endpoints.queries {
            do {
                let bytes = try await fixture.school.environment.answer(query.contract.name, as: caller)
                text += String(decoding: bytes, as: UTF8.self)
            } catch let problem as Problem {
                #expect([403, 404].contains(problem.status), "\(query.contract.name)")
            }
        }
        for kind in fixture.feature.notifications.kinds {
            for logged in try await fixture.school.changes() where logged.change.kind == kind.kind {
                text += try await kind.show(logged, fixture.school.context(of: caller)).text
            }
        }
        return text
    }

    @Test(
        "what a child has not shared is on no page and in no answer for any role, and neither is that there is a check-in"
    )
    func nobody() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth, fixture.admin], parents: true)
        let one = try await fixture.checkIn(.poor, note: Self.secret)
        let help = try await fixture.ask("About the bus")
        for (name, caller) in fixture.others {
            let text = try await everything(of: caller, in: fixture, one, help)
            #expect(!text.contains(Self.secret), "\(name)")
            #expect(!text.contains("Not so good ·") && !text.contains(one.id.text), "\(name)")
            for command in fixture.feature.endpoints.commands where command.contract.path.contains("{checkInId}") {
                let refused = try await problem {
                    try await fixture.school.execute(
                        command.contract.name,
                        command.contract.name == "wellness.editCheckIn"
                            ? ["checkInId": .id(one.id), "mood": "good"] : ["checkInId": .id(one.id)], as: caller)
                }
                #expect([403, 404].contains(refused?.status), "\(name): \(command.contract.name)")
            }
            for command in ["wellness.share", "wellness.endSharing"] {
                let refused = try await problem {
                    try await fixture.school.execute(
                        command, ["checkInId": .id(one.id), "adultId": .id(WellnessFixture.id(fixture.ruth))],
                        as: caller)
                }
                #expect([403, 404].contains(refused?.status), "\(name): \(command)")
            }
            // A request for help is only for those whom the school named.
            let isTold = ["a guide", "an admin"].contains(name)
            #expect(text.contains("About the bus") == isTold, "\(name)")
            #expect(text.contains("Noah Tremblay") == isTold, "\(name)")
        }
        // The check finds what the child sees, so it can fail.
        #expect(try await everything(of: fixture.noah, in: fixture, one, help).contains(Self.secret))
    }

    @Test(
        "one shared check-in is read by the chosen adult alone, and only that one")
    func chosen() async throws {
        let fixture = try await WellnessFixture()
        let help = HelpRequest(
            id: UUID(), personId: UUID(), note: "", askedAt: Date(), closedAt: nil, answer: "", adults: [])
        let one = try await fixture.checkIn(.poor, note: Self.secret)
        let other = try await fixture.checkIn(.good, note: "quagga")
        try await fixture.share(one, with: fixture.ruth)
        for (name, caller) in fixture.others {
            let text = try await everything(of: caller, in: fixture, one, help)
            #expect(text.contains(Self.secret) == (name == "a guide"), "\(name)")
            #expect(!text.contains("quagga"), "\(name)")
        }
        let shared = try await fixture.school.answer(ListSharedCheckIns.self, as: fixture.ruth).items
        #expect(shared.map(\.name) == ["Noah Tremblay"] && shared.first?.checkIns.map(\.id) == [one.id])
        #expect(shared.first?.checkIns.contains(other) == false)
        try await fixture.endSharing(one, with: fixture.ruth)
        #expect(try await !everything(of: fixture.ruth, in: fixture, one, help).contains(Self.secret))
    }

    @Test("all check-ins, also later ones, are shared until the child ends it")
    func all() async throws {
        let fixture = try await WellnessFixture()
        let path = "/wellness/shared/\(WellnessFixture.id(fixture.noah).text)"
        try await fixture.checkIn(.poor, note: Self.secret)
        try await fixture.share(with: fixture.warden)
        try await fixture.checkIn(.good, note: "quagga")
        let page = try await fixture.outline(path, as: fixture.warden)
        #expect(page.contains(Self.secret) && page.contains("quagga"))
        #expect(try await fixture.outline("/wellness/sharing", as: fixture.noah).contains("Wanda Warden"))
        // One of them was shared by itself too: ending everything ends that as well.
        let third = try await fixture.checkIn(.bad)
        try await fixture.share(third, with: fixture.warden)
        try await fixture.endSharing(with: fixture.warden)
        await #expect(throws: Problem.notFound) { try await fixture.outline(path, as: fixture.warden) }
        #expect(try await fixture.outline("/wellness/shared", as: fixture.warden).contains("Nothing is shared"))
    }

    @Test("parents can be chosen and can read only while the school allows it, and only of their own child")
    func parents() async throws {
        let fixture = try await WellnessFixture()
        let path = "/wellness/shared/\(WellnessFixture.id(fixture.noah).text)"
        try await fixture.checkIn(.poor, note: Self.secret)
        let refused = try await problem { try await fixture.share(with: fixture.sofia) }
        #expect(refused?.faults.map(\.field) == ["adultId"])
        try await fixture.set(parents: true)
        try await fixture.share(with: fixture.sofia)
        #expect(try await fixture.outline(path, as: fixture.sofia).contains(Self.secret))
        let other = try await problem { try await fixture.share(with: fixture.ines) }
        #expect(other?.faults.map(\.field) == ["adultId"], "another child’s parent")
        let child = try await problem { try await fixture.share(with: fixture.mia) }
        #expect(child?.faults.map(\.field) == ["adultId"], "another child")
        try await fixture.set(parents: false)
        await #expect(throws: Problem.notFound) { try await fixture.outline(path, as: fixture.sofia) }
        #expect(
            try await fixture.outline("/wellness/sharing", as: fixture.noah).contains("Sofia Tremblay"),
            "the child still sees it and can end it")
    }

    @Test("a member of the staff who has become a parent only no longer reads what a child shared")
    func leaves() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.checkIn(.poor)
        try await fixture.share(with: fixture.ruth)
        let now = fixture.school.makeCaller(.parent, personId: WellnessFixture.id(fixture.ruth))
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/wellness/shared/\(WellnessFixture.id(fixture.noah).text)", as: now)
        }
        #expect(try await fixture.school.answer(ListSharedCheckIns.self, as: now).items.isEmpty)
    }

    @Test(
        "checking in, sharing and ending it leave no trace in the change log, the search or the live events of others"
    )
    func traces() async throws {
        let fixture = try await WellnessFixture()
        var heard = fixture.school.environment.hub.signals(of: fixture.school.organization.id).makeAsyncIterator()
        let one = try await fixture.checkIn(.poor, note: Self.secret)
        try await fixture.share(one, with: fixture.ruth)
        try await fixture.endSharing(one, with: fixture.ruth)
        try await fixture.school.execute(DeleteCheckIn.self, ["checkInId": .id(one.id)], as: fixture.noah)
        #expect(try await fixture.school.changes().isEmpty)
        #expect(fixture.feature.pages.searchSources.isEmpty)
        let signal = try #require(await heard.next())
        #expect(signal.audience == [.person(WellnessFixture.id(fixture.ruth))] && signal.payload.isEmpty)
    }

    @Test("exports that staff make have no check-in and no word of a request, and erasing a child erases all")
    func records() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth])
        let one = try await fixture.checkIn(.poor, note: Self.secret)
        try await fixture.share(one, with: fixture.ruth)
        try await fixture.share(with: fixture.olga)
        _ = try await fixture.ask(Self.secret)
        let tables = fixture.feature.storage.records.flatMap(\.tables)
        let noah = RecordSubject(
            schoolId: fixture.school.organization.id, personId: WellnessFixture.id(fixture.noah), accountId: nil,
            placeholder: "Removed")
        let exported = try await fixture.school.database.read { sql in
            try tables.flatMap { table in
                try [table.export?(noah.schoolId), table.about?(noah)].compactMap(\.self).flatMap {
                    try sql.rows($0).map { "\($0.columns) \($0.values)" }
                }
            }.joined()
        }
        #expect(!exported.isEmpty && !exported.contains(Self.secret) && !exported.contains("mood"))
        // Erasing an adult ends what was shared with them and leaves the child’s records.
        func erase(_ caller: Caller) async throws {
            let subject = RecordSubject(
                schoolId: fixture.school.organization.id, personId: WellnessFixture.id(caller), accountId: nil,
                placeholder: "Removed")
            // conformance: allow write - stands in for the erasure of Records
            try await fixture.school.database.write { sql in
                for table in tables { if let statement = table.erase?(subject) { try sql.execute(statement) } }
            }
        }
        func count(_ table: String) async throws -> Int {
            try await fixture.school.database.read {
                try $0.rows(SQL(stringLiteral: "SELECT * FROM \(table)")).count
            }
        }
        try await erase(fixture.ruth)
        for (table, left) in [("shares", 0), ("contacts", 0), ("check_ins", 1), ("requests", 1)] {
            #expect(try await count("wellness_\(table)") == left, "\(table)")
        }
        try await erase(fixture.noah)
        for table in ["check_ins", "shares", "readers", "requests", "request_adults"] {
            #expect(try await count("wellness_\(table)") == 0, "\(table)")
        }
    }

    @Test(
        "check-ins and requests are deleted when their retention is over, a year unless the school sets another time"
    )
    func retention() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth])
        try await fixture.checkIn(.poor)
        _ = try await fixture.ask()
        fixture.clock.advance(by: 366 * 86_400)
        try await fixture.checkIn(.good)
        let border = fixture.clock.now.addingTimeInterval(-365 * 86_400)
        for kind in fixture.feature.storage.records where kind.erasure == .withPerson {
            guard case .days(365, _) = kind.retention else { throw Problem.notFound }
            // conformance: allow write - stands in for the nightly deletion of Records
            try await fixture.school.database.write { sql in
                for table in kind.tables { if let expiry = table.expiry { try sql.execute(expiry.delete(border)) } }
            }
        }
        #expect(try await fixture.school.answer(ListCheckIns.self, as: fixture.noah).items.map(\.mood) == [.good])
        #expect(try await fixture.school.answer(ListHelpRequests.self, as: fixture.ruth).items.isEmpty)
    }

    @Test("no API token and no device that was narrowed for a child reaches check-ins")
    func narrowed() async throws {
        let fixture = try await WellnessFixture()
        let features = [fixture.feature]
        #expect(features.tokenScopes.isEmpty)
        #expect(fixture.feature.pages.screens.allSatisfy { $0.area == nil })
        let account = try #require(fixture.noah.account)
        for isDevice in [true, false] {
            let rights = TokenRights(
                scopes: [TokenScope(area: "quest", mayChange: true)],
                organizationId: fixture.school.organization.id, isDevice: isDevice)
            let narrowed = SignedInAccount(
                id: account.id, sessionId: account.sessionId, deviceId: account.deviceId, email: account.email,
                name: account.name, token: rights)
            let caller = fixture.school.makeCaller(
                .student, personId: WellnessFixture.id(fixture.noah), account: narrowed)
            for route in fixture.feature.pages.screens {
                #expect(throws: Problem(403, "tokenOnPage")) {
                    try PermissionService.authorize(page: route.access, area: route.area, caller)
                }
            }
            let refused = try await problem { try await fixture.checkIn(as: caller) }
            #expect(refused?.status == 403)
            let read = try await problem { _ = try await fixture.school.answer(ListCheckIns.self, as: caller) }
            #expect(read?.status == 403)
        }
    }
}
