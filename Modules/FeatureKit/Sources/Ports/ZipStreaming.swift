public import Foundation

/// A file of a ZIP file that is made while it is sent.
public struct ZipEntry: Sendable, Hashable {
    /// The relative path of the file in the archive, in any script: `Mia Roy/essay.pdf`.
    public let path: String
    public let content: FileContent

    public init(_ path: String, _ content: FileContent) {
        self.path = path
        self.content = content
    }
}

/// Makes ZIP files while they are sent.
public protocol ZipStreaming: Sendable {
    /// Writes a ZIP file in portions. It needs little memory, even for many or large files.
    ///
    /// Throws `ArchiveFault.cannotWrite` if a file cannot be read, and what `write` throws.
    func zip(_ entries: [ZipEntry], to write: @Sendable (Data) async throws -> Void) async throws
}
