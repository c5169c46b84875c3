import Domain
import FeatureKit
import Foundation

/// Finds out whether there are records about a person that an import does not write, such as attendance or invites.
///
/// It uses the record kinds of all blocks, so that new blocks are included.
struct RecordTrace: Sendable {
    /// A table with records about people.
    private struct Source: Sendable {
        /// The catalog key of the kind of record.
        let title: String
        let about: @Sendable (RecordSubject) -> SQL
        let subjects: SQL?
    }
    private let sources: [RecordKind.Store: [Source]]

    /// - Parameters:
    ///   - kinds: The record kinds of all blocks.
    ///   - tables: The tables that the import itself writes.
    init(_ kinds: [RecordKind], without tables: Set<String>) {
        var sources: [RecordKind.Store: [Source]] = [:]
        for kind in kinds {
            for table in kind.tables where !tables.contains(table.name) {
                guard let about = table.about else { continue }
                sources[kind.store, default: []].append(
                    Source(title: kind.title, about: about, subjects: table.subjects))
            }
        }
        self.sources = sources
    }

    /// The catalog key of the first kind of record about each person. People without records are missing.
    ///
    /// All tables are queried in one statement for some hundred people at a time. One statement per person took more
    /// than ten seconds for ten thousand people, mostly for preparing.
    func found(
        _ personIds: [UUID], of orgId: UUID, _ store: RecordKind.Store, in sql: any SQLReading
    ) throws -> [UUID: String] {
        let sources = sources[store] ?? []
        guard !personIds.isEmpty, !sources.isEmpty else { return [:] }
        var found: [UUID: Int] = [:]
        let subject = RecordSubject(schoolId: orgId, eachOf: "asked.person_id")
        var first: SQL = ""
        for (place, source) in sources.enumerated() {
            if let subjects = source.subjects {
                for row in try sql.rows(subjects) {
                    guard let id = row.values.first.flatMap(UUID.init(sqlValue:)) else { continue }
                    found[id] = min(place, found[id] ?? place)
                }
            } else {
                first = "\(first) WHEN EXISTS (\(source.about(subject))) THEN \(place)"
            }
        }
        for portion in SQL.portions(of: personIds.map { [$0.sqlValue] }) where !first.text.isEmpty {
            let rows = try sql.rows(
                """
                WITH asked (person_id) AS (VALUES \(rows: portion))
                SELECT person_id, CASE \(first) END AS place FROM asked
                """)
            for row in rows {
                guard let place: Int = try row.optional("place") else { continue }
                let id: UUID = try row.get("person_id")
                found[id] = min(place, found[id] ?? place)
            }
        }
        let asked = Set(personIds)
        return found.filter { asked.contains($0.key) }.mapValues { sources[$0].title }
    }
}
