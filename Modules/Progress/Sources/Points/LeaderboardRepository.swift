import Domain
import FeatureKit
import Foundation

/// Reads and writes whether the school has a leaderboard, and who left it.
enum LeaderboardRepository {
    /// Whether the school has a leaderboard; off by default.
    static func isOn(in sql: any SQLReading) throws -> Bool {
        try sql.row("SELECT is_on FROM progress_leaderboard WHERE id = 1").map { try $0.get("is_on") } ?? false
    }

    static func set(isOn: Bool, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO progress_leaderboard (id, is_on) VALUES (1, \(isOn))
            ON CONFLICT (id) DO UPDATE SET is_on = excluded.is_on
            """)
    }

    /// The students among some who left the leaderboard.
    static func left(_ studentIds: [UUID], in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows(ofEach: studentIds) {
                "SELECT student_id FROM progress_leaderboard_left WHERE student_id IN \(list: $0)"
            }.map { try $0.get("student_id") })
    }

    /// Leaves the leaderboard. Returns whether the student was on it.
    static func leave(_ studentId: UUID, at instant: Date, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO progress_leaderboard_left (student_id, left_at) VALUES (\(studentId), \(instant))
            ON CONFLICT (student_id) DO NOTHING
            """) > 0
    }

    /// Joins the leaderboard again. Returns whether the student had left it.
    static func rejoin(_ studentId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM progress_leaderboard_left WHERE student_id = \(studentId)") > 0
    }
}

/// The block's tables in the school's database.
enum ProgressMigrations {
    static let school = [
        Migration(
            "001-leaderboard",
            """
            CREATE TABLE progress_leaderboard (id INTEGER PRIMARY KEY NOT NULL, is_on INTEGER NOT NULL);
            CREATE TABLE progress_leaderboard_left (student_id TEXT PRIMARY KEY NOT NULL, left_at BIGINT NOT NULL);
            """)
    ]
}

/// The block's tables, for export, retention and erasure.
enum ProgressRecordStore {
    static let kinds = [
        RecordKind(
            "progress.leaderboard", "progress.records.leaderboard", personal: [], erasure: .withSchool,
            tables: [
                RecordTable("progress_leaderboard", export: { _ in "SELECT is_on FROM progress_leaderboard" })
            ]),
        RecordKind(
            "progress.leaderboardLeft", "progress.records.leaderboardLeft", personal: [.choices],
            erasure: .withPerson,
            tables: [
                RecordTable(
                    "progress_leaderboard_left",
                    export: { _ in
                        "SELECT student_id, left_at FROM progress_leaderboard_left ORDER BY student_id"
                    },
                    about: { subject in
                        """
                        SELECT student_id, left_at FROM progress_leaderboard_left
                        WHERE student_id = \(subject.personId)
                        """
                    },
                    erase: { "DELETE FROM progress_leaderboard_left WHERE student_id = \($0.personId)" })
            ]),
    ]
}
