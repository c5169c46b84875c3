/// A message above the content that stays as long as it applies.
public struct PTBanner: Codable, Hashable, Sendable {
    /// The kind of message that a banner shows, such as a warning.
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

/// An empty state: a picture, one sentence, exactly one primary action (PT-3.11, WW-16.01).
public struct PTEmptyState: Codable, Hashable, Sendable {
    public var illustration: PTIllustration
    /// An icon that the empty state shows in place of the illustration.
    public var icon: PTIcon?
    public var title: String
    public var message: String
    /// The primary action; `nil` if the reader can do nothing about it.
    public var action: PTButton?
    /// An alternative to the primary action, shown as a link: "I have a code".
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

/// An error that occurred before there was anything to show (WW-16.03).
public struct ErrorStateView: Codable, Hashable, Sendable {
    public var icon: PTIcon?
    public var title: String
    public var message: String?
    /// The button "Try again"; `nil` if trying again does not help.
    public var retry: PTButton?

    public init(icon: PTIcon? = nil, title: String, message: String? = nil, retry: PTButton? = nil) {
        self.icon = icon
        self.title = title
        self.message = message
        self.retry = retry
    }
}

/// A placeholder in the shape of content that is loading for the first time (WW-16.05).
public struct SkeletonView: Codable, Hashable, Sendable {
    /// The shape of the content that the placeholder stands for.
    public enum Style: String, Codable, Sendable, Hashable, CaseIterable { case list, cards, text }
    public var style: Style
    public var count: Int
    /// The text for screen readers while the content loads: "Loading".
    public var spoken: String

    public init(style: Style = .list, count: Int = 4, spoken: String) {
        self.style = style
        self.count = count
        self.spoken = spoken
    }
}

/// A short message at the bottom that disappears by itself.
public struct PTToast: Codable, Hashable, Sendable {
    /// The kind of a toast: a success, an information or a failure.
    public enum Tone: String, Codable, Sendable, Hashable, CaseIterable { case success, info, failure }
    public var text: String
    public var tone: Tone
    /// The button in the toast, such as Undo or Retry; `nil` for none.
    public var action: PTButton?
    public var haptics: Haptics?

    public init(_ text: String, tone: Tone = .success, action: PTButton? = nil, haptics: Haptics? = nil) {
        self.text = text
        self.tone = tone
        self.action = action
        self.haptics = haptics
    }
}

/// The small celebration after something was created or completed, with haptic feedback (PT-3.12).
public struct PTCheckmarkBurst: Codable, Hashable, Sendable {
    /// The sentence about the completed action: "Maple room is ready".
    public var title: String
    public var message: String?
    public var haptics: Haptics

    public init(title: String, message: String? = nil, haptics: Haptics = .success()) {
        self.title = title
        self.message = message
        self.haptics = haptics
    }
}

/// The feedback on the page after a successful command (PT-3.17).
public enum PTFeedback: Codable, Hashable, Sendable {
    case toast(PTToast)
    case burst(PTCheckmarkBurst)
}
