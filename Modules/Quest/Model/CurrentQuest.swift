import Domain
public import Foundation

/// The quest that a player is doing on a device: the routine as it was at the start, and how far it is.
///
/// Later changes of the routine apply to the next quest. Every step is a value that can be stored.
public struct CurrentQuest: Codable, Hashable, Sendable {
    /// The view that the child has in front of them.
    public enum Step: String, Codable, Sendable { case guess, run, pause, told, found, path }
    /// The reason to ask the child for the real time.
    public enum Question: String, Codable, Sendable {
        /// The child forgot to stop the clock.
        case forgot
        /// The clock of the device was changed.
        case clock
        /// The time is unusually long.
        case long
        /// The task was ended right after its start.
        case quick
    }
    /// A task of the quest.
    public struct Task: Codable, Hashable, Sendable {
        public let id: String
        public let displayName: String
    }
    /// The continuation after a task.
    public enum Continuation: Sendable { case task, session, nothing }

    /// The id of the session, which is also the idempotency key of the command that records it.
    public let session: UUID
    public let player: String
    public let routine: String
    public let routineDisplayName: String
    public let startedAt: Date
    public let tasks: [Task]
    /// The completed sessions of the routine before this one.
    public let completed: Int
    /// The position of the task.
    public private(set) var index = 0
    public private(set) var step = Step.guess
    /// The guess for the task, in seconds.
    public private(set) var guess = Guesses.first
    public private(set) var watch: Stopwatch?
    /// The reason to ask the child, in the step `told`.
    public private(set) var question: Question?
    /// The message after the task; `nil` if the server has none that fits.
    public internal(set) var message: PlayProperties.MessageItem?
    public private(set) var estimations: [PlayedSession.Estimation] = []

    /// Begins a routine.
    ///
    /// - Parameter waiting: the number of sessions of the routine that the server does not have yet.
    public init(
        _ routine: PlayProperties.RoutineItem, of player: String, waiting: Int, session: UUID, at now: Date
    ) {
        self.session = session
        self.player = player
        self.routine = routine.id
        routineDisplayName = routine.displayName
        startedAt = now
        tasks = routine.tasks.map { Task(id: $0.id, displayName: $0.displayName) }
        completed = routine.completedSessions + waiting
    }

    /// The task that the child does; `nil` for a quest without tasks.
    public var task: Task? { tasks.indices.contains(index) ? tasks[index] : nil }

    /// Whether the task is the last one.
    public var isLast: Bool { index + 1 >= tasks.count }

    /// The seconds that the task took so far.
    public var spent: TimeInterval { watch?.spent ?? 0 }

    /// Whether a measured time can be taken although it is unusually long: not more than a day.
    public var canTakeMeasured: Bool { question == .long && spent < 86_400 }

    // MARK: - Steps

    public mutating func choose(guess seconds: Double) { if step == .guess { guess = seconds } }

    public mutating func begin(at moment: Stopwatch.Moment) {
        guard step == .guess else { return }
        watch = Stopwatch(at: moment)
        step = .run
    }

    /// Reads the clocks during a running task.
    public mutating func read(_ moment: Stopwatch.Moment) { if step == .run { watch?.read(moment) } }

    public mutating func pause(at moment: Stopwatch.Moment) {
        guard step == .run else { return }
        read(moment)
        step = .pause
    }

    /// Continues after a pause, or after a task that was ended too soon.
    public mutating func resume(at moment: Stopwatch.Moment) {
        guard step == .pause || step == .told && question == .quick else { return }
        watch?.resume(at: moment)
        question = nil
        step = .run
    }

    /// Asks for the real time because the child forgot to stop the clock.
    public mutating func forget(at moment: Stopwatch.Moment) {
        guard step == .run || step == .pause else { return }
        read(moment)
        ask(.forgot)
    }

    /// Ends the task. Returns the measured seconds; `nil` if the child is asked first.
    public mutating func end(at moment: Stopwatch.Moment) -> Double? {
        guard step == .run || step == .pause, let _ = watch else { return nil }
        read(moment)
        switch watch?.doubt {
        case .clock: ask(.clock)
        case .long: ask(.long)
        case nil:
            guard spent < PlayedSession.shortest else { return spent }
            ask(.quick)
        }
        return nil
    }

    private mutating func ask(_ reason: Question) {
        question = reason
        step = .told
    }

    /// Notes the real time of the task and shows it.
    ///
    /// - Parameter wasStopped: whether the child entered the time, not a clock.
    mutating func find(_ actual: Double, wasStopped: Bool, at now: Date) -> PlayedSession.Estimation? {
        guard let task, step == .run || step == .pause || step == .told else { return nil }
        let found = PlayedSession.Estimation(
            task: UUID(text: task.id), taskDisplayName: task.displayName, estimatedSeconds: guess,
            // To a tenth of a second, and never 0.
            actualSeconds: max(0.1, (actual * 10).rounded() / 10), orderIndex: index, recordedAt: now,
            wasStopped: wasStopped)
        estimations.append(found)
        step = .found
        watch = nil
        question = nil
        return found
    }

    /// The continuation after the task, done or not.
    public var continuation: Continuation { isLast ? (estimations.isEmpty ? .nothing : .session) : .task }

    /// Goes to the next task.
    public mutating func next() {
        guard !isLast, step != .run, step != .path else { return }
        index += 1
        step = .guess
        guess = Guesses.first
        watch = nil
        question = nil
        message = nil
    }

    /// Shows the whole path, after the session was stored.
    public mutating func finish() { step = .path }

    /// The session for the server; `nil` if an id of the page is not one.
    public func played(at now: Date) -> PlayedSession? {
        guard let player = UUID(text: player) else { return nil }
        return PlayedSession(
            session: session, player: player, routine: UUID(text: routine), routineDisplayName: routineDisplayName,
            startedAt: startedAt, completedAt: now, estimations: estimations)
    }
}

/// The memory of a device about a player: the present quest, and what the next messages depend on.
public struct QuestMemory: Codable, Hashable, Sendable {
    /// The result of a task at the last time.
    struct Result: Codable, Hashable, Sendable {
        let estimated: Double
        let actual: Double
    }

    public let player: String
    public var quest: CurrentQuest?
    /// The id of the command that records the present quest; `nil` until it is finished.
    public var command: UUID?
    /// Whether the server refused the command and the person has read so; `nil` in memories of older versions.
    public var isRefused: Bool?
    private var lastMessageId: String?
    private var turn = 0
    private var results: [String: Result] = [:]

    public init(player: String) { self.player = player }

    /// Notes the real time of the task, and chooses the message about it.
    ///
    /// - Parameter messages: those that the server sends in the reader's language.
    public mutating func find(
        _ actual: Double, wasStopped: Bool, at now: Date, messages: [PlayProperties.MessageItem]
    ) {
        guard let task = quest?.task, let completed = quest?.completed,
            let found = quest?.find(actual, wasStopped: wasStopped, at: now)
        else { return }
        let last = results[task.id].map {
            TimeEstimationScorer.score(estimated: $0.estimated, actual: $0.actual)
        }
        let message = FeedbackGenerator.message(
            for: found.result,
            isCalibrationPhase: CalibrationTracker.isCalibrationSession(completedSessionCount: completed),
            after: FeedbackHistory(last: last, lastMessageId: lastMessageId, turn: turn),
            among: messages.map(\.message))
        quest?.message = messages.first { $0.id == message?.id }
        results[task.id] = Result(estimated: found.estimatedSeconds, actual: found.actualSeconds)
        lastMessageId = message?.id
        turn += 1
    }
}
