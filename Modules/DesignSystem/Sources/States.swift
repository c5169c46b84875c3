/// A message at the top of its place that stays as long as it is true.
public struct PTBanner: Codable, Hashable, Sendable {
    /// What kind of news it is.
    public enum Tone: String, Codable, Sendable, Hashable, CaseIterable { case info, success, warning, danger }
    public var tone: Tone
    public var icon: PTIcon?
    public var title: String
    public var message: String?
    public var action: PTButton?

    public init(
        tone: Tone = .info, icon: PTIcon? = nil, title: String, message: String? = nil, action: PTButton? = nil
    ) {
        self.tone = tone
        self.icon = icon
        self.title = title
        self.message = message
        self.action = action
    }
}

/// Nothing here yet: a picture, one sentence, exactly one primary act (PT-3.11, WW-16.01).
public struct PTEmptyState: Codable, Hashable, Sendable {
    public var illustration: PTIllustration
    /// A picture of its own kind in place of the cubes.
    public var icon: PTIcon?
    public var title: String
    public var message: String
    /// The one primary act; `nil` where the reader may do nothing about it.
    public var action: PTButton?
    /// A quiet second way: "I have a code".
    public var secondary: PTLinks.Link?

    public init(
        illustration: PTIllustration = .cubes, icon: PTIcon? = nil, title: String, message: String,
        action: PTButton? = nil, secondary: PTLinks.Link? = nil
    ) {
        self.illustration = illustration
        self.icon = icon
        self.title = title
        self.message = message
        self.action = action
        self.secondary = secondary
    }
}

/// Something went wrong before there was anything to show (WW-16.03).
public struct ErrorStateView: Codable, Hashable, Sendable {
    public var icon: PTIcon?
    public var title: String
    public var message: String?
    /// "Try again".
    public var retry: PTButton?

    public init(icon: PTIcon? = nil, title: String, message: String? = nil, retry: PTButton? = nil) {
        self.icon = icon
        self.title = title
        self.message = message
        self.retry = retry
    }
}

/// The shape of what is about to come, on a first load only (WW-16.05).
public struct SkeletonView: Codable, Hashable, Sendable {
    /// The shape.
    public enum Style: String, Codable, Sendable, Hashable, CaseIterable { case list, cards, text }
    public var style: Style
    public var count: Int
    /// What a screen reader says: "Loading".
    public var spoken: String

    public init(style: Style = .list, count: Int = 4, spoken: String) {
        self.style = style
        self.count = count
        self.spoken = spoken
    }
}

/// A short message at the bottom that goes by itself.
public struct PTToast: Codable, Hashable, Sendable {
    /// Whether it tells of success or of a failure.
    public enum Tone: String, Codable, Sendable, Hashable, CaseIterable { case success, info, failure }
    public var text: String
    public var tone: Tone
    /// Undo, Retry.
    public var action: PTButton?
    public var haptics: Haptics?

    public init(_ text: String, tone: Tone = .success, action: PTButton? = nil, haptics: Haptics? = nil) {
        self.text = text
        self.tone = tone
        self.action = action
        self.haptics = haptics
    }
}

/// The small celebration after something was created or completed, felt as success (PT-3.12).
public struct PTCheckmarkBurst: Codable, Hashable, Sendable {
    /// What was done: "Maple room is ready".
    public var title: String
    public var message: String?
    public var haptics: Haptics

    public init(title: String, message: String? = nil, haptics: Haptics = .success()) {
        self.title = title
        self.message = message
        self.haptics = haptics
    }
}

/// What a command's success shows on the page that follows it (PT-3.17).
public enum PTFeedback: Codable, Hashable, Sendable {
    case toast(PTToast)
    case burst(PTCheckmarkBurst)
}
