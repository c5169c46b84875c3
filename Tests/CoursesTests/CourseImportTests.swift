import CoursesInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Courses

@Suite("Terms and courses from another system") struct CourseImportTests {
    @Test("imported terms and courses are added, changed without losing other fields, and removed")
    func roundTrip() async throws {
        let fixture = try await CoursesFixture()
        let (importer, now, teacherId) = (
            SQLCourseImport(), fixture.school.clock.now, CoursesFixture.id(fixture.teacher)
        )
        let term = ImportedTerm(
            id: UUID(), name: "Automne", firstDay: Day("2026-08-24")!, lastDay: Day("2026-12-20")!, externalId: "t1"
        )
        var course = ImportedCourse(
            id: UUID(), name: "Algebra", subject: "Mathematics", gradeLevel: "9", termId: term.id,
            teacherIds: [teacherId], externalId: "class:m1")
        let new = course
        try await fixture.school.database.write { sql in
            try importer.save([term], [new], at: now, in: sql)
            var full = try #require(try CourseRepository.course(new.id, in: sql))
            (full.capacity, full.details) = (12, "With proofs")
            try CourseRepository.save(full, in: sql)
        }
        course.name = "Algebra II"
        let changed = course
        try await fixture.school.database.write { sql in
            #expect(try importer.terms(in: sql) == [term] && importer.courses(in: sql) == [new])
            try importer.save([], [changed], at: now, in: sql)
            let full = try #require(try CourseRepository.course(new.id, in: sql))
            #expect(full.name == "Algebra II" && full.capacity == 12 && full.details == "With proofs")
            #expect(try importer.courses(in: sql) == [changed] && importer.filled([new.id], in: sql) == [])
            try importer.remove(terms: [term.id], courses: [], in: sql)
            #expect(try importer.terms(in: sql) == [term], "a course runs in it")
            try sql.execute(
                "INSERT INTO course_modules (id, course_id, title, position) VALUES (\(UUID()), \(new.id), 'One', 0)"
            )
            #expect(try importer.filled([new.id], in: sql) == [new.id])
            try importer.remove(terms: [term.id], courses: [new.id], in: sql)
            #expect(try importer.terms(in: sql).isEmpty && importer.courses(in: sql).isEmpty)
        }
    }
}
