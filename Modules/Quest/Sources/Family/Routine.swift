import Domain
import FeatureKit
import Foundation

/// A child who plays. No person of a school and no account: a name that a grown-up of the family gave.
struct Player: Identifiable, Hashable, Codable, Sendable {
    let id: UUID
    /// The person whose family it is. Nobody else sees or changes anything of the player.
    let ownerId: UUID
    var name: String
    let createdAt: Date
    var archivedAt: Date?
}

/// Tasks that belong together and come again on some weekdays: the morning, going to bed.
struct Routine: Identifiable, Hashable, Codable, Sendable {
    let id: UUID
    let playerId: UUID
    /// What grown-ups call it.
    var name: String
    /// What the child reads.
    var displayName: String
    /// Weekdays as ISO 8601 numbers them: 1 is Monday, 7 is Sunday.
    var activeDays: [Int]
    var isActive = true
    let createdAt: Date
    var updatedAt: Date
    /// Its place among the routines of its player.
    var orderIndex: Int
    var tasks: [RoutineTask] = []
    /// How many sessions of it came to their end.
    var completedSessions = 0

    var orderedTasks: [RoutineTask] { tasks.sorted { ($0.orderIndex, $0.id.text) < ($1.orderIndex, $1.id.text) } }
}

/// One thing to do in a routine.
struct RoutineTask: Identifiable, Hashable, Codable, Sendable {
    let id: UUID
    let routineId: UUID
    var name: String
    var displayName: String
    /// How long it takes as far as grown-ups know; the child does not see it.
    var referenceDurationSeconds: Int?
    var orderIndex: Int
}

/// A routine played from its start to its end.
struct GameSession: Identifiable, Hashable, Codable, Sendable {
    /// Made by the device that played it, so that it arrives once however often it is sent.
    let id: UUID
    let playerId: UUID
    /// The routine may be gone since.
    let routineId: UUID?
    /// What the routine was called when it was played.
    let routineDisplayName: String
    let startedAt: Date
    let completedAt: Date?
    let isCalibration: Bool
    var estimations: [TaskEstimation] = []

    var orderedEstimations: [TaskEstimation] { estimations.sorted { $0.orderIndex < $1.orderIndex } }
}

/// A guess and what it really took, of one task in one session.
struct TaskEstimation: Hashable, Codable, Sendable {
    let sessionId: UUID
    let orderIndex: Int
    let taskId: UUID?
    /// What the task was called when it was played; renaming it later changes nothing here.
    let taskDisplayName: String
    let estimatedSeconds: Double
    let actualSeconds: Double
    /// Positive where more was guessed than it took.
    let differenceSeconds: Double
    let accuracyPercent: Double
    let ratingRawValue: String
    let recordedAt: Date
    /// The clock ran on, and the child told how long it had really been.
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

extension Day {
    /// As ISO 8601 numbers weekdays: 1 is Monday.
    var isoWeekday: Int { daysSinceMonday + 1 }
}
