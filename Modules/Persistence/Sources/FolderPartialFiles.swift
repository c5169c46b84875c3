import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// Uploads that have begun, in one folder, at `<school>/<person>/<upload>`.
public final class FolderPartialFiles: PartialFiles {
    private let folder: URL
    /// The number of bytes of one file after which the disk counts as full.
    private let capacity: Int
    /// The turns of the latest writers of open files.
    private let turns = Mutex<[PartialFileKey: Turn]>([:])

    /// The right of one writer to write, until another writer of the same file is opened.
    private final class Turn: Sendable {
        /// Held while bytes are written.
        let isCurrent = Mutex(true)
    }

    /// Creates the store of all schools' unfinished uploads in one folder, which is created with the first file.
    public convenience init(in folder: URL) { self.init(in: folder, capacity: .max) }

    /// - Parameter capacity: the number of bytes of one file after which the disk counts as full, for tests.
    package init(in folder: URL, capacity: Int) {
        self.folder = folder
        self.capacity = capacity
    }

    private func folder(of schoolId: UUID) -> URL { folder.appending(path: schoolId.text) }

    private func file(_ key: PartialFileKey) -> URL {
        folder(of: key.schoolId).appending(path: key.personId.text).appending(path: key.id.text)
    }

    public func received(_ key: PartialFileKey) async throws -> Int {
        let file = file(key)
        return try await Blocking.run { try Self.size(of: file) }
    }

    public func content(of key: PartialFileKey) -> FileContent { .file(file(key)) }

    public func writer(of key: PartialFileKey, at offset: Int) async throws -> any PartialFileWriter {
        let file = file(key)
        return try await Blocking.run { [self] in
            do {
                // Only the server's account may read a person's files.
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch is CocoaError {
                throw DatabaseFault.cannotWrite("the folder of an upload could not be made")
            }
            let (turn, descriptor) = try turns.withLock { turns in
                // The earlier writer has no say about the size from here on.
                turns[key]?.isCurrent.withLock { $0 = false }
                let size = try Self.size(of: file)
                guard size == offset else { throw PartialFileFault.otherOffset(size) }
                let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
                guard descriptor >= 0 else { throw Self.fault("an upload could not be opened") }
                let turn = Turn()
                turns[key] = turn
                return (turn, descriptor)
            }
            return Writer(key, turn, descriptor, self)
        }
    }

    private static func size(of file: URL) throws -> Int {
        do {
            return try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
            return 0
        }
    }

    private static func fault(_ what: String) -> DatabaseFault { .cannotWrite("\(what) (\(errno))") }

    private final class Writer: PartialFileWriter {
        private let key: PartialFileKey
        private let turn: Turn
        private let descriptor: Int32
        private let files: FolderPartialFiles
        private let written = Mutex(0)
        /// The number of bytes after which the kernel is asked to write to the disk.
        private static let writebackStep = 4 << 20

        init(_ key: PartialFileKey, _ turn: Turn, _ descriptor: Int32, _ files: FolderPartialFiles) {
            self.key = key
            self.turn = turn
            self.descriptor = descriptor
            self.files = files
        }

        deinit {
            close(descriptor)
            files.turns.withLock { if $0[key] === turn { $0[key] = nil } }
        }

        func append(_ bytes: [UInt8]) async throws {
            try await Blocking.run { [self] in
                try turn.isCurrent.withLock { isCurrent in
                    guard isCurrent else { throw PartialFileFault.takenOver }
                    try write(bytes)
                }
            }
        }

        private func write(_ bytes: [UInt8]) throws {
            let total = written.withLock { count in
                count += bytes.count
                return count
            }
            guard total <= files.capacity else { throw fault("an upload could not be written") }
            try bytes.withUnsafeBytes { buffer in
                var rest = buffer
                while !rest.isEmpty {
                    let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                    if count < 0 && errno == EINTR { continue }
                    guard count > 0 else { throw fault("an upload could not be written") }
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                }
            }
            #if os(Linux)
                // Lets the kernel begin to write to the disk, so that `sync` waits for little at the end. The advice also
                // drops what is on the disk already from the page cache, where a large file would displace the rest.
                if total / Self.writebackStep > (total - bytes.count) / Self.writebackStep {
                    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
                }
            #endif
        }

        func sync() async throws {
            try await Blocking.run { [descriptor] in
                guard fsync(descriptor) == 0 else { throw fault("an upload could not be written") }
            }
        }
    }

    public func remove(of schoolId: UUID, except ids: Set<UUID>, untouchedSince limit: Date) async throws {
        let school = folder(of: schoolId)
        try await Blocking.run {
            for person in try Self.names(in: school) {
                let folder = school.appending(path: person)
                for name in try Self.names(in: folder) {
                    if let id = UUID(text: name), ids.contains(id) { continue }
                    let file = folder.appending(path: name)
                    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                    guard let touched = attributes[.modificationDate] as? Date, touched < limit else { continue }
                    guard unlink(file.path) == 0 || errno == ENOENT else {
                        throw Self.fault("an upload could not be removed")
                    }
                }
            }
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    public func removeAll(of personId: UUID, in schoolId: UUID) async throws {
        try await remove(folder(of: schoolId).appending(path: personId.text))
    }

    public func removeAll(of schoolId: UUID) async throws { try await remove(folder(of: schoolId)) }

    private func remove(_ folder: URL) async throws {
        try await Blocking.run {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
                // There is nothing to remove.
            } catch is CocoaError {
                throw DatabaseFault.cannotWrite("uploads could not be removed")
            }
        }
    }
}
