import FeatureKit
import Foundation

/// The format of a backup: a tar file (POSIX.1-2017, pax, "ustar Interchange Format") that `tar tf` can list.
///
/// Reading accepts only what this program writes: each header is compared with the one that would be written, padding
/// must be zero, and nothing may follow the end. So a change of any byte is noticed.
enum Tar {
    static let block = 512

    /// A header block. Sizes of 8 GB and more use the base-256 form of GNU tar.
    static func header(_ name: String, size: Int) -> Data {
        var bytes = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at place: Int) {
            for (index, byte) in text.utf8.enumerated() { bytes[place + index] = byte }
        }
        func octal(_ number: Int, width: Int) -> String {
            let digits = String(number, radix: 8)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        put(name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        if size < 1 << 33 {
            put(octal(size, width: 11), at: 124)
        } else {
            bytes[124] = 0x80
            for index in 0..<8 { bytes[135 - index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
        }
        put("00000000000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        let sum = bytes.reduce(0) { $0 + Int($1) }
        put(octal(sum, width: 6), at: 148)
        bytes[154] = 0
        bytes[155] = UInt8(ascii: " ")
        return Data(bytes)
    }

    /// The number of padding bytes after content of the given size.
    static func padding(after size: Int) -> Int { (block - size % block) % block }

    /// The name and size in a header, or `nil` if this program did not write it.
    static func entry(_ header: Data) -> (name: String, size: Int)? {
        let bytes = Array(header)
        guard bytes.count == block,
            let name = String(validating: bytes[0..<100].prefix { $0 != 0 }, as: UTF8.self), !name.isEmpty
        else { return nil }
        let size: Int
        if bytes[124] == 0x80 {
            size = bytes[128..<136].reduce(0) { $0 << 8 | Int($1) }
        } else {
            guard let digits = String(validating: bytes[124..<135], as: UTF8.self),
                let number = Int(digits, radix: 8)
            else { return nil }
            size = number
        }
        guard size >= 0, isPlain(name), self.header(name, size: size) == header else { return nil }
        return (name, size)
    }

    /// Whether a name is relative, stays in the folder that it is unpacked to, and has only ASCII letters, digits, `-`,
    /// `.`, `_` and `/`.
    static func isPlain(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count) && !name.hasPrefix("/") && !name.hasPrefix(".")
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != "." && $0 != ".."
            }
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
            }
    }
}

/// Writes a tar file.
struct TarWriter {
    let sink: any ByteSink

    func add(_ part: ArchivePart, size: Int) throws {
        guard Tar.isPlain(part.name) else { throw ArchiveFault.cannotWrite }
        try sink.write(Tar.header(part.name, size: size))
        var written = 0
        try part.forEachPortion { portion in
            written += portion.count
            try sink.write(portion)
        }
        // The file changed while it was read, so its header is wrong.
        guard written == size else { throw ArchiveFault.cannotWrite }
        try sink.write(Data(count: Tar.padding(after: size)))
    }

    /// Writes the two empty blocks of the end and closes the file.
    func finish() throws {
        try sink.write(Data(count: 2 * Tar.block))
        try sink.finish()
    }
}

/// Reads a tar file entry by entry.
struct TarReader {
    let source: any ByteSource

    /// The next entry, or `nil` after the last. Its content must be read first with `content(_:_:)`.
    func next() throws -> (name: String, size: Int)? {
        let header = try source.read(Tar.block)
        if let entry = Tar.entry(header) { return entry }
        guard header == Data(count: Tar.block) else { throw ArchiveFault.damaged }
        guard try source.read(Tar.block) == Data(count: Tar.block), try source.read(1).isEmpty else {
            throw ArchiveFault.damaged
        }
        return nil
    }

    /// Reads the content of the current entry in portions. Throws `ArchiveFault.damaged` if it is incomplete.
    func content(_ size: Int, _ body: (Data) throws -> Void) throws {
        var rest = size
        while rest > 0 {
            let portion = try source.read(min(rest, ArchivePart.portion))
            guard !portion.isEmpty else { throw ArchiveFault.damaged }
            rest -= portion.count
            try body(portion)
        }
        let padding = Tar.padding(after: size)
        guard try source.read(padding) == Data(count: padding) else { throw ArchiveFault.damaged }
    }
}
