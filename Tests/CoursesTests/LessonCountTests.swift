import CoursesInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Courses

@Suite("How many lessons were done")
struct LessonCountTests {
    @Test("the lessons that a student did count in their course, until they are opened again")
    func counts() async throws {
        let house = try await CoursesHouse()
        let (course, other) = (try await house.course(), try await house.course("Botany"))
        for one in [course, other] { house.circle.enrol(house.mia, in: one) }
        let module = try await house.module(in: course)
        let lessons = [
            try await house.lesson("Fractions", in: module), try await house.lesson("Percentages", in: module),
        ]
        let leaves = try await house.lesson("Leaves", in: try await house.module(in: other))
        for lesson in lessons + [leaves] { try await house.complete(lesson) }
        let id = CoursesHouse.id(house.mia)
        let found = try await house.school.database.read {
            try house.courses.completed(inCourse: course.id, $0)
        }
        #expect(found == [id: 2])
        try await house.complete(lessons[0], false)
        let after = try await house.school.database.read {
            try house.courses.completed(inCourse: course.id, $0)
        }
        #expect(after == [id: 1])
        try await house.school.expectIndexed(LessonRepository.completedQuery(in: course.id))
    }
}
