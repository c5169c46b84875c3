public import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// The uploaded files of all schools in one folder, at `<school>/<first two digits of the hash>/<hash>`.
///
/// A file's modification date is the time of its last `put`, by the server's own clock.
public final class FolderBlobs: SchoolBlobs {
    private let folder: URL
    private let clock: any WallClock
    private let hash: @Sendable (FileContent) throws -> BlobHash
    /// Held while a file is renamed or dated, and while an old file is checked and removed.
    private let ages = Mutex<Void>(())

    /// Creates the store of all schools' files in one folder.
    /// - Parameters:
    ///   - folder: The folder of all schools' files; created with the first file.
    ///   - clock: The clock that dates the files.
    ///   - hash: Computes the SHA-256 of a content. The server passes that of a library, which is faster than the kernel's.
    public init(
        in folder: URL, clock: any WallClock,
        hash: @escaping @Sendable (FileContent) throws -> BlobHash = { try BlobHash(of: $0) }
    ) {
        self.folder = folder
        self.clock = clock
        self.hash = hash
    }

    public func blobs(of schoolId: UUID) -> any BlobStore { Store(all: self, schoolId: schoolId) }

    private func folder(of schoolId: UUID) -> URL { folder.appending(path: schoolId.text) }

    private struct Store: BlobStore {
        let all: FolderBlobs
        let schoolId: UUID
        private var folder: URL { all.folder(of: schoolId) }

        func put(_ content: FileContent) async throws -> BlobHash {
            try await Blocking.run {
                let hash = try all.hash(content)
                try all.put(content, as: FolderBlobs.file(hash, in: folder))
                return hash
            }
        }

        func file(_ hash: BlobHash) async throws -> URL? {
            let file = FolderBlobs.file(hash, in: folder)
            return FileManager.default.fileExists(atPath: file.path) ? file : nil
        }
    }

    private static func file(_ hash: BlobHash, in folder: URL) -> URL {
        folder.appending(path: String(hash.text.prefix(2))).appending(path: hash.text)
    }

    private func put(_ content: FileContent, as file: URL) throws {
        let shelf = file.deletingLastPathComponent()
        do {
            if try ages.withLock({ _ in try renew(file) }) { return try Folder.sync(shelf) }
            try makeFolders(to: shelf)
            let draft = shelf.appending(path: "\(Self.unfinished)\(UUID().text)")
            defer { unlink(draft.path) }
            try Self.write(content, to: draft)
            // A concurrent `put` of the same content replaces the file with an identical one.
            try ages.withLock { _ in
                guard rename(draft.path, file.path) == 0 else { throw Self.fault("a file could not be named") }
                _ = try renew(file)
            }
            try Folder.sync(shelf)
        } catch let error as CocoaError {
            throw DatabaseFault.cannotWrite("a file could not be written (\(error.code.rawValue))")
        }
    }

    /// Sets the file's date to now. Returns `false` if there is no such file.
    private func renew(_ file: URL) throws -> Bool {
        do {
            try FileManager.default.setAttributes([.modificationDate: clock.now], ofItemAtPath: file.path)
            return true
        } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
            return false
        }
    }

    /// Creates the missing folders down to `shelf` and syncs each parent, so that they survive a power cut.
    private func makeFolders(to shelf: URL) throws {
        let school = shelf.deletingLastPathComponent()
        for own in [folder, school, shelf] where !FileManager.default.fileExists(atPath: own.path) {
            // Only the server's account may read a school's files.
            try FileManager.default.createDirectory(
                at: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Folder.sync(own.deletingLastPathComponent())
        }
    }

    private static func write(_ content: FileContent, to file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fault("a file could not be made") }
        defer { close(descriptor) }
        try content.forEachPortion { portion in
            var rest = UnsafeRawBufferPointer(portion)
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw fault("a file could not be written") }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
        guard fsync(descriptor) == 0 else { throw fault("a file could not be written") }
    }

    private static func fault(_ what: String) -> DatabaseFault { .cannotWrite("\(what) (\(errno))") }

    public func all(of schoolId: UUID) async throws -> Set<BlobHash> {
        let school = folder(of: schoolId)
        return try await Blocking.run {
            guard FileManager.default.fileExists(atPath: school.path) else { return [] }
            var all: Set<BlobHash> = []
            for shelf in try FileManager.default.contentsOfDirectory(atPath: school.path) {
                let names = try FileManager.default.contentsOfDirectory(
                    atPath: school.appending(path: shelf).path)
                // Drafts of an interrupted `put` have names that are not hashes.
                all.formUnion(names.compactMap(BlobHash.init(_:)))
            }
            return all
        }
    }

    public func remove(_ hashes: Set<BlobHash>, of schoolId: UUID, unlessPutSince limit: Date) async throws -> Int {
        let school = folder(of: schoolId)
        return try await Blocking.run { [self] in
            try removeUnfinished(in: school, before: limit)
            return try hashes.count { hash in
                let file = Self.file(hash, in: school)
                return try ages.withLock { _ in
                    guard let put = try Self.time(of: file), put < limit else { return false }
                    guard unlink(file.path) == 0 || errno == ENOENT else {
                        throw Self.fault("a file could not be removed")
                    }
                    return true
                }
            }
        }
    }

    /// Removes drafts that a stopped server left behind.
    private func removeUnfinished(in school: URL, before limit: Date) throws {
        guard FileManager.default.fileExists(atPath: school.path) else { return }
        for shelf in try FileManager.default.contentsOfDirectory(atPath: school.path) {
            let shelf = school.appending(path: shelf)
            for name in try FileManager.default.contentsOfDirectory(atPath: shelf.path)
            where name.hasPrefix(Self.unfinished) {
                let file = shelf.appending(path: name)
                // Drafts are dated by the file system, finished files by the server's clock.
                guard let begun = try Self.time(of: file), begun < min(limit, Date() - Self.longestWrite) else {
                    continue
                }
                guard unlink(file.path) == 0 || errno == ENOENT else {
                    throw Self.fault("a draft of a file could not be removed")
                }
            }
        }
    }

    private static let unfinished = ".unfinished-"
    /// Seconds after which a draft is surely abandoned.
    private static let longestWrite: TimeInterval = 60

    private static func time(of file: URL) throws -> Date? {
        do {
            return try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    public func removeAll(of schoolId: UUID) async throws {
        let school = folder(of: schoolId)
        try await Blocking.run {
            do {
                try FileManager.default.removeItem(at: school)
                try Folder.sync(school.deletingLastPathComponent())
            } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
                // There is nothing to remove.
            } catch is CocoaError {
                throw DatabaseFault.cannotWrite("a school's files could not be removed")
            }
        }
    }
}
