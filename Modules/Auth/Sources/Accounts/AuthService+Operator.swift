public import AuthInterface
import Domain
import FeatureKit
import Foundation
import Synchronization

extension AuthService {
    /// Who runs the server: the first account ever made here, or the one that was named since. `nil` where nobody was
    /// named, or where that account is gone; nobody takes its place by themselves.
    public func serverOperator() async throws -> Account? {
        try await directory.read { sql in
            try OperatorRepository.accountId(in: sql).flatMap {
                try AccountRepository.accounts([$0], in: sql)[$0]
            }
        }
    }

    /// Names the account that runs the server, in the place of any before it. Answers whether there is such an account.
    public func nameOperator(email: String) async throws -> Bool {
        guard let account = try await account(email: email) else { return false }
        // conformance: allow write - who runs the server is named on its command line alone
        try await directory.write { try OperatorRepository.name(account.id, in: $0) }
        try await rememberOperator()
        return true
    }

    /// Whether the account runs the server, as far as this process knows: for what pages offer, not for what they show.
    func isKnownOperator(_ accountId: UUID) -> Bool { knownOperator.withLock { $0 } == accountId }

    /// Notes who runs the server, for what pages offer.
    func rememberOperator() async throws {
        let id = try await directory.read { try OperatorRepository.accountId(in: $0) }
        knownOperator.withLock { $0 = id }
    }

    /// The same after the transaction that made an account.
    func rememberOperator(in sql: any SQLWriting) throws {
        let id = try OperatorRepository.accountId(in: sql)
        sql.afterCommit { [self] in knownOperator.withLock { $0 = id } }
    }

    /// Takes the authenticator app, the passkeys and the recovery codes off an account and ends its sessions, for
    /// the person who runs the server: its holder has lost all of them. Answers whether there is such an account.
    public func forgetSecondFactors(email: String) async throws -> Bool {
        guard let account = try await account(email: email) else { return false }
        let now = clock.now
        // conformance: allow write - the server's operator lets somebody in again who has shown who they are
        try await directory.write { sql in
            try AuthenticatorRepository.remove(account.id, in: sql)
            try AuthenticatorRepository.removeRecoveryCodes(of: account.id, in: sql)
            try PasskeyRepository.removeAll(of: account.id, in: sql)
            try PendingSignInRepository.removeAll(of: account.id, in: sql)
            try SessionRepository.endAll(of: account.id, but: nil, at: now, in: sql)
        }
        return true
    }
}

/// The SQL of the one row that says who runs the server. It is there from the first account on, also where it names
/// nobody: who runs the server is recorded and never inferred from the accounts that are left.
enum OperatorRepository {
    static func accountId(in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT account_id FROM server_operator WHERE place = 1")
    }

    /// Notes who made the first account of the server, `nil` for nobody; later calls change nothing.
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
