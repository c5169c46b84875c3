import CArchive
public import FeatureKit
public import Foundation

/// Packs ZIP files in memory with libarchive.
public struct Zip: Packing {
    /// Creates a packer of ZIP files, which has no state.
    public init() {}

    public func zip(_ parts: [ArchivePart]) throws -> Data {
        let memory = MemoryFile()
        let writer = try ZipWriter(memory)
        for part in parts { try writer.add(part) }
        try writer.finish()
        return memory.bytes
    }
}

extension Zip: ZipStreaming {
    public func zip(_ entries: [ZipEntry], to write: @Sendable (Data) async throws -> Void) async throws {
        let memory = MemoryFile()
        let writer = try ZipWriter(memory)
        for entry in entries {
            let reader = try entry.content.reader()
            let head = try reader.read(at: 0, count: PackedContent.headBytes)
            try writer.begin(entry.path, size: reader.size, isStored: PackedContent.isPacked(head))
            var place = 0
            while place < reader.size {
                let portion = try reader.read(at: place, count: ArchivePart.portion)
                // The file became shorter while it was read, so its header is wrong.
                guard !portion.isEmpty else { throw ArchiveFault.cannotWrite }
                try writer.append(portion)
                place += portion.count
                try await write(memory.take())
            }
            try writer.end()
        }
        try writer.finish()
        try await write(memory.take())
    }
}

private final class MemoryFile: ByteSink {
    private(set) var bytes = Data()

    func write(_ bytes: Data) throws { self.bytes.append(bytes) }
    func finish() throws {}

    /// Returns the bytes that were written since the last call.
    func take() -> Data {
        defer { bytes = Data() }
        return bytes
    }
}

/// Writes a ZIP file with deflated and stored entries through libarchive.
///
/// Files above 4 GB and archives of more than 65,535 files use ZIP64. All entries have the earliest date of the format, so
/// that the same files give the same bytes.
final class ZipWriter {
    /// The state of libarchive's callback, which cannot capture variables.
    private final class Output {
        let sink: any ByteSink
        var fault: (any Error)?

        init(_ sink: any ByteSink) { self.sink = sink }
    }

    private let output: Output
    private let archive: OpaquePointer

    init(_ sink: any ByteSink) throws {
        guard let archive = archive_write_new() else { throw ArchiveFault.cannotWrite }
        self.archive = archive
        output = Output(sink)
        try check(archive_write_set_format_zip(archive))
        // Writes whole blocks to the sink, and the last one without padding.
        try check(archive_write_set_bytes_per_block(archive, Int32(ArchivePart.portion)))
        try check(archive_write_set_bytes_in_last_block(archive, 1))
        try check(
            archive_write_open(
                archive, Unmanaged.passUnretained(output).toOpaque(), nil,
                { _, context, bytes, count in
                    guard let context, let bytes else { return -1 }
                    let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
                    do {
                        try output.sink.write(Data(bytes: bytes, count: count))
                        return count
                    } catch {
                        output.fault = error
                        return -1
                    }
                }, nil))
    }

    deinit {
        // Otherwise freeing would write the end of an abandoned archive.
        archive_write_fail(archive)
        archive_write_free(archive)
    }

    /// Appends an entry. Throws `ArchiveFault.cannotWrite` for an invalid name or a failed write.
    func add(_ part: ArchivePart) throws {
        guard Tar.isPlain(part.name) else { throw ArchiveFault.cannotWrite }
        let size = try part.size()
        try begin(part.name, size: size)
        var written = 0
        try part.forEachPortion { portion in
            try append(portion)
            written += portion.count
        }
        // The file changed while it was read, so its header is wrong.
        guard written == size else { throw ArchiveFault.cannotWrite }
        try end()
    }

    /// Begins an entry, whose path may be in any script.
    /// - Parameter isStored: whether the content is copied and not deflated.
    func begin(_ path: String, size: Int, isStored: Bool = false) throws {
        guard let entry = archive_entry_new() else { throw ArchiveFault.cannotWrite }
        defer { archive_entry_free(entry) }
        // NB: in the C locale of a server libarchive loses names that are not ASCII. It reads the thread's locale, and
        // only in this call.
        let before = uselocale(Self.utf8)
        defer { uselocale(before) }
        archive_entry_set_pathname(entry, path)
        archive_entry_set_filetype(entry, pt_regular_file)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_size(entry, Int64(size))
        // The method holds for the entries that follow.
        try check(
            isStored
                ? archive_write_zip_set_compression_store(archive)
                : archive_write_zip_set_compression_deflate(archive))
        try check(archive_write_header(archive, entry))
    }

    /// The locale of names in any script; the C locale if the system lacks it.
    private nonisolated(unsafe) static let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// Appends bytes to the entry that was begun.
    func append(_ bytes: some ContiguousBytes) throws {
        let (written, count) = bytes.withUnsafeBytes {
            (archive_write_data(archive, $0.baseAddress, $0.count), $0.count)
        }
        guard written == count else {
            try check(written < 0 ? Int32(written) : ARCHIVE_OK)
            throw ArchiveFault.cannotWrite
        }
    }

    /// Ends the entry that was begun.
    func end() throws { try check(archive_write_finish_entry(archive)) }

    /// Writes the end of the archive and closes the sink.
    func finish() throws {
        try check(archive_write_close(archive))
        try output.sink.finish()
    }

    private func check(_ status: Int32) throws {
        if let fault = output.fault { throw fault }
        guard status == ARCHIVE_OK else { throw ArchiveFault.cannotWrite }
    }
}
