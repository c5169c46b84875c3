import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import QuestModel
import Synchronization
import TestKit
import Testing

@testable import Quest

/// The block in a school with two families.
struct QuestFixture {
    let school: TestSchool
    let codes = TestCodes()
    let sessions = TestSessions()
    /// A parent with a child.
    let ana: Caller
    /// Another family's parent.
    let luz: Caller
    let mia: UUID

    init(timeZone: String = "America/Toronto") async throws {
        let environment = try await TestEnvironment([
            QuestFeature.make(
                codes: codes, sessions: sessions, hasher: FastHasher(), ids: CountingIDs(), qr: TestQRCode(),
                publicURL: "https://tower.example")
        ])
        school = try await environment.makeSchool(timeZone: timeZone)
        ana = school.makeCaller(.parent)
        luz = school.makeCaller(.parent)
        mia = try await school.execute(AddPlayer.self, ["name": "Mia"], as: ana).id
    }

    /// Creates a routine of Mia with some tasks.
    @discardableResult
    func routine(
        _ name: String = "Morning", days: [Int] = Array(1...7), tasks: [String] = ["Dress", "Brush teeth"]
    ) async throws -> Routine {
        var routine = try await school.execute(
            CreateRoutine.self,
            [
                "playerId": .id(mia), "name": .text(name),
                "activeDays": .list(days.map { .text(String($0)) }),
            ], as: ana)
        for task in tasks {
            routine = try await school.execute(
                AddTask.self, ["routineId": .id(routine.id), "name": .text(task), "minutes": .number(2)], as: ana)
        }
        return routine
    }

    /// The input of a device after a routine was played, with guesses and times in seconds.
    func played(
        _ routine: Routine, _ times: [(Double, Double)] = [(120, 150), (60, 62)], session: UUID? = nil,
        of player: UUID? = nil
    ) -> [String: InputValue] {
        let now = school.clock.now
        let tasks = routine.orderedTasks
        return [
            "session": .id(session ?? school.ids.id(at: now)), "player": .id(player ?? mia),
            "routine": .id(routine.id), "routineDisplayName": .text(routine.displayName),
            "startedAt": .text(now.addingTimeInterval(-600).ISO8601Format()),
            "completedAt": .text(now.ISO8601Format()),
            "estimations": .list(
                times.enumerated().map { index, time in
                    .object([
                        "task": index < tasks.count ? .id(tasks[index].id) : .null,
                        "taskDisplayName": .text(index < tasks.count ? tasks[index].displayName : "Task"),
                        "estimatedSeconds": .number(time.0), "actualSeconds": .number(time.1),
                        "orderIndex": .number(Double(index)), "recordedAt": .text(now.ISO8601Format()),
                        "wasStopped": .bool(false),
                    ])
                }),
        ]
    }

    @discardableResult
    func record(_ input: [String: InputValue], as caller: Caller? = nil) async throws -> RecordedSession {
        try await school.execute(RecordSession.self, .object(input), as: caller ?? ana)
    }

    func properties(as caller: Caller? = nil, player: String? = nil, _ language: Language = .english) async throws
        -> PlayProperties?
    {
        try await PlayScreen(dependencies: .live).properties(
            player, school.context(of: caller ?? ana, language: language))
    }

    func outline(
        _ path: String, as caller: Caller? = nil, language: Language = .english
    ) async throws -> [String] {
        try await school.environment.outline(path, as: caller ?? ana, language: language).lines
    }
}

extension AppDependencies {
    static let live = AppDependencies(
        routineRepository: SQLRoutineRepository(), sessionRepository: SQLSessionRepository())
}

/// A code for each device. Auth tests the lockout after wrong codes.
final class TestCodes: GateCodes {
    private let codes = Mutex<[UUID: String]>([:])

    func isSet(for account: SignedInAccount) async throws -> Bool { code(of: account.deviceId) != nil }
    func lockedUntil(for account: SignedInAccount, at now: Date) async throws -> Date? { nil }

    func check(_ code: String, for account: SignedInAccount, at now: Date) async throws {
        guard let known = self.code(of: account.deviceId) else { throw Problem(409, "auth.gateCodeUnset") }
        guard code == known else { throw Problem.invalid("code", "required") }
    }

    func set(_ code: String, for account: SignedInAccount, at now: Date) async throws {
        guard self.code(of: account.deviceId) == nil else { throw Problem(409, "auth.gateCodeSet") }
        codes.withLock { $0[account.deviceId] = code }
    }

    func change(_ current: String, to code: String, for account: SignedInAccount, at now: Date) async throws {
        try await check(current, for: account, at: now)
        codes.withLock { $0[account.deviceId] = code }
    }

    func code(of device: UUID) -> String? { codes.withLock { $0[device] } }
}

/// Records the changes of sessions.
final class TestSessions: NarrowSessions {
    enum Asked: Equatable, Sendable {
        case start(NarrowSession)
        case narrow(Set<TokenScope>)
        case open(Set<TokenScope>, Date)
        case close
    }
    private let all = Mutex<[Asked]>([])
    var asked: [Asked] { all.withLock { $0 } }

    func start(_ session: NarrowSession, in context: inout CommandContext) throws { note(.start(session)) }
    func narrow(to scopes: Set<TokenScope>, in context: CommandContext) throws { note(.narrow(scopes)) }
    func open(_ scopes: Set<TokenScope>, until instant: Date, in context: CommandContext) throws {
        note(.open(scopes, instant))
    }
    func close(in context: CommandContext) throws { note(.close) }

    private func note(_ asked: Asked) { all.withLock { $0.append(asked) } }
}
