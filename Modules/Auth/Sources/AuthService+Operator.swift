import AuthInterface
import Domain
import FeatureKit
import Foundation

extension AuthService {
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
