/// The declaration of a path to which a client sends one file in parts (decision 48). An interrupted upload continues
/// where it stopped.
///
/// A command begins the upload and checks the size and the name; another command uses the complete file.
public struct UploadRoute: Sendable {
    /// The path of the uploads, with parameters in braces.
    public let path: String
    public let access: Contract.Access
    /// Returns the upload for the values of the path's parameters. Throws `Problem.notFound` unless it is the caller's.
    public let upload: @Sendable (_ parameters: [String: String], RequestContext) async throws -> PartialUpload

    public init(
        _ path: String, access: Contract.Access,
        _ upload: @escaping @Sendable (_ parameters: [String: String], RequestContext) async throws -> PartialUpload
    ) {
        self.path = path
        self.access = access
        self.upload = upload
    }
}

/// A file whose upload has begun, with its full size.
public struct PartialUpload: Sendable {
    public let files: any PartialFiles
    public let key: PartialFileKey
    /// The size of the complete file in bytes.
    public let size: Int

    public init(_ key: PartialFileKey, size: Int, in files: any PartialFiles) {
        self.key = key
        self.size = size
        self.files = files
    }
}
