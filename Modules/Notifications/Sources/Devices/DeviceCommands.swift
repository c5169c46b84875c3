import Domain
import FeatureKit
import Foundation

/// Registers the device on which the caller is signed in for notifications of the active school.
struct TurnOnNotifications: Command {
    static let contract = Contract(
        "notifications.turnOn", "/api/v1/notifications/device", access: .member(.belong), store: .directory,
        replay: .natural, summary: "Turns notifications on for the device on which the caller is signed in.")
    typealias Result = Done

    let address: PushAddress

    init(_ fields: inout FieldReader) {
        address = PushAddress(
            kind: fields.choice("kind"), target: fields.text("target", max: 1024),
            key: fields.optionalText("key", max: 100) ?? "", secret: fields.optionalText("secret", max: 50) ?? "")
    }
}

/// Removes the registration of the device on which the caller is signed in.
struct TurnOffNotifications: Command {
    static let contract = Contract(
        "notifications.turnOff", "/api/v1/notifications/device/off", access: .account, store: .directory,
        replay: .natural, summary: "Turns notifications off for the device on which the caller is signed in.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// Sends a test notification to the device on which the caller is signed in.
struct TestNotifications: Command {
    static let contract = Contract(
        "notifications.test", "/api/v1/notifications/device/test", access: .member(.belong), store: .directory,
        replay: .natural, summary: "Sends a test notification to the device on which the caller is signed in.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The endpoints of the device on which the caller is signed in.
struct DeviceHandlers: Sendable {
    let sender: any PushSender
    private let limiter = RateLimiter(limit: 5, period: 60)

    init(sender: any PushSender) { self.sender = sender }

    var commands: [CommandRegistration] {
        [
            .handle(TurnOnNotifications.self) { command, context in
                let (account, membership) = try (context.account, context.membership)
                // A program has no device, and a child's device must not show the notifications of its adult.
                guard account.token == nil else { throw Problem.notAllowed }
                guard sender.reaches(command.address.kind), sender.accepts(command.address) else {
                    throw Problem.invalid("target", "notifications.address")
                }
                try PushDeviceRepository.register(
                    PushDevice(
                        id: context.newId(), accountId: account.id, sessionId: account.sessionId,
                        organizationId: membership.organization.id, personId: membership.personId,
                        address: command.address, language: context.words.language, registeredAt: context.now),
                    at: context.now, in: context.sql)
                return Done()
            },
            .handle(TurnOffNotifications.self) { _, context in
                let known = try PushDeviceRepository.device(ofSession: context.account.sessionId, in: context.sql)
                if let known { try PushDeviceRepository.remove([known.id], in: context.sql) }
                context.feedback = Feedback(.toast, context.words("notifications.turnedOff"))
                return Done()
            },
            .handle(TestNotifications.self, prepare: test) { _, gone, context in
                if let gone {
                    try PushDeviceRepository.remove([gone], in: context.sql)
                    // The browser subscribes again the next time.
                    context.feedback = Feedback(.toast, context.words("notifications.test.gone"))
                } else {
                    context.feedback = Feedback(.toast, context.words("notifications.test.sent"))
                }
                return Done()
            },
        ]
    }

    /// Sends one test message at once. Returns the device's id if the push service no longer knows its address.
    ///
    /// Throws `notifications.noDevice` if notifications are off on the device, `notifications.service` if the push
    /// service did not take the message, and a rate limit after five tests in a minute.
    @Sendable
    private func test(_ command: TestNotifications, _ context: RequestContext) async throws -> UUID? {
        let (account, membership, words) = try (context.account, context.membership, context.words)
        try limiter.take([account.id.text], at: context.now)
        let known = try await context.directory.read {
            try PushDeviceRepository.device(ofSession: account.sessionId, in: $0)
        }
        guard let known else { throw Problem(409, "notifications.noDevice") }
        let outcome = await sender.send(
            PushMessage(
                id: "test.\(context.ids.id(at: context.now).text)", title: membership.organization.name,
                body: words("notifications.test.text"), path: NotificationSettingsScreen.path, badge: 0,
                accountId: account.id, expiresAt: context.now.addingTimeInterval(300)), to: known.address)
        switch outcome {
        case .delivered: return nil
        case .gone: return known.id
        case .busy(let seconds): throw Problem(409, "notifications.service", retryAfter: seconds)
        case .unreachable, .refused: throw Problem(409, "notifications.service")
        }
    }
}
