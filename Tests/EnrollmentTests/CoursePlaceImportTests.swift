import ClassroomInterface
import CoursesInterface
import CoursesTesting
import Domain
import EnrollmentInterface
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Enrollment

@Suite("Imported enrollments") struct CoursePlaceImportTests {
    @Test("imported students are enrolled while there is room and then join the waitlist")
    func places() async throws {
        let fixture = try await EnrollmentFixture()
        let now = fixture.school.clock.now
        let course = Course(
            id: UUID(), name: "Algebra", subject: "Mathematics", teacherIds: [], capacity: 2, tint: .sky,
            createdAt: now)
        try await TestCourses.put(course, in: fixture.school.database)
        let places = (0..<3).map { _ in CoursePlace(courseId: course.id, personId: UUID()) }
        let importer = SQLCoursePlaceImport(courses: TestCourses())
        try await fixture.school.database.write { sql in
            let firstDay = try #require(Day("2026-08-24"))
            try importer.add(places, firstDays: [places[0]: firstDay], at: now, in: sql)
            let rows = try EnrollmentRepository.enrollments(of: course.id, in: sql)
            #expect(rows.map(\.state) == [.enrolled, .enrolled, .waitlisted] && rows.map(\.arrival) == [1, 2, 3])
            let today = Day(now, in: .gmt)
            #expect(try importer.places(in: sql) == [places[0]: firstDay, places[1]: today, places[2]: today])
            let honolulu = try #require(TimeZone(identifier: "Pacific/Honolulu"))
            #expect(Day(rows[0].since, in: honolulu) == firstDay, "also in a time zone far from UTC")
            try importer.remove([places[1]], in: sql)
            #expect(try importer.places(in: sql) == [places[0]: firstDay, places[2]: today])
        }
    }
}
