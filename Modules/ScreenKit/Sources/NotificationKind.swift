public import DesignSystem
public import FeatureKit

/// A kind of change that people are notified of.
public struct NotificationKind: Sendable {
    public let kind: String
    public let icon: PTIcon
    /// The category with which people switch off these notifications; `nil` if they belong to none, and are always
    /// shown.
    public let category: NotificationCategory?
    /// Returns the text of the notification about a change, and the path that a tap opens.
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
