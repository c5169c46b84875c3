public import FeatureKit

/// What a notification is about, as far as people choose whether their devices tell it.
public enum NotificationCategory: String, Sendable, Hashable, Codable, CaseIterable {
    case message, announcement, assignment, grade
}

/// A kind of change that people are told about.
public struct NotificationKind: Sendable {
    public let kind: String
    public let icon: String
    /// `nil` for what belongs to none: a device with notifications always tells it.
    public let category: NotificationCategory?
    /// The sentence and where a tap leads, from the change.
    public let show: @Sendable (LoggedChange, RequestContext) async throws -> (text: String, path: String?)

    public init(
        _ kind: String, icon: String, category: NotificationCategory? = nil,
        _ show: @escaping @Sendable (LoggedChange, RequestContext) async throws -> (text: String, path: String?)
    ) {
        self.kind = kind
        self.icon = icon
        self.category = category
        self.show = show
    }
}
