import AuthInterface
import FeatureKit
import Foundation

/// The SQL of accounts.
enum AccountRepository {
    /// - Parameter signUp: whether the account's holder creates it; the first such account of a server becomes its
    ///   operator.
    static func insert(
        _ account: Account, passwordHash: String, confirmations: AccountConfirmations, at instant: Date,
        signUp: Bool = true, in sql: any SQLWriting
    ) throws {
        do {
            try sql.execute(
                """
                INSERT INTO accounts
                    (id, email, name, password_hash, created_at, confirmed_at, thirteen_on, parent_email)
                VALUES (\(account.id), \(account.email), \(account.name), \(passwordHash), \(instant),
                    \(confirmations.confirmedAt), \(confirmations.thirteenOn), \(confirmations.parentEmail))
                """)
        } catch DatabaseFault.notUnique {
            throw Problem.invalid("email", "auth.emailTaken")
        }
        try OperatorRepository.noteFirst(signUp ? account.id : nil, in: sql)
    }

    /// The account with an address and its password hash; the address is lower-cased.
    static func credential(email: String, in sql: any SQLReading) throws -> (account: Account, hash: String)? {
        guard let row = try sql.row("SELECT * FROM accounts WHERE email = \(email)") else { return nil }
        return try (account(row), row.get("password_hash"))
    }

    static func isEmpty(in sql: any SQLReading) throws -> Bool { try !sql.exists("SELECT 1 FROM accounts LIMIT 1") }

    /// The account with an id and its password hash.
    static func credential(id: UUID, in sql: any SQLReading) throws -> (account: Account, hash: String)? {
        guard let row = try sql.row("SELECT * FROM accounts WHERE id = \(id)") else { return nil }
        return try (account(row), row.get("password_hash"))
    }

    static func confirmations(_ id: UUID, in sql: any SQLReading) throws -> AccountConfirmations? {
        try sql.row(
            "SELECT confirmed_at, thirteen_on, parent_email, parent_agreed_at FROM accounts WHERE id = \(id)"
        ).map { row in
            try AccountConfirmations(
                confirmedAt: row.optional("confirmed_at"), thirteenOn: row.optional("thirteen_on"),
                parentEmail: row.optional("parent_email"), parentAgreedAt: row.optional("parent_agreed_at"))
        }
    }

    /// Notes that the address is confirmed; a second confirmation keeps the first instant.
    static func confirm(_ id: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            "UPDATE accounts SET confirmed_at = \(instant) WHERE id = \(id) AND confirmed_at IS NULL")
    }

    static func parentAgreed(_ id: UUID, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE accounts SET parent_agreed_at = \(instant) WHERE id = \(id)")
    }

    /// Deletes the account and, through foreign keys, the rows that reference it.
    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM accounts WHERE id = \(id)")
    }

    static func setPassword(_ hash: String, of id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE accounts SET password_hash = \(hash), has_password = 1 WHERE id = \(id)")
    }

    static func setName(_ name: String, of id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE accounts SET name = \(name) WHERE id = \(id)")
    }

    static func setEmail(_ email: String, of id: UUID, in sql: any SQLWriting) throws {
        do {
            try sql.execute("UPDATE accounts SET email = \(email) WHERE id = \(id)")
        } catch DatabaseFault.notUnique {
            throw Problem.invalid("email", "auth.emailTaken")
        }
    }

    static func accounts(_ ids: [UUID], in sql: any SQLReading) throws -> [UUID: Account] {
        try sql.rows(ofEach: ids) { "SELECT id, email, name FROM accounts WHERE id IN \(list: $0)" }.map(account)
            .reduce(into: [:]) { $0[$1.id] = $1 }
    }

    private static func account(_ row: SQLRow) throws -> Account {
        try Account(id: row.get("id"), email: row.get("email"), name: row.get("name"))
    }
}
