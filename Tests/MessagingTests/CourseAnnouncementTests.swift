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
        let made = try await scene.publish("Bring a ruler", to: scene.algebra, as: scene.fixture.ruth)
        for caller in [scene.fixture.ruth, scene.fixture.noah, scene.fixture.sofia, scene.fixture.admin] {
            #expect(try await scene.titles(caller) == ["Bring a ruler"])
        }
        for caller in [scene.fixture.olga, scene.fixture.ines] {
            #expect(try await scene.titles(caller) == [], "another course, or none")
            await #expect(throws: Problem.notFound) {
                try await scene.fixture.outline("/announcements/\(made.id.text)", as: caller)
            }
        }
        let page = try await scene.fixture.outline("/announcements/\(made.id.text)", as: scene.fixture.noah)
        #expect(page.contains("Algebra") && !page.contains("Whole school"))
        #expect(try await scene.fixture.outline("/announcements", as: scene.fixture.sofia).contains("Algebra"))
    }

    @Test("only whoever leads the course tells it something, an archived course nothing, and a place is one")
    func permits() async throws {
        let scene = try await CourseScene()
        await #expect(throws: Problem.notFound) {
            try await scene.publish("Hello", to: scene.algebra, as: scene.fixture.olga)
        }
        await #expect(throws: Problem.notFound) {
            try await scene.publish("Hello", to: UUID(), as: scene.fixture.admin)
        }
        for caller in [scene.fixture.noah, scene.fixture.sofia] {
            await #expect(throws: Problem.notAllowed) {
                try await scene.publish("Hello", to: scene.algebra, as: caller)
            }
        }
        await #expect(throws: Problem.invalid("courseId", "announcement.onePlace")) {
            try await scene.publish(
                "Hello", to: scene.algebra, andClass: scene.fixture.maple, as: scene.fixture.ruth)
        }
        scene.courses.archive(scene.algebra)
        await #expect(throws: Problem.invalid("courseId", "announcement.courseArchived")) {
            try await scene.publish("Hello", to: scene.algebra, as: scene.fixture.ruth)
        }
        #expect(try await scene.fixture.changes("announcement.published").isEmpty)
    }

    @Test("whoever left a course reads its announcements no more, and is not told")
    func leaves() async throws {
        let scene = try await CourseScene()
        _ = try await scene.publish("Bring a ruler", to: scene.algebra, as: scene.fixture.ruth)
        scene.courses.remove(scene.fixture.noah, from: scene.algebra)
        #expect(try await scene.titles(scene.fixture.noah) == [])
        #expect(try await scene.section(scene.fixture.noah).isEmpty)
        let feature = scene.fixture.feature
        let kind = try #require(feature.notifications.kinds.first { $0.kind == "announcement.published" })
        let logged = try #require(try await scene.fixture.changes("announcement.published").first)
        #expect(logged.change.audience.contains(Audience("course:\(scene.algebra.text)")))
        #expect(!logged.change.audience.contains(.school))
        let hidden = try await kind.show(logged, scene.fixture.school.context(of: scene.fixture.noah))
        #expect(!hidden.text.contains("ruler") && hidden.path == nil)
        let shown = try await kind.show(logged, scene.fixture.school.context(of: scene.fixture.sofia))
        #expect(shown.text.contains("Bring a ruler"))
    }

    @Test("an announcement of a course is found by the people of the course alone")
    func found() async throws {
        let scene = try await CourseScene()
        let made = try await scene.publish("Bring a ruler", to: scene.algebra, as: scene.fixture.ruth)
        let source = try #require(
            scene.fixture.feature.pages.searchSources.first { $0.category == "announcements" })
        let documents = try await scene.fixture.school.database.read {
            try source.documents([made.id], scene.fixture.school.organization.id, $0)
        }
        let readers = try #require(documents.first).readers
        #expect(readers.contains(Audience("course:\(scene.algebra.text)")) && !readers.contains(.school))
    }

    @Test("the page of a course shows its latest announcements, and whoever leads it the way to write one")
    func page() async throws {
        let scene = try await CourseScene()
        let way = "/announcements/new?course=\(scene.algebra.text)"
        #expect(try await scene.section(scene.fixture.ruth).contains(way))
        #expect(try await scene.section(scene.fixture.noah).isEmpty, "nothing to say")
        for number in 1...4 {
            _ = try await scene.publish("News \(number)", to: scene.algebra, as: scene.fixture.ruth)
            scene.fixture.school.clock.advance(by: 1)
        }
        let mine = try await scene.section(scene.fixture.noah)
        #expect(mine.contains("News 4") && mine.contains("News 2") && !mine.contains("News 1"))
        #expect(!mine.contains(way))
        #expect(try await scene.section(scene.fixture.olga).isEmpty, "whoever only looks at what is offered")
        scene.courses.archive(scene.algebra)
        let archived = try await scene.section(scene.fixture.ruth)
        #expect(archived.contains("News 4") && !archived.contains(way))
    }

    @Test(
        "the form offers the courses that one leads, and that of the address first",
        arguments: [Language.english, .french])
    func form(_ language: Language) async throws {
        let scene = try await CourseScene()
        let fixture = scene.fixture
        let classes = try await fixture.outline("/announcements/new", as: fixture.ruth, language: language)
        #expect(classes.contains("Maple room") && classes.contains(language == .english ? "Course" : "Cours"))
        #expect(!classes.contains("Algebra"))
        let courses = try await fixture.outline(
            "/announcements/new", as: fixture.ruth, query: ["course": scene.algebra.text], language: language)
        #expect(courses.contains("Algebra") && !courses.contains("Maple room") && !courses.contains("Botany"))
        scene.courses.archive(scene.algebra)
        let none = try await fixture.outline("/announcements/new", as: fixture.ruth, query: ["course": "any"])
        #expect(none.contains("Maple room") && !none.contains("Algebra"))
    }

    @Test("a school without courses has announcements as before")
    func without() async throws {
        let fixture = try await MessagingFixture()
        #expect(fixture.feature.pages.sections.isEmpty)
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(
                PublishAnnouncement.self, ["title": "Hello", "text": "All.", "courseId": .id(UUID())],
                as: fixture.admin)
        }
    }

    @Test("the latest of a course reads no table in whole")
    func usesIndexes() async throws {
        let fixture = try await MessagingFixture()
        try await fixture.school.expectIndexed(
            AnnouncementRepository.latestQuery(
                UUID(), .init(classrooms: [fixture.maple], courses: [UUID()], seesAll: false), limit: 3))
    }
}

/// Ruth leads Algebra, in which Noah is; Olga leads Botany, in which nobody is.
private struct CourseScene {
    let fixture: MessagingFixture
    let courses = TestCourseTies()
    let algebra = UUID()
    let botany = UUID()

    init() async throws {
        fixture = try await MessagingFixture(courses: courses)
        courses.put(algebra, "Algebra", ledBy: fixture.ruth, people: [fixture.noah, fixture.sofia])
        courses.put(botany, "Botany", ledBy: fixture.olga, people: [])
    }

    func publish(
        _ title: String, to course: UUID, andClass classroom: UUID? = nil, as caller: Caller
    ) async throws -> Announcement {
        var input: [String: InputValue] = ["title": .text(title), "text": "For Monday.", "courseId": .id(course)]
        if let classroom { input["classroomId"] = .id(classroom) }
        return try await fixture.school.execute(PublishAnnouncement.self, .object(input), as: caller)
    }

    func titles(_ caller: Caller) async throws -> [String] {
        try await fixture.school.answer(ListAnnouncements.self, as: caller).items.map(\.title)
    }

    /// The block's part of the page of Algebra.
    func section(_ caller: Caller) async throws -> String {
        let request = ScreenRequest(
            context: try await fixture.school.context(of: caller), path: "/courses/\(algebra.text)",
            parameters: [:],
            query: [:])
        let section = try #require(fixture.feature.pages.sections.first { $0.subject == .course })
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
                summary: CourseSummary(id: id, name: name, isArchived: false), leader: MessagingFixture.id(leader),
                people: Set(people.map(MessagingFixture.id)))
        }
    }

    func archive(_ id: UUID) {
        courses.withLock { courses in
            guard let name = courses[id]?.summary.name else { return }
            courses[id]?.summary = CourseSummary(id: id, name: name, isArchived: true)
        }
    }

    func remove(_ caller: Caller, from id: UUID) {
        _ = courses.withLock { $0[id]?.people.remove(MessagingFixture.id(caller)) }
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
