import Domain
import FeatureKit
import Foundation
import QuestModel
import TestKit
import Testing

@testable import Quest

/// A reader that records its queries.
private final class RecordingReader: SQLReading {
    private(set) var asked: [String] = []
    private let reader: any SQLReading

    init(_ reader: any SQLReading) { self.reader = reader }

    func rows(_ sql: SQL) throws -> [SQLRow] {
        asked.append(sql.text)
        return try reader.rows(sql)
    }
}

/// A database on a full disk.
private struct FullDisk: SQLWriting {
    static let fault = DatabaseFault.cannotWrite("the disk is full")

    func rows(_ sql: SQL) throws -> [SQLRow] { [] }
    func execute(_ sql: SQL) throws -> Int { throw Self.fault }
    func afterCommit(_ action: @escaping @Sendable () -> Void) {}
}

/// A repository with one routine.
private struct OneRoutine: RoutineRepositoryProtocol {
    let routine: Routine

    func fetchAll(of playerId: UUID, in sql: any SQLReading) throws -> [Routine] { [routine] }
    func fetchActiveForToday(_ weekday: Int, of playerId: UUID, in sql: any SQLReading) throws -> [Routine] {
        throw unexpectedCall()
    }
    func fetch(_ id: UUID, in sql: any SQLReading) throws -> Routine? { id == routine.id ? routine : nil }
    func save(_ routine: Routine, in sql: any SQLWriting) throws { throw unexpectedCall() }
    func delete(_ id: UUID, in sql: any SQLWriting) throws { throw unexpectedCall() }
}

/// A repository with one session.
private struct OneSession: SessionRepositoryProtocol {
    let session: GameSession

    func createSession(
        _ id: UUID, for routine: (id: UUID?, displayName: String), of playerId: UUID, startedAt: Date,
        completedAt: Date?, isCalibration: Bool
    ) -> GameSession { session }
    func fetchSessions(for routineId: UUID, in sql: any SQLReading) throws -> [GameSession] {
        throw unexpectedCall()
    }
    func fetchLatest(_ count: Int, for routineId: UUID, in sql: any SQLReading) throws -> [GameSession] {
        throw unexpectedCall()
    }
    func fetchAllSessions(of playerId: UUID, since instant: Date, in sql: any SQLReading) throws -> [GameSession] {
        throw unexpectedCall()
    }
    func fetch(_ id: UUID, in sql: any SQLReading) throws -> GameSession? { id == session.id ? session : nil }
    func completedCount(of routineId: UUID, by playerId: UUID, in sql: any SQLReading) throws -> Int {
        throw unexpectedCall()
    }
    func save(_ session: GameSession, in sql: any SQLWriting) throws { throw unexpectedCall() }
}

@Suite("Repositories of Quest")
struct RepositoryTests {
    private func makeRoutine(of player: UUID, id: UUID = UUID()) -> Routine {
        Routine(
            id: id, playerId: player, name: "Morning", displayName: "Your morning", activeDays: [1, 3],
            createdAt: FixedClock().now, updatedAt: FixedClock().now, orderIndex: 2)
    }

    private func makeSession(
        of player: UUID, completedAt: Date? = nil, estimations order: [Int] = []
    ) -> GameSession {
        let (id, now) = (UUID(), FixedClock().now)
        return GameSession(
            id: id, playerId: player, routineId: UUID(), routineDisplayName: "Your morning", startedAt: now,
            completedAt: completedAt, isCalibration: true,
            estimations: order.map { place in
                TaskEstimation(
                    TimeEstimationScorer.score(estimated: 60, actual: 90), of: nil, named: "Task \(place)", in: id,
                    at: place, recordedAt: now, wasStopped: false)
            })
    }

    private func stored(_ session: GameSession, in fixture: QuestFixture) async throws -> GameSession? {
        try await fixture.school.database.write { sql in
            try SQLSessionRepository().save(session, in: sql)
            return try SQLSessionRepository().fetch(session.id, in: sql)
        }
    }

    @Test(
        "a routine is stored with its names, its days and the times of its creation and change",
        .requirement("TQ-1.01.a"))
    func routine() async throws {
        let fixture = try await QuestFixture()
        func storedRoutine(_ id: UUID) async throws -> Routine? {
            try await fixture.school.database.read { try SQLRoutineRepository().fetch(id, in: $0) }
        }
        let createdAt = fixture.school.clock.now
        let made = try await fixture.school.execute(
            CreateRoutine.self,
            [
                "playerId": .id(fixture.mia), "name": "Morning", "displayName": "Your morning",
                "activeDays": .list(["1", "3"]),
            ], as: fixture.ana)
        let first = try #require(try await storedRoutine(made.id))
        #expect(first.name == "Morning" && first.displayName == "Your morning" && first.activeDays == [1, 3])
        #expect(first.isActive && first.createdAt == createdAt && first.updatedAt == createdAt)
        fixture.school.clock.advance(by: 3600)
        try await fixture.school.execute(
            UpdateRoutine.self, ["routineId": .id(made.id), "name": "Evening", "activeDays": .list(["7"])],
            as: fixture.ana)
        let changed = try #require(try await storedRoutine(made.id))
        #expect(changed.createdAt == createdAt && changed.updatedAt == fixture.school.clock.now)
    }

    @Test("a task has the given minutes or none", .requirement("TQ-1.02.b"))
    func referenceDurations() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine(tasks: ["Dress"])
        try await fixture.school.execute(
            AddTask.self, ["routineId": .id(routine.id), "name": "Read"], as: fixture.ana)
        let result = try await fixture.school.database.read { try SQLRoutineRepository().fetch(routine.id, in: $0) }
        #expect(result?.orderedTasks.map(\.referenceDurationSeconds) == [120, nil])
    }

    @Test(
        "a session is stored with its start, an optional end, its calibration and its estimations",
        .requirement("TQ-1.03.a"), arguments: [nil, FixedClock().now.addingTimeInterval(600)])
    func session(_ completedAt: Date?) async throws {
        let fixture = try await QuestFixture()
        let session = makeSession(of: fixture.mia, completedAt: completedAt, estimations: [0, 1])
        let result = try await stored(session, in: fixture)
        #expect(result?.startedAt == session.startedAt && result?.completedAt == completedAt)
        #expect(result?.isCalibration == true && result?.estimations == session.estimations)
    }

    @Test(
        "estimations are in the order of their positions, regardless of how they are stored",
        .requirement("TQ-1.03.c", "TQ-1.07.b"))
    func order() async throws {
        let fixture = try await QuestFixture()
        var session = makeSession(of: fixture.mia, estimations: [2, 0, 1])
        #expect(session.orderedEstimations.map(\.orderIndex) == [0, 1, 2])
        let before = session.orderedEstimations
        session.estimations.reverse()
        #expect(session.orderedEstimations == before)
        #expect(try await stored(session, in: fixture)?.orderedEstimations == before)
    }

    @Test(
        "an estimation is stored with guess, real time and instant, including fractions", .requirement("TQ-1.04.a"))
    func estimation() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let recordedAt = fixture.school.clock.now
        try await fixture.record(fixture.played(routine, [(120, 150), (60, 62.5)]))
        let session = try await fixture.school.database.read {
            try SQLSessionRepository().fetchSessions(for: routine.id, in: $0).first
        }
        let (first, second) = try #require(session.map { ($0.orderedEstimations[0], $0.orderedEstimations[1]) })
        #expect(first.taskDisplayName == "Dress" && first.orderIndex == 0)
        #expect(first.estimatedSeconds == 120 && first.actualSeconds == 150 && first.differenceSeconds == -30)
        #expect(first.accuracyPercent == 80 && first.ratingRawValue == "close")
        #expect(first.recordedAt == recordedAt)
        #expect(second.actualSeconds == 62.5 && second.differenceSeconds == -2.5 && second.accuracyPercent == 96)
    }

    @Test(
        "tasks refer to their routine and estimations to their session",
        .requirement("TQ-1.04.b", "TQ-1.08.c"))
    func relations() async throws {
        let fixture = try await QuestFixture()
        let made = try await fixture.routine()
        try await fixture.record(fixture.played(made))
        let (routine, session) = try await fixture.school.database.read { sql in
            (
                try SQLRoutineRepository().fetch(made.id, in: sql),
                try SQLSessionRepository().fetchSessions(for: made.id, in: sql).first
            )
        }
        #expect(routine?.tasks.map(\.routineId) == [made.id, made.id])
        let id = try #require(session?.id)
        #expect(session?.estimations.map(\.sessionId) == [id, id])
    }

    @Test("a task without a routine and an estimation without a session are refused", .requirement("TQ-1.08.d"))
    func orphans() async throws {
        let fixture = try await QuestFixture()
        let orphans: [SQL] = [
            """
            INSERT INTO quest_tasks (id, routine_id, name, display_name, order_index)
            VALUES (\(UUID()), \(UUID()), \("Dress"), \("Dress"), \(0))
            """,
            """
            INSERT INTO quest_estimations
                (session_id, order_index, task_display_name, estimated_seconds, actual_seconds,
                 difference_seconds, accuracy_percent, rating, recorded_at, was_stopped)
            VALUES (\(UUID()), \(0), \("Dress"), \(60.0), \(60.0), \(0.0), \(100.0), \("spotOn"),
                \(fixture.school.clock.now), \(false))
            """,
        ]
        for orphan in orphans {
            do {
                try await fixture.school.database.write { try $0.execute(orphan) }
                Issue.record("\(orphan.text) is taken")
            } catch DatabaseFault.constraint {}
        }
    }

    @Test("saving and deleting throw the errors of the database", .requirement("TQ-1.09.d", "TQ-1.11.e"))
    func refusals() async throws {
        let fixture = try await QuestFixture()
        let (routines, sessions) = (SQLRoutineRepository(), SQLSessionRepository())
        let stray = makeRoutine(of: UUID())
        do {
            try await fixture.school.database.write { try routines.save(stray, in: $0) }
            Issue.record("a routine of nobody is taken")
        } catch DatabaseFault.constraint {}
        let session = makeSession(of: fixture.mia)
        _ = try await stored(session, in: fixture)
        do {
            try await fixture.school.database.write { try sessions.save(session, in: $0) }
            Issue.record("a session is taken twice")
        } catch DatabaseFault.notUnique {}
        #expect(throws: FullDisk.fault) { try routines.save(stray, in: FullDisk()) }
        #expect(throws: FullDisk.fault) { try routines.delete(stray.id, in: FullDisk()) }
        #expect(throws: FullDisk.fault) { try sessions.save(session, in: FullDisk()) }
    }

    @Test("the weekday is filtered after all routines were read", .requirement("TQ-1.10.b"))
    func weekday() async throws {
        let fixture = try await QuestFixture()
        _ = try await fixture.routine(days: [2])
        let mia = fixture.mia
        let (found, asked, all) = try await fixture.school.database.read { sql in
            let reader = RecordingReader(sql)
            let found = try SQLRoutineRepository().fetchActiveForToday(1, of: mia, in: reader)
            let (asked, other) = (reader.asked, RecordingReader(sql))
            _ = try SQLRoutineRepository().fetchAll(of: mia, in: other)
            return (found, asked, other.asked)
        }
        #expect(found.isEmpty && !asked.isEmpty && asked == all)
    }

    @Test("the block works with other repositories", .requirement("TQ-1.20.a"))
    func dependencies() async throws {
        let fixture = try await QuestFixture()
        let (routine, session) = (makeRoutine(of: fixture.mia), makeSession(of: fixture.mia))
        let dependencies = AppDependencies(
            routineRepository: OneRoutine(routine: routine), sessionRepository: OneSession(session: session))
        let membership = try #require(fixture.ana.membership)
        let stranger = try #require(fixture.luz.membership)
        let found = try await fixture.school.database.read { sql in
            try (
                dependencies.routine(routine.id, of: membership, in: sql),
                dependencies.sessionRepository.fetch(session.id, in: sql)
            )
        }
        #expect(found.0 == routine && found.1 == session)
        for (id, caller) in [(UUID(), membership), (routine.id, stranger)] {
            let refused = try await problem {
                _ = try await fixture.school.database.read { try dependencies.routine(id, of: caller, in: $0) }
            }
            #expect(refused == .notFound)
        }
    }

    @Test("the protocols are declared apart from their implementations", .requirement("TQ-0.05"))
    func declarations() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        func source(_ name: String) throws -> String {
            try String(
                contentsOf: root.appending(path: "Modules/Quest/Sources/Family/\(name).swift"), encoding: .utf8)
        }
        let (declared, stored) = try (source("Repositories"), source("SQLRepositories"))
        for name in ["Routine", "Session"] {
            #expect(declared.contains("protocol \(name)RepositoryProtocol"))
            #expect(!declared.contains(": \(name)RepositoryProtocol"), "\(name): a type that conforms stands there")
            #expect(stored.contains("struct SQL\(name)Repository: \(name)RepositoryProtocol"))
        }
        #expect(!stored.contains("protocol ") && !declared.contains("SELECT") && !declared.contains("INSERT"))
        // Those of the app are declared apart from the client's stores.
        let client = root.appending(path: "Modules/Client/QuestStore")
        let names = ["QuestRepositories", "PageRoutineRepository", "QuestStore"]
        let sources = try names.map {
            try String(contentsOf: client.appending(path: "\($0).swift"), encoding: .utf8)
        }
        for (name, implementation) in [("Routine", sources[1]), ("Session", sources[2])] {
            #expect(sources[0].contains("protocol \(name)RepositoryProtocol"))
            #expect(!sources[0].contains("class ") && !implementation.contains("protocol "))
            #expect(implementation.contains(": \(name)RepositoryProtocol {"))
        }
    }
}
