public import FeatureKit

extension NotificationCategory {
    /// Notifications of new messages in conversations.
    public static let message = NotificationCategory(rawValue: "message")
    /// Notifications of announcements of the school.
    public static let announcement = NotificationCategory(rawValue: "announcement")
    /// Notifications of assignments.
    public static let assignment = NotificationCategory(rawValue: "assignment")
    /// Notifications of released grades.
    public static let grade = NotificationCategory(rawValue: "grade")

    /// All categories of notifications, in the order in which they are shown.
    public static let all: [NotificationCategory] = [.message, .announcement, .assignment, .grade]
}
