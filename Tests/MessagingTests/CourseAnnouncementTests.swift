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

@Suite("Announcements of a course")
struct CourseAnnouncementTests {
    @Test(
        "a teacher publishes to a course, and only its people read it",
        .requirement("WW-0.08.e"))
    func reaches() async throws {
        let setup = try await CourseSetup()
        let made = try await setup.publish("Bring a ruler", to: setup.algebra, as: setup.fixture.ruth)
        for caller in [setup.fixture.ruth, setup.fixture.noah, setup.fixture.sofia, setup.fixture.admin] {
            #expect(try await setup.titles(caller) == ["Bring a ruler"])
        }
        for caller in [setup.fixture.olga, setup.fixture.ines] {
            #expect(try await setup.titles(caller) == [], "another course, or none")
            await #expect(throws: Problem.notFound) {
                try await setup.fixture.outline("/announcements/\(made.id.text)", as: caller)
            }
        }
        let page = try await setup.fixture.outline("/announcements/\(made.id.text)", as: setup.fixture.noah)
        #expect(page.contains("Algebra") && !page.contains("Whole school"))
        #expect(try await setup.fixture.outline("/announcements", as: setup.fixture.sofia).contains("Algebra"))
    }

    @Test("only those who lead a course publish to it, not once it is archived, and to one place at a time")
    func permits() async throws {
        let setup = try await CourseSetup()
        await #expect(throws: Problem.notFound) {
            try await setup.publish("Hello", to: setup.algebra, as: setup.fixture.olga)
        }
        await #expect(throws: Problem.notFound) {
            try await setup.publish("Hello", to: UUID(), as: setup.fixture.admin)
        }
        for caller in [setup.fixture.noah, setup.fixture.sofia] {
            await #expect(throws: Problem.notAllowed) {
                try await setup.publish("Hello", to: setup.algebra, as: caller)
            }
        }
        await #expect(throws: Problem.invalid("courseId", "announcement.onePlace")) {
            try await setup.publish(
                "Hello", to: setup.algebra, andClass: setup.fixture.maple, as: setup.fixture.ruth)
        }
        setup.courses.archive(setup.algebra)
        await #expect(throws: Problem.invalid("courseId", "announcement.courseArchived")) {
            try await setup.publish("Hello", to: setup.algebra, as: setup.fixture.ruth)
        }
        #expect(try await setup.fixture.changes("announcement.published").isEmpty)
    }

    @Test("a person who left a course no longer reads its announcements and is not notified")
    func leaves() async throws {
        let setup = try await CourseSetup()
        _ = try await setup.publish("Bring a ruler", to: setup.algebra, as: setup.fixture.ruth)
        setup.courses.remove(setup.fixture.noah, from: setup.algebra)
        #expect(try await setup.titles(setup.fixture.noah) == [])
        #expect(try await setup.section(setup.fixture.noah).isEmpty)
        let feature = setup.fixture.feature
        let kind = try #require(feature.notifications.kinds.first { $0.kind == "announcement.published" })
        let logged = try #require(try await setup.fixture.changes("announcement.published").first)
        #expect(logged.change.audience.contains(Audience("course:\(setup.algebra.text)")))
        #expect(!logged.change.audience.contains(.school))
        let hidden = try await kind.show(logged, setup.fixture.school.context(of: setup.fixture.noah))
        #expect(!hidden.text.contains("ruler") && hidden.path == nil)
        let shown = try await kind.show(logged, setup.fixture.school.context(of: setup.fixture.sofia))
        #expect(shown.text.contains("Bring a ruler"))
    }

    @Test("only the people of a course find its announcements")
    func found() async throws {
        let setup = try await CourseSetup()
        let made = try await setup.publish("Bring a ruler", to: setup.algebra, as: setup.fixture.ruth)
        let source = try #require(
            setup.fixture.feature.pages.searchSources.first { $0.category == "announcements" })
        let documents = try await setup.fixture.school.database.read {
            try source.documents([made.id], setup.fixture.school.organization.id, $0)
        }
        let readers = try #require(documents.first).readers
        #expect(readers.contains(Audience("course:\(setup.algebra.text)")) && !readers.contains(.school))
    }

    @Test("a course's page shows the latest announcements, and its teachers a link to write one")
    func page() async throws {
        let setup = try await CourseSetup()
        let way = "/announcements/new?course=\(setup.algebra.text)"
        #expect(try await setup.section(setup.fixture.ruth).contains(way))
        #expect(try await setup.section(setup.fixture.noah).isEmpty, "no announcements yet")
        for number in 1...4 {
            _ = try await setup.publish("News \(number)", to: setup.algebra, as: setup.fixture.ruth)
            setup.fixture.school.clock.advance(by: 1)
        }
        let mine = try await setup.section(setup.fixture.noah)
        #expect(mine.contains("News 4") && mine.contains("News 2") && !mine.contains("News 1"))
        #expect(!mine.contains(way))
        #expect(try await setup.section(setup.fixture.olga).isEmpty, "not in the course")
        setup.courses.archive(setup.algebra)
        let archived = try await setup.section(setup.fixture.ruth)
        #expect(archived.contains("News 4") && !archived.contains(way))
    }

    @Test(
        "the form offers the courses that the caller leads, with the one of the address selected",
        arguments: [Language.english, .french])
    func form(_ language: Language) async throws {
        let setup = try await CourseSetup()
        let fixture = setup.fixture
        let classes = try await fixture.outline("/announcements/new", as: fixture.ruth, language: language)
        #expect(classes.contains("Maple room") && classes.contains(language == .english ? "Course" : "Cours"))
        #expect(!classes.contains("Algebra"))
        let courses = try await fixture.outline(
            "/announcements/new", as: fixture.ruth, query: ["course": setup.algebra.text], language: language)
        #expect(courses.contains("Algebra") && !courses.contains("Maple room") && !courses.contains("Botany"))
        setup.courses.archive(setup.algebra)
        let none = try await fixture.outline("/announcements/new", as: fixture.ruth, query: ["course": "any"])
        #expect(none.contains("Maple room") && !none.contains("Algebra"))
    }

    @Test("a school without courses has no announcements of courses")
    func without() async throws {
        let fixture = try await MessagingFixture()
        #expect(!fixture.feature.pages.sections.contains { $0.subject == .course })
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(
                PublishAnnouncement.self, ["title": "Hello", "text": "All.", "courseId": .id(UUID())],
                as: fixture.admin)
        }
    }

    @Test("the query of a course's latest announcements uses indexes")
    func usesIndexes() async throws {
        let fixture = try await MessagingFixture()
        try await fixture.school.expectIndexed(
            AnnouncementRepository.latestQuery(
                UUID(), .init(classrooms: [fixture.maple], courses: [UUID()], seesAll: false), limit: 3))
    }
}

/// Two courses: Ruth leads Algebra with Noah and Sofia, and Olga leads Botany without students.
private struct CourseSetup {
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

    /// The block's section on the page of Algebra.
    func section(_ caller: Caller) async throws -> String {
        let request = ScreenRequest(
            context: try await fixture.school.context(of: caller), path: "/courses/\(algebra.text)",
            parameters: [:],
            query: [:])
        let section = try #require(fixture.feature.pages.sections.first { $0.subject == .course })
        return Outline(try await section.make(algebra, request)).description
    }
}

/// Courses with the leaders and people that a test sets.
final class TestCourseTies: CourseTieService {
    private struct Stored {
        var summary: CourseSummary
        let leader: UUID
        var people: Set<UUID>
    }
    private let courses = Mutex<[UUID: Stored]>([:])

    func put(_ id: UUID, _ name: String, ledBy leader: Caller, people: [Caller]) {
        courses.withLock {
            $0[id] = Stored(
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

    func people(of courseId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        courses.withLock { $0 }[courseId].map { $0.people.union([$0.leader]) } ?? []
    }

    func audience(of courseId: UUID) -> Audience { Audience("course:\(courseId.text)") }
}
