public import Foundation

/// Opens ZIP files that people send. Nothing is written anywhere.
public protocol Unpacking: Sendable {
    /// The files of a ZIP file in its order, folders left out.
    func unzip(_ bytes: [UInt8], limits: UnpackingLimits) throws(UnpackingFault) -> [UnpackedFile]
}

/// Makes ZIP files that every system opens. The same files in the same order give the same bytes.
public protocol Packing: Sendable {
    /// A ZIP file in memory. Throws `ArchiveFault` for a name that `ArchivePart` does not allow.
    func zip(_ parts: [ArchivePart]) throws -> Data
}

/// A file out of an archive.
public struct UnpackedFile: Sendable, Hashable {
    /// With the folders that it stands in: `export/users.csv`; never a way out of them.
    public let name: String
    public let bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// How much an archive may hold, whatever it says of itself.
public struct UnpackingLimits: Sendable, Hashable {
    public var files: Int
    /// Of all files together.
    public var bytes: Int

    public init(files: Int = 100, bytes: Int = 64 << 20) {
        self.files = files
        self.bytes = bytes
    }
}

/// Why an archive is not opened.
public enum UnpackingFault: Error, Sendable, Hashable {
    /// No ZIP file, or one that is cut off or wrong in itself.
    case damaged
    case encrypted
    /// Cut into several files.
    case inParts
    /// Compressed in a way other than "stored" and "deflated".
    case unknownMethod
    case tooManyFiles(limit: Int)
    case tooLarge(limit: Int)
    /// The name of a file leads out of the archive.
    case path(String)
}
