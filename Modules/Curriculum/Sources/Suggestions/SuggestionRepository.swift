import Domain
import FeatureKit
import Foundation

/// The SQL of dismissed suggestions.
enum SuggestionRepository {
    /// Dismisses a suggestion.
    static func dismiss(
        _ materialId: UUID, for studentId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO dismissed_suggestions (student_id, material_id, dismissed_at)
            VALUES (\(studentId), \(materialId), \(instant))
            ON CONFLICT (student_id, material_id) DO UPDATE SET dismissed_at = excluded.dismissed_at
            """)
    }

    /// The materials whose suggestions were dismissed since an instant.
    static func dismissed(of studentId: UUID, since instant: Date, in sql: any SQLReading) throws -> Set<UUID> {
        Set(
            try sql.rows(
                """
                SELECT material_id FROM dismissed_suggestions
                WHERE student_id = \(studentId) AND dismissed_at > \(instant)
                """
            ).map { try $0.get("material_id") })
    }
}
