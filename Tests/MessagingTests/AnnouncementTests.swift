import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit
import ShellInterface
import TestKit
import Testing

@testable import Messaging

@Suite("Announcements")
struct AnnouncementTests {
    private func publish(
        _ title: String, to classroom: UUID? = nil, as caller: Caller, in fixture: MessagingFixture
    ) async throws -> Announcement {
        var input: [String: InputValue] = ["title": .text(title), "text": "With boots."]
        if let classroom { input["classroomId"] = .id(classroom) }
        return try await fixture.school.execute(PublishAnnouncement.self, .object(input), as: caller)
    }

    private func titles(_ caller: Caller, in fixture: MessagingFixture) async throws -> [String] {
        try await fixture.school.answer(ListAnnouncements.self, as: caller).items.map(\.title)
    }

    @Test("a class reads its announcements, and all members read those of the school", .requirement("WW-0.08.e"))
    func reaches() async throws {
        let fixture = try await MessagingFixture()
        _ = try await publish("Forest walk", to: fixture.maple, as: fixture.ruth, in: fixture)
        fixture.school.clock.advance(by: 1)
        let all = try await publish("Snow day", as: fixture.admin, in: fixture)
        for caller in [fixture.sofia, fixture.noah, fixture.ruth, fixture.admin] {
            #expect(try await titles(caller, in: fixture) == ["Snow day", "Forest walk"])
        }
        #expect(try await titles(fixture.olga, in: fixture) == ["Snow day"])
        let page = try await fixture.outline("/announcements/\(all.id.text)", as: fixture.noah)
        #expect(page.contains("Snow day") && page.contains("With boots.") && !page.contains("Remove"))
        #expect(
            try await fixture.outline("/announcements", as: fixture.sofia, language: .french).contains("Annonces"))
    }

    @Test("a guide publishes to her own classes, only admins to the whole school, and families not at all")
    func permits() async throws {
        let fixture = try await MessagingFixture()
        await #expect(throws: Problem.invalid("classroomId", "announcement.classNeeded")) {
            try await publish("Hello", as: fixture.ruth, in: fixture)
        }
        await #expect(throws: Problem.notFound) {
            try await publish("Hello", to: fixture.birch, as: fixture.ruth, in: fixture)
        }
        for caller in [fixture.sofia, fixture.noah] {
            await #expect(throws: Problem.notAllowed) {
                try await publish("Hello", to: fixture.maple, as: caller, in: fixture)
            }
        }
    }

    @Test("an admin publishes to the staff, the families or any class, and no one else reads it")
    func circles() async throws {
        let fixture = try await MessagingFixture()
        func publish(to: String, as caller: Caller) async throws -> Announcement {
            fixture.school.clock.advance(by: 1)
            return try await fixture.school.execute(
                PublishAnnouncement.self, ["title": .text(to), "text": "With boots.", "to": .text(to)], as: caller)
        }
        let staff = try await publish(to: "staff", as: fixture.admin)
        _ = try await publish(to: "families", as: fixture.admin)
        let birch = try await publish(to: fixture.birch.text, as: fixture.admin)
        #expect(birch.classroomId == fixture.birch && staff.circle == .staff)
        #expect(try await titles(fixture.admin, in: fixture) == [fixture.birch.text, "families", "staff"])
        #expect(try await titles(fixture.ruth, in: fixture) == ["staff"])
        #expect(try await titles(fixture.sofia, in: fixture) == ["families"])
        #expect(try await titles(fixture.noah, in: fixture) == [])
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/announcements/\(staff.id.text)", as: fixture.sofia)
        }
        let page = try await fixture.outline("/announcements/\(staff.id.text)", as: fixture.ruth)
        #expect(page.contains("Staff") && !page.contains("Whole school"))
        let form = try await fixture.outline(AnnouncementScreens.newPath, as: fixture.admin)
        for place in ["Whole school", "Staff", "Families", "Maple", "Birch"] { #expect(form.contains(place)) }
        #expect(try await !fixture.outline(AnnouncementScreens.newPath, as: fixture.ruth).contains("Families"))
        for to in ["staff", "families"] {
            await #expect(throws: Problem.invalid("classroomId", "announcement.classNeeded")) {
                try await publish(to: to, as: fixture.ruth)
            }
        }
        await #expect(throws: Problem.invalid("to", "choice")) {
            try await publish(to: "nobody", as: fixture.admin)
        }
    }

    @Test("the form shows for each audience how many others will read the announcement")
    func readers() async throws {
        let fixture = try await MessagingFixture()
        let everyone = [
            fixture.admin, fixture.ruth, fixture.olga, fixture.noah, fixture.sofia, fixture.omar, fixture.ines,
        ]
        for author in [fixture.admin, fixture.ruth] {
            let form = try await fixture.outline(AnnouncementScreens.newPath, as: author)
            let audiences = [
                ("", "Whole school"), ("staff", "Staff"), ("families", "Families"),
                (fixture.maple.text, "Maple room"), (fixture.birch.text, "Birch room"),
            ]
            for (to, name) in author == fixture.admin ? audiences : [audiences[3]] {
                fixture.school.clock.advance(by: 1)
                var input: [String: InputValue] = ["title": .text("To \(name)"), "text": "With boots."]
                if !to.isEmpty { input["to"] = .text(to) }
                try await fixture.school.execute(PublishAnnouncement.self, .object(input), as: author)
                var count = 0
                for reader in everyone where reader != author {
                    if try await titles(reader, in: fixture).first == "To \(name)" { count += 1 }
                }
                #expect(form.contains("\(name) (\(count) reader"), "\(form)")
            }
        }
    }

    @Test("the author and admins can remove an announcement, and others cannot")
    func removes() async throws {
        let fixture = try await MessagingFixture()
        let made = try await publish("Forest walk", to: fixture.maple, as: fixture.ruth, in: fixture)
        let id: InputValue = ["announcementId": .id(made.id)]
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(RemoveAnnouncement.self, id, as: fixture.olga)
        }
        try await fixture.school.execute(RemoveAnnouncement.self, id, as: fixture.ruth)
        #expect(try await titles(fixture.sofia, in: fixture) == [])
        await #expect(throws: Problem.notFound) {
            try await fixture.outline("/announcements/\(made.id.text)", as: fixture.sofia)
        }
    }

    @Test("all readers except the author are notified with the title of an announcement", .requirement("WW-9.02.c"))
    func notifies() async throws {
        let fixture = try await MessagingFixture()
        let made = try await publish("Forest walk", to: fixture.maple, as: fixture.ruth, in: fixture)
        let features = fixture.school.environment.features
        let kind = try #require(
            features.flatMap(\.notifications.kinds).first { $0.kind == "announcement.published" })
        let logged = try #require(try await fixture.changes("announcement.published").first)
        #expect(logged.actorId == MessagingFixture.id(fixture.ruth))
        for (caller, isNotified) in [
            (fixture.sofia, true), (fixture.noah, true), (fixture.admin, true), (fixture.olga, false),
        ] {
            let membership = try #require(caller.membership)
            let mine = try await fixture.school.database.read {
                try features.flatMap(\.access.audiences).all(for: membership, in: $0)
            }
            #expect(!mine.isDisjoint(with: logged.change.audience) == isNotified)
        }
        let shown = try await kind.show(logged, fixture.school.context(of: fixture.sofia))
        #expect(shown.text == "Announcement: Forest walk" && shown.path == "/announcements/\(made.id.text)")
        let hidden = try await kind.show(logged, fixture.school.context(of: fixture.olga))
        #expect(!hidden.text.contains("Forest") && hidden.path == nil)
        _ = try await publish("Snow day", as: fixture.admin, in: fixture)
        #expect(try await fixture.changes("announcement.published").last?.change.audience == [.school])
    }

    @Test("the list of announcements uses indexes")
    func usesIndexes() async throws {
        let fixture = try await MessagingFixture()
        try await fixture.school.expectIndexed(
            AnnouncementRepository.listQuery(
                .init(classrooms: [fixture.maple], seesAll: false), after: AnnouncementHandlers.start, limit: 31))
    }

    @Test("Home shows the latest conversations and the announcements of the last two weeks")
    func home() async throws {
        let fixture = try await MessagingFixture()
        func home(_ caller: Caller) async throws -> Outline {
            try await fixture.school.environment.sections(about: .home, as: caller).outline
        }
        #expect(try await home(fixture.sofia).lines.isEmpty)
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        try await fixture.send("May I print it?", in: talk, as: fixture.ruth)
        _ = try await publish("Forest walk", to: fixture.maple, as: fixture.ruth, in: fixture)
        let shown = try await home(fixture.sofia)
        #expect(shown.contains("## Messages · 1 new") && shown.contains("May I print it?"))
        #expect(shown.contains("Forest walk"))
        #expect(try await !home(fixture.ruth).contains("new"), "one's own message is not new")
        fixture.school.clock.advance(by: 15 * 86_400)
        #expect(try await !home(fixture.sofia).contains("Forest walk"))
    }
}
