public import Foundation

/// The bytes of a file, in memory or on this machine's disk.
///
/// Large contents are on disk and are read in portions, so that code that passes them on never holds all of them.
public enum FileContent: Sendable, Hashable {
    case bytes([UInt8])
    case file(URL)

    /// The number of bytes that are read at once.
    private static let portion = 128 << 10

    /// Returns all bytes, for small files and for callers that need them together. Throws if the file cannot be read.
    public func bytes() throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .file:
            let reader = try reader()
            return try reader.read(at: 0, count: reader.size)
        }
    }

    /// Returns the first bytes, at most `count`. Throws if the file cannot be read.
    public func head(_ count: Int) throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes.prefix(count))
        case .file: try reader().read(at: 0, count: count)
        }
    }

    /// Calls `work` with all bytes in their order: those of a file at most 128 KB at a time, those in memory at once.
    /// Throws if the file cannot be read.
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

    /// Writes the content to a new file. Throws if the content cannot be read or the file cannot be written.
    public func write(to url: URL) throws {
        switch self {
        case .bytes(let bytes): try Data(bytes).write(to: url)
        case .file(let own): try FileManager.default.copyItem(at: own, to: url)
        }
    }

    /// Opens the file for reading at any offset. Throws if it cannot be read.
    public func reader() throws -> Reader { try Reader(self) }

    /// A file that is open for reading at any offset.
    public final class Reader {
        /// The length of the open file in bytes.
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

        /// Returns at most `count` bytes from an offset on: fewer at the end, none beyond it.
        public func read(at place: Int, count: Int) throws -> [UInt8] {
            guard place < size, count > 0 else { return [] }
            guard let handle else { return Array(bytes[place..<min(size, place + count)]) }
            try handle.seek(toOffset: UInt64(place))
            return try handle.read(upToCount: count).map(Array.init) ?? []
        }
    }
}
