import Domain
public import Foundation

/// A file that a browser may take home: `GET`, never cached, never shown in place.
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

/// A file on this machine, and the name under which it is taken home.
public struct DownloadedFile: Sendable {
    public let url: URL
    /// ASCII letters, digits, points and dashes.
    public let name: String
    public let contentType: String

    public init(url: URL, name: String, contentType: String) {
        self.url = url
        self.name = name
        self.contentType = contentType
    }
}
