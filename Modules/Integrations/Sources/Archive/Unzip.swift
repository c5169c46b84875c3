import CInflate
public import FeatureKit

/// Reads ZIP files (PKWARE APPNOTE 6.3.10) in memory, with zlib for compressed entries.
///
/// Only the central directory is used, and each entry must have exactly the size and checksum that it states, so that
/// no small file can expand without limit. ZIP64 files exceed the limits and are refused as too large.
public struct Unzip: Unpacking {
    /// Creates a reader of ZIP files, which has no state.
    public init() {}

    public func unzip(_ bytes: [UInt8], limits: UnpackingLimits) throws(UnpackingFault) -> [UnpackedFile] {
        let end = try Self.end(of: bytes)
        guard end.count <= limits.files else { throw .tooManyFiles(limit: limits.files) }
        var reader = Reader(bytes, at: end.directory)
        var entries: [Entry] = []
        var total = 0
        for _ in 0..<end.count {
            let entry = try Entry(&reader)
            total += entry.size
            guard total <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
            entries.append(entry)
        }
        // Overlapping entries would expand to many times the size of the file.
        guard entries.reduce(0, { $0 + $1.packed }) <= bytes.count else { throw .damaged }
        var files: [UnpackedFile] = []
        for entry in entries where !entry.name.hasSuffix("/") {
            files.append(UnpackedFile(name: entry.name, bytes: try entry.content(of: bytes)))
        }
        return files
    }

    // MARK: - Structure

    /// Finds the end record: 22 bytes and a comment of at most 65,535.
    private static func end(of bytes: [UInt8]) throws(UnpackingFault) -> (directory: Int, count: Int) {
        let lowest = max(0, bytes.count - 22 - 0xFFFF)
        guard
            let place = stride(from: bytes.count - 22, through: lowest, by: -1).first(where: {
                $0 >= 0 && bytes[$0] == 0x50 && bytes[$0 + 1] == 0x4B && bytes[$0 + 2] == 5 && bytes[$0 + 3] == 6
            })
        else { throw .damaged }
        var reader = Reader(bytes, at: place + 4)
        let (disk, start) = (try reader.number(2), try reader.number(2))
        let (here, all) = (try reader.number(2), try reader.number(2))
        let (size, directory) = (try reader.number(4), try reader.number(4))
        if all == 0xFFFF || directory == 0xFFFF_FFFF { throw .tooLarge(limit: 0xFFFF_FFFF) }
        guard disk == 0, start == 0, here == all else { throw .inParts }
        guard directory + size <= place else { throw .damaged }
        return (directory, all)
    }

    private struct Entry {
        let name: String
        let isDeflated: Bool
        let sum: UInt32
        let packed: Int
        let size: Int
        let header: Int

        init(_ reader: inout Reader) throws(UnpackingFault) {
            guard try reader.number(4) == 0x0201_4B50 else { throw .damaged }
            try reader.skip(4)
            let flags = try reader.number(2)
            guard flags & 0x2041 == 0 else { throw .encrypted }
            let method = try reader.number(2)
            guard method == 0 || method == 8 else { throw .unknownMethod }
            isDeflated = method == 8
            try reader.skip(4)
            sum = UInt32(try reader.number(4))
            packed = try reader.number(4)
            size = try reader.number(4)
            let lengths = (try reader.number(2), try reader.number(2), try reader.number(2))
            guard try reader.number(2) == 0 else { throw .inParts }
            try reader.skip(6)
            header = try reader.number(4)
            // Some Windows programs separate the folders of a name with backslashes.
            let name = String(decoding: try reader.bytes(lengths.0), as: UTF8.self).replacing("\\", with: "/")
            try reader.skip(lengths.1 + lengths.2)
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard !name.hasPrefix("/"), !parts.contains(".."), !name.contains(":"),
                !name.utf8.contains(0)
            else { throw .path(name) }
            self.name = name
        }

        func content(of archive: [UInt8]) throws(UnpackingFault) -> [UInt8] {
            var reader = Reader(archive, at: header)
            guard try reader.number(4) == 0x0403_4B50 else { throw .damaged }
            try reader.skip(22)
            let lengths = (try reader.number(2), try reader.number(2))
            try reader.skip(lengths.0 + lengths.1)
            let body = try reader.bytes(packed)
            let content: [UInt8]
            if isDeflated {
                guard let whole = inflated(body, to: size) else { throw .damaged }
                content = whole
            } else {
                content = Array(body)
            }
            guard content.count == size, crc32(0, content, uInt(content.count)) == uLong(sum) else {
                throw .damaged
            }
            return content
        }
    }

    /// A reader of little-endian numbers that checks every step against the end.
    private struct Reader {
        private let archive: [UInt8]
        private var place: Int

        init(_ archive: [UInt8], at place: Int) {
            self.archive = archive
            self.place = place
        }

        mutating func bytes(_ count: Int) throws(UnpackingFault) -> ArraySlice<UInt8> {
            guard place >= 0, count <= archive.count - place else { throw .damaged }
            defer { place += count }
            return archive[place..<(place + count)]
        }

        mutating func number(_ count: Int) throws(UnpackingFault) -> Int {
            try bytes(count).reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        mutating func skip(_ count: Int) throws(UnpackingFault) { _ = try bytes(count) }
    }
}

/// Inflates raw deflate data (RFC 1951) to exactly `size` bytes, or returns `nil` if it is invalid or longer.
private func inflated(_ body: ArraySlice<UInt8>, to size: Int) -> [UInt8]? {
    var stream = z_stream()
    guard pt_inflate_init(&stream) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = Array(body)
    // One byte more than stated shows that the data is longer.
    var output = [UInt8](repeating: 0, count: size + 1)
    let result = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target in
            stream.next_in = source.baseAddress
            stream.avail_in = uInt(source.count)
            stream.next_out = target.baseAddress
            stream.avail_out = uInt(target.count)
            return inflate(&stream, Z_FINISH)
        }
    }
    guard result == Z_STREAM_END, Int(stream.total_out) == size else { return nil }
    output.removeLast()
    return output
}
