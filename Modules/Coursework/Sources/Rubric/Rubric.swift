import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// The criteria of an assignment, and what the levels that were chosen for a student amount to.
struct Rubric: Sendable, Hashable {
    static let mostCriteria = 8
    static let mostLevels = 5

    var criteria: [RubricCriterion]

    /// The most points that the rubric gives.
    var total: Hundredths { criteria.reduce(.zero) { $0 + $1.highest } }

    /// The points of the chosen levels; `nil` if a criterion has no level, or there are no criteria.
    func points(of chosen: [UUID: Int]) -> Hundredths? {
        guard !criteria.isEmpty else { return nil }
        let points = criteria.map { criterion in chosen[criterion.id].flatMap(criterion.points(ofLevel:)) }
        guard points.allSatisfy({ $0 != nil }) else { return nil }
        return points.compactMap(\.self).reduce(.zero, +)
    }
}

extension RubricCriterion {
    /// The points of a level; `nil` for a level that does not exist.
    func points(ofLevel level: Int) -> Hundredths? {
        levels.indices.contains(level) ? Hundredths(levels[level].points) : nil
    }

    /// The most points that the criterion gives.
    var highest: Hundredths { levels.compactMap { Hundredths($0.points) }.max() ?? .zero }

    /// A level with its points: "Convincing · 5"; without points in an assignment that is not graded.
    func shown(_ level: Int, isGraded: Bool, _ words: Words) -> String {
        guard levels.indices.contains(level) else { return "–" }
        guard isGraded, let points = points(ofLevel: level) else { return levels[level].title }
        return words("coursework.rubric.level", levels[level].title, points.shown(words))
    }
}

/// The level that a teacher chose for a student in a criterion, as a form sends it: the criterion's id and the place of
/// the level.
struct RubricChoice: Sendable, Hashable {
    let criterionId: UUID
    let level: Int

    init(_ criterionId: UUID, _ level: Int) {
        self.criterionId = criterionId
        self.level = level
    }

    /// Reads what `text` wrote; `nil` for other text.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let id = UUID(text: String(parts[0])), let level = Int(parts[1]) else { return nil }
        self.init(id, level)
    }

    var text: String { "\(criterionId.text) \(level)" }

    /// The name of the field with the choice of the criterion at a place.
    static func field(_ place: Int) -> String { "level\(place + 1)" }

    /// Reads the choices of a form, one for each criterion.
    static func all(_ fields: inout FieldReader) -> [RubricChoice] {
        (0..<Rubric.mostCriteria).compactMap { place in
            guard let text = fields.optionalText(field(place), max: 60) else { return nil }
            let choice = RubricChoice(text)
            fields.refuse(field(place), "coursework.level", unless: choice != nil)
            return choice
        }
    }
}

/// Reads and writes rubrics and the levels of students in the school's database.
enum RubricRepository {
    static func rubric(of assignmentId: UUID, in sql: any SQLReading) throws -> Rubric {
        Rubric(
            criteria: try sql.rows(
                "SELECT * FROM coursework_criteria WHERE assignment_id = \(assignmentId) ORDER BY place, id"
            ).map { row in
                try RubricCriterion(
                    id: row.get("id"), title: row.get("title"),
                    levels: JSON.decode(
                        [RubricCriterion.Level].self, from: Data((row.get("levels") as String).utf8)))
            })
    }

    /// Adds a criterion, or replaces the one with its id.
    static func put(_ criterion: RubricCriterion, at place: Int, of assignmentId: UUID, in sql: any SQLWriting)
        throws
    {
        let levels = String(decoding: try JSON.encode(criterion.levels), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO coursework_criteria (id, assignment_id, place, title, levels)
            VALUES (\(criterion.id), \(assignmentId), \(place), \(criterion.title), \(levels))
            ON CONFLICT (id) DO UPDATE SET title = excluded.title, levels = excluded.levels
            """)
    }

    static func delete(_ criterionId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_levels WHERE criterion_id = \(criterionId)")
        try sql.execute("DELETE FROM coursework_criteria WHERE id = \(criterionId)")
    }

    /// Deletes the rubric of an assignment with the levels of all students.
    static func deleteAll(of assignmentId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_levels WHERE assignment_id = \(assignmentId)")
        try sql.execute("DELETE FROM coursework_criteria WHERE assignment_id = \(assignmentId)")
    }

    /// The levels of a student, by criterion.
    static func levels(
        of assignmentId: UUID, for studentId: UUID, in sql: any SQLReading
    ) throws -> [UUID: Int] {
        try sql.rows(
            """
            SELECT criterion_id, level FROM coursework_levels
            WHERE student_id = \(studentId) AND assignment_id = \(assignmentId)
            """
        ).reduce(into: [:]) { $0[try $1.get("criterion_id")] = try $1.get("level") }
    }

    /// The number of students who have a level in a criterion.
    static func studentCount(of criterionId: UUID, in sql: any SQLReading) throws -> Int {
        try sql.row("SELECT COUNT(*) AS students FROM coursework_levels WHERE criterion_id = \(criterionId)")?
            .get("students") ?? 0
    }

    static func set(
        _ choice: RubricChoice, of assignmentId: UUID, for studentId: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO coursework_levels (student_id, assignment_id, criterion_id, level)
            VALUES (\(studentId), \(assignmentId), \(choice.criterionId), \(choice.level))
            ON CONFLICT (student_id, criterion_id) DO UPDATE SET level = excluded.level
            """)
    }

    static let migration = Migration(
        "006-rubrics",
        """
        CREATE TABLE coursework_criteria (
            id TEXT PRIMARY KEY NOT NULL,
            assignment_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            title TEXT NOT NULL,
            levels TEXT NOT NULL
        );
        CREATE INDEX coursework_criteria_assignment ON coursework_criteria (assignment_id);
        CREATE TABLE coursework_levels (
            student_id TEXT NOT NULL,
            assignment_id TEXT NOT NULL,
            criterion_id TEXT NOT NULL,
            level INTEGER NOT NULL,
            PRIMARY KEY (student_id, criterion_id)
        );
        CREATE INDEX coursework_levels_criterion ON coursework_levels (criterion_id);
        CREATE INDEX coursework_levels_assignment ON coursework_levels (assignment_id, student_id);
        """)

    static let records = [
        RecordKind(
            "coursework.rubrics", "coursework.records.rubrics", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "coursework_criteria",
                    export: { _ in
                        """
                        SELECT id, assignment_id, place, title, levels FROM coursework_criteria
                        ORDER BY assignment_id, place, id
                        """
                    }, texts: .init(of: "coursework_criteria", columns: ["title", "levels"]))
            ]),
        RecordKind(
            "coursework.levels", "coursework.records.levels", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "coursework_levels",
                    export: { _ in
                        """
                        SELECT student_id, assignment_id, criterion_id, level FROM coursework_levels
                        ORDER BY assignment_id, student_id, criterion_id
                        """
                    },
                    about: { subject in
                        """
                        SELECT c.title, c.levels, l.level FROM coursework_levels l
                        JOIN coursework_criteria c ON c.id = l.criterion_id
                        JOIN coursework_marks m ON m.student_id = l.student_id AND m.assignment_id = l.assignment_id
                        WHERE l.student_id = \(subject.personId) AND m.returned_at IS NOT NULL
                        ORDER BY l.assignment_id, c.place, c.id
                        """
                    },
                    erase: { "DELETE FROM coursework_levels WHERE student_id = \($0.personId)" })
            ]),
    ]
}
