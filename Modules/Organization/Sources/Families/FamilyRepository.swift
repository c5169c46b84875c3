import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The SQL of parents and children. Requests are stored in the directory, because parents do not know which schools
/// are on the server.
enum FamilyRepository {
    static let directoryMigration = Migration(
        "022-child-requests",
        """
        CREATE TABLE child_requests (
            id TEXT PRIMARY KEY,
            account_id TEXT NOT NULL,
            child TEXT NOT NULL,
            asked_at BIGINT NOT NULL
        );
        CREATE INDEX child_requests_account ON child_requests (account_id);
        """)

    static let schoolMigration = Migration(
        "002-guardians",
        """
        CREATE TABLE guardians (
            person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            child_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
            linked_by TEXT NOT NULL,
            linked_at BIGINT NOT NULL,
            PRIMARY KEY (person_id, child_id)
        );
        CREATE INDEX guardians_child ON guardians (child_id);
        CREATE TABLE refused_child_requests (
            request_id TEXT PRIMARY KEY,
            refused_at BIGINT NOT NULL
        );
        """)

    static func insert(_ request: ChildRequest, of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO child_requests (id, account_id, child, asked_at)
            VALUES (\(request.id), \(accountId), \(request.child), \(request.askedAt))
            """)
    }

    static func requests(ofAccount accountId: UUID, in sql: any SQLReading) throws -> [ChildRequest] {
        try sql.rows("SELECT * FROM child_requests WHERE account_id = \(accountId) ORDER BY asked_at, id")
            .map(request)
    }

    /// Returns the open requests, oldest first. Requests beyond the limit follow when earlier ones are answered.
    static func all(limit: Int = 2000, in sql: any SQLReading) throws -> [(request: ChildRequest, accountId: UUID)]
    {
        try sql.rows("SELECT * FROM child_requests ORDER BY asked_at, id LIMIT \(limit)")
            .map { (try request($0), try $0.get("account_id")) }
    }

    /// Removes a request, and returns whether there was one.
    @discardableResult
    static func remove(_ id: UUID, of accountId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM child_requests WHERE id = \(id) AND account_id = \(accountId)") > 0
    }

    /// Returns the children with these student numbers, ids or email addresses, all in lower case.
    /// - Parameter known: the children who sign in with one of these addresses, by address.
    static func children(
        named names: Set<String>, known: [String: UUID] = [:], but adults: Set<UUID>, in sql: any SQLReading
    ) throws -> [String: [(id: UUID, name: String)]] {
        var found: [String: [(id: UUID, name: String)]] = [:]
        let asked = names.union(known.values.map(\.text))
        for portion in SQL.portions(of: asked.sorted().map { [SQLValue](repeating: $0.sqlValue, count: 4) }) {
            let some = portion.compactMap { if case .text(let text) = $0[0] { text } else { nil } }
            let rows = try sql.rows(
                """
                SELECT id, external_id, number, email, given_name, family_name, preferred_name FROM people
                WHERE id IN \(list: some) OR LOWER(external_id) IN \(list: some) OR LOWER(number) IN \(list: some)
                    OR LOWER(email) IN \(list: some)
                ORDER BY sort_key, id
                """)
            for row in rows {
                let id: UUID = try row.get("id")
                guard !adults.contains(id) else { continue }
                let name = try PeopleTable.personName(row).display
                let keys: [String?] = [
                    id.text, try row.optional("external_id", as: String.self)?.lowercased(),
                    try row.optional("number", as: String.self)?.lowercased(),
                    try row.optional("email", as: String.self)?.lowercased(),
                ]
                let signIns = known.filter { $0.value == id }.map(\.key)
                for key in Set(keys.compactMap { $0 } + signIns).intersection(names) {
                    found[key, default: []].append((id, name))
                }
            }
        }
        return found
    }

    static func refused(in sql: any SQLReading) throws -> Set<UUID> {
        Set(try sql.rows("SELECT request_id FROM refused_child_requests").map { try $0.get("request_id") })
    }

    static func refuse(_ requestId: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO refused_child_requests (request_id, refused_at) VALUES (\(requestId), \(now))
            ON CONFLICT (request_id) DO NOTHING
            """)
    }

    static func link(
        _ personId: UUID, to childId: UUID, by staffId: UUID, at now: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO guardians (person_id, child_id, linked_by, linked_at)
            VALUES (\(personId), \(childId), \(staffId), \(now)) ON CONFLICT (person_id, child_id) DO NOTHING
            """)
    }

    static func unlink(_ personId: UUID, from childId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM guardians WHERE person_id = \(personId) AND child_id = \(childId)") > 0
    }

    /// Ends the link between the child and a person who was invited under this address and has not signed in,
    /// because the parent has joined in another way. The invited person's links to other children stay until the
    /// mailed link is used.
    static func unlinkInvited(
        at email: String, but personId: UUID, from childId: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            DELETE FROM guardians WHERE child_id = \(childId) AND person_id <> \(personId) AND person_id IN (
                SELECT id FROM people WHERE LOWER(email) = \(email.lowercased()) AND account_id IS NULL
            )
            """)
    }

    static func children(ofGuardian personId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows("SELECT child_id FROM guardians WHERE person_id = \(personId) ORDER BY child_id").map {
            try $0.get("child_id")
        }
    }

    static func guardians(ofChild childId: UUID, in sql: any SQLReading) throws -> [Guardian] {
        try sql.rows(
            """
            SELECT id, given_name, family_name, preferred_name, email, account_id FROM people
            WHERE id IN (SELECT person_id FROM guardians WHERE child_id = \(childId)) ORDER BY sort_key, id
            """
        ).map { row in
            let name = try PeopleTable.personName(row)
            return Guardian(
                id: try row.get("id"), name: name.display, email: try row.optional("email"),
                hasAccount: try row.optional("account_id", as: UUID.self) != nil)
        }
    }

    /// Returns a guardian with this address; the first one if there are several.
    static func guardian(at email: String, in sql: any SQLReading) throws -> UUID? {
        try sql.row(
            """
            SELECT id FROM people WHERE LOWER(email) = \(email.lowercased())
                AND id IN (SELECT person_id FROM guardians) ORDER BY id LIMIT 1
            """
        ).map { try $0.get("id") }
    }

    /// Moves the children of a person who was expected as a guardian to another person of the school, who turned
    /// out to be the same.
    static func join(_ expected: UUID, as known: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO guardians (person_id, child_id, linked_by, linked_at)
            SELECT \(known), child_id, linked_by, linked_at FROM guardians WHERE person_id = \(expected)
            ON CONFLICT (person_id, child_id) DO NOTHING
            """)
        try sql.execute("DELETE FROM guardians WHERE person_id = \(expected)")
    }

    // MARK: - By the thousand

    static func links(in sql: any SQLReading) throws -> Set<FamilyLink> {
        Set(
            try sql.rows("SELECT person_id, child_id FROM guardians").map {
                try FamilyLink(guardianId: $0.get("person_id"), childId: $0.get("child_id"))
            })
    }

    static func link(_ links: [FamilyLink], by staffId: UUID?, at instant: Date, in sql: any SQLWriting) throws {
        // The command line has no person.
        let staff = staffId?.text ?? ""
        let rows = links.map { [$0.guardianId.sqlValue, $0.childId.sqlValue, staff.sqlValue, instant.sqlValue] }
        for portion in SQL.portions(of: rows) {
            try sql.execute(
                """
                INSERT INTO guardians (person_id, child_id, linked_by, linked_at) VALUES \(rows: portion)
                ON CONFLICT (person_id, child_id) DO NOTHING
                """)
        }
    }

    static func unlink(_ links: [FamilyLink], in sql: any SQLWriting) throws {
        for portion in SQL.portions(of: links.map { [$0.guardianId.sqlValue, $0.childId.sqlValue] }) {
            try sql.execute("DELETE FROM guardians WHERE (person_id, child_id) IN (VALUES \(rows: portion))")
        }
    }

    private static func request(_ row: SQLRow) throws -> ChildRequest {
        try ChildRequest(id: row.get("id"), child: row.get("child"), askedAt: row.get("asked_at"))
    }
}
