public import Foundation

/// The bytes of a file, in memory or on this machine's disk. Large ones are on disk and are read in portions, so that
/// nobody who passes them on holds all of them.
public enum FileContent: Sendable, Hashable {
    case bytes([UInt8])
    case file(URL)

    /// How many bytes are read at once.
    private static let portion = 128 << 10

    /// All bytes, for small files and for consumers that need them together. Throws where the file cannot be read.
    public func bytes() throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .file:
            let reader = try reader()
            return try reader.read(at: 0, count: reader.size)
        }
    }

    /// The first bytes, at most `count`. Throws where the file cannot be read.
    public func head(_ count: Int) throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes.prefix(count))
        case .file: try reader().read(at: 0, count: count)
        }
    }

    /// Hands over all bytes in their order: those of a file at most 128 KB at a time, those in memory at once. Throws
    /// where the file cannot be read.
    public func forEachPortion(_ work: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        switch self {
        case .bytes(let bytes): try bytes.withUnsafeBufferPointer(work)
        case .file:
            let reader = try reader()
            var place = 0
            while place < reader.size {
                let portion = try reader.read(at: place, count: Self.portion)
                guard !portion.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
                try portion.withUnsafeBufferPointer(work)
                place += portion.count
            }
        }
    }

    /// Writes a new file. Throws where one of them cannot be read or written.
    public func write(to url: URL) throws {
        switch self {
        case .bytes(let bytes): try Data(bytes).write(to: url)
        case .file(let own): try FileManager.default.copyItem(at: own, to: url)
        }
    }

    /// Opens the content to read it at any place. Throws where the file cannot be read.
    public func reader() throws -> Reader { try Reader(self) }

    /// A content that is open.
    public final class Reader {
        /// In bytes.
        public let size: Int
        private let bytes: [UInt8]
        private let handle: FileHandle?

        fileprivate init(_ content: FileContent) throws {
            switch content {
            case .bytes(let bytes):
                (self.bytes, handle, size) = (bytes, nil, bytes.count)
            case .file(let url):
                let handle = try FileHandle(forReadingFrom: url)
                (self.bytes, self.handle, size) = ([], handle, Int(try handle.seekToEnd()))
            }
        }

        /// At most `count` bytes from a place on; fewer at the end, none beyond it.
        public func read(at place: Int, count: Int) throws -> [UInt8] {
            guard place < size, count > 0 else { return [] }
            guard let handle else { return Array(bytes[place..<min(size, place + count)]) }
            try handle.seek(toOffset: UInt64(place))
            return try handle.read(upToCount: count).map(Array.init) ?? []
        }
    }
}
