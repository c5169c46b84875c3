import FeatureKit
import Foundation

/// The block's tables, for export, retention and erasure. A player is erased with the person who manages it.
enum QuestRecordStore {
    static let kinds = [
        RecordKind(
            "quest.players", "quest.records.players", personal: [.name], erasure: .withPerson,
            tables: [
                RecordTable(
                    "quest_players",
                    export: { _ in
                        """
                        SELECT id, owner_person_id, name, created_at, archived_at FROM quest_players
                        ORDER BY owner_person_id, created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, name, created_at, archived_at FROM quest_players
                        WHERE owner_person_id = \(subject.personId) ORDER BY created_at, id
                        """
                    },
                    // Routines, tasks, sessions and estimations are deleted with their player.
                    erase: { "DELETE FROM quest_players WHERE owner_person_id = \($0.personId)" })
            ]),
        RecordKind(
            "quest.routines", "quest.records.routines", personal: [.notes], erasure: .withPerson,
            tables: [
                RecordTable(
                    "quest_routines",
                    export: { _ in
                        """
                        SELECT id, player_id, name, display_name, active_days, is_active, created_at, updated_at,
                            order_index
                        FROM quest_routines ORDER BY player_id, order_index, created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, player_id, name, display_name, active_days, is_active, created_at, updated_at
                        FROM quest_routines WHERE player_id IN (\(players(of: subject))) ORDER BY created_at, id
                        """
                    }),
                RecordTable(
                    "quest_tasks",
                    export: { _ in
                        """
                        SELECT id, routine_id, name, display_name, reference_seconds, order_index FROM quest_tasks
                        ORDER BY routine_id, order_index, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, routine_id, name, display_name, reference_seconds, order_index FROM quest_tasks
                        WHERE routine_id IN (
                            SELECT id FROM quest_routines WHERE player_id IN (\(players(of: subject))))
                        ORDER BY routine_id, order_index, id
                        """
                    }),
            ]),
        RecordKind(
            "quest.sessions", "quest.records.sessions", personal: [.activity],
            retention: .days(3650, in: 90...7300), erasure: .withPerson,
            tables: [
                RecordTable(
                    "quest_estimations",
                    export: { _ in
                        """
                        SELECT session_id, order_index, task_id, task_display_name, estimated_seconds,
                            actual_seconds, difference_seconds, accuracy_percent, rating, recorded_at, was_stopped
                        FROM quest_estimations ORDER BY session_id, order_index
                        """
                    },
                    about: { subject in
                        """
                        SELECT session_id, task_display_name, estimated_seconds, actual_seconds,
                            difference_seconds, accuracy_percent, rating, recorded_at, was_stopped
                        FROM quest_estimations WHERE session_id IN (
                            SELECT id FROM quest_sessions WHERE player_id IN (\(players(of: subject))))
                        ORDER BY session_id, order_index
                        """
                    }),
                RecordTable(
                    "quest_sessions",
                    export: { _ in
                        """
                        SELECT id, player_id, routine_id, routine_display_name, started_at, completed_at,
                            is_calibration
                        FROM quest_sessions ORDER BY player_id, started_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, player_id, routine_display_name, started_at, completed_at, is_calibration
                        FROM quest_sessions WHERE player_id IN (\(players(of: subject))) ORDER BY started_at, id
                        """
                    },
                    // Estimations are deleted with their session.
                    expiry: .init(of: "quest_sessions", by: "started_at", key: "id")),
            ]),
        RecordKind(
            "quest.pairings", "quest.records.pairings", store: .directory, personal: [.credentials, .devices],
            retention: .days(1, in: 1...30), erasure: .withTime,
            tables: [
                RecordTable(
                    "quest_pairings",
                    eraseAccount: { "DELETE FROM quest_pairings WHERE account_id = \($0)" },
                    expiry: .init(of: "quest_pairings", by: "expires_at", key: "fingerprint"))
            ]),
    ]

    private static func players(of subject: RecordSubject) -> SQL {
        "SELECT id FROM quest_players WHERE owner_person_id = \(subject.personId)"
    }
}
