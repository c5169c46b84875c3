public import FeatureKit

extension NotificationCategory {
    public static let message = NotificationCategory(rawValue: "message")
    public static let announcement = NotificationCategory(rawValue: "announcement")
    public static let assignment = NotificationCategory(rawValue: "assignment")
    public static let grade = NotificationCategory(rawValue: "grade")

    /// All of them, in the order in which people see them.
    public static let all: [NotificationCategory] = [.message, .announcement, .assignment, .grade]
}
