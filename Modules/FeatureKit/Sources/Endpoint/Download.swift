import Domain
import Foundation

/// A file that a browser takes home or shows in a page: `GET`. The route decides on every request anew who may.
public struct DownloadRoute: Sendable {
    /// With named parts in braces: `/settings/school-file/files/{fileId}`.
    public let path: String
    public let access: Contract.Access
    public let file: @Sendable (_ parameters: [String: String], RequestContext) async throws -> DownloadedFile

    public init(
        _ path: String, access: Contract.Access,
        _ file: @escaping @Sendable (_ parameters: [String: String], RequestContext) async throws -> DownloadedFile
    ) {
        self.path = path
        self.access = access
        self.file = file
    }
}

/// A file, and what a browser does with it.
public struct DownloadedFile: Sendable {
    public enum Use: Sendable, Hashable {
        /// Taken home under a name of ASCII letters, digits, points and dashes; kept by no browser.
        case takenHome(name: String)
        /// Shown or played in a page. The hash tells a browser that what it has is still the same.
        case shown(BlobHash)
    }
    public let content: FileContent
    public let use: Use
    public let contentType: String

    public init(_ content: FileContent, name: String, contentType: String) {
        self.content = content
        use = .takenHome(name: name)
        self.contentType = contentType
    }

    /// A file's own name in letters that every header takes.
    public static func plain(_ name: String) -> String {
        let letters = name.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil).map {
            letter -> Character in
            letter.isASCII && (letter.isLetter || letter.isNumber || letter == ".") ? letter : "-"
        }
        let plain = String(letters).split(separator: "-").joined(separator: "-")
        return plain.trimmingPrefix(".").isEmpty ? "file" : String(plain.trimmingPrefix("."))
    }

    /// A file of the school, to be shown in a page; "not found" where it is not there.
    /// - Parameter type: as our own record has it.
    public init(_ hash: BlobHash, _ type: MediaType, of files: any BlobStore) async throws {
        try await self.init(hash, contentType: type.contentType, of: files)
    }

    /// The same, as what a page shows it: a film and a piece of music may be the same kind of file.
    public init(_ hash: BlobHash, contentType: String, of files: any BlobStore) async throws {
        guard let url = try await files.file(hash) else { throw Problem.notFound }
        content = .file(url)
        use = .shown(hash)
        self.contentType = contentType
    }
}
