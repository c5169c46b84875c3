import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, announcements of a course")
struct CourseAnnouncementTests {
    @Test(
        "whoever leads a course tells it something; its people read it, and others do not",
        .requirement("WW-0.08.e"))
    func reaches() async throws {
        let scene = try await CourseScene()
        let made = try await scene.publish("Bring a ruler", to: scene.algebra, as: scene.house.ruth)
        for caller in [scene.house.ruth, scene.house.noah, scene.house.sofia, scene.house.admin] {
            #expect(try await scene.titles(caller) == ["Bring a ruler"])
        }
        for caller in [scene.house.olga, scene.house.ines] {
            #expect(try await scene.titles(caller) == [], "another course, or none")
            await #expect(throws: Problem.notFound) {
                try await scene.house.outline("/announcements/\(made.id.text)", as: caller)
            }
        }
        let page = try await scene.house.outline("/announcements/\(made.id.text)", as: scene.house.noah)
        #expect(page.contains("Algebra") && !page.contains("Whole school"))
        #expect(try await scene.house.outline("/announcements", as: scene.house.sofia).contains("Algebra"))
    }

    @Test("only whoever leads the course tells it something, an archived course nothing, and a place is one")
    func permits() async throws {
        let scene = try await CourseScene()
        await #expect(throws: Problem.notFound) {
            try await scene.publish("Hello", to: scene.algebra, as: scene.house.olga)
        }
        await #expect(throws: Problem.notFound) {
            try await scene.publish("Hello", to: UUID(), as: scene.house.admin)
        }
        for caller in [scene.house.noah, scene.house.sofia] {
            await #expect(throws: Problem.notAllowed) {
                try await scene.publish("Hello", to: scene.algebra, as: caller)
            }
        }
        await #expect(throws: Problem.invalid("courseId", "announcement.onePlace")) {
            try await scene.publish("Hello", to: scene.algebra, andClass: scene.house.maple, as: scene.house.ruth)
        }
        scene.courses.archive(scene.algebra)
        await #expect(throws: Problem.invalid("courseId", "announcement.courseArchived")) {
            try await scene.publish("Hello", to: scene.algebra, as: scene.house.ruth)
        }
        #expect(try await scene.house.changes("announcement.published").isEmpty)
    }

    @Test("whoever left a course reads its announcements no more, and is not told")
    func leaves() async throws {
        let scene = try await CourseScene()
        _ = try await scene.publish("Bring a ruler", to: scene.algebra, as: scene.house.ruth)
        scene.courses.remove(scene.house.noah, from: scene.algebra)
        #expect(try await scene.titles(scene.house.noah) == [])
        #expect(try await scene.section(scene.house.noah).isEmpty)
        let feature = scene.house.feature
        let kind = try #require(feature.notifications.kinds.first { $0.kind == "announcement.published" })
        let logged = try #require(try await scene.house.changes("announcement.published").first)
        #expect(logged.change.audience.contains(Audience("course:\(scene.algebra.text)")))
        #expect(!logged.change.audience.contains(.school))
        let hidden = try await kind.show(logged, scene.house.school.context(of: scene.house.noah))
        #expect(!hidden.text.contains("ruler") && hidden.path == nil)
        let shown = try await kind.show(logged, scene.house.school.context(of: scene.house.sofia))
        #expect(shown.text.contains("Bring a ruler"))
    }

    @Test("an announcement of a course is found by the people of the course alone")
    func found() async throws {
        let scene = try await CourseScene()
        let made = try await scene.publish("Bring a ruler", to: scene.algebra, as: scene.house.ruth)
        let source = try #require(scene.house.feature.pages.searchSources.first { $0.category == "announcements" })
        let documents = try await scene.house.school.database.read {
            try source.documents([made.id], scene.house.school.organization.id, $0)
        }
        let readers = try #require(documents.first).readers
        #expect(readers.contains(Audience("course:\(scene.algebra.text)")) && !readers.contains(.school))
    }

    @Test("the page of a course shows its latest announcements, and whoever leads it the way to write one")
    func page() async throws {
        let scene = try await CourseScene()
        let way = "/announcements/new?course=\(scene.algebra.text)"
        #expect(try await scene.section(scene.house.ruth).contains(way))
        #expect(try await scene.section(scene.house.noah).isEmpty, "nothing to say")
        for number in 1...4 {
            _ = try await scene.publish("News \(number)", to: scene.algebra, as: scene.house.ruth)
            scene.house.school.clock.advance(by: 1)
        }
        let mine = try await scene.section(scene.house.noah)
        #expect(mine.contains("News 4") && mine.contains("News 2") && !mine.contains("News 1"))
        #expect(!mine.contains(way))
        #expect(try await scene.section(scene.house.olga).isEmpty, "whoever only looks at what is offered")
        scene.courses.archive(scene.algebra)
        let archived = try await scene.section(scene.house.ruth)
        #expect(archived.contains("News 4") && !archived.contains(way))
    }

    @Test(
        "the form offers the courses that one leads, and that of the address first",
        arguments: [Language.english, .french])
    func form(_ language: Language) async throws {
        let scene = try await CourseScene()
        let house = scene.house
        let classes = try await house.outline("/announcements/new", as: house.ruth, language: language)
        #expect(classes.contains("Maple room") && classes.contains(language == .english ? "Course" : "Cours"))
        #expect(!classes.contains("Algebra"))
        let courses = try await house.outline(
            "/announcements/new", as: house.ruth, query: ["course": scene.algebra.text], language: language)
        #expect(courses.contains("Algebra") && !courses.contains("Maple room") && !courses.contains("Botany"))
        scene.courses.archive(scene.algebra)
        let none = try await house.outline("/announcements/new", as: house.ruth, query: ["course": "any"])
        #expect(none.contains("Maple room") && !none.contains("Algebra"))
    }

    @Test("a school without courses has announcements as before")
    func without() async throws {
        let house = try await MessagingHouse()
        #expect(house.feature.pages.sections.isEmpty)
        await #expect(throws: Problem.notFound) {
            try await house.school.execute(
                PublishAnnouncement.self, ["title": "Hello", "text": "All.", "courseId": .id(UUID())],
                as: house.admin)
        }
    }

    @Test("the latest of a course reads no table in whole")
    func usesIndexes() async throws {
        let house = try await MessagingHouse()
        try await house.school.expectIndexed(
            AnnouncementRepository.latestQuery(
                UUID(), .init(classrooms: [house.maple], courses: [UUID()], seesAll: false), limit: 3))
    }
}

/// Ruth leads Algebra, in which Noah is; Olga leads Botany, in which nobody is.
private struct CourseScene {
    let house: MessagingHouse
    let courses = TestCourseTies()
    let algebra = UUID()
    let botany = UUID()

    init() async throws {
        house = try await MessagingHouse(courses: courses)
        courses.put(algebra, "Algebra", ledBy: house.ruth, people: [house.noah, house.sofia])
        courses.put(botany, "Botany", ledBy: house.olga, people: [])
    }

    func publish(
        _ title: String, to course: UUID, andClass classroom: UUID? = nil, as caller: Caller
    ) async throws -> Announcement {
        var input: [String: InputValue] = ["title": .text(title), "text": "For Monday.", "courseId": .id(course)]
        if let classroom { input["classroomId"] = .id(classroom) }
        return try await house.school.execute(PublishAnnouncement.self, .object(input), as: caller)
    }

    func titles(_ caller: Caller) async throws -> [String] {
        try await house.school.answer(ListAnnouncements.self, as: caller).items.map(\.title)
    }

    /// The block's part of the page of Algebra.
    func section(_ caller: Caller) async throws -> String {
        let request = ScreenRequest(
            context: try await house.school.context(of: caller), path: "/courses/\(algebra.text)", parameters: [:],
            query: [:])
        let section = try #require(house.feature.pages.sections.first { $0.subject == .course })
        return Outline(try await section.make(algebra, request)).description
    }
}

/// Courses with whoever leads them and whoever is in them, as a test says.
final class TestCourseTies: CourseTieService {
    private struct Kept {
        var summary: CourseSummary
        let leader: UUID
        var people: Set<UUID>
    }
    private let courses = Mutex<[UUID: Kept]>([:])

    func put(_ id: UUID, _ name: String, ledBy leader: Caller, people: [Caller]) {
        courses.withLock {
            $0[id] = Kept(
                summary: CourseSummary(id: id, name: name, isArchived: false), leader: MessagingHouse.id(leader),
                people: Set(people.map(MessagingHouse.id)))
        }
    }

    func archive(_ id: UUID) {
        courses.withLock { courses in
            guard let name = courses[id]?.summary.name else { return }
            courses[id]?.summary = CourseSummary(id: id, name: name, isArchived: true)
        }
    }

    func remove(_ caller: Caller, from id: UUID) {
        _ = courses.withLock { $0[id]?.people.remove(MessagingHouse.id(caller)) }
    }

    func courseIds(of membership: ActiveMembership, in sql: any SQLReading) throws -> Set<UUID> {
        Set(
            courses.withLock { $0 }.filter {
                $0.value.leader == membership.personId || $0.value.people.contains(membership.personId)
            }.keys)
    }

    func courses(ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> [CourseSummary] {
        courses.withLock { $0 }.values
            .filter { $0.leader == membership.personId || membership.roles.contains(.admin) }
            .map(\.summary).sorted { $0.name < $1.name }
    }

    func leadsAny(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        try courses(ledBy: membership, in: sql).contains { !$0.isArchived }
    }

    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: CourseSummary] {
        courses.withLock { $0 }.filter { ids.contains($0.key) }.mapValues(\.summary)
    }

    func audience(of courseId: UUID) -> Audience { Audience("course:\(courseId.text)") }
}
