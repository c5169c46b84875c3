import Crypto
import FeatureKit
import Foundation

/// A destination for a sequence of bytes.
protocol ByteSink: AnyObject {
    func write(_ bytes: Data) throws
    /// Completes the output. All bytes are in place when this returns.
    func finish() throws
}

/// A source of a sequence of bytes.
protocol ByteSource: AnyObject {
    /// Returns the next `count` bytes, fewer at the end, and none after it.
    func read(_ count: Int) throws -> Data
}

/// A new file that appears under its name only when it is complete.
final class DiskFile: ByteSink {
    private let target: URL
    private let draft: URL
    private let descriptor: Int32
    private var isOpen = true
    private var written = 0
    private let capacity: Int

    /// Creates a draft beside the target. Throws `ArchiveFault.exists` if the target exists.
    ///
    /// - Parameter capacity: The number of bytes after which the disk counts as full, for tests.
    init(_ target: URL, capacity: Int = .max) throws {
        guard !FileManager.default.fileExists(atPath: target.path) else { throw ArchiveFault.exists }
        self.target = target
        self.capacity = capacity
        draft = target.deletingLastPathComponent().appending(path: ".unfinished-\(UUID().uuidString)")
        // Only the server's account may read a school's files.
        descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ArchiveFault.cannotWrite }
    }

    deinit { abandon() }

    func write(_ bytes: Data) throws {
        guard written + bytes.count <= capacity else { throw ArchiveFault.cannotWrite }
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw ArchiveFault.cannotWrite }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
        let before = written
        written += bytes.count
        // Syncing in small steps avoids one long wait at the end that would delay database commits.
        if before / Self.syncStep != written / Self.syncStep, fdatasync(descriptor) != 0 {
            throw ArchiveFault.cannotWrite
        }
    }

    private static let syncStep = 4 << 20

    func finish() throws {
        guard fsync(descriptor) == 0 else { throw ArchiveFault.cannotWrite }
        close(descriptor)
        isOpen = false
        // Unlike a rename, a link does not replace a file that was created meanwhile.
        let linked = link(draft.path, target.path)
        let fault = errno
        unlink(draft.path)
        guard linked == 0 else { throw fault == EEXIST ? ArchiveFault.exists : ArchiveFault.cannotWrite }
        let folder = open(target.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw ArchiveFault.cannotWrite }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw ArchiveFault.cannotWrite }
    }

    /// Deletes the draft of an unfinished file.
    private func abandon() {
        guard isOpen else { return }
        close(descriptor)
        unlink(draft.path)
        isOpen = false
    }
}

/// A file read from beginning to end.
final class DiskSource: ByteSource {
    private let descriptor: Int32

    init(_ file: URL) throws {
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ArchiveFault.foreign }
    }

    deinit { close(descriptor) }

    func read(_ count: Int) throws -> Data {
        var bytes = Data(count: count)
        var filled = 0
        while filled < count {
            let start = filled
            let got = bytes.withUnsafeMutableBytes { buffer in
                Foundation.read(descriptor, buffer.baseAddress.map { $0 + start }, count - start)
            }
            if got < 0 && errno == EINTR { continue }
            // An unreadable part of the disk counts as damage.
            guard got >= 0 else { throw ArchiveFault.damaged }
            if got == 0 { break }
            filled += got
        }
        return filled == count ? bytes : bytes.prefix(filled)
    }
}

extension ArchivePart {
    /// The number of bytes that are read at once.
    static let portion = 256 * 1024

    /// Calls `body` with the content in portions.
    func forEachPortion(_ body: (Data) throws -> Void) throws {
        switch content {
        case .bytes(let bytes): try body(bytes)
        case .file(let file):
            let source = try DiskSource(file)
            while true {
                let portion = try source.read(Self.portion)
                if portion.isEmpty { return }
                try body(portion)
            }
        }
    }

    /// The length of the content, in bytes.
    func size() throws -> Int {
        switch content {
        case .bytes(let bytes): return bytes.count
        case .file(let file):
            guard let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize else {
                throw ArchiveFault.foreign
            }
            return size
        }
    }

    /// The name, length and SHA-256 of the content.
    func measured() throws -> ArchiveManifest.Part {
        var hash = SHA256()
        var count = 0
        try forEachPortion { portion in
            hash.update(data: portion)
            count += portion.count
        }
        return ArchiveManifest.Part(name: name, bytes: count, sha256: hash.finalize().hexadecimal)
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
