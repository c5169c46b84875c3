import CoursesInterface
import CoursesTesting
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Coursework

@Suite("Assignments")
struct AssignmentTests {
    @Test("an assignment has a title, a description, a due date and a course", .requirement("WW-0.09.a"))
    func model() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Essay")
        #expect(one.title == "Essay" && one.instructions == "Write *two* pages.")
        #expect(one.courseId == fixture.course.id && one.dueDay == fixture.today.adding(days: 1))
        let due = try #require(one.dueAt)
        #expect(ClockTime(due, in: fixture.zone) == .lastMinute)
    }

    @Test("a draft is seen by its teachers only, and by students from the time when it is published and open")
    func visibility() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(
            published: false,
            with: ["opensDay": .text(fixture.today.adding(days: 1).description), "opensTime": "08:00"])
        let path = AssignmentScreens.path(one.id)
        func isSeen(by caller: Caller) async throws -> Bool {
            try await problem { _ = try await fixture.outline(path, as: caller) } == nil
        }
        #expect(try await isSeen(by: fixture.teacher))
        #expect(try await isSeen(by: fixture.admin))
        #expect(try await !isSeen(by: fixture.stranger))
        #expect(try await !isSeen(by: fixture.mia))
        try await fixture.publish(one)
        #expect(try await !isSeen(by: fixture.mia))
        #expect(try await fixture.work(fixture.mia).isEmpty)
        fixture.go(to: fixture.today.adding(days: 1), seconds: 8 * 3600)
        #expect(try await isSeen(by: fixture.mia))
        #expect(try await isSeen(by: fixture.mother))
        #expect(try await fixture.work(fixture.mother).map(\.id) == [one.id])
        try await fixture.publish(one, false)
        #expect(try await !isSeen(by: fixture.mia))
    }

    @Test("an assignment for chosen students is hidden from the others")
    func chosen() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["students": .ids([CourseworkFixture.id(fixture.mia)])])
        #expect(!one.isForEveryone)
        #expect(try await fixture.work(fixture.mia).count == 1)
        #expect(try await fixture.work(fixture.noah).isEmpty)
        #expect(try await problem { try await fixture.handIn(one, as: fixture.noah) } == .notFound)
        let stranger = CourseworkFixture.id(fixture.stranger)
        #expect(
            try await problem { try await fixture.assign(with: ["students": .ids([stranger])]) }?.faults.first?
                .field
                == "students")
    }

    @Test(
        "publishing notifies all students of the course with title and course, once",
        .requirement("WW-9.01.a"))
    func notification() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Silk road")
        try await fixture.publish(one)
        let published = try await fixture.school.changes().filter { $0.change.kind == "coursework.published" }
        #expect(published.count == 1)
        let logged = try #require(published.first)
        #expect(logged.change.audience.contains(.course(fixture.course.id)))
        let kind = try #require(fixture.feature.notifications.kinds.first { $0.kind == "coursework.published" })
        let (text, path) = try await kind.show(logged, fixture.school.context(of: fixture.mia))
        #expect(text.contains("Silk road") && text.contains("Algebra"))
        #expect(path == AssignmentScreens.path(one.id))
        // Hidden again, it is named to no student.
        try await fixture.publish(one, false)
        let (gone, _) = try await kind.show(logged, fixture.school.context(of: fixture.mia))
        #expect(!gone.contains("Silk road"))
    }

    @Test("a planned assignment notifies its students when it opens, once")
    func planned() async throws {
        let fixture = try await CourseworkFixture()
        try await fixture.assign(with: ["opensDay": .text(fixture.today.adding(days: 1).description)])
        func published() async throws -> Int {
            try await fixture.school.changes().count { $0.change.kind == "coursework.published" }
        }
        let access = CourseworkAccess(
            courses: TestCourses(), roster: TestCourses(), families: fixture.families, people: TestPeople())
        let changes = CourseworkChanges(families: fixture.families)
        let handlers = AssignmentHandlers(
            access: access, changes: changes,
            files: AssignmentFiles(
                access: access, changes: changes,
                files: SubmissionFiles(access: access, images: TestImages(), pages: NoPages())))
        func look() async throws -> [Change] {
            let now = fixture.school.clock.now
            return try await fixture.school.database.write { try handlers.open(at: now, in: $0) }
        }
        #expect(try await published() == 0)
        #expect(try await look().isEmpty)
        fixture.go(to: fixture.today.adding(days: 1), seconds: 60)
        #expect(try await look().map(\.kind) == ["coursework.published"])
        #expect(try await look().isEmpty)
    }

    @Test("only those who lead the course can add, change, publish, copy, extend or delete")
    func rights() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        for caller in [fixture.stranger, fixture.mia, fixture.mother] {
            let expected: Set<Int> = [403, 404]
            let refusals = [
                try await problem { _ = try await fixture.edit(one, [:], as: caller) },
                try await problem {
                    _ = try await fixture.school.execute(
                        DeleteAssignment.self, ["assignmentId": .id(one.id)], as: caller)
                },
                try await problem { try await fixture.mark(one, fixture.mia, "20", as: caller) },
            ]
            for refusal in refusals { #expect(expected.contains(refusal?.status ?? 200)) }
        }
    }

    @Test("a change of an outdated version is refused")
    func versions() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let changed = try await fixture.edit(one, ["title": "Essay 2"], as: fixture.colleague)
        #expect(changed.version == 2)
        #expect(
            try await problem { _ = try await fixture.edit(one, ["title": "Essay 3"]) }?.code
                == "coursework.changed")
    }

    @Test("times in the wrong order are refused")
    func order() async throws {
        let fixture = try await CourseworkFixture()
        let far = fixture.today.adding(days: 9).description
        for (fields, field) in [
            (["opensDay": .text(far)], "opensDay"), (["lateWork": "until"], "lateDay"),
            (["lateWork": "until", "lateDay": .text(fixture.today.description)], "lateDay"),
            (["dueTime": "25:00"], "dueTime"), (["points": "0"], "points"), (["kinds": .list(["fax"])], "kinds"),
        ] as [([String: InputValue], String)] {
            #expect(
                try await problem { try await fixture.assign(with: fields) }?.faults.map(\.field) == [field],
                "\(field)")
        }
    }

    @Test("a copy is a draft for the whole other course")
    func copy() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["students": .ids([CourseworkFixture.id(fixture.mia)])])
        var other = Course(
            id: UUID(), name: "Geometry", subject: "Mathematics", teacherIds: [], tint: .sky,
            createdAt: fixture.school.clock.now)
        func copy() async throws -> Assignment {
            try await fixture.school.execute(
                CopyAssignment.self, ["assignmentId": .id(one.id), "courseId": .id(other.id)], as: fixture.teacher)
        }
        try await TestCourses.put(other, in: fixture.school.database)
        #expect(try await problem { _ = try await copy() } == .notFound)
        other.teacherIds = [CourseworkFixture.id(fixture.teacher)]
        try await TestCourses.put(other, in: fixture.school.database)
        let copied = try await copy()
        #expect(copied.courseId == other.id && copied.title == one.title && copied.points == one.points)
        #expect(copied.publishedAt == nil && copied.isForEveryone)
    }

    @Test("the pages say what a deletion removes, and a new maximum asks once scores exist")
    func changesAfterScores() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.handIn(one, as: fixture.mia)
        try await fixture.mark(one, fixture.mia, "18")
        let page = try await fixture.school.environment.page(AssignmentScreens.path(one.id), as: fixture.teacher)
        let asked = String(decoding: try JSONEncoder().encode(page), as: UTF8.self)
        #expect(asked.contains("Submissions: 1, scores: 1"))
        let below = try await problem { _ = try await fixture.edit(one, ["points": "15"]) }
        #expect(below?.faults.map(\.code) == ["coursework.pointsBelow"])
        let unasked = try await problem { _ = try await fixture.edit(one, ["points": "40"]) }
        #expect(unasked?.faults.map(\.code) == ["coursework.pointsScored"])
        #expect(
            unasked?.faults.first?.sentence(try fixture.school.environment.words())
                == "1 student has a score. A score of 18 counts as 90 % now and would count as 45 %. Confirm below."
        )
        #expect(try await fixture.edit(one, ["points": "40", "changesScores": true]).points == "40")
        try await fixture.school.execute(
            DeleteAssignment.self, ["assignmentId": .id(one.id)], as: fixture.teacher)
        for table in ["assignments", "assignees", "extensions", "drafts", "submissions", "files", "marks"] {
            let rows = try await fixture.school.database.read {
                try $0.rows(SQL(stringLiteral: "SELECT 1 FROM coursework_\(table)")).count
            }
            #expect(rows == 0, "\(table)")
        }
    }

    @Test("an assignment with submissions stays visible")
    func hiding() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.handIn(one, as: fixture.mia)
        #expect(try await problem { try await fixture.publish(one, false) }?.code == "coursework.hasWork")
    }

    @Test("the lists of teachers and students show the assignments", .requirement("WW-0.09.c"))
    func pages() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Silk road")
        let list = try await fixture.outline(AssignmentScreens.home, as: fixture.mia)
        #expect(list.contains("Silk road") && list.contains("Algebra"))
        #expect(try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.mia).contains("Hand in"))
        try await fixture.handIn(one, as: fixture.mia)
        let teachers = try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.teacher)
        #expect(teachers.contains("Mia Roy") && teachers.contains("To mark"))
        #expect(
            try await fixture.outline(AssignmentScreens.list(of: fixture.course.id), as: fixture.teacher)
                .contains("1 to mark"))
        #expect(try await fixture.outline(AssignmentScreens.home, as: fixture.teacher).contains("1 to mark"))
    }

    @Test(
        "the search finds a draft for teachers only, and a published assignment for its students",
        .requirement("WW-14.03.b"))
    func search() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Silk road", published: false)
        let source = try #require(fixture.feature.pages.searchSources.first)
        func readers() async throws -> [Audience] {
            try await fixture.school.database.read {
                try source.documents([one.id], UUID(), $0).first?.readers ?? []
            }
        }
        #expect(try await !readers().contains(.course(fixture.course.id)))
        try await fixture.publish(one)
        #expect(try await readers().contains(.course(fixture.course.id)))
        try await fixture.publish(one, false)
        #expect(try await !readers().contains(.course(fixture.course.id)))
    }
}
