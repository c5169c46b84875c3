import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// A change in the caller's school, as a row of the notifications list.
struct NotificationItem: Codable, Sendable, Hashable {
    /// The number of the change in the school's change log.
    let seq: Int64
    let at: Date
    let kind: String
    let category: NotificationCategory?
    let text: String
    /// The page that a tap opens; `nil` without one.
    let path: String?
    let icon: PTIcon
    let isUnread: Bool
}

/// Lists the caller's notifications.
struct ListNotifications: Query {
    static let contract = Contract(
        "notifications.list", "/api/v1/notifications", access: .member(.belong),
        summary: "The latest changes that concern the caller, newest first.")
    typealias Result = Page<NotificationItem>

    let limit: Int

    init(_ fields: inout FieldReader) { limit = fields.integer("limit", in: 1...100, default: 50) }
}

/// Marks all notifications so far as read.
struct MarkNotificationsRead: Command {
    static let contract = Contract(
        "notifications.markRead", "/api/v1/notifications/read", access: .member(.belong),
        summary: "Marks all notifications so far as read by the caller.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// Marks some notifications as read.
struct MarkNotificationRead: Command {
    static let contract = Contract(
        "notifications.markOne", "/api/v1/notifications/read-some", access: .member(.belong), replay: .natural,
        summary: "Marks some notifications as read by the caller, by their numbers.")
    typealias Result = Done

    /// The most numbers in one command, more than a page shows.
    static let limit = 100

    /// Numbers in the change log.
    let numbers: [Int64]

    init(_ fields: inout FieldReader) {
        // The fields of a button have one value each, so the numbers of a group come as one text.
        let texts = fields.texts("seqs", max: Self.limit).flatMap { $0.split(separator: " ") }
        numbers = texts.compactMap { Int64($0) }
        fields.refuse("seqs", "required", unless: !texts.isEmpty)
        fields.refuse(
            "seqs", "notifications.number", unless: numbers.count == texts.count && numbers.count <= Self.limit)
    }
}
