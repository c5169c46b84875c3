public import FeatureKit

extension NotificationCategory {
    public static let message = NotificationCategory(rawValue: "message")
    public static let announcement = NotificationCategory(rawValue: "announcement")
    public static let assignment = NotificationCategory(rawValue: "assignment")
    public static let grade = NotificationCategory(rawValue: "grade")

    /// All categories, in the order in which they are shown.
    public static let all: [NotificationCategory] = [.message, .announcement, .assignment, .grade]
}
