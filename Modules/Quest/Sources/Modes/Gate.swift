import AuthInterface
import Domain
import FeatureKit
import Foundation

/// Reads the state of this device's gate.
struct ReadGate: Query {
    static let contract = Contract(
        "quest.gate", "/api/v1/quest/gate", access: .member(.playQuests), store: .directory,
        summary: "The mode of this device, and what opens the parent mode.")

    struct Result: Codable, Sendable, Hashable {
        enum Key: String, Codable, Sendable, CaseIterable { case code, signIn }
        let role: AppRole
        /// What opens the parent mode. Without a code on this device, an adult signs in.
        let asks: Key
        /// The time until which codes are refused after wrong tries; `nil` if they are accepted.
        let lockedUntil: Date?
    }

    init(_ fields: inout FieldReader) {}
}

/// Opens the parent mode with the code.
struct OpenGate: Command {
    static let contract = Contract(
        "quest.openGate", "/api/v1/quest/gate", access: .member(.playQuests), store: .directory, replay: .natural,
        summary: "Opens the parent mode of this device for 15 minutes with its four digits.")
    typealias Result = GateAnswer

    let code: String

    init(_ fields: inout FieldReader) { code = fields.gateCode() }
}

/// Closes the parent mode.
struct CloseGate: Command {
    static let contract = Contract(
        "quest.closeGate", "/api/v1/quest/gate/close", access: .member(.playQuests), store: .directory,
        replay: .natural, summary: "Returns this device to the player mode.")
    typealias Result = GateAnswer

    init(_ fields: inout FieldReader) {}
}

/// The present mode, and its first page.
struct GateAnswer: Codable, Sendable, Hashable {
    let role: AppRole
    let path: String
}

/// Sets the code of this device.
struct SetQuestCode: Command {
    static let contract = Contract(
        "routines.setCode", "/api/v1/quest/code", access: .member(.manageQuests), store: .directory,
        replay: .natural, summary: "Sets the four digits that open the parent mode of this device.")
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = fields.newGateCode() }
}

/// Changes the code of this device.
struct ChangeQuestCode: Command {
    static let contract = Contract(
        "routines.changeCode", "/api/v1/quest/code/change", access: .member(.manageQuests), store: .directory,
        replay: .natural, summary: "Changes the four digits of this device. Needs the present ones.")
    typealias Result = Done

    let current: String
    let code: String

    init(_ fields: inout FieldReader) {
        current = fields.gateCode("currentCode")
        code = fields.newGateCode()
    }
}

extension FieldReader {
    /// The four digits of a device. `GateCodes` checks their form, and its answer names the field.
    mutating func gateCode(_ name: String = "code") -> String { secret(name, max: 20) }

    /// The four digits of a new code, typed twice: as `code`, and as `again`.
    mutating func newGateCode() -> String {
        let (code, again) = (gateCode(), gateCode("again"))
        refuse("again", "quest.codesDiffer", unless: again.isEmpty || again == code)
        return code
    }
}

/// The endpoints of the gate between player and parent mode.
struct GateHandlers: Sendable {
    let codes: any GateCodes
    let sessions: any NarrowSessions

    var commands: [CommandRegistration] {
        [
            .handle(
                OpenGate.self,
                prepare: { command, context in
                    try await codes.check(command.code, for: context.account, at: context.now)
                },
                run: { _, _, context in
                    var state = RoleState()
                    state.requestParentAccess()
                    state.grantParentAccess()
                    try sessions.open(
                        RoleState.preparing, until: context.now.addingTimeInterval(RoleState.openFor), in: context)
                    context.destination = DashboardScreens.home
                    return GateAnswer(role: state.currentRole, path: DashboardScreens.home)
                }),
            .handle(CloseGate.self) { _, context in
                var state = RoleState(of: try context.account)
                state.exitParentMode()
                try sessions.close(in: context)
                context.destination = PlayScreen.path
                return GateAnswer(role: state.currentRole, path: PlayScreen.path)
            },
            .handle(
                SetQuestCode.self,
                prepare: { command, context in
                    try await codes.set(command.code, for: context.account, at: context.now)
                },
                run: { _, _, context in saved(&context) }),
            .handle(
                ChangeQuestCode.self,
                prepare: { command, context in
                    try await codes.change(
                        command.current, to: command.code, for: context.account, at: context.now)
                },
                run: { _, _, context in saved(&context) }),
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ReadGate.self) { _, context in
                let account = try context.account
                return try await ReadGate.Result(
                    role: RoleState(of: account).currentRole,
                    asks: codes.isSet(for: account) ? .code : .signIn,
                    lockedUntil: codes.lockedUntil(for: account, at: context.now))
            }
        ]
    }

    private func saved(_ context: inout CommandContext) -> Done {
        context.feedback = Feedback(.toast, context.words("quest.code.saved"))
        context.destination = DevicesScreens.path
        return Done()
    }
}
