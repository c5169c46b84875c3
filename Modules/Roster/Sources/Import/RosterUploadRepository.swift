import Domain
import FeatureKit
import Foundation
import RosterInterface

/// The SQL of bundles that were checked and wait for their import: a browser cannot send files a second time
/// by itself. One per person, for a day.
enum RosterUploadRepository {
    static let lifetime: TimeInterval = 86_400

    static func replace(
        _ id: UUID, files: [RosterFile], of personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        try remove(of: personId, in: sql)
        try sql.execute("DELETE FROM roster_uploads WHERE created_at < \(instant - lifetime)")
        for (number, file) in files.enumerated() {
            // The number keeps two files of one name apart, and their order.
            try sql.execute(
                """
                INSERT INTO roster_uploads (id, person_id, name, bytes, created_at)
                VALUES (\(id), \(personId), \("\(number)/\(file.name)"), \(file.bytes), \(instant))
                """)
        }
    }

    static func remove(of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM roster_uploads WHERE person_id = \(personId)")
    }

    /// The person's own bundle; empty where it is gone, too old or another's.
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
