public import FeatureKit

extension NotificationCategory {
    /// The category of notifications about new messages in conversations.
    public static let message = NotificationCategory(rawValue: "message")
    /// The category of notifications about announcements of the school.
    public static let announcement = NotificationCategory(rawValue: "announcement")
    /// The category of notifications about assignments.
    public static let assignment = NotificationCategory(rawValue: "assignment")
    /// The category of notifications about released grades.
    public static let grade = NotificationCategory(rawValue: "grade")

    /// All categories of notifications, in the order in which they are shown.
    public static let all: [NotificationCategory] = [.message, .announcement, .assignment, .grade]
}
