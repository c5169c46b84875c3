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

    /// Ends everything that a child shares with an adult.
    static func endAll(of personId: UUID, with adultId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM wellness_readers WHERE person_id = \(personId) AND adult_id = \(adultId)")
        try sql.execute(
            """
            DELETE FROM wellness_shares WHERE adult_id = \(adultId)
                AND check_in_id IN (SELECT id FROM wellness_check_ins WHERE person_id = \(personId))
            """)
    }

    static func end(_ checkInId: UUID, with adultId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM wellness_shares WHERE check_in_id = \(checkInId) AND adult_id = \(adultId)")
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

    /// The check-ins that a child shares with an adult from an instant on, newest first.
    static func checkIns(
        of personId: UUID, sharedWith adultId: UUID, since start: Date, limit: Int, in sql: any SQLReading
    ) throws -> [CheckIn] {
        if try sharesAll(personId, with: adultId, in: sql) {
            return try CheckInRepository.checkIns(of: personId, since: start, limit: limit, in: sql)
        }
        return try sql.rows(
            """
            SELECT wellness_check_ins.* FROM wellness_shares
            JOIN wellness_check_ins ON wellness_check_ins.id = wellness_shares.check_in_id
            WHERE wellness_shares.adult_id = \(adultId) AND wellness_check_ins.person_id = \(personId)
                AND wellness_check_ins.made_at >= \(start)
            ORDER BY wellness_check_ins.made_at DESC, wellness_check_ins.id DESC LIMIT \(limit)
            """
        ).map(CheckInRepository.checkIn)
    }

    // MARK: - Open pages

    /// Refreshes the open pages of the adults who read a child's check-ins. A signal is not stored.
    /// - Parameter checkInId: a check-in that may be shared by itself.
    static func notifyReaders(
        of personId: UUID, and checkInId: UUID? = nil, in context: inout CommandContext
    ) throws {
        var adults = try readers(of: personId, in: context.sql)
        if let checkInId { adults.formUnion(try self.adults(of: [checkInId], in: context.sql)[checkInId] ?? []) }
        for adult in adults.sorted(by: { $0.text < $1.text }) { notify(adult, from: personId, in: &context) }
    }

    /// Refreshes the open pages of one adult.
    static func notify(_ adultId: UUID, from personId: UUID, in context: inout CommandContext) {
        context.send(
            Signal(
                "wellness.changed", topics: [WellnessTopic.of(adultId)], audience: [.person(adultId)],
                from: personId))
    }
}
