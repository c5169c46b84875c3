import Crypto
import Dispatch
public import FeatureKit
public import Foundation

/// Archives on disk. Work runs on a thread of its own.
public struct FileArchives: Archiving {
    private let queue = DispatchQueue(label: "archives")
    let capacity: Int

    static let manifestName = "manifest.json"
    static let sumName = "manifest.sha256"
    /// The largest manifest, in bytes; enough for some hundred thousand files.
    static let largestManifest = 64 << 20

    /// Creates an object that packs and unpacks archives without a limit on their size.
    public init() { capacity = .max }

    /// - Parameter capacity: The number of bytes after which the disk counts as full.
    init(capacity: Int) { self.capacity = capacity }

    public func pack(
        _ parts: [ArchivePart], about subject: ArchiveSubject, into file: URL, passphrase: String?
    ) async throws {
        try await run {
            let disk = try DiskFile(file, capacity: capacity)
            let sink: any ByteSink = try passphrase.map { try SealingSink(disk, passphrase: $0) } ?? disk
            let manifest = ArchiveManifest(subject: subject, parts: try parts.map { try $0.measured() })
            let text = try JSON.encode(manifest)
            let tar = TarWriter(sink: sink)
            try tar.add(ArchivePart(Self.manifestName, .bytes(text)), size: text.count)
            let sum = Data(SHA256.hash(data: text).hexadecimal.utf8)
            try tar.add(ArchivePart(Self.sumName, .bytes(sum)), size: sum.count)
            for (part, measured) in Swift.zip(parts, manifest.parts) { try tar.add(part, size: measured.bytes) }
            try tar.finish()
        }
    }

    public func unpack(_ file: URL, into folder: URL, passphrase: String?) async throws -> ArchiveManifest {
        try await run {
            let reader = TarReader(source: try Self.source(of: file, passphrase))
            let manifest = try Self.manifest(reader)
            for part in manifest.parts {
                guard let entry = try reader.next(), entry.name == part.name, entry.size == part.bytes else {
                    throw ArchiveFault.damaged
                }
                let target = folder.appending(path: part.name)
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                let disk = try DiskFile(target, capacity: capacity)
                var hash = SHA256()
                try reader.content(entry.size) { portion in
                    hash.update(data: portion)
                    try disk.write(portion)
                }
                guard hash.finalize().hexadecimal == part.sha256 else { throw ArchiveFault.damaged }
                try disk.finish()
            }
            guard try reader.next() == nil else { throw ArchiveFault.damaged }
            return manifest
        }
    }

    public func zip(_ parts: [ArchivePart], into file: URL) async throws {
        try await run {
            let zip = try ZipWriter(DiskFile(file, capacity: capacity))
            for part in parts { try zip.add(part) }
            try zip.finish()
        }
    }

    /// The bytes of the tar file, decrypted if necessary.
    private static func source(of file: URL, _ passphrase: String?) throws -> any ByteSource {
        let disk = try DiskSource(file)
        let mark = try disk.read(Seal.mark.count)
        if mark == Seal.mark {
            guard let passphrase else { throw ArchiveFault.passphraseNeeded }
            return try OpeningSource(disk, after: mark, passphrase: passphrase)
        }
        guard mark == Data(manifestName.utf8.prefix(Seal.mark.count)) else { throw ArchiveFault.foreign }
        return try DiskSource(file)
    }

    private static func manifest(_ reader: TarReader) throws -> ArchiveManifest {
        func text(_ name: String) throws -> Data {
            guard let entry = try reader.next(), entry.name == name, entry.size <= largestManifest else {
                throw ArchiveFault.damaged
            }
            var text = Data()
            try reader.content(entry.size) { text.append($0) }
            return text
        }
        let json = try text(manifestName)
        guard try text(sumName) == Data(SHA256.hash(data: json).hexadecimal.utf8) else {
            throw ArchiveFault.damaged
        }
        struct Version: Decodable {
            let format: String
            let version: Int
        }
        do {
            let head = try JSON.decode(Version.self, from: json)
            guard head.format == ArchiveManifest.format else { throw ArchiveFault.foreign }
            guard head.version <= ArchiveManifest.version else { throw ArchiveFault.newer }
            return try JSON.decode(ArchiveManifest.self, from: json)
        } catch is DecodingError {
            throw ArchiveFault.damaged
        }
    }

    private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result(catching: work).mapError { error in
                        // A folder that cannot be created means that the disk cannot be written.
                        error is ArchiveFault ? error : ArchiveFault.cannotWrite
                    })
            }
        }
    }
}
