public import FeatureKit
public import Foundation
import Persistence

/// Search indexes in a temporary folder.
public final class TestSearchIndexes: SearchIndexes {
    private let folder: TemporaryFolder
    private let files: SQLiteSearchIndexes

    public init() throws {
        folder = try TemporaryFolder()
        files = SQLiteSearchIndexes(in: Persistence.searchFolder(in: folder.url))
    }

    /// The names of the files.
    public var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: Persistence.searchFolder(in: folder.url).path)
                .sorted()
        }
    }

    public func index(of schoolId: UUID) async throws -> any SearchIndex { try await files.index(of: schoolId) }
    public func remove(_ schoolId: UUID) async throws { try await files.remove(schoolId) }
    public func keepOnly(_ schoolIds: Set<UUID>) async throws { try await files.keepOnly(schoolIds) }
}
