public import Domain

/// A file that came with a message.
public struct MessageFile: Codable, Sendable, Hashable {
    /// What a page needs to show a picture before it is fetched.
    public struct Picture: Codable, Sendable, Hashable {
        public let thumbnail: BlobHash
        /// Of the whole picture, in pixels.
        public let width: Int
        public let height: Int

        public init(thumbnail: BlobHash, width: Int, height: Int) {
            self.thumbnail = thumbnail
            self.width = width
            self.height = height
        }
    }
    /// As its sender called it.
    public let name: String
    /// In bytes, as it is kept.
    public let size: Int
    public let hash: BlobHash
    /// `nil` for everything that is no picture.
    public let picture: Picture?

    public init(name: String, size: Int, hash: BlobHash, picture: Picture? = nil) {
        self.name = name
        self.size = size
        self.hash = hash
        self.picture = picture
    }
}
