import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import ScreenKit

/// How notifications stand for the caller, and what a device needs to get them.
struct NotificationSettings: Codable, Sendable, Hashable {
    let message: Bool
    let announcement: Bool
    let assignment: Bool
    let grade: Bool
    /// `21:30`; absent where no hours are quiet.
    let quietFrom: TimeOfDay?
    let quietUntil: TimeOfDay?
    /// What a browser subscribes with.
    let applicationServerKey: String
    /// Whether they come to the device on which the caller is signed in.
    let isOn: Bool
}

struct ShowNotificationSettings: Query {
    static let contract = Contract(
        "notifications.settings", "/api/v1/notifications/settings", access: .member(.belong),
        summary: "What the caller wants devices to tell, and whether this one does.")
    typealias Result = NotificationSettings

    init(_ fields: inout FieldReader) {}
}

struct ChooseNotifications: Command {
    static let contract = Contract(
        "notifications.choose", "/api/v1/notifications/settings", access: .member(.belong),
        summary: "Chooses what devices tell the caller, and the hours in which they stay silent.")
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
        // From a time to the same time would be the whole day, or nothing: nobody can tell.
        fields.refuse("quietUntil", "notifications.sameTime", unless: !isQuiet || from == nil || from != until)
        if isQuiet, let from, let until { choices.quietHours = QuietHours(from: from, until: until) }
        self.choices = choices
    }

    private static func time(
        _ name: String, _ standard: TimeOfDay?, _ fields: inout FieldReader
    ) -> TimeOfDay? {
        guard let text = fields.optionalText(name, max: 5) else { return standard }
        let time = TimeOfDay(text: text)
        fields.refuse(name, "notifications.time", unless: time != nil)
        return time
    }
}

/// The handlers of what people want to be told.
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

    /// What the caller has chosen, and whether notifications come to this device.
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
