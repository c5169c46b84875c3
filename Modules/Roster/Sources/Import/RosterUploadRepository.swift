import Domain
import FeatureKit
import Foundation
import RosterInterface

/// The SQL of checked bundles that wait for their import.
///
/// A browser cannot upload files again by itself. Each person has at most one bundle, for a day.
enum RosterUploadRepository {
    /// The seconds for which a bundle is stored.
    static let lifetime: TimeInterval = 86_400

    /// Stores the files of a person and deletes her earlier bundle.
    static func replace(
        _ id: UUID, files: [RosterFile], of personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        try remove(of: personId, in: sql)
        try sql.execute("DELETE FROM roster_uploads WHERE created_at < \(instant - lifetime)")
        for (number, file) in files.enumerated() {
            // The number keeps the order and separates files of the same name.
            try sql.execute(
                """
                INSERT INTO roster_uploads (id, person_id, name, bytes, created_at)
                VALUES (\(id), \(personId), \("\(number)/\(file.name)"), \(file.bytes), \(instant))
                """)
        }
    }

    /// Deletes the person's bundle.
    static func remove(of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM roster_uploads WHERE person_id = \(personId)")
    }

    /// The files of the person's own bundle; empty if it is missing, expired or another person's.
    static func files(_ id: UUID, of personId: UUID, at instant: Date, in sql: any SQLReading) throws
        -> [RosterFile]
    {
        try sql.rows(
            """
            SELECT name, bytes FROM roster_uploads
            WHERE id = \(id) AND person_id = \(personId) AND created_at >= \(instant - lifetime) ORDER BY name
            """
        ).map { try RosterFile(name: $0.get("name"), bytes: $0.get("bytes")) }
    }
}
