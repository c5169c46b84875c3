import Domain
import FeatureKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Notifications

/// A push sender that reaches no device and fails when it is called.
struct SilentPush: PushSender {
    let applicationServerKey = "a key"

    func reaches(_ kind: PushAddress.Kind) -> Bool { false }
    func accepts(_ address: PushAddress) -> Bool { false }

    func send(_ message: PushMessage, to address: PushAddress) async -> PushOutcome {
        _ = unexpectedCall()
        return .refused
    }

    static let ports = PushPorts(
        sender: SilentPush(), sessions: Sessions(), memberships: Sessions(), preferences: Sessions(),
        opensLinks: true)
}

/// A push sender that records what was sent and answers as the test says.
final class StandInPush: PushSender {
    struct Sent: Sendable, Hashable {
        let message: PushMessage
        let target: String
    }

    private struct State {
        var sent: [Sent] = []
        var outcomes: [PushOutcome] = []
    }
    private let state = Mutex(State())

    let applicationServerKey = "BKey"
    var sent: [Sent] { state.withLock { $0.sent } }
    var texts: [String] { sent.map(\.message.body) }

    /// Sets the outcomes of the next messages, in order. All further ones are delivered.
    func answer(_ outcomes: PushOutcome...) { state.withLock { $0.outcomes = outcomes } }

    func reaches(_ kind: PushAddress.Kind) -> Bool { kind == .web }
    func accepts(_ address: PushAddress) -> Bool { address.target.hasPrefix("https://") }

    func send(_ message: PushMessage, to address: PushAddress) async -> PushOutcome {
        state.withLock { state in
            state.sent.append(Sent(message: message, target: address.target))
            return state.outcomes.isEmpty ? .delivered : state.outcomes.removeFirst()
        }
    }
}

/// The signed-in callers and their languages, in place of Auth, Organization and Preferences.
final class Sessions: Authenticator, MembershipResolver, PreferenceSource {
    private struct State {
        var callers: [UUID: Caller] = [:]
        var languages: [UUID: Language] = [:]
    }
    private let state = Mutex(State())

    func signIn(_ caller: Caller, language: Language? = nil) {
        guard let account = caller.account else { return }
        state.withLock { state in
            state.callers[account.sessionId] = caller
            state.languages[account.id] = language
        }
    }

    func signOut(_ caller: Caller) {
        if let account = caller.account { state.withLock { $0.callers[account.sessionId] = nil } }
    }

    func account(accessToken: String) async throws -> SignedInAccount? { throw unexpectedCall() }
    func isValid(sessionId: UUID) async throws -> Bool { throw unexpectedCall() }
    func refresh(refreshToken: String) async throws -> SessionTokens? { throw unexpectedCall() }

    func accounts(ofSessions ids: [UUID]) async throws -> [UUID: SignedInAccount] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: ids.compactMap { id in state.callers[id]?.account.map { (id, $0) } })
        }
    }

    func activeMembership(of account: SignedInAccount) async throws -> ActiveMembership? {
        state.withLock { $0.callers[account.sessionId]?.membership }
    }

    func preferences(of accountId: UUID) async throws -> DisplayPreferences {
        DisplayPreferences(language: state.withLock { $0.languages[accountId] })
    }
}
