import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import ScreenKit

/// The caller's notification choices, and what a device needs to subscribe.
struct NotificationSettings: Codable, Sendable, Hashable {
    let message: Bool
    let announcement: Bool
    let assignment: Bool
    let grade: Bool
    /// The first quiet minute, as `21:30`; `nil` without quiet hours.
    let quietFrom: ClockTime?
    /// The first minute after the quiet hours; `nil` without quiet hours.
    let quietUntil: ClockTime?
    /// The server's public key, with which a browser subscribes to push messages.
    let applicationServerKey: String
    /// Whether the device on which the caller is signed in gets notifications.
    let isOn: Bool
}

/// Returns the caller's notification choices and the state of the present device.
struct ShowNotificationSettings: Query {
    static let contract = Contract(
        "notifications.settings", "/api/v1/notifications/settings", access: .member(.belong),
        summary: "The caller's notification choices, and whether this device gets notifications.")
    typealias Result = NotificationSettings

    init(_ fields: inout FieldReader) {}
}

/// Stores which categories devices show to the caller, and the quiet hours.
struct ChooseNotifications: Command {
    static let contract = Contract(
        "notifications.choose", "/api/v1/notifications/settings", access: .member(.belong),
        summary: "Chooses which notifications the caller's devices show, and the quiet hours.")
    typealias Result = Done

    let choices: NotificationChoices

    init(_ fields: inout FieldReader) {
        var choices = NotificationChoices()
        for category in NotificationCategory.all where !fields.flag(category.rawValue) {
            choices.muted.insert(category)
        }
        let isQuiet = fields.flag("quiet")
        let from = Self.time("quietFrom", NotificationChoices.standardFrom, &fields)
        let until = Self.time("quietUntil", NotificationChoices.standardUntil, &fields)
        // The same time twice could mean the whole day or no time at all.
        fields.refuse("quietUntil", "notifications.sameTime", unless: !isQuiet || from == nil || from != until)
        if isQuiet, let from, let until { choices.quietHours = QuietHours(from: from, until: until) }
        self.choices = choices
    }

    private static func time(
        _ name: String, _ standard: ClockTime?, _ fields: inout FieldReader
    ) -> ClockTime? {
        guard let text = fields.optionalText(name, max: 5) else { return standard }
        let time = QuietHours.time(text)
        fields.refuse(name, "time", unless: time != nil)
        return time
    }
}

/// The endpoints of the notification choices.
struct ChoiceHandlers: Sendable {
    let sender: any PushSender

    var queries: [QueryRegistration] {
        [
            .handle(ShowNotificationSettings.self) { _, context in
                let (choices, isOn) = try await state(context)
                return try NotificationSettings(
                    message: choices.wants(.message), announcement: choices.wants(.announcement),
                    assignment: choices.wants(.assignment), grade: choices.wants(.grade),
                    quietFrom: choices.quietHours?.from, quietUntil: choices.quietHours?.until,
                    applicationServerKey: sender.applicationServerKey, isOn: isOn)
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(ChooseNotifications.self) { command, context in
                try ChoicesRepository.set(command.choices, of: context.membership.personId, in: context.sql)
                context.feedback = Feedback(.toast, context.words("notifications.saved"))
                return Done()
            }
        ]
    }

    /// Returns the caller's choices, and whether this device gets notifications of the active school.
    func state(_ context: RequestContext) async throws -> (NotificationChoices, isOn: Bool) {
        let (membership, account) = try (context.membership, context.account)
        let device = try await context.directory.read {
            try PushDeviceRepository.device(ofSession: account.sessionId, in: $0)
        }
        let choices = try await context.school.read {
            try ChoicesRepository.choices(of: membership.personId, in: $0)
        }
        return (choices, device?.organizationId == membership.organization.id)
    }
}
