import AsyncAlgorithms
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ScreenKit

/// The event stream of a page or device (`text/event-stream`, WHATWG HTML section 9.2). It sends the changes in the
/// caller's school since a place in the change log, then new ones as they happen.
struct LiveEvents: Sendable {
    let dependencies: WebDependencies
    let gate: SessionGate

    /// Seconds between the comment lines that keep proxies from closing a quiet stream. The session is checked with
    /// each line and before each event.
    static let heartbeat = 15

    /// The topic of pages that show any change.
    static let anyChange = "changes"

    private struct Event: Codable {
        let seq: Int64
        let kind: String
        let topics: [String]
        let payload: [String: String]
        /// Whether the reader is notified of the change, which lights the bell.
        let isNews: Bool
    }

    /// A signal that is not logged. It has no number, so a reader cannot resume after it.
    private struct Ephemeral: Codable {
        let kind: String
        let topics: [String]
        let payload: [String: String]
    }

    func respond(_ request: Request, _ context: WebContext) async throws -> Response {
        let identity = try await gate.identity(of: request)
        try PermissionService.authorize(page: .account, identity.caller)
        guard let account = identity.caller.account else { throw Problem.signInNeeded }
        guard let membership = identity.caller.membership else { throw Problem.notFound }
        guard !identity.caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
        let schoolId = membership.organization.id
        let requestContext = try await gate.requestContext(
            identity.caller, dependencies.words(.english), request, context)
        let school = try requestContext.school
        // Subscribes before it reads the log, so that no change is lost in between.
        let filter = AudienceFilter()
        let stream = dependencies.hub.changes(of: schoolId, for: filter)
        let signals = dependencies.hub.signals(of: schoolId, for: filter)
        let latest = try await school.read { try ChangeLog.latest(in: $0) }
        let wanted = request.headers[.lastEventId] ?? Pages.query(of: request)["after"]
        let start = min(wanted.flatMap { Int64($0) } ?? latest, latest)
        let dependencies = dependencies
        let notifiedKinds = Set(dependencies.features.features.flatMap(\.notifications.kinds).map(\.kind))
        let personId = membership.personId
        var response = Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                .accelBuffering: "no",
            ],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                var audiences = try await school.read { sql in
                    try dependencies.features.features.flatMap(\.access.audiences).all(for: membership, in: sql)
                }
                var seen = start
                func checkSession() async throws {
                    guard try await dependencies.authenticator.isValid(sessionId: account.sessionId) else {
                        throw CancellationError()
                    }
                }
                func deliver(_ logged: LoggedChange) async throws {
                    guard logged.seq > seen else { return }
                    seen = logged.seq
                    if logged.change.reshapesAudience {
                        guard let now = try await dependencies.memberships.activeMembership(of: account),
                            now.organization.id == schoolId,
                            !Caller(account: account, membership: now).needsSecondFactor
                        else { throw CancellationError() }
                        audiences = try await school.read { sql in
                            try dependencies.features.features.flatMap(\.access.audiences).all(for: now, in: sql)
                        }
                    }
                    guard !audiences.isDisjoint(with: logged.change.audience) else { return }
                    try await checkSession()
                    let event = Event(
                        seq: logged.seq, kind: logged.change.kind, topics: logged.change.topics + [Self.anyChange],
                        payload: logged.change.payload,
                        isNews: notifiedKinds.contains(logged.change.kind) && logged.actorId != personId)
                    let text = String(decoding: try JSON.encode(event), as: UTF8.self)
                    try await writer.write(ByteBuffer(string: "id: \(logged.seq)\ndata: \(text)\n\n"))
                }
                func send(_ signal: Signal) async throws {
                    guard signal.senderId != personId, !audiences.isDisjoint(with: signal.audience) else { return }
                    try await checkSession()
                    let ephemeral = Ephemeral(kind: signal.kind, topics: signal.topics, payload: signal.payload)
                    let text = String(decoding: try JSON.encode(ephemeral), as: UTF8.self)
                    try await writer.write(ByteBuffer(string: "data: \(text)\n\n"))
                }
                let items = merge(
                    chain(stream.map(Item.change), [Item.end].async),
                    AsyncTimerSequence(interval: .seconds(Self.heartbeat), clock: .continuous).map { _ in Item.beat
                    },
                    signals.map(Item.signal))
                do {
                    while seen < latest {
                        let after = seen
                        let missed = try await school.read {
                            try ChangeLog.changes(after: after, limit: 200, in: $0)
                        }
                        for logged in missed { try await deliver(logged) }
                        if missed.isEmpty { break }
                    }
                    filter.setAudiences(audiences)
                    events: for try await item in items {
                        switch item {
                        case .change(let logged):
                            try await deliver(logged)
                            filter.settle(logged, audiences)
                        case .signal(let signal): try await send(signal)
                        case .beat:
                            try await checkSession()
                            try await writer.write(ByteBuffer(string: ": \n\n"))
                        case .end: break events
                        }
                    }
                } catch is CancellationError {
                    // The reader disconnected or lost their rights: the stream ends without an error.
                }
                try await writer.finish(nil)
            })
        gate.updateCookies(of: identity, on: &response)
        return response
    }

    private enum Item: Sendable {
        case change(LoggedChange)
        case signal(Signal)
        case beat
        case end
    }
}
