import CoursesInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Courses

@Suite("The people of courses")
struct CourseTiesTests {
    private func courses(of caller: Caller, _ fixture: CoursesFixture) async throws -> Set<UUID> {
        let membership = try #require(caller.membership)
        return try await fixture.school.database.read { try fixture.courses.courseIds(of: membership, in: $0) }
    }

    private func led(by caller: Caller, _ fixture: CoursesFixture) async throws -> [CourseSummary] {
        let membership = try #require(caller.membership)
        let (led, leadsAny) = try await fixture.school.database.read { sql in
            (
                try fixture.courses.courses(ledBy: membership, in: sql),
                try fixture.courses.leadsAny(membership, in: sql)
            )
        }
        #expect(leadsAny == led.contains { !$0.isArchived })
        return led
    }

    @Test("a course's people are those who lead it, its students and their parents")
    func ties() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        fixture.circle.enrol(fixture.mia, in: course)
        for caller in [fixture.teacher, fixture.admin, fixture.mia, fixture.mother] {
            #expect(try await courses(of: caller, fixture) == [course.id])
        }
        #expect(try await courses(of: fixture.other, fixture).isEmpty)
        #expect(try await led(by: fixture.mother, fixture).isEmpty)
        #expect(try await led(by: fixture.other, fixture).isEmpty)
        #expect(try await led(by: fixture.admin, fixture).map(\.name) == ["Algebra"])
    }

    @Test("a teacher still leads an archived course, which is marked as archived")
    func archived() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        try await fixture.archive(course)
        #expect(try await led(by: fixture.teacher, fixture).map(\.isArchived) == [true])
    }

    @Test("a former teacher leads no course and gets no events of it")
    func former() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course()
        let teacher = try #require(fixture.teacher.membership)
        let former = ActiveMembership(
            organization: teacher.organization, personId: teacher.personId, roles: [.parent])
        let (ids, audiences, before) = try await fixture.school.database.read { sql in
            (
                try fixture.courses.courseIds(of: former, in: sql),
                try fixture.feature.access.audiences.all(for: former, in: sql),
                try fixture.feature.access.audiences.all(for: teacher, in: sql)
            )
        }
        #expect(before.contains(.course(course.id)) && before.contains(.teachers(of: course.id)))
        #expect(ids.isEmpty)
        #expect(!audiences.contains(.course(course.id)) && !audiences.contains(.teachers(of: course.id)))
    }
}
