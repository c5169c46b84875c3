import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Wellness

@Suite("Requests for help")
struct HelpTests {
    @Test(
        "a child sees who will be told, asks, sees who has seen it, and reads the answer")
    func asks() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth, fixture.admin], numbers: "Child line: 0800 111 6111")
        let before = try await fixture.outline("/wellness/help", as: fixture.noah)
        #expect(before.contains("Ruth Adler") && before.contains("Ada Admin") && !before.contains("Olga"))
        #expect(before.contains("Child line: 0800 111 6111"))
        let page = try await fixture.school.environment.page("/wellness/help", as: fixture.noah)
        let calls = page.cells.flatMap(\.trailing).compactMap {
            if case .iconButton(let button) = $0 { button } else { nil }
        }
        #expect(calls.map(\.action) == [.external("tel:08001116111")])
        let asked = try await fixture.ask("About the bus")
        #expect(
            Set(asked.adults.map(\.id)) == [WellnessFixture.id(fixture.ruth), WellnessFixture.id(fixture.admin)])
        let waiting = try await fixture.outline("/wellness/help", as: fixture.noah)
        #expect(
            waiting.contains("Told, not seen yet") && !waiting.contains("Seen on") && waiting.contains("Child line")
        )

        let path = "/wellness/requests/\(asked.id.text)"
        #expect(try await fixture.outline(path, as: fixture.ruth).contains("About the bus"))
        #expect(try await fixture.home(of: fixture.ruth).contains("Noah Tremblay would like help"))
        for _ in 0..<2 {
            try await fixture.school.execute(MarkHelpSeen.self, ["helpId": .id(asked.id)], as: fixture.ruth)
        }
        #expect(try await fixture.outline("/wellness/help", as: fixture.noah).contains("Seen on"))
        #expect(try await fixture.outline(path, as: fixture.admin).contains("Ruth Adler"))

        let empty = try await problem {
            try await fixture.school.execute(
                CloseHelp.self, ["helpId": .id(asked.id), "answer": "  "], as: fixture.ruth)
        }
        #expect(empty?.faults.map(\.field) == ["answer"])
        try await fixture.school.execute(
            CloseHelp.self, ["helpId": .id(asked.id), "answer": "We spoke, and go together."], as: fixture.ruth)
        let after = try await fixture.outline("/wellness/help", as: fixture.noah)
        #expect(after.contains("We spoke, and go together.") && after.contains("Ruth Adler"))
        #expect(after.contains("Tell them now"), "the child can ask again")
        #expect(
            try await fixture.kinds() == [
                "wellness.settingsChanged", "wellness.helpAsked", "wellness.helpSeen", "wellness.helpClosed",
            ])
    }

    @Test(
        "the named adults are notified without the child’s name, and the child of what they do")
    func notifies() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth])
        let asked = try await fixture.ask("About the bus")
        try await fixture.school.execute(MarkHelpSeen.self, ["helpId": .id(asked.id)], as: fixture.ruth)
        let logged = try await fixture.school.changes()
        let (noah, ruth) = (WellnessFixture.id(fixture.noah), WellnessFixture.id(fixture.ruth))
        let request = try #require(logged.first { $0.change.kind == "wellness.helpAsked" })
        #expect(request.change.audience == [.person(ruth), .person(noah)] && request.actorId == noah)
        #expect(request.change.payload == ["request": asked.id.text], "no text")
        func show(_ kind: String, _ caller: Caller) async throws -> (text: String, path: String?) {
            let one = try #require(logged.first { $0.change.kind == kind })
            let shown = try #require(fixture.feature.notifications.kinds.first { $0.kind == kind })
            return try await shown.show(one, fixture.school.context(of: caller))
        }
        let told = try await show("wellness.helpAsked", fixture.ruth)
        #expect(told.text == "A student would like help" && told.path == "/wellness/requests/\(asked.id.text)")
        #expect(try await show("wellness.helpAsked", fixture.olga).path == nil)
        let seen = try await show("wellness.helpSeen", fixture.noah)
        #expect(seen.text == "Ruth Adler has seen that you would like help" && seen.path == "/wellness/help")
        #expect(try await show("wellness.helpSeen", fixture.olga).path == nil)
    }

    @Test(
        "while nobody is named a child reads the school’s words and numbers, and cannot ask")
    func nobody() async throws {
        let fixture = try await WellnessFixture()
        await #expect(throws: Problem(409, "wellness.nobodyNamed")) { try await fixture.ask() }
        let plain = try await fixture.outline("/wellness/help", as: fixture.noah)
        #expect(plain.contains("Speak to an adult whom you trust") && !plain.contains("Tell them now"))
        #expect(!plain.contains("Numbers that you can call"), "no number is invented")
        try await fixture.set(advice: "Go to Ms. Roy in room 4.", numbers: "Nurse 514 555-0100")
        let page = try await fixture.outline("/wellness/help", as: fixture.noah)
        #expect(page.contains("Go to Ms. Roy in room 4.") && page.contains("Nurse 514 555-0100"))
        #expect(!page.contains("Speak to an adult whom you trust"))
        // A named adult who has left the staff is nobody.
        try await fixture.set(telling: [fixture.ruth])
        fixture.roles.set([.parent], of: WellnessFixture.id(fixture.ruth))
        await #expect(throws: Problem(409, "wellness.nobodyNamed")) { try await fixture.ask() }
    }

    @Test("a child has one open request, and only the adults who are named now deal with it")
    func limits() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth])
        let asked = try await fixture.ask()
        await #expect(throws: Problem(409, "wellness.alreadyAsked")) { try await fixture.ask("Again") }
        for (name, caller) in fixture.others where name != "a guide" {
            for command in ["wellness.markSeen", "wellness.close"] {
                let refused = try await problem {
                    try await fixture.school.execute(
                        command,
                        command == "wellness.close"
                            ? ["helpId": .id(asked.id), "answer": "No"] : ["helpId": .id(asked.id)], as: caller)
                }
                #expect(refused == (name == "another student" ? .notAllowed : .notFound), "\(name)")
            }
        }
        // The school names another adult: the request moves with the task.
        try await fixture.set(telling: [fixture.olga])
        #expect(try await fixture.home(of: fixture.olga).contains("Noah Tremblay"))
        #expect(try await fixture.school.answer(ListHelpRequests.self, as: fixture.ruth).items.isEmpty)
        try await fixture.school.execute(
            CloseHelp.self, ["helpId": .id(asked.id), "answer": "Come by"], as: fixture.olga)
        await #expect(throws: Problem(409, "wellness.alreadyClosed")) {
            try await fixture.school.execute(
                CloseHelp.self, ["helpId": .id(asked.id), "answer": "Again"], as: fixture.olga)
        }
    }

    @Test("an adult who was named and has left the staff does not learn that a request was seen or closed")
    func formerContact() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth, fixture.olga])
        let asked = try await fixture.ask()
        fixture.roles.set([.parent], of: WellnessFixture.id(fixture.olga))
        try await fixture.school.execute(MarkHelpSeen.self, ["helpId": .id(asked.id)], as: fixture.ruth)
        try await fixture.school.execute(
            CloseHelp.self, ["helpId": .id(asked.id), "answer": "Come by"], as: fixture.ruth)
        let (noah, ruth) = (WellnessFixture.id(fixture.noah), WellnessFixture.id(fixture.ruth))
        let logged = try await fixture.school.changes().suffix(2)
        #expect(logged.map(\.change.kind) == ["wellness.helpSeen", "wellness.helpClosed"])
        #expect(logged.allSatisfy { $0.change.audience == [.person(noah), .person(ruth)] })
    }

    @Test("what an adult typed stays in the form if another has closed the request meanwhile")
    func lost() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth, fixture.olga])
        let asked = try await fixture.ask()
        try await fixture.school.execute(
            CloseHelp.self, ["helpId": .id(asked.id), "answer": "Come by"], as: fixture.olga)
        let path = "/wellness/requests/\(asked.id.text)"
        #expect(try await fixture.school.environment.page(path, as: fixture.ruth).forms.isEmpty)
        let page = try await fixture.school.environment.page(
            path, as: fixture.ruth,
            refused: RefusedForm(
                command: CloseHelp.contract.path(filling: ["helpId": asked.id.text]), typed: ["answer": "My words"],
                problem: Problem(409, "wellness.alreadyClosed")))
        #expect(page.forms.first?.fields.first { $0.name == "answer" }?.value == "My words")
        #expect(page.forms.first?.error?.contains("Another adult has closed") == true)
    }

    @Test("switching check-ins off loses no open request")
    func off() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.set(telling: [fixture.ruth])
        let asked = try await fixture.ask()
        try await fixture.set(isOn: false, telling: [fixture.ruth])
        #expect(try await fixture.home(of: fixture.ruth).contains("Noah Tremblay"))
        #expect(try await fixture.home(of: fixture.noah).contains("You asked for help"))
        #expect(try await fixture.outline("/wellness/help", as: fixture.noah).contains("Told, not seen yet"))
        try await fixture.school.execute(
            CloseHelp.self, ["helpId": .id(asked.id), "answer": "Come by"], as: fixture.ruth)
        #expect(try await fixture.outline("/wellness/help", as: fixture.noah).contains("Come by"))
        await #expect(throws: Problem(409, "wellness.off")) { try await fixture.ask() }
    }

    @Test(
        "only admins set who is told, only members of the staff can be named, and two admins overwrite nothing unseen"
    )
    func settings() async throws {
        let fixture = try await WellnessFixture()
        for caller in [fixture.ruth, fixture.sofia, fixture.noah, fixture.warden] {
            await #expect(throws: Problem.notAllowed) {
                try await fixture.school.execute(SetWellness.self, ["isOn": true], as: caller)
            }
            await #expect(throws: Problem.notAllowed) {
                try await fixture.outline("/settings/wellness", as: caller)
            }
        }
        for person in [fixture.sofia, fixture.noah] {
            let refused = try await problem { try await fixture.set(telling: [person]) }
            #expect(refused?.faults.map(\.field) == ["staffIds"])
        }
        let page = try await fixture.outline("/settings/wellness", as: fixture.admin)
        #expect(page.contains("Nobody is told yet"))
        let form = try await fixture.school.environment.page("/settings/wellness", as: fixture.admin).forms.first
        #expect(form?.fields.first { $0.name == "isOn" }?.hint?.contains("deletes nothing") == true)
        try await fixture.school.environment.expectVersions(
            of: "wellness", at: "/settings/wellness", changing: "advice", as: fixture.admin,
            code: ContentVersion.changed)
        try await fixture.set(telling: [fixture.ruth])
        #expect(try await !fixture.outline("/settings/wellness", as: fixture.admin).contains("Nobody is told yet"))
    }
}
