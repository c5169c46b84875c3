import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, announcements")
struct AnnouncementTests {
    private func publish(
        _ title: String, to classroom: UUID? = nil, as caller: Caller, in house: MessagingHouse
    ) async throws -> Announcement {
        var input: [String: InputValue] = ["title": .text(title), "text": "With boots."]
        if let classroom { input["classroomId"] = .id(classroom) }
        return try await house.school.execute(PublishAnnouncement.self, .object(input), as: caller)
    }

    private func titles(_ caller: Caller, in house: MessagingHouse) async throws -> [String] {
        try await house.school.answer(ListAnnouncements.self, as: caller).items.map(\.title)
    }

    @Test("a class reads what is for it, everybody what is for the school", .requirement("WW-0.08.e"))
    func reaches() async throws {
        let house = try await MessagingHouse()
        _ = try await publish("Forest walk", to: house.maple, as: house.ruth, in: house)
        house.school.clock.advance(by: 1)
        let all = try await publish("Snow day", as: house.admin, in: house)
        for caller in [house.sofia, house.noah, house.ruth, house.admin] {
            #expect(try await titles(caller, in: house) == ["Snow day", "Forest walk"])
        }
        #expect(try await titles(house.olga, in: house) == ["Snow day"])
        let page = try await house.outline("/announcements/\(all.id.text)", as: house.noah)
        #expect(page.contains("Snow day") && page.contains("With boots.") && !page.contains("Remove"))
        #expect(try await house.outline("/announcements", as: house.sofia, language: .french).contains("Annonces"))
    }

    @Test("a guide tells her own classes, only admins the whole school, families nobody")
    func permits() async throws {
        let house = try await MessagingHouse()
        await #expect(throws: Problem.invalid("classroomId", "announcement.classNeeded")) {
            try await publish("Hello", as: house.ruth, in: house)
        }
        await #expect(throws: Problem.notFound) {
            try await publish("Hello", to: house.birch, as: house.ruth, in: house)
        }
        for caller in [house.sofia, house.noah] {
            await #expect(throws: Problem.notAllowed) {
                try await publish("Hello", to: house.maple, as: caller, in: house)
            }
        }
    }

    @Test("an admin tells the staff, the families, or any class, and nobody else reads it")
    func circles() async throws {
        let house = try await MessagingHouse()
        func tell(_ to: String, as caller: Caller) async throws -> Announcement {
            house.school.clock.advance(by: 1)
            return try await house.school.execute(
                PublishAnnouncement.self, ["title": .text(to), "text": "With boots.", "to": .text(to)], as: caller)
        }
        let staff = try await tell("staff", as: house.admin)
        _ = try await tell("families", as: house.admin)
        let birch = try await tell(house.birch.text, as: house.admin)
        #expect(birch.classroomId == house.birch && staff.circle == .staff)
        #expect(try await titles(house.admin, in: house) == [house.birch.text, "families", "staff"])
        #expect(try await titles(house.ruth, in: house) == ["staff"])
        #expect(try await titles(house.sofia, in: house) == ["families"])
        #expect(try await titles(house.noah, in: house) == [])
        await #expect(throws: Problem.notFound) {
            try await house.outline("/announcements/\(staff.id.text)", as: house.sofia)
        }
        let page = try await house.outline("/announcements/\(staff.id.text)", as: house.ruth)
        #expect(page.contains("Staff") && !page.contains("Whole school"))
        let form = try await house.outline(AnnouncementScreens.newPath, as: house.admin)
        for place in ["Whole school", "Staff", "Families", "Maple", "Birch"] { #expect(form.contains(place)) }
        #expect(try await !house.outline(AnnouncementScreens.newPath, as: house.ruth).contains("Families"))
        for to in ["staff", "families"] {
            await #expect(throws: Problem.invalid("classroomId", "announcement.classNeeded")) {
                try await tell(to, as: house.ruth)
            }
        }
        await #expect(throws: Problem.invalid("to", "choice")) { try await tell("nobody", as: house.admin) }
    }

    @Test("its author and the admins take an announcement away, others do not")
    func removes() async throws {
        let house = try await MessagingHouse()
        let made = try await publish("Forest walk", to: house.maple, as: house.ruth, in: house)
        let id: InputValue = ["announcementId": .id(made.id)]
        await #expect(throws: Problem.notFound) {
            try await house.school.execute(RemoveAnnouncement.self, id, as: house.olga)
        }
        try await house.school.execute(RemoveAnnouncement.self, id, as: house.ruth)
        #expect(try await titles(house.sofia, in: house) == [])
        await #expect(throws: Problem.notFound) {
            try await house.outline("/announcements/\(made.id.text)", as: house.sofia)
        }
    }

    @Test("everybody it is for is told with its title, and its author is not", .requirement("WW-9.02.c"))
    func notifies() async throws {
        let house = try await MessagingHouse()
        let made = try await publish("Forest walk", to: house.maple, as: house.ruth, in: house)
        let features = house.school.house.features
        let kind = try #require(
            features.flatMap(\.notifications.kinds).first { $0.kind == "announcement.published" })
        let logged = try #require(try await house.changes("announcement.published").first)
        #expect(logged.actorId == MessagingHouse.id(house.ruth))
        for (caller, isTold) in [(house.sofia, true), (house.noah, true), (house.admin, true), (house.olga, false)]
        {
            let membership = try #require(caller.membership)
            let mine = try await house.school.database.read {
                try features.flatMap(\.access.audiences).all(for: membership, in: $0)
            }
            #expect(!mine.isDisjoint(with: logged.change.audience) == isTold)
        }
        let shown = try await kind.show(logged, house.school.context(of: house.sofia))
        #expect(shown.text == "Announcement: Forest walk" && shown.path == "/announcements/\(made.id.text)")
        let hidden = try await kind.show(logged, house.school.context(of: house.olga))
        #expect(!hidden.text.contains("Forest") && hidden.path == nil)
        _ = try await publish("Snow day", as: house.admin, in: house)
        #expect(try await house.changes("announcement.published").last?.change.audience == [.school])
    }

    @Test("the list of announcements reads no table in whole")
    func usesIndexes() async throws {
        let house = try await MessagingHouse()
        try await house.school.expectIndexed(
            AnnouncementRepository.listQuery(
                .init(classrooms: [house.maple], seesAll: false), after: AnnouncementHandlers.start, limit: 31))
    }
}
