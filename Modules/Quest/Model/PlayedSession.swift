public import Foundation

/// A session as it was played on a device: the body of the command that records it.
public struct PlayedSession: Codable, Hashable, Sendable {
    /// A guess for one task, with the real time.
    public struct Estimation: Codable, Hashable, Sendable {
        public let task: UUID?
        public let taskDisplayName: String
        public let estimatedSeconds: Double
        public let actualSeconds: Double
        /// The place of the task in the quest.
        public let orderIndex: Int
        public let recordedAt: Date
        /// Whether the child entered the time, because no clock measured it.
        public let wasStopped: Bool

        public init(
            task: UUID?, taskDisplayName: String, estimatedSeconds: Double, actualSeconds: Double,
            orderIndex: Int, recordedAt: Date, wasStopped: Bool
        ) {
            self.task = task
            self.taskDisplayName = taskDisplayName
            self.estimatedSeconds = estimatedSeconds
            self.actualSeconds = actualSeconds
            self.orderIndex = orderIndex
            self.recordedAt = recordedAt
            self.wasStopped = wasStopped
        }

        /// Whether the task was ended right after its start. It was not done and earns nothing.
        public var isTooShort: Bool { !wasStopped && actualSeconds < PlayedSession.shortest }

        /// The rated guess.
        public var result: EstimationResult {
            TimeEstimationScorer.score(estimated: estimatedSeconds, actual: actualSeconds)
        }
    }

    /// The shortest time of a task in seconds.
    public static let shortest: TimeInterval = 5

    /// The id that the device chose, so that a session that is sent several times is stored once.
    public let session: UUID
    public let player: UUID
    public let routine: UUID?
    public let routineDisplayName: String
    public let startedAt: Date
    public let completedAt: Date
    public let estimations: [Estimation]

    public init(
        session: UUID, player: UUID, routine: UUID?, routineDisplayName: String, startedAt: Date,
        completedAt: Date, estimations: [Estimation]
    ) {
        self.session = session
        self.player = player
        self.routine = routine
        self.routineDisplayName = routineDisplayName
        self.startedAt = startedAt
        self.completedAt = completedAt
        self.estimations = estimations
    }
}
