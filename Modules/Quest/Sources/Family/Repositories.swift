import FeatureKit
import Foundation

/// Routines with their tasks. Whose they are is the caller's to ask first (`PlayerRepository`).
protocol RoutineRepositoryProtocol: Sendable {
    /// All routines of a player, archived ones too, in the order that the family gave them.
    func fetchAll(of playerId: UUID, in sql: any SQLReading) throws -> [Routine]
    /// Those that are active on a weekday (1 is Monday).
    func fetchActiveForToday(_ weekday: Int, of playerId: UUID, in sql: any SQLReading) throws -> [Routine]
    func fetch(_ id: UUID, in sql: any SQLReading) throws -> Routine?
    /// Writes the routine and exactly its tasks.
    func save(_ routine: Routine, in sql: any SQLWriting) throws
    /// Deletes the routine with its tasks; what was played of it stays.
    func delete(_ id: UUID, in sql: any SQLWriting) throws
}

/// Sessions with their estimations.
protocol SessionRepositoryProtocol: Sendable {
    /// A session of a routine before anything was estimated in it.
    func createSession(
        _ id: UUID, for routine: (id: UUID?, displayName: String), of playerId: UUID, startedAt: Date,
        completedAt: Date?, isCalibration: Bool
    ) -> GameSession
    /// The sessions of a routine, the oldest first.
    func fetchSessions(for routineId: UUID, in sql: any SQLReading) throws -> [GameSession]
    /// The latest sessions of a routine, in the order in which they were played.
    func fetchLatest(_ count: Int, for routineId: UUID, in sql: any SQLReading) throws -> [GameSession]
    /// The sessions of a player from an instant on, the oldest first.
    func fetchAllSessions(of playerId: UUID, since instant: Date, in sql: any SQLReading) throws -> [GameSession]
    func fetch(_ id: UUID, in sql: any SQLReading) throws -> GameSession?
    func completedCount(of routineId: UUID, by playerId: UUID, in sql: any SQLReading) throws -> Int
    /// Writes a new session with its estimations. Throws `DatabaseFault.notUnique` where it is there.
    func save(_ session: GameSession, in sql: any SQLWriting) throws
}

/// What the handlers and pages of the block are built on.
struct AppDependencies: Sendable {
    let routineRepository: any RoutineRepositoryProtocol
    let sessionRepository: any SessionRepositoryProtocol

    /// A routine of the caller's family; throws `Problem.notFound` for any other.
    func routine(_ id: UUID, of membership: ActiveMembership, in sql: any SQLReading) throws -> Routine {
        guard let routine = try routineRepository.fetch(id, in: sql) else { throw Problem.notFound }
        _ = try PlayerRepository.player(routine.playerId, of: membership, in: sql)
        return routine
    }
}
