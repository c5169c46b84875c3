import Domain
import FeatureKit
import Foundation

/// A child's state with a material.
enum ProgressState: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    case notStarted, presented, practicing = "practising", mastered

    /// The usual next state.
    var next: ProgressState? {
        switch self {
        case .notStarted: .presented
        case .presented: .practicing
        case .practicing: .mastered
        case .mastered: nil
        }
    }
}

/// A record of a child's state with a material on a day.
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
    /// Adds a record to the history. If its day is the latest, it becomes the current state.
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

    /// The last record of a day.
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

    /// A child's history between two days, inclusive, in the order of days. Only the last record per day and material
    /// is returned.
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

    /// A child's current progress by material.
    static func progress(of studentId: UUID, in sql: any SQLReading) throws -> [UUID: MaterialProgress] {
        try sql.rows("SELECT * FROM material_progress WHERE student_id = \(studentId)").map(progress)
            .reduce(into: [:]) { $0[$1.materialId] = $1 }
    }

    /// The current progress of several children with several materials.
    static func progress(
        of studentIds: [UUID], _ materials: [UUID], in sql: any SQLReading
    ) throws -> [MaterialProgress] {
        try sql.rows(query("*", studentIds, materials)).map(progress)
    }

    /// The current states for a grid.
    static func states(
        of studentIds: [UUID], _ materials: [UUID], in sql: any SQLReading
    ) throws -> [(studentId: UUID, materialId: UUID, state: ProgressState)] {
        try sql.rows(query("student_id, material_id, state", studentIds, materials)).map {
            try ($0.get("student_id"), $0.get("material_id"), $0.get("state"))
        }
    }

    /// The query of current progress, whose plan is tested.
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
