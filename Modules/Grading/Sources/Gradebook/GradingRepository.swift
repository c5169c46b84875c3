import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Reads and writes grades in the school's database. Decimal numbers are stored as text.
enum GradingRepository {
    /// A text in the database that is not a decimal number.
    struct Unreadable: Error {
        let column: String
        let text: String
    }

    // MARK: - Items

    static func items(of courseIds: [UUID], in sql: any SQLReading) throws -> [GradebookItem] {
        try sql.rows(
            """
            SELECT * FROM grading_items WHERE course_id IN \(list: courseIds) ORDER BY course_id, created_at, id
            """
        ).map(item)
    }

    static func item(_ id: UUID, in sql: any SQLReading) throws -> GradebookItem? {
        try sql.row("SELECT * FROM grading_items WHERE id = \(id)").map(item)
    }

    static func insert(_ item: GradebookItem, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO grading_items
                (id, course_id, title, category, maximum, due_day, is_extra_credit, released_at, created_at)
            VALUES (\(item.id), \(item.courseId), \(item.title), \(item.category), \("\(item.maximum)"),
                \(item.dueDay), \(item.isExtraCredit), \(item.releasedAt), \(item.createdAt))
            """)
    }

    static func update(_ item: GradebookItem, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE grading_items SET title = \(item.title), category = \(item.category),
                maximum = \("\(item.maximum)"), due_day = \(item.dueDay),
                is_extra_credit = \(item.isExtraCredit), released_at = \(item.releasedAt)
            WHERE id = \(item.id)
            """)
    }

    /// Removes an item with all its scores.
    static func delete(_ item: GradebookItem, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM grading_marks WHERE item_id = \(item.id)")
        try sql.execute("DELETE FROM grading_items WHERE id = \(item.id)")
    }

    private static func item(_ row: SQLRow) throws -> GradebookItem {
        try GradebookItem(
            id: row.get("id"), courseId: row.get("course_id"), title: row.get("title"),
            category: row.get("category"), maximum: hundredths(row.get("maximum"), "maximum"),
            dueDay: row.optional("due_day"), isExtraCredit: row.get("is_extra_credit"),
            releasedAt: row.optional("released_at"), createdAt: row.get("created_at"))
    }

    // MARK: - Scores

    /// All scores of a course's items.
    static func scores(of courseId: UUID, in sql: any SQLReading) throws -> [Score] {
        try sql.rows(
            """
            SELECT m.student_id, m.item_id, m.points, m.state, m.comment, m.version
            FROM grading_items i JOIN grading_marks m ON m.item_id = i.id
            WHERE i.course_id = \(courseId)
            """
        ).map(score)
    }

    static func scores(ofItem itemId: UUID, in sql: any SQLReading) throws -> [Score] {
        try sql.rows("SELECT * FROM grading_marks WHERE item_id = \(itemId)").map(score)
    }

    /// All scores of a student, in all courses.
    static func scores(for studentId: UUID, in sql: any SQLReading) throws -> [Score] {
        try sql.rows("SELECT * FROM grading_marks WHERE student_id = \(studentId)").map(score)
    }

    /// The courses in which a student has scores, present or former.
    ///
    /// - Parameter isReleased: whether hidden items are left out.
    static func courseIds(
        markedForStudent studentId: UUID, isReleased: Bool = true, in sql: any SQLReading
    ) throws -> Set<UUID> {
        try Set(
            sql.rows(
                """
                SELECT DISTINCT i.course_id FROM grading_marks m JOIN grading_items i ON i.id = m.item_id
                WHERE m.student_id = \(studentId) AND (i.released_at IS NOT NULL OR \(!isReleased))
                    AND (m.points IS NOT NULL OR m.state IN (\(GradeEntry.State.missing), \(GradeEntry.State.excused)))
                """
            ).map { try $0.get("course_id") })
    }

    static func score(of studentId: UUID, for itemId: UUID, in sql: any SQLReading) throws -> Score? {
        try sql.row(
            "SELECT * FROM grading_marks WHERE student_id = \(studentId) AND item_id = \(itemId)"
        ).map(score)
    }

    /// Inserts or replaces a score.
    static func put(_ grade: Score, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO grading_marks (student_id, item_id, points, state, comment, version, changed_at)
            VALUES (\(grade.studentId), \(grade.itemId), \(grade.points.map { "\($0)" }), \(grade.state),
                \(grade.comment), \(grade.version), \(instant))
            ON CONFLICT (student_id, item_id) DO UPDATE SET points = excluded.points, state = excluded.state,
                comment = excluded.comment, version = excluded.version, changed_at = excluded.changed_at
            """)
    }

    private static func score(_ row: SQLRow) throws -> Score {
        let points: String? = try row.optional("points")
        return try Score(
            itemId: row.get("item_id"), studentId: row.get("student_id"),
            points: points.map { try hundredths($0, "points") }, state: row.get("state"),
            comment: row.optional("comment"), version: row.get("version"))
    }

    private static func hundredths(_ text: String, _ column: String) throws -> Hundredths {
        guard let value = Hundredths(text) else {
            throw Unreadable(column: column, text: text)
        }
        return value
    }

    // MARK: - Settings

    /// The settings of some courses. A course without stored settings has the standard ones.
    static func settings(of courseIds: [UUID], in sql: any SQLReading) throws -> [UUID: GradeSettings] {
        var all = Dictionary(
            courseIds.map { ($0, GradeSettings.standard) }, uniquingKeysWith: { first, _ in first })
        for row in try sql.rows("SELECT * FROM grading_courses WHERE course_id IN \(list: courseIds)") {
            all[try row.get("course_id")] = try JSON.decode(
                StoredSettings.self, from: Data(row.get("body", as: String.self).utf8)
            ).settings
        }
        return all
    }

    static func set(_ settings: GradeSettings, of courseId: UUID, in sql: any SQLWriting) throws {
        let body = String(decoding: try JSON.encode(StoredSettings(settings)), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO grading_courses (course_id, body) VALUES (\(courseId), \(body))
            ON CONFLICT (course_id) DO UPDATE SET body = excluded.body
            """)
    }

    static func scale(in sql: any SQLReading) throws -> GradingScale {
        guard let row = try sql.row("SELECT body FROM grading_scale WHERE id = 1") else { return .standard }
        return try JSON.decode(StoredScale.self, from: Data(row.get("body", as: String.self).utf8)).scale
    }

    static func set(_ scale: GradingScale, in sql: any SQLWriting) throws {
        let body = String(decoding: try JSON.encode(StoredScale(scale)), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO grading_scale (id, body) VALUES (1, \(body))
            ON CONFLICT (id) DO UPDATE SET body = excluded.body
            """)
    }

    /// Weights in whole percent, because Foundation reads JSON numbers as binary fractions.
    private struct StoredSettings: Codable {
        let percents: [String: Int]
        let missingCounts: Bool

        init(_ settings: GradeSettings) {
            percents = Dictionary(
                uniqueKeysWithValues: GradeCategory.allCases.map {
                    ($0.rawValue, settings.weights[$0])
                })
            missingCounts = settings.missingCounts
        }

        var settings: GradeSettings {
            GradeSettings(
                weights: GradeWeights { percents[$0.rawValue] ?? 0 }, missingCounts: missingCounts)
        }
    }

    /// Cut-offs as text, for the same reason.
    private struct StoredScale: Codable {
        let cutOffs: [String]
        let rounding: RoundingRule

        init(_ scale: GradingScale) {
            cutOffs = scale.cutOffs.map { "\($0)" }
            rounding = scale.rounding
        }

        var scale: GradingScale {
            get throws {
                GradingScale(cutOffs: try cutOffs.map { try hundredths($0, "cutOffs") }, rounding: rounding)
            }
        }
    }
}
