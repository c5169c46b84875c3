import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// The SQL of classrooms and of the people in them.
enum ClassroomRepository {
    static func insert(_ classroom: Classroom, externalId: String?, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO classrooms (id, name, avatar_tint, external_id, created_at)
            VALUES (\(classroom.id), \(classroom.name), \(classroom.avatarTint), \(externalId),
                \(classroom.createdAt))
            """)
    }

    static func update(_ id: UUID, name: String, tint: Tint, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE classrooms SET name = \(name), avatar_tint = \(tint) WHERE id = \(id)")
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM classrooms WHERE id = \(id)")
    }

    static func classroom(_ id: UUID, orgId: UUID, in sql: any SQLReading) throws -> Classroom? {
        guard let row = try sql.row("SELECT * FROM classrooms WHERE id = \(id)") else { return nil }
        return try Classroom(
            id: id, orgId: orgId, name: row.get("name"), imageURL: PictureRepository.address(row, ofClassroom: id),
            avatarTint: row.get("avatar_tint"),
            guideIds: sql.rows("SELECT person_id FROM classroom_guides WHERE classroom_id = \(id)")
                .map { try $0.get("person_id") },
            studentIds: sql.rows("SELECT student_id FROM classroom_students WHERE classroom_id = \(id)")
                .map { try $0.get("student_id") },
            createdAt: row.get("created_at"))
    }

    static func names(_ ids: [UUID], in sql: any SQLReading) throws -> [UUID: String] {
        try sql.rows("SELECT id, name FROM classrooms WHERE id IN \(list: ids)")
            .reduce(into: [:]) { names, row in names[try row.get("id")] = try row.get("name") }
    }

    static func exists(_ id: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM classrooms WHERE id = \(id)")
    }

    /// Returns the classrooms for a list.
    ///
    /// - Parameter personId: the guide to whose classrooms the list is limited; `nil` is all.
    static func summaries(ofGuide personId: UUID?, in sql: any SQLReading) throws -> [ClassroomSummary] {
        let condition: SQL =
            personId.map { "WHERE id IN (SELECT classroom_id FROM classroom_guides WHERE person_id = \($0))" } ?? ""
        return try sql.rows(
            """
            SELECT id, name, avatar_tint, cover, small_cover, (
                SELECT COUNT(*) FROM classroom_students WHERE classroom_id = classrooms.id
            ) AS student_count
            FROM classrooms \(condition) ORDER BY created_at, id
            """
        ).map(summary)
    }

    static func summary(_ row: SQLRow) throws -> ClassroomSummary {
        let id: UUID = try row.get("id")
        return try ClassroomSummary(
            id: id, name: row.get("name"), avatarTint: row.get("avatar_tint"),
            imageURL: PictureRepository.smallAddress(row, ofClassroom: id), studentCount: row.get("student_count"))
    }

    static func isGuide(_ personId: UUID, of classroomId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM classroom_guides WHERE classroom_id = \(classroomId) AND person_id = \(personId)
            """)
    }

    static func isStudent(_ studentId: UUID, of classroomId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM classroom_students WHERE classroom_id = \(classroomId) AND student_id = \(studentId)
            """)
    }

    /// Whether a guide works in a classroom of the student.
    static func isGuide(_ personId: UUID, ofStudent studentId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM classroom_students JOIN classroom_guides
                ON classroom_guides.classroom_id = classroom_students.classroom_id
            WHERE classroom_students.student_id = \(studentId) AND classroom_guides.person_id = \(personId)
            """)
    }

    static func classroomIds(in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM classrooms ORDER BY id").map { try $0.get("id") }
    }

    static func classroomIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            "SELECT classroom_id FROM classroom_students WHERE student_id = \(studentId) ORDER BY classroom_id"
        ).map { try $0.get("classroom_id") }
    }

    static func setGuides(_ guides: [UUID], of id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM classroom_guides WHERE classroom_id = \(id)")
        for guide in guides {
            try sql.execute(
                "INSERT INTO classroom_guides (classroom_id, person_id) VALUES (\(id), \(guide))")
        }
    }

    /// Adds a guide to classrooms. Deleted classrooms are left out.
    static func addGuide(_ personId: UUID, to classroomIds: [UUID], in sql: any SQLWriting) throws {
        for id in classroomIds where try exists(id, in: sql) {
            try sql.execute(
                """
                INSERT INTO classroom_guides (classroom_id, person_id) VALUES (\(id), \(personId))
                ON CONFLICT (classroom_id, person_id) DO NOTHING
                """)
        }
    }

    /// Adds a student to a classroom. Returns `false` if the student is already a member.
    static func addStudent(
        _ studentId: UUID, to id: UUID, from day: Day, in sql: any SQLWriting
    ) throws -> Bool {
        let isNew =
            try sql.execute(
                """
                INSERT INTO classroom_students (classroom_id, student_id) VALUES (\(id), \(studentId))
                ON CONFLICT (classroom_id, student_id) DO NOTHING
                """) > 0
        if isNew { try StayRepository.begin(studentId, in: id, from: day, in: sql) }
        return isNew
    }

    /// Removes a student from a classroom. Returns `false` if the student is not a member.
    /// - Parameter day: on which the student leaves.
    static func removeStudent(
        _ studentId: UUID, from id: UUID, on day: Day, in sql: any SQLWriting
    ) throws -> Bool {
        let wasMember =
            try sql.execute(
                "DELETE FROM classroom_students WHERE classroom_id = \(id) AND student_id = \(studentId)") > 0
        if wasMember { try StayRepository.end(studentId, in: id, on: day, in: sql) }
        return wasMember
    }

    static func defaultClassroom(of personId: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT classroom_id FROM default_classrooms WHERE person_id = \(personId)")
    }

    static func defaultClassrooms(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: UUID] {
        guard !personIds.isEmpty else { return [:] }
        return try sql.rows(
            "SELECT person_id, classroom_id FROM default_classrooms WHERE person_id IN \(list: personIds)"
        ).reduce(into: [:]) { $0[try $1.get("person_id")] = try $1.get("classroom_id") }
    }

    static func setDefault(_ classroomId: UUID?, of personId: UUID, in sql: any SQLWriting) throws {
        guard let classroomId else {
            try sql.execute("DELETE FROM default_classrooms WHERE person_id = \(personId)")
            return
        }
        try sql.execute(
            """
            INSERT INTO default_classrooms (person_id, classroom_id) VALUES (\(personId), \(classroomId))
            ON CONFLICT (person_id) DO UPDATE SET classroom_id = excluded.classroom_id
            """)
    }
}
