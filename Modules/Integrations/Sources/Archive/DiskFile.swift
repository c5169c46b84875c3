import Crypto
import FeatureKit
import Foundation

/// Bytes that go somewhere, in order.
protocol ByteSink: AnyObject {
    func write(_ bytes: Data) throws
    /// Nothing follows; all of it is where it belongs when this returns.
    func finish() throws
}

/// Bytes that come from somewhere, in order.
protocol ByteSource: AnyObject {
    /// The next bytes, as many as are asked for; fewer at the end, none after it.
    func read(_ count: Int) throws -> Data
}

/// A new file that is named only when it is complete.
final class DiskFile: ByteSink {
    private let target: URL
    private let draft: URL
    private let descriptor: Int32
    private var isOpen = true
    private var written = 0
    private let capacity: Int

    /// - Parameter capacity: bytes after which the disk counts as full, for tests.
    init(_ target: URL, capacity: Int = .max) throws {
        guard !FileManager.default.fileExists(atPath: target.path) else { throw ArchiveFault.exists }
        self.target = target
        self.capacity = capacity
        draft = target.deletingLastPathComponent().appending(path: ".unfinished-\(UUID().uuidString)")
        // What a school stores is nobody's to read but the server's.
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
        // In small steps: one large wait for the disk at the end would make the commits of others wait with it.
        if before / Self.syncStep != written / Self.syncStep, fdatasync(descriptor) != 0 {
            throw ArchiveFault.cannotWrite
        }
    }

    private static let syncStep = 4 << 20

    func finish() throws {
        guard fsync(descriptor) == 0 else { throw ArchiveFault.cannotWrite }
        close(descriptor)
        isOpen = false
        // Unlike a rename, a link never replaces what somebody else has put there meanwhile.
        let linked = link(draft.path, target.path)
        let fault = errno
        unlink(draft.path)
        guard linked == 0 else { throw fault == EEXIST ? ArchiveFault.exists : ArchiveFault.cannotWrite }
        let folder = open(target.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw ArchiveFault.cannotWrite }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw ArchiveFault.cannotWrite }
    }

    /// Leaves nothing of a file that was not finished.
    private func abandon() {
        guard isOpen else { return }
        close(descriptor)
        unlink(draft.path)
        isOpen = false
    }
}

/// A file that is read from its beginning.
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
            // A part of the disk that cannot be read is as good as a part that is not there.
            guard got >= 0 else { throw ArchiveFault.damaged }
            if got == 0 { break }
            filled += got
        }
        return filled == count ? bytes : bytes.prefix(filled)
    }
}

extension ArchivePart {
    static let portion = 256 * 1024

    /// Hands the content on, portion by portion.
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

    /// Its length in bytes.
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

    /// Its length and its SHA-256.
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
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
