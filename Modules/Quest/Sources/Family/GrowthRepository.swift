import Domain
import FeatureKit
import Foundation

/// Reads summaries of guesses. They are stored with each session, because a year has thousands of guesses.
enum GrowthRepository {
    /// The number of weeks that children and parents see.
    static let weeks = 26

    static func samples(_ condition: SQL, since instant: Date) -> SQL {
        """
        SELECT started_at AS started, guess_count AS guesses, accuracy_percent AS accuracy, bias_percent AS bias,
            distance_seconds AS distance
        FROM quest_sessions WHERE \(condition) AND started_at >= \(instant)
        """
    }

    /// Reads the summaries of the last weeks.
    ///
    /// - Parameter condition: selects the sessions of a player or a routine.
    static func weeks(
        _ condition: SQL, at now: Date, in timeZone: TimeZone, _ sql: any SQLReading
    ) throws -> [GrowthEngine.Week] {
        let first = monday(of: Day(now, in: timeZone)).adding(days: -7 * (weeks - 1))
        var numbers = WeekNumbers(timeZone)
        return GrowthEngine.weeks(
            try sql.rows(samples(condition, since: first.start(in: timeZone))).map { row in
                try GrowthEngine.Sample(
                    week: numbers.week(of: row.get("started")), guesses: row.get("guesses"),
                    accuracyPercent: row.get("accuracy"), biasPercent: row.get("bias"),
                    distanceSeconds: row.get("distance"))
            })
    }

    static func of(player id: UUID) -> SQL { "quest_sessions.player_id = \(id)" }
    static func of(routine id: UUID) -> SQL { "quest_sessions.routine_id = \(id)" }

    /// A player's best guess so far; `nil` without any.
    static func nearest(of playerId: UUID, in sql: any SQLReading) throws -> (task: String, seconds: Double)? {
        try sql.row(
            """
            SELECT nearest_task, nearest_seconds FROM quest_sessions
            WHERE player_id = \(playerId) AND nearest_task IS NOT NULL
            ORDER BY nearest_seconds, started_at DESC LIMIT 1
            """
        ).map { try (task: $0.get("nearest_task"), seconds: $0.get("nearest_seconds")) }
    }

    /// The Monday of the week with a number.
    static func monday(ofWeek week: Int) -> Day { Day(number: week * 7 - 3) }

    private static func monday(of day: Day) -> Day { day.adding(days: -day.daysSinceMonday) }

    /// Numbers weeks in a time zone. Remembers the last week, because calendar calculations take microseconds.
    private struct WeekNumbers {
        private let timeZone: TimeZone
        private var from = Date.distantFuture
        private var to = Date.distantPast
        private var number = 0

        init(_ timeZone: TimeZone) { self.timeZone = timeZone }

        mutating func week(of instant: Date) -> Int {
            if from <= instant, instant < to { return number }
            let monday = GrowthRepository.monday(of: Day(instant, in: timeZone))
            from = monday.start(in: timeZone)
            to = monday.adding(days: 7).start(in: timeZone)
            number = (monday.number + 3) / 7
            return number
        }
    }
}

extension GrowthRepository {
    /// Deleted routines of which a player has sessions, with their last names.
    static func formerRoutines(of playerId: UUID, in sql: any SQLReading) throws -> [(id: UUID, name: String)] {
        var seen: Set<UUID> = []
        return try sql.rows(
            """
            SELECT routine_id, routine_display_name, MAX(started_at) AS latest FROM quest_sessions
            WHERE player_id = \(playerId) AND routine_id IS NOT NULL
                AND routine_id NOT IN (SELECT id FROM quest_routines WHERE player_id = \(playerId))
            GROUP BY routine_id, routine_display_name ORDER BY latest DESC
            """
        ).compactMap { row in
            let id: UUID = try row.get("routine_id")
            return seen.insert(id).inserted ? (id: id, name: try row.get("routine_display_name")) : nil
        }
    }
}
