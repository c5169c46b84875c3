import Domain
import FeatureKit
import Foundation

/// The SQL of what children share. A share lasts until the child ends it or the check-in is deleted.
enum SharingRepository {
    /// What a child shares with one adult.
    struct Share: Sendable, Hashable {
        let adultId: UUID
        /// Whether the adult reads all check-ins, also later ones.
        let isForAll: Bool
        /// The number of check-ins that are shared one by one.
        let count: Int
    }

    static func shareAll(
        of personId: UUID, with adultId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO wellness_readers (person_id, adult_id, shared_at) VALUES (\(personId), \(adultId), \(instant))
            ON CONFLICT (person_id, adult_id) DO NOTHING
            """)
    }

    static func share(_ checkInId: UUID, with adultId: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO wellness_shares (check_in_id, adult_id, shared_at) VALUES (\(checkInId), \(adultId), \(instant))
            ON CONFLICT (check_in_id, adult_id) DO NOTHING
            """)
    }

    /// Ends everything that a child shares with an adult; returns whether there was anything.
    static func endAll(of personId: UUID, with adultId: UUID, in sql: any SQLWriting) throws -> Bool {
        let all = try sql.execute(
            "DELETE FROM wellness_readers WHERE person_id = \(personId) AND adult_id = \(adultId)")
        let single = try sql.execute(
            """
            DELETE FROM wellness_shares WHERE adult_id = \(adultId)
                AND check_in_id IN (SELECT id FROM wellness_check_ins WHERE person_id = \(personId))
            """)
        return all + single > 0
    }

    /// Ends the sharing of one check-in with an adult; returns whether it was shared.
    static func end(_ checkInId: UUID, with adultId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            "DELETE FROM wellness_shares WHERE check_in_id = \(checkInId) AND adult_id = \(adultId)") > 0
    }

    // MARK: - The child's side

    /// The adults who read all check-ins of a child.
    static func readers(of personId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(
            try sql.rows("SELECT adult_id FROM wellness_readers WHERE person_id = \(personId)")
                .map { try $0.get("adult_id") })
    }

    /// The adults with whom each of these check-ins was shared by itself.
    static func adults(of checkInIds: [UUID], in sql: any SQLReading) throws -> [UUID: Set<UUID>] {
        try sql.rows(
            "SELECT check_in_id, adult_id FROM wellness_shares WHERE check_in_id IN \(list: checkInIds)"
        ).reduce(into: [:]) { all, row in
            all[try row.get("check_in_id"), default: []].insert(try row.get("adult_id"))
        }
    }

    /// The adults with whom a child shares all check-ins, or at least one.
    static func adults(of personId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(try shares(of: personId, in: sql).map(\.adultId))
    }

    /// What a child shares with each adult.
    static func shares(of personId: UUID, in sql: any SQLReading) throws -> [Share] {
        let counts: [UUID: Int] = try sql.rows(
            """
            SELECT wellness_shares.adult_id AS adult_id, COUNT(*) AS count FROM wellness_check_ins
            JOIN wellness_shares ON wellness_shares.check_in_id = wellness_check_ins.id
            WHERE wellness_check_ins.person_id = \(personId) GROUP BY wellness_shares.adult_id
            """
        ).reduce(into: [:]) { $0[try $1.get("adult_id")] = try $1.get("count") }
        let readers = try readers(of: personId, in: sql)
        return readers.union(counts.keys).map {
            Share(adultId: $0, isForAll: readers.contains($0), count: counts[$0] ?? 0)
        }
    }

    // MARK: - The adult's side

    /// The children who share something with an adult.
    static func children(sharingWith adultId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        Set(
            try sql.rows(
                """
                SELECT person_id FROM wellness_readers WHERE adult_id = \(adultId)
                UNION
                SELECT wellness_check_ins.person_id FROM wellness_shares
                JOIN wellness_check_ins ON wellness_check_ins.id = wellness_shares.check_in_id
                WHERE wellness_shares.adult_id = \(adultId)
                """
            ).map { try $0.get("person_id") })
    }

    /// Whether a child shares all check-ins with an adult.
    static func sharesAll(_ personId: UUID, with adultId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            "SELECT 1 FROM wellness_readers WHERE person_id = \(personId) AND adult_id = \(adultId)")
    }

    /// The check-ins that a child shares with an adult, newest first.
    /// - Parameters:
    ///   - place: the last check-in of the page before; `nil` for the newest ones.
    ///   - start: the instant from which check-ins are read.
    static func checkIns(
        of personId: UUID, sharedWith adultId: UUID, after place: CheckInPlace? = nil,
        since start: Date = .distantPast,
        limit: Int, in sql: any SQLReading
    ) throws -> [CheckIn] {
        if try sharesAll(personId, with: adultId, in: sql) {
            return try CheckInRepository.checkIns(
                of: personId, after: place, since: start, limit: limit, in: sql)
        }
        let older: SQL = place.map { "AND (c.made_at, c.id) < (\($0.madeAt), \($0.id))" } ?? ""
        return try sql.rows(
            """
            SELECT c.* FROM wellness_shares s JOIN wellness_check_ins c ON c.id = s.check_in_id
            WHERE s.adult_id = \(adultId) AND c.person_id = \(personId) AND c.made_at >= \(start) \(older)
            ORDER BY c.made_at DESC, c.id DESC LIMIT \(limit)
            """
        ).map(CheckInRepository.checkIn)
    }

    /// The newest check-ins that each child shares with an adult, newest first. Children who share nothing now are
    /// among the keys if they share later ones.
    /// - Parameter limit: the most check-ins of one child.
    static func checkIns(
        sharedWith adultId: UUID, limit: Int, in sql: any SQLReading
    ) throws -> [UUID: [CheckIn]] {
        var all: [UUID: [CheckIn]] = [:]
        for row in try sql.rows(checkIns(sharedWith: adultId, limit: limit)) {
            let personId: UUID = try row.get("child_id")
            // A child without a check-in has a row of NULL.
            let isEmpty = try row.optional("id", as: UUID.self) == nil
            all[personId, default: []] += isEmpty ? [] : [try CheckInRepository.checkIn(row)]
        }
        return all
    }

    /// The statement of what all children share with an adult. It reads the children from the two indexes by adult, and
    /// each child's check-ins from the index by person.
    static func checkIns(sharedWith adultId: UUID, limit: Int) -> SQL {
        """
        WITH children AS (
            SELECT person_id, MAX(is_all) AS is_all FROM (
                SELECT person_id, 1 AS is_all FROM wellness_readers WHERE adult_id = \(adultId)
                UNION ALL
                SELECT c.person_id, 0 FROM wellness_shares s JOIN wellness_check_ins c ON c.id = s.check_in_id
                WHERE s.adult_id = \(adultId)) AS sharing
            GROUP BY person_id),
        ranked AS (
            SELECT children.person_id AS child_id, c.*, ROW_NUMBER() OVER (
                PARTITION BY children.person_id ORDER BY c.made_at DESC, c.id DESC) AS place
            FROM children LEFT JOIN wellness_check_ins c ON c.person_id = children.person_id
                AND (children.is_all = 1 OR EXISTS (
                    SELECT 1 FROM wellness_shares s WHERE s.check_in_id = c.id AND s.adult_id = \(adultId))))
        SELECT * FROM ranked WHERE place <= \(limit) ORDER BY child_id, place
        """
    }
}
