import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// One thing that happened in the caller's school, told in a sentence.
struct NotificationItem: Codable, Sendable, Hashable {
    let seq: Int64
    let at: Date
    let kind: String
    let category: NotificationCategory?
    let text: String
    let path: String?
    let icon: PTIcon
    let isUnread: Bool
}

struct ListNotifications: Query {
    static let contract = Contract(
        "notifications.list", "/api/v1/notifications", access: .member(.belong),
        summary: "What happened lately that concerns the caller, newest first.")
    typealias Result = Page<NotificationItem>

    let limit: Int

    init(_ fields: inout FieldReader) { limit = fields.integer("limit", in: 1...100, default: 50) }
}

struct MarkNotificationsRead: Command {
    static let contract = Contract(
        "notifications.markRead", "/api/v1/notifications/read", access: .member(.belong),
        summary: "Takes everything up to now as read by the caller.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

struct MarkNotificationRead: Command {
    static let contract = Contract(
        "notifications.markOne", "/api/v1/notifications/read-some", access: .member(.belong), replay: .natural,
        summary: "Takes some notifications as read by the caller, by their numbers.")
    typealias Result = Done

    /// More than a page shows.
    static let limit = 100

    let numbers: [Int64]

    init(_ fields: inout FieldReader) {
        // A form's control has one value for a field.
        let texts = fields.texts("seqs", max: Self.limit).flatMap { $0.split(separator: " ") }
        numbers = texts.compactMap { Int64($0) }
        fields.refuse("seqs", "required", unless: !texts.isEmpty)
        fields.refuse(
            "seqs", "notifications.number", unless: numbers.count == texts.count && numbers.count <= Self.limit)
    }
}
