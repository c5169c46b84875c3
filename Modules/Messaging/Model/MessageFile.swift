public import Domain

/// A file attached to a message.
public struct MessageFile: Codable, Sendable, Hashable {
    /// The data with which a page reserves space for a picture before it is loaded.
    public struct Picture: Codable, Sendable, Hashable {
        public let thumbnail: BlobHash
        /// The width of the full picture in pixels.
        public let width: Int
        /// The height of the full picture in pixels.
        public let height: Int

        public init(thumbnail: BlobHash, width: Int, height: Int) {
            self.thumbnail = thumbnail
            self.width = width
            self.height = height
        }
    }
    /// The name that the sender gave the file.
    public let name: String
    /// The size of the attached file in bytes.
    public let size: Int
    public let hash: BlobHash
    /// The size of the picture; `nil` for other files.
    public let picture: Picture?

    public init(name: String, size: Int, hash: BlobHash, picture: Picture? = nil) {
        self.name = name
        self.size = size
        self.hash = hash
        self.picture = picture
    }
}
