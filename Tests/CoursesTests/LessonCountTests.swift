import CoursesInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Courses

@Suite("Counting done lessons")
struct LessonCountTests {
    @Test("a student's done lessons count in their course until they are marked as not done")
    func counts() async throws {
        let fixture = try await CoursesFixture()
        let (course, other) = (try await fixture.course(), try await fixture.course("Botany"))
        for one in [course, other] { fixture.circle.enrol(fixture.mia, in: one) }
        let module = try await fixture.module(in: course)
        let lessons = [
            try await fixture.lesson("Fractions", in: module), try await fixture.lesson("Percentages", in: module),
        ]
        let leaves = try await fixture.lesson("Leaves", in: try await fixture.module(in: other))
        for lesson in lessons + [leaves] { try await fixture.complete(lesson) }
        let id = CoursesFixture.id(fixture.mia)
        let found = try await fixture.school.database.read {
            try fixture.courses.completed(inCourse: course.id, $0)
        }
        #expect(found == [id: 2])
        try await fixture.complete(lessons[0], false)
        let after = try await fixture.school.database.read {
            try fixture.courses.completed(inCourse: course.id, $0)
        }
        #expect(after == [id: 1])
        try await fixture.school.expectIndexed(LessonRepository.completedQuery(in: course.id))
    }
}
