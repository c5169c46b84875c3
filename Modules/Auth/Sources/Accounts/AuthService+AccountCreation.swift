public import AuthInterface
import Domain
import FeatureKit
public import Foundation

extension AuthService: SessionEnding {
    public func signOut(_ accountIds: Set<UUID>) async throws {
        let now = clock.now
        // conformance: allow write - the directory's half of what another block did to a school
        try await directory.write { sql in
            for id in accountIds { try SessionRepository.signOut(id, at: now, in: sql) }
        }
        clearSessionCache()
    }
}

extension AuthService: AccountMaking {
    public func ensureAccounts(_ people: [(email: String, name: String)]) async throws -> [String: UUID] {
        var found: [String: UUID] = [:]
        var new: [Account] = []
        for (email, name) in people where found[email] == nil {
            if let account = try await account(email: email) {
                found[email] = account.id
            } else {
                let account = Account(id: ids.id(at: clock.now), email: email, name: name)
                found[email] = account.id
                new.append(account)
            }
        }
        guard !new.isEmpty else { return found }
        // All new accounts share the hash of one random secret, so no password works. A mailed link sets the first one.
        let hash = try await hasher.hash(password: ids.token())
        let (made, now) = (new, clock.now)
        // conformance: allow write - the directory's half of a restore by the server's operator
        try await directory.write { sql in
            for account in made {
                try AccountRepository.insert(
                    account, passwordHash: hash, confirmations: AccountConfirmations(), at: now, signUp: false,
                    in: sql)
            }
        }
        return found
    }
}
