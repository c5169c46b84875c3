import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The SQL of students. Their names are stored with the school's people.
enum StudentRepository {
    static func insert(_ id: UUID, notes: String?, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            "INSERT INTO students (id, notes, created_at) VALUES (\(id), \(notes), \(instant))")
    }

    static func update(_ id: UUID, notes: String?, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE students SET notes = \(notes) WHERE id = \(id)")
    }

    static func ids(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT id FROM students WHERE id > \(id?.text ?? "") ORDER BY id LIMIT \(limit)").map {
            try $0.get("id")
        }
    }

    static func exists(_ id: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM students WHERE id = \(id)")
    }

    static func student(_ id: UUID, orgId: UUID, in sql: any SQLReading) throws -> Student? {
        try sql.rows(select("WHERE students.id = \(id)")).first.map { try student($0, orgId) }
    }

    static func students(of classroomId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        try sql.rows(
            select(
                """
                JOIN classroom_students ON classroom_students.student_id = students.id
                WHERE classroom_students.classroom_id = \(classroomId) ORDER BY \(PeopleTable.order)
                """)
        ).map { try student($0, orgId) }
    }

    /// Returns these students in the order of a class list. People who are not students are left out.
    static func students(_ ids: [UUID], orgId: UUID, in sql: any SQLReading) throws -> [Student] {
        guard !ids.isEmpty else { return [] }
        return try sql.rows(
            select("WHERE students.id IN \(list: ids) ORDER BY \(PeopleTable.order)")
        ).map { try student($0, orgId) }
    }

    /// Returns one page of the school's students, in the order of a class list.
    /// - Parameter place: `place(of:)` the last student of the page before; any other text begins at the start.
    static func students(
        after place: String, limit: Int, orgId: UUID, in sql: any SQLReading
    ) throws -> [Student] {
        let (id, key) = (String(place.prefix(36)), String(place.dropFirst(36)))
        return try sql.rows(
            select(
                """
                WHERE people.sort_key >= \(key) AND (people.sort_key > \(key) OR people.id > \(id))
                ORDER BY \(PeopleTable.order) LIMIT \(limit)
                """)
        ).map { try student($0, orgId) }
    }

    /// Returns the position of a student in the list, to continue after it. The id distinguishes students with the
    /// same name.
    static func place(of student: Student) -> String {
        student.id.text + NameFolding.fold(student.displayName)
    }

    /// Returns the students for whom every word of the folded search begins a word of the name or the number.
    static func students(
        matching words: [String], ofGuide personId: UUID?, limit: Int, orgId: UUID, in sql: any SQLReading
    ) throws -> [Student] {
        let conditions = words.prefix(6).map { word -> SQL in
            "AND \(PeopleTable.matches(word))"
        }
        var condition: SQL = "WHERE 1 = 1"
        for part in conditions { condition = "\(condition) \(part)" }
        if let personId {
            condition = """
                \(condition) AND students.id IN (
                    SELECT student_id FROM classroom_students JOIN classroom_guides
                        ON classroom_guides.classroom_id = classroom_students.classroom_id
                    WHERE classroom_guides.person_id = \(personId))
                """
        }
        return try sql.rows(select("\(condition) ORDER BY \(PeopleTable.order) LIMIT \(limit)"))
            .map { try student($0, orgId) }
    }

    private static func select(_ rest: SQL) -> SQL {
        "SELECT \(columns) FROM students JOIN \(PeopleTable.name) ON \(PeopleTable.id) = students.id \(rest)"
    }

    /// The columns of the students' and the people's table from which a student is read.
    static let columns: SQL =
        "students.id, students.picture, students.notes, students.created_at, \(PeopleTable.columns)"

    static func student(_ row: SQLRow, _ orgId: UUID) throws -> Student {
        let name = try PeopleTable.personName(row)
        let id: UUID = try row.get("id")
        return try Student(
            id: id, orgId: orgId, firstName: name.given, lastName: name.family,
            displayName: name.display, imageURL: PictureRepository.address(row, ofStudent: id),
            avatarTint: row.get("avatar_tint"), email: row.optional("email"), number: row.optional("number"),
            gradeLevel: row.optional("grade_level"), notes: row.optional("notes"), createdAt: row.get("created_at"))
    }
}
