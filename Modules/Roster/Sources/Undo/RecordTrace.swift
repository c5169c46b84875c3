import Domain
import FeatureKit
import Foundation

/// Finds out whether anything is kept about people beyond what an import writes: attendance, invites, whatever
/// any block declares in its `Feature.records`. A block that comes later is asked too.
struct RecordTrace: Sendable {
    /// What a kind of record is called, and its rows about one person.
    private struct Source: Sendable {
        let title: String
        let about: @Sendable (RecordSubject) -> SQL
    }
    private let sources: [RecordKind.Store: [Source]]

    /// - Parameter tables: those that the import itself writes.
    init(_ kinds: [RecordKind], without tables: Set<String>) {
        var sources: [RecordKind.Store: [Source]] = [:]
        for kind in kinds {
            for table in kind.tables where !tables.contains(table.name) {
                guard let about = table.about else { continue }
                sources[kind.store, default: []].append(Source(title: kind.title, about: about))
            }
        }
        self.sources = sources
    }

    /// The key of what is kept about each of the people; whoever has nothing is left out.
    func found(
        _ personIds: [UUID], of orgId: UUID, _ store: RecordKind.Store, in sql: any SQLReading
    ) throws -> [UUID: String] {
        let sources = sources[store] ?? []
        guard !sources.isEmpty else { return [:] }
        var found: [UUID: String] = [:]
        for id in personIds {
            let subject = RecordSubject(schoolId: orgId, personId: id, accountId: nil, placeholder: "")
            var statement: SQL = "SELECT \(0) AS place WHERE EXISTS (\(sources[0].about(subject)))"
            for place in sources.indices.dropFirst() {
                let about = sources[place].about(subject)
                statement = "\(statement) UNION ALL SELECT \(place) AS place WHERE EXISTS (\(about))"
            }
            if let place: Int = try sql.value(statement) { found[id] = sources[place].title }
        }
        return found
    }
}
