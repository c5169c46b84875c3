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
        forgetSessions()
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
        // One secret that nobody ever sees does for all: it lets none of them in.
        let hash = try await hasher.hash(password: ids.token())
        let (made, now) = (new, clock.now)
        // conformance: allow write - the directory's half of a restore by the server's operator
        try await directory.write { sql in
            for account in made {
                try AccountRepository.insert(
                    account, passwordHash: hash, standing: AccountStanding(), at: now, signUp: false, in: sql)
            }
        }
        return found
    }
}
