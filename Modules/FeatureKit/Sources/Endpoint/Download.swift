import Domain
public import Foundation

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

/// A file on this machine, and what a browser does with it.
public struct DownloadedFile: Sendable {
    public enum Use: Sendable, Hashable {
        /// Taken home under a name of ASCII letters, digits, points and dashes; kept by no browser.
        case takenHome(name: String)
        /// Shown or played in a page. The hash tells a browser that what it has is still the same.
        case shown(BlobHash)
    }
    public let url: URL
    public let use: Use
    public let contentType: String

    public init(url: URL, name: String, contentType: String) {
        self.url = url
        use = .takenHome(name: name)
        self.contentType = contentType
    }

    /// A file of the school, to be shown in a page; "not found" where it is not there.
    /// - Parameter type: as our own record has it.
    public init(_ hash: BlobHash, _ type: MediaType, of files: any BlobStore) async throws {
        guard let url = try await files.file(hash) else { throw Problem.notFound }
        self.url = url
        use = .shown(hash)
        contentType = type.contentType
    }
}
