public import Foundation

/// Opens ZIP files that people upload. Nothing is written to disk.
public protocol Unpacking: Sendable {
    /// Returns the files of a ZIP file in memory in their order, without folders.
    func unzip(_ bytes: [UInt8], limits: UnpackingLimits) throws(UnpackingFault) -> [UnpackedFile]
}

/// Makes ZIP files that every system opens. The same files in the same order give the same bytes.
public protocol Packing: Sendable {
    /// Returns a ZIP file in memory. Throws `ArchiveFault` for a name that `ArchivePart` does not allow.
    func zip(_ parts: [ArchivePart]) throws -> Data
}

/// A file that was unpacked from an archive.
public struct UnpackedFile: Sendable, Hashable {
    /// The path of the file within the archive: `export/users.csv`. It never leads out of the archive.
    public let name: String
    public let bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// The limits of what an archive may contain. The actual content is measured, not the sizes that the archive
/// states.
public struct UnpackingLimits: Sendable, Hashable {
    public var files: Int
    /// The largest size of all unpacked files together, in bytes.
    public var bytes: Int

    public init(files: Int = 100, bytes: Int = 64 << 20) {
        self.files = files
        self.bytes = bytes
    }
}

/// The reason why an archive is not opened.
public enum UnpackingFault: Error, Sendable, Hashable {
    /// The file is not a ZIP file, or is cut short or inconsistent.
    case damaged
    case encrypted
    /// The ZIP archive is split into several files.
    case inParts
    /// The compression is neither "stored" nor "deflated".
    case unknownMethod
    case tooManyFiles(limit: Int)
    case tooLarge(limit: Int)
    /// The path of a file in the archive leads out of the archive.
    case path(String)
}
