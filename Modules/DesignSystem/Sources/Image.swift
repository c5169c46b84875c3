/// A recording of sound that the reader can play.
public struct PTAudio: Codable, Hashable, Sendable {
    public var url: String
    /// A description of the recording, for its player.
    public var label: String

    public init(url: String, label: String) {
        self.url = url
        self.label = label
    }
}

/// A picture that loads after its page (`CachedAsyncImage`).
///
/// Its space is reserved while it loads, and a placeholder is shown if it cannot be loaded.
public struct PTImage: Codable, Hashable, Sendable {
    /// The shape of a picture. `circle` is for people, `banner` a low strip at the top of a page, `page` a page of a
    /// document in its whole height, `logo` a small picture in its proportions, and `rounded` everything else.
    public enum Shape: String, Codable, Sendable, Hashable, CaseIterable {
        case circle, rounded, banner, page, logo
    }

    public var url: String
    /// The width of the picture in pixels, known in advance so that the page does not move when the picture
    /// appears.
    public var width: Int
    /// The height of the picture in pixels, known in advance so that the page does not move.
    public var height: Int
    /// The description of the picture for people who do not see it.
    public var alt: String
    public var shape: Shape
    /// The address of a larger version, which a tap opens.
    public var large: String?

    public init(
        url: String, width: Int, height: Int, alt: String, shape: Shape = .rounded, large: String? = nil
    ) {
        self.url = url
        self.width = width
        self.height = height
        self.alt = alt
        self.shape = shape
        self.large = large
    }
}
