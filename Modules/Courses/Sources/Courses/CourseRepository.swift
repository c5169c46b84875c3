import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Reads and writes courses and terms.
enum CourseRepository {
    static func course(_ id: UUID, in sql: any SQLReading) throws -> Course? { try courses([id], in: sql)[id] }

    static func courses(_ ids: some Sequence<UUID>, in sql: any SQLReading) throws -> [UUID: Course] {
        try read("WHERE id IN \(list: ids)", in: sql).reduce(into: [:]) { $0[$1.id] = $1 }
    }

    /// The courses that are not archived and whose term has not ended, by subject and name.
    static func offered(on day: Day, in sql: any SQLReading) throws -> [Course] {
        try read("WHERE \(isOffered(on: day)) ORDER BY sort_key, id", in: sql)
    }

    /// Whether any course is offered.
    static func isAnyOffered(on day: Day, in sql: any SQLReading) throws -> Bool {
        try isAny(isOffered(on: day), in: sql)
    }

    private static func isOffered(on day: Day) -> SQL {
        """
        is_archived = \(false) AND (term_id IS NULL OR term_id IN (SELECT id FROM terms WHERE last_day >= \(day)))
        """
    }

    /// The SQL condition for the courses that a member leads; `nil` for none.
    static func led(by membership: ActiveMembership) -> SQL? {
        if Permission.manageCourses.isGiven(to: membership.roles) { return "1 = 1" }
        guard Permission.teachCourses.isGiven(to: membership.roles) else { return nil }
        return "id IN (SELECT course_id FROM course_teachers WHERE person_id = \(membership.personId))"
    }

    static func isAny(_ condition: SQL, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM courses WHERE \(condition) LIMIT 1")
    }

    /// The summaries of courses for other blocks.
    static func summaries(_ condition: SQL, in sql: any SQLReading) throws -> [CourseSummary] {
        try sql.rows("SELECT id, name, is_archived FROM courses WHERE \(condition)").map { row in
            try CourseSummary(id: row.get("id"), name: row.get("name"), isArchived: row.get("is_archived"))
        }
    }

    static func all(in sql: any SQLReading) throws -> [Course] { try read("ORDER BY sort_key, id", in: sql) }

    static func courseIds(taughtBy personId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT course_id FROM course_teachers WHERE person_id = \(personId) ORDER BY course_id").map {
            try $0.get("course_id")
        }
    }

    static func save(_ course: Course, in sql: any SQLWriting) throws {
        let key = "\(NameFolding.fold(course.subject))\u{1}\(NameFolding.fold(course.name))"
        try sql.execute(
            """
            INSERT INTO courses (id, name, subject, grade_level, details, term_id, credits, capacity, admission,
                drop_day, tint, is_archived, sort_key, created_at)
            VALUES (\(course.id), \(course.name), \(course.subject), \(course.gradeLevel), \(course.details),
                \(course.termId), \(course.credits), \(course.capacity), \(course.admission), \(course.dropDay),
                \(course.tint), \(course.isArchived), \(key), \(course.createdAt))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, subject = excluded.subject,
                grade_level = excluded.grade_level, details = excluded.details, term_id = excluded.term_id,
                credits = excluded.credits, capacity = excluded.capacity, admission = excluded.admission,
                drop_day = excluded.drop_day, is_archived = excluded.is_archived, sort_key = excluded.sort_key
            """)
        try sql.execute("DELETE FROM course_teachers WHERE course_id = \(course.id)")
        for (position, id) in course.teacherIds.enumerated() {
            try sql.execute(
                """
                INSERT INTO course_teachers (course_id, position, person_id)
                VALUES (\(course.id), \(position), \(id))
                """)
        }
        try sql.execute("DELETE FROM course_periods WHERE course_id = \(course.id)")
        for (position, period) in course.periods.enumerated() {
            try sql.execute(
                """
                INSERT INTO course_periods (course_id, position, weekday, starts, ends, room)
                VALUES (\(course.id), \(position), \(period.weekday), \(period.start), \(period.end), \(period.room))
                """)
        }
    }

    /// Reads courses with three statements, no matter how many there are.
    private static func read(_ rest: SQL, in sql: any SQLReading) throws -> [Course] {
        let rows = try sql.rows("SELECT * FROM courses \(rest)")
        guard !rows.isEmpty else { return [] }
        let ids: [UUID] = try rows.map { try $0.get("id") }
        var teachers: [UUID: [UUID]] = [:]
        for row in try sql.rows(
            "SELECT course_id, person_id FROM course_teachers WHERE course_id IN \(list: ids) ORDER BY course_id, position"
        ) {
            teachers[try row.get("course_id"), default: []].append(try row.get("person_id"))
        }
        var periods: [UUID: [CoursePeriod]] = [:]
        for row in try sql.rows(
            "SELECT * FROM course_periods WHERE course_id IN \(list: ids) ORDER BY course_id, position")
        {
            periods[try row.get("course_id"), default: []].append(
                try CoursePeriod(
                    weekday: row.get("weekday"), start: row.get("starts"), end: row.get("ends"),
                    room: row.optional("room")))
        }
        return try zip(ids, rows).map { id, row in
            try Course(
                id: id, name: row.get("name"), subject: row.get("subject"), gradeLevel: row.optional("grade_level"),
                details: row.optional("details"), teacherIds: teachers[id] ?? [], termId: row.optional("term_id"),
                periods: periods[id] ?? [], credits: row.get("credits"), capacity: row.optional("capacity"),
                admission: row.get("admission"), dropDay: row.optional("drop_day"), tint: row.get("tint"),
                isArchived: row.get("is_archived"), createdAt: row.get("created_at"))
        }
    }

    // MARK: - Terms

    /// The terms, the latest first.
    static func terms(in sql: any SQLReading) throws -> [Term] {
        try sql.rows("SELECT * FROM terms ORDER BY first_day DESC, id").map {
            try Term(
                id: $0.get("id"), name: $0.get("name"), firstDay: $0.get("first_day"), lastDay: $0.get("last_day"))
        }
    }

    static func save(_ term: Term, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO terms (id, name, first_day, last_day)
            VALUES (\(term.id), \(term.name), \(term.firstDay), \(term.lastDay))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, first_day = excluded.first_day,
                last_day = excluded.last_day
            """)
    }

    // MARK: - External ids

    /// Sets the id of a term in another system.
    static func name(term id: UUID, _ externalId: String?, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE terms SET external_id = \(externalId) WHERE id = \(id)")
    }

    /// Sets the id of a course in another system.
    static func name(_ id: UUID, _ externalId: String?, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE courses SET external_id = \(externalId) WHERE id = \(id)")
    }

    /// Removes courses, and those terms in which no course runs.
    static func remove(terms: [UUID], courses: [UUID], in sql: any SQLWriting) throws {
        for portion in SQL.portions(of: courses.map { [$0.sqlValue] }) {
            try sql.execute("DELETE FROM courses WHERE id IN (VALUES \(rows: portion))")
        }
        for portion in SQL.portions(of: terms.map { [$0.sqlValue] }) {
            // Another course may have been added to the term since.
            try sql.execute(
                """
                DELETE FROM terms WHERE id IN (VALUES \(rows: portion))
                    AND id NOT IN (SELECT term_id FROM courses WHERE term_id IS NOT NULL)
                """)
        }
    }
}
