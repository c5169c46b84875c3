import Domain
import FeatureKit
import Foundation

/// A device on which the caller is signed in.
struct DeviceSession: Codable, Sendable, Hashable {
    let id: UUID
    /// The browser and system, such as `Firefox · Android`; `nil` when unknown.
    let client: String?
    let createdAt: Date
    /// When the session was last refreshed, at most about 15 minutes before its last use.
    let usedAt: Date
    let isCurrent: Bool
    /// Whether the session is narrowed to some scopes, as on a child's tablet.
    let isNarrow: Bool
}

struct ListDevices: Query {
    static let contract = Contract(
        "auth.devices", "/api/v1/auth/devices", access: .account, store: .directory,
        summary: "The devices on which the caller is signed in, the one used last first.")
    typealias Result = Page<DeviceSession>

    init(_ fields: inout FieldReader) {}
}

struct EndDevice: Command {
    static let contract = Contract(
        "auth.endDevice", "/api/v1/auth/devices/{sessionId}/end", access: .account, store: .directory,
        replay: .natural, summary: "Signs the caller out on one of their devices.")
    typealias Result = Done

    let sessionId: UUID

    init(_ fields: inout FieldReader) { sessionId = fields.id("sessionId") }
}

struct EndOtherDevices: Command {
    static let contract = Contract(
        "auth.endOtherDevices", "/api/v1/auth/devices/end-others", access: .account, store: .directory,
        replay: .natural, summary: "Signs the caller out on all other devices.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The handlers of signed-in devices.
struct DeviceHandlers: Sendable {
    let auth: AuthService
    let directory: any Database

    var commands: [CommandRegistration] {
        [
            .handle(EndDevice.self) { command, context in
                let account = try context.account
                try auth.end(command.sessionId, of: account.id, in: context)
                if command.sessionId == account.sessionId {
                    context.session = .end
                    context.destination = "/sign-in"
                } else {
                    context.feedback = Feedback(.toast, context.words("auth.deviceEnded"))
                }
                return Done()
            },
            .handle(EndOtherDevices.self) { _, context in
                let account = try context.account
                try auth.endAll(of: account.id, except: account.sessionId, in: context)
                context.feedback = Feedback(.toast, context.words("auth.devicesEnded"))
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListDevices.self) { _, context in Page(items: try await list(context), next: nil) }
        ]
    }

    func list(_ context: RequestContext) async throws -> [DeviceSession] {
        let (account, now) = (try context.account, context.now)
        return try await directory.read {
            try SessionRepository.open(of: account.id, current: account.sessionId, at: now, in: $0)
        }
    }
}
