import CoursesInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Courses

@Suite("Courses, who has to do with which")
struct CourseTiesTests {
    private func courses(of caller: Caller, _ house: CoursesHouse) async throws -> Set<UUID> {
        let membership = try #require(caller.membership)
        return try await house.school.database.read { try house.courses.courseIds(of: membership, in: $0) }
    }

    private func led(by caller: Caller, _ house: CoursesHouse) async throws -> [CourseSummary] {
        let membership = try #require(caller.membership)
        let (led, leadsAny) = try await house.school.database.read { sql in
            (
                try house.courses.courses(ledBy: membership, in: sql),
                try house.courses.leadsAny(membership, in: sql)
            )
        }
        #expect(leadsAny == led.contains { !$0.isArchived })
        return led
    }

    @Test("those are tied to a course who lead it, are in it, or have a child in it")
    func ties() async throws {
        let house = try await CoursesHouse()
        let course = try await house.course()
        house.circle.enrol(house.mia, in: course)
        for caller in [house.teacher, house.admin, house.mia, house.mother] {
            #expect(try await courses(of: caller, house) == [course.id])
        }
        #expect(try await courses(of: house.other, house).isEmpty)
        #expect(try await led(by: house.mother, house).isEmpty)
        #expect(try await led(by: house.other, house).isEmpty)
        #expect(try await led(by: house.admin, house).map(\.name) == ["Algebra"])
    }

    @Test("an archived course is led still and says that it is archived")
    func archived() async throws {
        let house = try await CoursesHouse()
        let course = try await house.course()
        try await house.archive(course)
        #expect(try await led(by: house.teacher, house).map(\.isArchived) == [true])
    }

    @Test("a former teacher leads no course and gets no events of it")
    func former() async throws {
        let house = try await CoursesHouse()
        let course = try await house.course()
        let teacher = try #require(house.teacher.membership)
        let former = ActiveMembership(
            organization: teacher.organization, personId: teacher.personId, roles: [.parent])
        let (ids, audiences, before) = try await house.school.database.read { sql in
            (
                try house.courses.courseIds(of: former, in: sql),
                try house.feature.access.audiences.all(for: former, in: sql),
                try house.feature.access.audiences.all(for: teacher, in: sql)
            )
        }
        #expect(before.contains(.course(course.id)) && before.contains(.teachers(of: course.id)))
        #expect(ids.isEmpty)
        #expect(!audiences.contains(.course(course.id)) && !audiences.contains(.teachers(of: course.id)))
    }
}
