import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// A folder with one search index file per school.
public final class SQLiteSearchIndexes: SearchIndexes {
    private let folder: URL
    private struct Open {
        var indexes: [UUID: SQLiteSearchIndex] = [:]
        /// The schools whose index this process has removed.
        var removed: Set<UUID> = []
    }
    private let open = Mutex(Open())
    /// The number of indexes that stay open. Opening one takes milliseconds.
    private static let most = 60

    /// Creates the object for a folder of search indexes; the folder is created with the first index.
    public init(in folder: URL) { self.folder = folder }

    public func index(of schoolId: UUID) async throws -> any SearchIndex {
        if let known = open.withLock({ $0.indexes[schoolId] }) { return known }
        return try await Blocking.run { [self] in
            try open.withLock { open in
                if let known = open.indexes[schoolId] { return known }
                try PrivateFiles.makeFolder(folder)
                let known = try files(of: schoolId).filter { $0.hasSuffix(".search") }.min()
                let name = known ?? Self.name(schoolId, isNew: !open.removed.contains(schoolId))
                let made: SQLiteSearchIndex
                do {
                    made = try SQLiteSearchIndex(at: folder.appending(path: name))
                } catch {
                    throw DatabaseFault.translating(error)
                }
                // Ongoing searches keep their index open until they end.
                if open.indexes.count >= Self.most { open.indexes.removeAll() }
                open.indexes[schoolId] = made
                return made
            }
        }
    }

    /// The file name of an index. The successor of a removed index gets a new name: a connection that still has the
    /// removed file open deletes the write-ahead log of the old name when it closes.
    private static func name(_ schoolId: UUID, isNew: Bool) -> String {
        isNew ? "\(schoolId.text).search" : "\(schoolId.text)-\(UUID().text).search"
    }

    private func files(of schoolId: UUID) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(schoolId.text) }
    }

    public func remove(_ schoolId: UUID) async throws {
        try await Blocking.run { [self] in
            // The lock prevents opening the index while some of its files are gone. Open connections continue with the
            // unlinked files, which the system deletes when they close.
            try open.withLock { open in
                open.indexes[schoolId] = nil
                open.removed.insert(schoolId)
                // The database goes before its log: without the log it may be inconsistent.
                for name in try files(of: schoolId).sorted(by: { $0.count < $1.count })
                where unlink(folder.appending(path: name).path) != 0 && errno != ENOENT {
                    throw DatabaseFault.cannotWrite("a search index could not be removed (\(errno))")
                }
            }
        }
    }

    public func keepOnly(_ schoolIds: Set<UUID>) async throws {
        let folder = folder
        open.withLock { open in open.indexes = open.indexes.filter { schoolIds.contains($0.key) } }
        try await Blocking.run {
            guard FileManager.default.fileExists(atPath: folder.path) else { return }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                guard let id = UUID(text: String(name.prefix(36))), !schoolIds.contains(id) else { continue }
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
        }
    }
}
