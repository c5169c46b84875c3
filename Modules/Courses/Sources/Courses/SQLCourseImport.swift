public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation

/// Imports the terms and courses of another system into the feature block's tables.
public struct SQLCourseImport: CourseImporting {
    public init() {}

    public let tables: Set<String> = ["terms", "courses", "course_teachers"]

    public func terms(in sql: any SQLReading) throws -> [ImportedTerm] {
        try sql.rows("SELECT id, name, first_day, last_day, external_id FROM terms").map {
            try ImportedTerm(
                id: $0.get("id"), name: $0.get("name"), firstDay: $0.get("first_day"), lastDay: $0.get("last_day"),
                externalId: $0.optional("external_id"))
        }
    }

    public func courses(in sql: any SQLReading) throws -> [ImportedCourse] {
        var teachers: [UUID: [UUID]] = [:]
        for row in try sql.rows("SELECT course_id, person_id FROM course_teachers ORDER BY course_id, position") {
            teachers[try row.get("course_id"), default: []].append(try row.get("person_id"))
        }
        return try sql.rows("SELECT id, name, subject, grade_level, term_id, external_id FROM courses").map { row in
            let id: UUID = try row.get("id")
            return try ImportedCourse(
                id: id, name: row.get("name"), subject: row.get("subject"),
                gradeLevel: row.optional("grade_level"), termId: row.optional("term_id"),
                teacherIds: teachers[id] ?? [], externalId: row.optional("external_id"))
        }
    }

    public func save(
        _ terms: [ImportedTerm], _ courses: [ImportedCourse], at instant: Date, in sql: any SQLWriting
    ) throws {
        for term in terms {
            try CourseRepository.save(
                Term(id: term.id, name: term.name, firstDay: term.firstDay, lastDay: term.lastDay), in: sql)
            try CourseRepository.name(term: term.id, term.externalId, in: sql)
        }
        let present = try CourseRepository.courses(courses.map(\.id), in: sql)
        for one in courses {
            var course =
                present[one.id]
                ?? Course(
                    id: one.id, name: "", subject: "", teacherIds: [], tint: Tint(for: one.id), createdAt: instant)
            (course.name, course.subject, course.gradeLevel) = (one.name, one.subject, one.gradeLevel)
            (course.termId, course.teacherIds) = (one.termId, one.teacherIds)
            try CourseRepository.save(course, in: sql)
            try CourseRepository.name(one.id, one.externalId, in: sql)
        }
    }

    public func filled(_ courseIds: Set<UUID>, in sql: any SQLReading) throws -> Set<UUID> {
        guard !courseIds.isEmpty else { return [] }
        return Set(
            try sql.rows(
                """
                SELECT DISTINCT course_id FROM course_modules UNION SELECT DISTINCT course_id FROM course_periods
                """
            ).map { try $0.get("course_id") }
        ).intersection(courseIds)
    }

    public func remove(terms: [UUID], courses: [UUID], in sql: any SQLWriting) throws {
        try CourseRepository.remove(terms: terms, courses: courses, in: sql)
    }
}
