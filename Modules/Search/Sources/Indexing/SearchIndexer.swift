import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Updates the index of each school from its change log.
actor SearchIndexer {
    /// The number of documents or changes read at a time.
    static let portion = 500

    private let sources: [SearchSource]
    private let indexes: any SearchIndexes
    private var running: [UUID: Task<Void, any Error>] = [:]

    init(sources: [SearchSource], indexes: any SearchIndexes) {
        self.sources = sources
        self.indexes = indexes
    }

    /// All kinds of change that affect the index.
    nonisolated var kinds: Set<String> { sources.reduce(into: []) { $0.formUnion($1.kinds) } }

    /// Updates a school's index to the end of its log. Concurrent calls wait for the same update.
    func catchUp(_ schoolId: UUID, _ database: any Database) async throws {
        if let present = running[schoolId] { return try await present.value }
        let task = Task { try await follow(schoolId, database) }
        running[schoolId] = task
        defer { running[schoolId] = nil }
        try await task.value
    }

    /// The number of changes that are not indexed, or `nil` if the index must be built.
    nonisolated func lag(_ schoolId: UUID, _ database: any Database) async throws -> Int64? {
        guard let place = try await indexes.index(of: schoolId).place() else { return nil }
        return try await database.read { max(0, try ChangeLog.latest(in: $0) - place.seq) }
    }

    private func follow(_ schoolId: UUID, _ database: any Database) async throws {
        let index = try await indexes.index(of: schoolId)
        guard var place = try await index.place(), try await isOf(place, database) else {
            return try await build(index, schoolId, database)
        }
        while !Task.isCancelled {
            let from = place.seq
            let changes = try await database.read { sql in
                try ChangeLog.changes(after: from, limit: Self.portion, in: sql)
            }
            guard let last = changes.last else { return }
            place = SearchPlace(seq: last.seq, hash: last.hash)
            for source in sources { try await take(changes, source, index, schoolId, database) }
            // Moved last, so that an interrupted update is repeated.
            try await index.move(to: place)
        }
    }

    /// Whether the place is an entry of this log. A restored school has another log.
    private func isOf(_ place: SearchPlace, _ database: any Database) async throws -> Bool {
        guard place.seq > 0 else { return true }
        return try await database.read { sql in
            try ChangeLog.changes(after: place.seq - 1, limit: 1, in: sql).first.map {
                $0.seq == place.seq && $0.hash == place.hash
            } ?? false
        }
    }

    private func take(
        _ changes: [LoggedChange], _ source: SearchSource, _ index: any SearchIndex, _ schoolId: UUID,
        _ database: any Database
    ) async throws {
        let mine = changes.filter { source.kinds.contains($0.change.kind) }
        guard !mine.isEmpty else { return }
        let touched: Set<UUID>? = try await database.read { sql in
            var ids: Set<UUID> = []
            for change in mine {
                switch try source.touched(change, sql) {
                case .some(let some): ids.formUnion(some)
                case .everything: return nil
                }
            }
            return ids
        }
        guard let touched else {
            try await index.remove(category: source.category)
            return try await read(source, index, schoolId, database)
        }
        var rest = Array(touched)[...]
        while !rest.isEmpty {
            let ids = Array(rest.prefix(Self.portion))
            rest = rest.dropFirst(Self.portion)
            let documents = try await database.read { try source.documents(ids, schoolId, $0) }
            try await index.put(documents, in: source.category, removing: ids)
        }
    }

    private func build(_ index: any SearchIndex, _ schoolId: UUID, _ database: any Database) async throws {
        try await index.clear()
        // Changes during the reading are found in the log afterwards.
        let last = try await database.read { sql in
            try ChangeLog.changes(after: ChangeLog.latest(in: sql) - 1, limit: 1, in: sql).first
        }
        for source in sources { try await read(source, index, schoolId, database) }
        try await index.move(to: SearchPlace(seq: last?.seq ?? 0, hash: last?.hash ?? ""))
        try await index.tidy()
    }

    private func read(
        _ source: SearchSource, _ index: any SearchIndex, _ schoolId: UUID, _ database: any Database
    ) async throws {
        var after: UUID?
        while !Task.isCancelled {
            let last = after
            let (ids, documents) = try await database.read { sql in
                let ids = try source.ids(last, Self.portion, sql)
                return (ids, try source.documents(ids, schoolId, sql))
            }
            guard let end = ids.last else { return }
            try await index.put(documents, in: source.category, removing: [])
            after = end
        }
    }
}
