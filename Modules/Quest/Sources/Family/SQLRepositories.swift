import Domain
import FeatureKit
import Foundation

/// Stores routines in the school's database.
struct SQLRoutineRepository: RoutineRepositoryProtocol {
    func fetchAll(of playerId: UUID, in sql: any SQLReading) throws -> [Routine] {
        let tasks = Dictionary(
            grouping: try sql.rows(
                """
                SELECT quest_tasks.id, routine_id, quest_tasks.name, quest_tasks.display_name, reference_seconds,
                    quest_tasks.order_index
                FROM quest_tasks JOIN quest_routines ON quest_routines.id = quest_tasks.routine_id
                WHERE quest_routines.player_id = \(playerId)
                """
            ).map(RoutineTask.init), by: \.routineId)
        return try sql.rows(
            "\(Self.routines) WHERE player_id = \(playerId) ORDER BY order_index, created_at, id"
        ).map { row in
            var routine = try Routine(row)
            routine.tasks = tasks[routine.id] ?? []
            return routine
        }
    }

    func fetchActiveForToday(_ weekday: Int, of playerId: UUID, in sql: any SQLReading) throws -> [Routine] {
        try fetchAll(of: playerId, in: sql).filter { $0.isActive && $0.activeDays.contains(weekday) }
    }

    func fetch(_ id: UUID, in sql: any SQLReading) throws -> Routine? {
        guard let row = try sql.row("\(Self.routines) WHERE quest_routines.id = \(id)") else { return nil }
        var routine = try Routine(row)
        routine.tasks = try sql.rows(
            """
            SELECT id, routine_id, name, display_name, reference_seconds, order_index FROM quest_tasks
            WHERE routine_id = \(id)
            """
        ).map(RoutineTask.init)
        return routine
    }

    func save(_ routine: Routine, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO quest_routines
                (id, player_id, name, display_name, active_days, is_active, created_at, updated_at, order_index)
            VALUES (\(routine.id), \(routine.playerId), \(routine.name), \(routine.displayName),
                \(routine.activeDays.map(String.init).joined(separator: " ")), \(routine.isActive),
                \(routine.createdAt), \(routine.updatedAt), \(routine.orderIndex))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, display_name = excluded.display_name,
                active_days = excluded.active_days, is_active = excluded.is_active,
                updated_at = excluded.updated_at, order_index = excluded.order_index
            """)
        let retained: SQL = routine.tasks.isEmpty ? "" : "AND id NOT IN \(list: routine.tasks.map(\.id))"
        try sql.execute("DELETE FROM quest_tasks WHERE routine_id = \(routine.id) \(retained)")
        for task in routine.tasks {
            try sql.execute(
                """
                INSERT INTO quest_tasks (id, routine_id, name, display_name, reference_seconds, order_index)
                VALUES (\(task.id), \(routine.id), \(task.name), \(task.displayName),
                    \(task.referenceDurationSeconds), \(task.orderIndex))
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, display_name = excluded.display_name,
                    reference_seconds = excluded.reference_seconds, order_index = excluded.order_index
                """)
        }
    }

    func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM quest_routines WHERE id = \(id)")
    }

    private static let routines: SQL = """
        SELECT id, player_id, name, display_name, active_days, is_active, created_at, updated_at, order_index,
            (SELECT COUNT(*) FROM quest_sessions
             WHERE quest_sessions.routine_id = quest_routines.id AND completed_at IS NOT NULL) AS completed
        FROM quest_routines
        """
}

/// Stores sessions in the school's database.
struct SQLSessionRepository: SessionRepositoryProtocol {
    func createSession(
        _ id: UUID, for routine: (id: UUID?, displayName: String), of playerId: UUID, startedAt: Date,
        completedAt: Date?, isCalibration: Bool
    ) -> GameSession {
        GameSession(
            id: id, playerId: playerId, routineId: routine.id, routineDisplayName: routine.displayName,
            startedAt: startedAt, completedAt: completedAt, isCalibration: isCalibration)
    }

    func fetchSessions(for routineId: UUID, in sql: any SQLReading) throws -> [GameSession] {
        try sessions("WHERE quest_sessions.routine_id = \(routineId)", in: sql)
    }

    func fetchLatest(_ count: Int, for routineId: UUID, in sql: any SQLReading) throws -> [GameSession] {
        try sessions(
            """
            WHERE quest_sessions.id IN (
                SELECT id FROM quest_sessions WHERE routine_id = \(routineId) ORDER BY started_at DESC LIMIT \(count))
            """, in: sql)
    }

    func fetchAllSessions(of playerId: UUID, since instant: Date, in sql: any SQLReading) throws -> [GameSession] {
        try sessions(
            "WHERE quest_sessions.player_id = \(playerId) AND quest_sessions.started_at >= \(instant)", in: sql)
    }

    func fetch(_ id: UUID, in sql: any SQLReading) throws -> GameSession? {
        try sessions("WHERE quest_sessions.id = \(id)", in: sql).first
    }

    func completedCount(of routineId: UUID, by playerId: UUID, in sql: any SQLReading) throws -> Int {
        try sql.value(
            """
            SELECT COUNT(*) FROM quest_sessions
            WHERE routine_id = \(routineId) AND player_id = \(playerId) AND completed_at IS NOT NULL
            """) ?? 0
    }

    func save(_ session: GameSession, in sql: any SQLWriting) throws {
        let sums = GrowthEngine.Sums(
            session.orderedEstimations.map {
                ($0.taskDisplayName, $0.differenceSeconds, $0.actualSeconds, $0.accuracyPercent)
            })
        try sql.execute(
            """
            INSERT INTO quest_sessions
                (id, player_id, routine_id, routine_display_name, started_at, completed_at, is_calibration,
                 guess_count, accuracy_percent, bias_percent, distance_seconds, nearest_task, nearest_seconds)
            VALUES (\(session.id), \(session.playerId), \(session.routineId), \(session.routineDisplayName),
                \(session.startedAt), \(session.completedAt), \(session.isCalibration),
                \(sums.guesses), \(sums.accuracyPercent), \(sums.biasPercent), \(sums.distanceSeconds),
                \(sums.nearest?.task), \(sums.nearest?.seconds))
            """)
        for one in session.orderedEstimations {
            try sql.execute(
                """
                INSERT INTO quest_estimations
                    (session_id, order_index, task_id, task_display_name, estimated_seconds, actual_seconds,
                     difference_seconds, accuracy_percent, rating, recorded_at, was_stopped)
                VALUES (\(session.id), \(one.orderIndex), \(one.taskId), \(one.taskDisplayName),
                    \(one.estimatedSeconds), \(one.actualSeconds), \(one.differenceSeconds),
                    \(one.accuracyPercent), \(one.ratingRawValue), \(one.recordedAt), \(one.wasStopped))
                """)
        }
    }

    /// The query of sessions with their estimations, in one statement to read a year quickly.
    static func sessions(_ condition: SQL) -> SQL {
        """
        SELECT quest_sessions.id, player_id, routine_id, routine_display_name, started_at, completed_at,
            is_calibration, order_index, task_id, task_display_name, estimated_seconds, actual_seconds,
            difference_seconds, quest_estimations.accuracy_percent, rating, recorded_at, was_stopped
        FROM quest_sessions LEFT JOIN quest_estimations ON quest_estimations.session_id = quest_sessions.id
        \(condition) ORDER BY started_at, quest_sessions.id, order_index
        """
    }

    private func sessions(_ condition: SQL, in sql: any SQLReading) throws -> [GameSession] {
        var sessions: [GameSession] = []
        for row in try sql.rows(Self.sessions(condition)) {
            let id: UUID = try row.get("id")
            if sessions.last?.id != id { sessions.append(try GameSession(id, row)) }
            guard let index: Int = try row.optional("order_index") else { continue }
            sessions[sessions.count - 1].estimations.append(try TaskEstimation(of: id, at: index, row))
        }
        return sessions
    }
}

extension Routine {
    fileprivate init(_ row: SQLRow) throws {
        let days: String = try row.get("active_days")
        try self.init(
            id: row.get("id"), playerId: row.get("player_id"), name: row.get("name"),
            displayName: row.get("display_name"), activeDays: days.split(separator: " ").compactMap { Int($0) },
            isActive: row.get("is_active"), createdAt: row.get("created_at"), updatedAt: row.get("updated_at"),
            orderIndex: row.get("order_index"), completedSessions: row.get("completed"))
    }
}

extension RoutineTask {
    fileprivate init(_ row: SQLRow) throws {
        try self.init(
            id: row.get("id"), routineId: row.get("routine_id"), name: row.get("name"),
            displayName: row.get("display_name"), referenceDurationSeconds: row.optional("reference_seconds"),
            orderIndex: row.get("order_index"))
    }
}

extension GameSession {
    fileprivate init(_ id: UUID, _ row: SQLRow) throws {
        try self.init(
            id: id, playerId: row.get("player_id"), routineId: row.optional("routine_id"),
            routineDisplayName: row.get("routine_display_name"), startedAt: row.get("started_at"),
            completedAt: row.optional("completed_at"), isCalibration: row.get("is_calibration"))
    }
}

extension TaskEstimation {
    fileprivate init(of sessionId: UUID, at index: Int, _ row: SQLRow) throws {
        try self.init(
            sessionId: sessionId, orderIndex: index, taskId: row.optional("task_id"),
            taskDisplayName: row.get("task_display_name"), estimatedSeconds: row.get("estimated_seconds"),
            actualSeconds: row.get("actual_seconds"), differenceSeconds: row.get("difference_seconds"),
            accuracyPercent: row.get("accuracy_percent"), ratingRawValue: row.get("rating"),
            recordedAt: row.get("recorded_at"), wasStopped: row.get("was_stopped"))
    }
}
