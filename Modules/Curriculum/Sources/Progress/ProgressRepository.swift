import Domain
import FeatureKit
import Foundation

/// How far a child is with a material.
enum ProgressState: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case notStarted, presented, practising, mastered

    /// What usually comes next.
    var next: ProgressState? {
        switch self {
        case .notStarted: .presented
        case .presented: .practising
        case .practising: .mastered
        case .mastered: nil
        }
    }
}

/// What was recorded of a child and a material, of which day, by whom and when.
struct MaterialProgress: Codable, Sendable, Hashable {
    let studentId: UUID
    let materialId: UUID
    let state: ProgressState
    let day: Day
    let recordedBy: UUID
    let recordedAt: Date
}

/// The SQL of progress.
enum ProgressRepository {
    /// Adds to the history; where it is of the latest day, it is also where the child stands now.
    static func insert(_ progress: MaterialProgress, id: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO material_records (id, student_id, material_id, state, day, recorded_by, recorded_at)
            VALUES (\(id), \(progress.studentId), \(progress.materialId), \(progress.state), \(progress.day),
                \(progress.recordedBy), \(progress.recordedAt))
            """)
        try sql.execute(
            """
            INSERT INTO material_progress (student_id, material_id, state, day, recorded_by, recorded_at)
            VALUES (\(progress.studentId), \(progress.materialId), \(progress.state), \(progress.day),
                \(progress.recordedBy), \(progress.recordedAt))
            ON CONFLICT (student_id, material_id) DO UPDATE
                SET state = excluded.state, day = excluded.day, recorded_by = excluded.recorded_by,
                    recorded_at = excluded.recorded_at
                WHERE excluded.day >= material_progress.day
            """)
    }

    /// What was last recorded of a day.
    static func last(
        _ studentId: UUID, _ materialId: UUID, of day: Day, in sql: any SQLReading
    ) throws -> MaterialProgress? {
        try sql.row(
            """
            SELECT * FROM material_records
            WHERE student_id = \(studentId) AND material_id = \(materialId) AND day = \(day)
            ORDER BY recorded_at DESC, id DESC LIMIT 1
            """
        ).map(progress)
    }

    /// The history with one material, the latest first.
    static func history(
        of studentId: UUID, _ materialId: UUID, in sql: any SQLReading
    ) throws -> [MaterialProgress] {
        try sql.rows(
            """
            SELECT * FROM material_records WHERE student_id = \(studentId) AND material_id = \(materialId)
            ORDER BY day DESC, recorded_at DESC, id DESC LIMIT 100
            """
        ).map(progress)
    }

    /// What was recorded of a child between two days, both included, in the order of the days. What was recorded
    /// last of a day and a material is what counts.
    static func history(
        of studentId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [MaterialProgress] {
        var seen: Set<[String]> = []
        return try sql.rows(
            """
            SELECT * FROM material_records
            WHERE student_id = \(studentId) AND day >= \(first) AND day <= \(last)
            ORDER BY day DESC, recorded_at DESC, id DESC LIMIT 500
            """
        ).map(progress).filter { seen.insert([$0.materialId.text, $0.day.description]).inserted }.reversed()
    }

    /// Where a child stands with each material.
    static func progress(of studentId: UUID, in sql: any SQLReading) throws -> [UUID: MaterialProgress] {
        try sql.rows("SELECT * FROM material_progress WHERE student_id = \(studentId)").map(progress)
            .reduce(into: [:]) { $0[$1.materialId] = $1 }
    }

    /// Where some children stand with some materials.
    static func progress(
        of studentIds: [UUID], _ materials: [UUID], in sql: any SQLReading
    ) throws -> [MaterialProgress] {
        try sql.rows(query("*", studentIds, materials)).map(progress)
    }

    /// The same for a grid: whose it is, with which material, and how far.
    static func states(
        of studentIds: [UUID], _ materials: [UUID], in sql: any SQLReading
    ) throws -> [(studentId: UUID, materialId: UUID, state: ProgressState)] {
        try sql.rows(query("student_id, material_id, state", studentIds, materials)).map {
            try ($0.get("student_id"), $0.get("material_id"), $0.get("state"))
        }
    }

    static func query(_ columns: SQL, _ studentIds: [UUID], _ materials: [UUID]) -> SQL {
        """
        SELECT \(columns) FROM material_progress
        WHERE student_id IN \(list: studentIds) AND material_id IN \(list: materials)
        """
    }

    private static func progress(_ row: SQLRow) throws -> MaterialProgress {
        try MaterialProgress(
            studentId: row.get("student_id"), materialId: row.get("material_id"), state: row.get("state"),
            day: row.get("day"), recordedBy: row.get("recorded_by"), recordedAt: row.get("recorded_at"))
    }
}
