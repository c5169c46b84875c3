import CoursesInterface
import CoursesTesting
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import RemindersInterface
import TestKit
import Testing

@testable import Coursework

@Suite("Assignments that students are reminded of")
struct AssignmentRemindersTests {
    /// What is open for the students within seven days. Both ways of asking must say the same.
    private func open(_ fixture: CourseworkFixture) async throws -> Set<DueWork> {
        let source = AssignmentReminders(courses: TestCourses(), roster: TestCourses())
        let now = fixture.school.clock.now
        let span = now..<now + 7 * 86_400
        let students = [fixture.mia, fixture.noah].map(CourseworkFixture.id)
        return try await fixture.school.database.read { sql in
            let all = try source.open(nil, dueIn: span, at: now, in: sql)
            #expect(Set(all).count == all.count)
            #expect(
                try Set(students.flatMap { try source.open(for: $0, dueIn: span, at: now, in: sql) }) == Set(all))
            let ids = Set(all.map(\.workId))
            #expect(try Set(source.open(ids, dueIn: span, at: now, in: sql)) == Set(all))
            return Set(all)
        }
    }

    private func students(_ fixture: CourseworkFixture) async throws -> [Caller] {
        let open = Set(try await open(fixture).map(\.studentId))
        return [fixture.mia, fixture.noah].filter { open.contains(CourseworkFixture.id($0)) }
    }

    @Test(
        "students who have handed in nothing or only a draft are reminded; those who handed in or got work back are not"
    )
    func states() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        #expect(try await students(fixture) == [fixture.mia, fixture.noah])
        try await fixture.saveDraft(one, as: fixture.mia, "Begun")
        #expect(try await students(fixture) == [fixture.mia, fixture.noah])
        try await fixture.handIn(one, as: fixture.mia)
        #expect(try await students(fixture) == [fixture.noah])
        // A score that is not returned says nothing.
        try await fixture.mark(one, fixture.noah, "5")
        #expect(try await students(fixture) == [fixture.noah])
        _ = try await fixture.returnAll(one)
        #expect(try await students(fixture) == [])
    }

    @Test("an extension moves the due time of its student, also out of the time and into it")
    func extended() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let dueAt = try #require(one.dueAt)
        _ = try await fixture.extend(one, fixture.mia, to: fixture.today.adding(days: 3))
        let times = try await open(fixture).reduce(into: [:]) { $0[$1.studentId] = $1.dueAt }
        #expect(
            times == [
                CourseworkFixture.id(fixture.mia): dueAt + 2 * 86_400, CourseworkFixture.id(fixture.noah): dueAt,
            ])
        fixture.school.clock.advance(by: 2 * 86_400)
        #expect(try await students(fixture) == [fixture.mia])
        _ = try await fixture.extend(one, fixture.mia, to: fixture.today.adding(days: 20))
        #expect(try await students(fixture) == [])
    }

    @Test("a draft, a hidden or deleted assignment, one that opens later, and one for others have no reminder")
    func hidden() async throws {
        let fixture = try await CourseworkFixture()
        try await fixture.assign("Draft", published: false)
        try await fixture.assign("Later", with: ["opensDay": .text(fixture.today.adding(days: 1).description)])
        let own = try await fixture.assign("Mia's", with: ["students": .ids([CourseworkFixture.id(fixture.mia)])])
        #expect(try await open(fixture).map(\.workId) == [own.id])
        #expect(try await students(fixture) == [fixture.mia])
        try await fixture.publish(own, false)
        #expect(try await open(fixture).isEmpty)
        try await fixture.publish(own)
        #expect(try await open(fixture).count == 1)
        try await fixture.school.execute(DeleteAssignment.self, ["assignmentId": .id(own.id)], as: fixture.teacher)
        #expect(try await open(fixture).isEmpty)
    }

    @Test("a student who left the course, and an archived course, have no reminder and no name of the work")
    func left() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Essay")
        func name(_ caller: Caller) async throws -> NamedWork? {
            let now = fixture.school.clock.now
            return try await fixture.school.database.read {
                try AssignmentReminders(courses: TestCourses(), roster: TestCourses()).named(
                    [one.id], for: CourseworkFixture.id(caller), at: now, in: $0)[one.id]
            }
        }
        #expect(
            try await name(fixture.mia)
                == NamedWork(title: "Essay", course: "Algebra", path: AssignmentScreens.path(one.id)))
        #expect(try await name(fixture.stranger) == nil)
        try await TestCourses.remove(
            CourseworkFixture.id(fixture.mia), from: fixture.course.id, fixture.school.database)
        #expect(try await students(fixture) == [fixture.noah])
        #expect(try await name(fixture.mia) == nil)
        var course = fixture.course
        course.isArchived = true
        try await TestCourses.put(course, in: fixture.school.database)
        #expect(try await students(fixture) == [])
    }

    @Test("looking for due assignments uses indexes")
    func indexed() async throws {
        let fixture = try await CourseworkFixture()
        let now = fixture.school.clock.now
        try await fixture.school.expectIndexed(AssignmentRepository.due(in: now..<now + 86_400, nil, seenAt: now))
    }
}
