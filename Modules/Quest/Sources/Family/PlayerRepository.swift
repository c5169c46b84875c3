import FeatureKit
import Foundation

/// Reads and writes players. All queries select by owner, so that other families' players are not found.
enum PlayerRepository {
    static func players(of membership: ActiveMembership, in sql: any SQLReading) throws -> [Player] {
        try sql.rows(
            """
            SELECT id, owner_person_id, name, created_at, archived_at FROM quest_players
            WHERE owner_person_id = \(membership.personId) ORDER BY created_at, id
            """
        ).map(Player.init)
    }

    /// Returns a player of the member's family. Throws `Problem.notFound` for any other.
    static func player(_ id: UUID, of membership: ActiveMembership, in sql: any SQLReading) throws -> Player {
        let row = try sql.row(
            """
            SELECT id, owner_person_id, name, created_at, archived_at FROM quest_players
            WHERE id = \(id) AND owner_person_id = \(membership.personId)
            """)
        guard let row else { throw Problem.notFound }
        return try Player(row)
    }

    static func save(_ player: Player, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO quest_players (id, owner_person_id, name, created_at, archived_at)
            VALUES (\(player.id), \(player.ownerId), \(player.name), \(player.createdAt), \(player.archivedAt))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, archived_at = excluded.archived_at
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM quest_players WHERE id = \(id)")
    }
}

extension Player {
    fileprivate init(_ row: SQLRow) throws {
        try self.init(
            id: row.get("id"), ownerId: row.get("owner_person_id"), name: row.get("name"),
            createdAt: row.get("created_at"), archivedAt: row.optional("archived_at"))
    }
}
