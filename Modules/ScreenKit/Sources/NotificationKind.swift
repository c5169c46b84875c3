public import DesignSystem
public import FeatureKit

/// A kind of change that people are told about.
public struct NotificationKind: Sendable {
    public let kind: String
    public let icon: PTIcon
    /// `nil` for what belongs to none: a device with notifications always tells it.
    public let category: NotificationCategory?
    /// The sentence and where a tap leads, from the change.
    public let show: @Sendable (LoggedChange, RequestContext) async throws -> (text: String, path: String?)

    public init(
        _ kind: String, icon: PTIcon, category: NotificationCategory? = nil,
        _ show: @escaping @Sendable (LoggedChange, RequestContext) async throws -> (text: String, path: String?)
    ) {
        self.kind = kind
        self.icon = icon
        self.category = category
        self.show = show
    }
}
