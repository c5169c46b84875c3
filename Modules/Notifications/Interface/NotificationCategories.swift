public import FeatureKit

extension NotificationCategory {
    /// Messages of conversations.
    public static let message = NotificationCategory(rawValue: "message")
    /// Announcements of the school.
    public static let announcement = NotificationCategory(rawValue: "announcement")
    /// Assignments.
    public static let assignment = NotificationCategory(rawValue: "assignment")
    /// Released grades.
    public static let grade = NotificationCategory(rawValue: "grade")

    /// All categories, in the order in which they are shown.
    public static let all: [NotificationCategory] = [.message, .announcement, .assignment, .grade]
}
