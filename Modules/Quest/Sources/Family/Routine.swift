import Domain
import FeatureKit
import Foundation
import QuestModel

/// A child who plays. Neither a person of the school nor an account, only a name that a parent gave.
struct Player: Identifiable, Hashable, Codable, Sendable {
    let id: UUID
    /// The person who manages the player. Other people have no access.
    let ownerId: UUID
    var name: String
    let createdAt: Date
    var archivedAt: Date?
}

/// A routine of tasks on some weekdays, for example getting ready in the morning.
struct Routine: Identifiable, Hashable, Codable, Sendable {
    let id: UUID
    let playerId: UUID
    /// The name for adults.
    var name: String
    /// The name that the child reads.
    var displayName: String
    /// Weekdays as in ISO 8601: 1 is Monday, 7 is Sunday.
    var activeDays: [Int]
    var isActive = true
    let createdAt: Date
    var updatedAt: Date
    /// Its place among the routines of its player.
    var orderIndex: Int
    var tasks: [RoutineTask] = []
    /// The number of completed sessions.
    var completedSessions = 0

    var orderedTasks: [RoutineTask] { tasks.sorted { ($0.orderIndex, $0.id) < ($1.orderIndex, $1.id) } }
}

/// A task of a routine.
struct RoutineTask: Identifiable, Hashable, Codable, Sendable {
    let id: UUID
    let routineId: UUID
    var name: String
    var displayName: String
    /// The expected duration in seconds, if adults know it. The child does not see it.
    var referenceDurationSeconds: Int?
    var orderIndex: Int
}

/// A session in which a routine was played from start to end.
struct GameSession: Identifiable, Hashable, Codable, Sendable {
    /// Chosen by the device, so that a session that is sent several times is stored once.
    let id: UUID
    let playerId: UUID
    /// The routine, which may have been deleted since.
    let routineId: UUID?
    /// The routine's name at the time of the session.
    let routineDisplayName: String
    let startedAt: Date
    let completedAt: Date?
    let isCalibration: Bool
    var estimations: [TaskEstimation] = []

    var orderedEstimations: [TaskEstimation] { estimations.sorted { $0.orderIndex < $1.orderIndex } }
}

/// A guess for one task of a session, with the real time.
struct TaskEstimation: Hashable, Codable, Sendable {
    let sessionId: UUID
    let orderIndex: Int
    let taskId: UUID?
    /// The task's name at the time of the session.
    let taskDisplayName: String
    let estimatedSeconds: Double
    let actualSeconds: Double
    /// The guess minus the real time. Positive if the guess was too long.
    let differenceSeconds: Double
    let accuracyPercent: Double
    let ratingRawValue: String
    let recordedAt: Date
    /// Whether the child entered the real time, because the clock had run on.
    let wasStopped: Bool

    var rating: AccuracyRating { AccuracyRating(rawValue: ratingRawValue) ?? .wayOff }
}

extension TaskEstimation {
    init(
        _ result: EstimationResult, of taskId: UUID?, named name: String, in sessionId: UUID, at orderIndex: Int,
        recordedAt: Date, wasStopped: Bool
    ) {
        self.init(
            sessionId: sessionId, orderIndex: orderIndex, taskId: taskId, taskDisplayName: name,
            estimatedSeconds: result.estimatedSeconds, actualSeconds: result.actualSeconds,
            differenceSeconds: result.differenceSeconds, accuracyPercent: result.accuracyPercent,
            ratingRawValue: result.rating.rawValue, recordedAt: recordedAt, wasStopped: wasStopped)
    }
}
