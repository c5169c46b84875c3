public import FeatureKit
public import Foundation
import Persistence

/// Uploads that have begun, in a temporary folder of their own.
public struct TestPartialFiles: PartialFiles {
    private let folder: TemporaryFolder
    private let files: FolderPartialFiles

    /// - Parameter capacity: the number of bytes of one file after which the disk counts as full.
    public init(capacity: Int = .max) throws {
        folder = try TemporaryFolder()
        files = FolderPartialFiles(in: folder.url.appending(path: "partial"), capacity: capacity)
    }

    public func received(_ key: PartialFileKey) async throws -> Int { try await files.received(key) }
    public func writer(of key: PartialFileKey, at offset: Int) async throws -> any PartialFileWriter {
        try await files.writer(of: key, at: offset)
    }
    public func content(of key: PartialFileKey) -> FileContent { files.content(of: key) }
    public func remove(of schoolId: UUID, except ids: Set<UUID>, untouchedSince limit: Date) async throws {
        try await files.remove(of: schoolId, except: ids, untouchedSince: limit)
    }
    public func removeAll(of personId: UUID, in schoolId: UUID) async throws {
        try await files.removeAll(of: personId, in: schoolId)
    }
    public func removeAll(of schoolId: UUID) async throws { try await files.removeAll(of: schoolId) }
}
