import Domain
public import Foundation

/// The number and hash of the last entry of a school's change log, which confirm all entries before it.
public struct LogSeal: Sendable, Hashable {
    public let seq: Int64
    public let hash: String

    public init(seq: Int64, hash: String) {
        self.seq = seq
        self.hash = hash
    }

    /// Compares the seal, the recorded end of a school's change log, with the log, and returns the entries that the log
    /// has lost. Returns `nil` if the log still has the sealed entry.
    /// - Parameter instant: the time that the loss is dated with.
    public func loss(in sql: any SQLReading, at instant: Date) throws -> LogLoss? {
        let found: String? = try sql.value("SELECT hash FROM change_log WHERE seq = \(seq)")
        if found == hash { return nil }
        return LogLoss(first: min(try ChangeLog.latest(in: sql) + 1, seq), last: seq, foundAt: instant)
    }
}

extension ChangeLog {
    /// Returns the number and hash of the log's last entry up to `seq` as a seal. Returns `nil` if there is no entry,
    /// or if it has no hash.
    public static func seal(upTo seq: Int64 = .max, in sql: any SQLReading) throws -> LogSeal? {
        guard
            let row = try sql.row(
                "SELECT seq, hash FROM change_log WHERE seq <= \(seq) ORDER BY seq DESC LIMIT 1")
        else { return nil }
        let seal = try LogSeal(seq: row.get("seq"), hash: row.get("hash"))
        return seal.hash.isEmpty ? nil : seal
    }
}

/// Entries that are missing from a school's change log, although the log had them when its end was recorded.
///
/// The school's file was damaged, or replaced with an older one.
public struct LogLoss: Sendable, Hashable {
    /// The number of the first entry that the log has lost.
    public let first: Int64
    /// The number of the last entry that the log has lost.
    public let last: Int64
    /// The time at which it was noticed that entries are missing from the change log.
    public let foundAt: Date

    public init(first: Int64, last: Int64, foundAt: Date) {
        self.first = first
        self.last = last
        self.foundAt = foundAt
    }
}

/// Stores the seals of all schools, the recorded ends of their change logs, in the server's directory database.
///
/// A database file with a damaged end opens without an error and shows an earlier state, because SQLite stops reading
/// the write-ahead log at its first bad frame. The stored seal reveals what is missing.
public enum SchoolSeals {
    package static let migrations = MigrationSet(
        owner: "seals",
        migrations: [
            Migration(
                "001-school-seals",
                """
                CREATE TABLE school_seals (
                    school_id TEXT PRIMARY KEY NOT NULL,
                    seq BIGINT NOT NULL,
                    hash TEXT NOT NULL,
                    noted_at BIGINT NOT NULL,
                    lost_first BIGINT,
                    lost_last BIGINT,
                    lost_at BIGINT
                );
                """)
        ])

    /// Returns the last stored seal, the recorded end of a school's change log; `nil` if there is none.
    public static func seal(of schoolId: UUID, in sql: any SQLReading) throws -> LogSeal? {
        try sql.row("SELECT seq, hash FROM school_seals WHERE school_id = \(schoolId)").map {
            try LogSeal(seq: $0.get("seq"), hash: $0.get("hash"))
        }
    }

    /// Stores a seal, the present end of a school's change log, in place of the earlier one. A loss that was found
    /// before stays on record.
    public static func store(_ seal: LogSeal, of schoolId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO school_seals (school_id, seq, hash, noted_at)
            VALUES (\(schoolId), \(seal.seq), \(seal.hash), \(instant))
            ON CONFLICT (school_id) DO UPDATE
                SET seq = excluded.seq, hash = excluded.hash, noted_at = excluded.noted_at
            """)
    }

    /// Stores which entries are missing from the end of a school's change log. Does nothing for a school without a
    /// stored seal.
    package static func store(_ loss: LogLoss, of schoolId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE school_seals
            SET lost_first = \(loss.first), lost_last = \(loss.last), lost_at = \(loss.foundAt)
            WHERE school_id = \(schoolId)
            """)
    }

    /// Returns the entries that were last found to be missing from a school's change log; `nil` if none ever were.
    public static func loss(of schoolId: UUID, in sql: any SQLReading) throws -> LogLoss? {
        guard
            let row = try sql.row(
                """
                SELECT lost_first, lost_last, lost_at FROM school_seals
                WHERE school_id = \(schoolId) AND lost_at IS NOT NULL
                """)
        else { return nil }
        return try LogLoss(
            first: row.get("lost_first"), last: row.get("lost_last"), foundAt: row.get("lost_at"))
    }

    /// Removes what is stored about the end of a school's change log, because the school was deleted or gets other
    /// content.
    public static func remove(_ schoolId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM school_seals WHERE school_id = \(schoolId)")
    }
}
