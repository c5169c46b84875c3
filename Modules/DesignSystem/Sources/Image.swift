/// A sound to be played.
public struct PTAudio: Codable, Hashable, Sendable {
    public var url: String
    /// What is heard.
    public var label: String

    public init(url: String, label: String) {
        self.url = url
        self.label = label
    }
}

/// A picture that comes after its page (`CachedAsyncImage`). Its place is held while it loads, and a sign stands there
/// where it never comes.
public struct PTImage: Codable, Hashable, Sendable {
    /// A circle for people, a low strip for what stands over a page, a rounded rectangle for everything else.
    public enum Shape: String, Codable, Sendable, Hashable, CaseIterable { case circle, rounded, banner }

    public var url: String
    /// In pixels, so that nothing moves when it comes.
    public var width: Int
    public var height: Int
    /// What it shows, for those who do not see it.
    public var alt: String
    public var shape: Shape
    /// Where the same picture is larger; a tap opens it.
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
