import Domain
import FeatureKit
import Foundation
import QuestModel

/// Records a session.
struct RecordSession: Command {
    static let contract = Contract(
        "quest.recordSession", "/api/v1/quest/sessions", access: .member(.playQuests), isOfflineCapable: true,
        replay: .natural,
        summary: """
            Records a session that was played on a device, perhaps offline, with an id that the device chose. Sending \
            it again has no effect. Tasks that took less than five seconds are left out, and a session of only such \
            tasks is not stored.
            """)
    typealias Result = RecordedSession

    /// The most tasks of a session.
    static let mostTasks = 60
    /// The range of guesses and of real times, in seconds.
    static let guesses = 5...3600
    static let durations = 0...86_400
    let played: PlayedSession

    init(_ fields: inout FieldReader) {
        let (session, player) = (fields.id("session"), fields.id("player"))
        let routine = fields.optionalId("routine")
        let routineDisplayName = fields.text("routineDisplayName", max: 60)
        let (startedAt, completedAt) = (fields.instant("startedAt"), fields.instant("completedAt"))
        let estimations = fields.list("estimations", max: Self.mostTasks) { fields in
            let actual = fields.number("actualSeconds", in: Self.durations)
            // Avoids a second fault: a value out of range reads as 0.
            let isRefused = fields.faults.contains { $0.field.hasSuffix("actualSeconds") }
            fields.refuse("actualSeconds", "quest.noTime", unless: actual > 0 || isRefused)
            return PlayedSession.Estimation(
                task: fields.optionalId("task"), taskDisplayName: fields.text("taskDisplayName", max: 60),
                estimatedSeconds: fields.number("estimatedSeconds", in: Self.guesses), actualSeconds: actual,
                orderIndex: fields.integer("orderIndex", in: 0...999, default: 0),
                recordedAt: fields.instant("recordedAt"), wasStopped: fields.flag("wasStopped"))
        }
        fields.refuse("estimations", "quest.noTasks", unless: !estimations.isEmpty)
        fields.refuse(
            "estimations", "quest.sameOrder",
            unless: Set(estimations.map(\.orderIndex)).count == estimations.count)
        played = PlayedSession(
            session: session, player: player, routine: routine, routineDisplayName: routineDisplayName,
            startedAt: startedAt, completedAt: completedAt, estimations: estimations)
    }
}

/// The result of a session.
struct RecordedSession: Codable, Sendable, Hashable {
    struct Result: Codable, Sendable, Hashable {
        let orderIndex: Int
        let taskDisplayName: String
        let differenceSeconds: Double
        let accuracyPercent: Double
        let rating: AccuracyRating
    }
    /// The id of the session, in lowercase.
    let session: String
    let isCalibration: Bool
    let results: [Result]

    init(_ session: GameSession) {
        self.session = session.id.text
        isCalibration = session.isCalibration
        results = session.orderedEstimations.map {
            Result(
                orderIndex: $0.orderIndex, taskDisplayName: $0.taskDisplayName,
                differenceSeconds: $0.differenceSeconds, accuracyPercent: $0.accuracyPercent, rating: $0.rating)
        }
    }
}

/// The command that records sessions.
struct PlayHandlers: Sendable {
    let dependencies: AppDependencies

    var commands: [CommandRegistration] {
        [
            .handle(RecordSession.self) { command, context in
                let command = command.played
                let player = try PlayerRepository.player(command.player, of: context.membership, in: context.sql)
                if let known = try dependencies.sessionRepository.fetch(command.session, in: context.sql) {
                    // Sending again returns the first answer. Another child's session is not found.
                    guard known.playerId == player.id else { throw Problem.notFound }
                    return RecordedSession(known)
                }
                let session = try session(command, of: player, at: context.now, in: context.sql)
                guard !session.estimations.isEmpty else { return RecordedSession(session) }
                try dependencies.sessionRepository.save(session, in: context.sql)
                context.record(.quest("quest.played", player))
                return RecordedSession(session)
            }
        ]
    }

    /// The longest time that a session waits on a device. Older ones come from a wrong clock.
    static let longestWait: TimeInterval = 366 * 86_400

    /// The session as stored: rated by the engine, and with times between a year ago and now.
    private func session(
        _ command: PlayedSession, of player: Player, at now: Date, in sql: any SQLReading
    ) throws -> GameSession {
        if let id = command.routine, let routine = try dependencies.routineRepository.fetch(id, in: sql),
            routine.playerId != player.id
        {
            throw Problem.notFound
        }
        func placed(_ instant: Date) -> Date { min(max(instant, now.addingTimeInterval(-Self.longestWait)), now) }
        let completedAt = placed(command.completedAt)
        let count = try command.routine.map {
            try dependencies.sessionRepository.completedCount(of: $0, by: player.id, in: sql)
        }
        var session = dependencies.sessionRepository.createSession(
            command.session, for: (id: command.routine, displayName: command.routineDisplayName), of: player.id,
            startedAt: min(placed(command.startedAt), completedAt), completedAt: completedAt,
            isCalibration: CalibrationTracker.isCalibrationSession(completedSessionCount: count ?? 0))
        session.estimations = command.estimations.filter { !$0.isTooShort }.map { one in
            TaskEstimation(
                one.result, of: one.task, named: one.taskDisplayName, in: session.id, at: one.orderIndex,
                recordedAt: placed(one.recordedAt), wasStopped: one.wasStopped)
        }
        return session
    }
}
