import Domain
import FeatureKit
import Foundation

/// The SQL of a school's changes to the starter curriculum.
enum CurriculumRepository {
    /// All changed and added entries.
    static func changes(in sql: any SQLReading) throws -> [CurriculumEntry] {
        try sql.rows("SELECT * FROM curriculum_entries").map { row in
            try CurriculumEntry(
                id: row.get("id"), kind: row.get("kind"), subjectId: row.optional("subject_id"),
                name: row.get("name"), nameFrench: row.optional("name_french"), band: row.optional("band"),
                position: row.get("position"),
                requires: row.get("requires", as: String.self).split(separator: " ")
                    .compactMap { UUID(text: String($0)) },
                isHidden: row.get("is_hidden"))
        }
    }

    /// Inserts or replaces an entry.
    static func save(_ entry: CurriculumEntry, in sql: any SQLWriting) throws {
        let requires = entry.requires.map(\.text).joined(separator: " ")
        try sql.execute(
            """
            INSERT INTO curriculum_entries (id, kind, subject_id, name, name_french, band, position, requires,
                is_hidden)
            VALUES (\(entry.id), \(entry.kind), \(entry.subjectId), \(entry.name), \(entry.nameFrench),
                \(entry.band), \(entry.position), \(requires), \(entry.isHidden))
            ON CONFLICT (id) DO UPDATE SET subject_id = excluded.subject_id, name = excluded.name,
                name_french = excluded.name_french, band = excluded.band, position = excluded.position,
                requires = excluded.requires, is_hidden = excluded.is_hidden
            """)
    }
}
