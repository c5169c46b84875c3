import FeatureKit
import Foundation

/// Stores routines with their tasks. Callers check first whose they are (`PlayerRepository`).
protocol RoutineRepositoryProtocol: Sendable {
    /// All routines of a player, archived ones too, in the order that the family gave them.
    func fetchAll(of playerId: UUID, in sql: any SQLReading) throws -> [Routine]
    /// The active routines of a weekday (1 is Monday).
    func fetchActiveForToday(_ weekday: Int, of playerId: UUID, in sql: any SQLReading) throws -> [Routine]
    func fetch(_ id: UUID, in sql: any SQLReading) throws -> Routine?
    /// Stores the routine with its tasks, and removes all other tasks of it.
    func save(_ routine: Routine, in sql: any SQLWriting) throws
    /// Deletes the routine with its tasks. Its sessions stay.
    func delete(_ id: UUID, in sql: any SQLWriting) throws
}

/// Stores sessions with their estimations.
protocol SessionRepositoryProtocol: Sendable {
    /// Makes a session without estimations. It is not stored.
    func createSession(
        _ id: UUID, for routine: (id: UUID?, displayName: String), of playerId: UUID, startedAt: Date,
        completedAt: Date?, isCalibration: Bool
    ) -> GameSession
    /// The sessions of a routine, the oldest first.
    func fetchSessions(for routineId: UUID, in sql: any SQLReading) throws -> [GameSession]
    /// The latest sessions of a routine, the oldest first.
    func fetchLatest(_ count: Int, for routineId: UUID, in sql: any SQLReading) throws -> [GameSession]
    /// The sessions of a player since an instant, the oldest first.
    func fetchAllSessions(of playerId: UUID, since instant: Date, in sql: any SQLReading) throws -> [GameSession]
    func fetch(_ id: UUID, in sql: any SQLReading) throws -> GameSession?
    func completedCount(of routineId: UUID, by playerId: UUID, in sql: any SQLReading) throws -> Int
    /// Stores a new session with its estimations. Throws `DatabaseFault.notUnique` if it already exists.
    func save(_ session: GameSession, in sql: any SQLWriting) throws
}

/// The repositories that the block's endpoints and pages use.
struct AppDependencies: Sendable {
    let routineRepository: any RoutineRepositoryProtocol
    let sessionRepository: any SessionRepositoryProtocol

    /// Returns a routine of the caller's family. Throws `Problem.notFound` for any other.
    func routine(_ id: UUID, of membership: ActiveMembership, in sql: any SQLReading) throws -> Routine {
        guard let routine = try routineRepository.fetch(id, in: sql) else { throw Problem.notFound }
        _ = try PlayerRepository.player(routine.playerId, of: membership, in: sql)
        return routine
    }
}
