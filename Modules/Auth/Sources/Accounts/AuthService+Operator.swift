public import AuthInterface
import Domain
import FeatureKit
import Foundation
import Synchronization

extension AuthService {
    /// The account that operates the server: the first that was created, or the one named on the command line since.
    /// `nil` when nobody was named or that account was deleted; no other account takes its place.
    public func serverOperator() async throws -> Account? {
        try await directory.read { sql in
            try OperatorRepository.accountId(in: sql).flatMap {
                try AccountRepository.accounts([$0], in: sql)[$0]
            }
        }
    }

    /// Makes the account with this email address the server's operator, in place of the current one. Returns `false`
    /// when no account has the address.
    public func nameOperator(email: String) async throws -> Bool {
        guard let account = try await account(email: email) else { return false }
        // conformance: allow write - who runs the server is named on its command line alone
        try await directory.write { try OperatorRepository.name(account.id, in: $0) }
        try await cacheOperator()
        return true
    }

    /// Whether the account is the operator according to this process's cache. Only for navigation: pages check the
    /// directory.
    func isKnownOperator(_ accountId: UUID) -> Bool { knownOperator.withLock { $0 } == accountId }

    /// Reads the operator from the directory into the cache.
    func cacheOperator() async throws {
        let id = try await directory.read { try OperatorRepository.accountId(in: $0) }
        knownOperator.withLock { $0 = id }
    }

    /// Reads the operator within a transaction and caches it after the commit.
    func cacheOperator(in sql: any SQLWriting) throws {
        let id = try OperatorRepository.accountId(in: sql)
        sql.afterCommit { [self] in knownOperator.withLock { $0 = id } }
    }

    /// Removes an account's authenticator app, passkeys and recovery codes and ends its sessions, for a holder who has
    /// lost them. Returns `false` when no account has the address.
    public func removeSecondFactors(email: String) async throws -> Bool {
        guard let account = try await account(email: email) else { return false }
        let now = clock.now
        // conformance: allow write - the operator restores access after checking the holder's identity
        try await directory.write { sql in
            try AuthenticatorRepository.remove(account.id, in: sql)
            try AuthenticatorRepository.removeRecoveryCodes(of: account.id, in: sql)
            try PasskeyRepository.removeAll(of: account.id, in: sql)
            try PendingSignInRepository.removeAll(of: account.id, in: sql)
            try SessionRepository.endAll(of: account.id, except: nil, at: now, in: sql)
        }
        return true
    }
}

/// The SQL of the single row that records the server's operator. It exists from the first account on, even when it
/// names nobody, because the operator is never inferred from the remaining accounts.
enum OperatorRepository {
    static func accountId(in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT account_id FROM server_operator WHERE place = 1")
    }

    /// Records the first account of the server, or `nil` for none. Later calls change nothing.
    static func noteFirst(_ accountId: UUID?, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO server_operator (place, account_id) VALUES (1, \(accountId)) ON CONFLICT (place) DO NOTHING
            """)
    }

    static func name(_ accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO server_operator (place, account_id) VALUES (1, \(accountId))
            ON CONFLICT (place) DO UPDATE SET account_id = excluded.account_id
            """)
    }
}
