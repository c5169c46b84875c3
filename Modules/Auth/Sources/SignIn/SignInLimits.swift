import FeatureKit
import Foundation

/// Limits failed sign-ins per email address, known or not, and per network address.
///
/// A whole school shares one network address, so many more attempts may fail there. A successful sign-in clears only
/// its own address's failures, since an attacker may have an account too.
struct SignInLimits: Sendable {
    struct Attempt: Sendable {
        fileprivate let address: String
        fileprivate let network: String
    }
    let hasher: any SecretHasher
    let lockOuts: LockOuts
    private let networks = RateLimiter(limit: 100, period: 5 * 60)

    init(hasher: any SecretHasher, lockOuts: LockOuts) {
        self.hasher = hasher
        self.lockOuts = lockOuts
    }

    /// Counts an attempt. Throws `Problem` 429 while the address is locked or the network has too many failures.
    func take(_ email: String, _ context: RequestContext) async throws -> Attempt {
        let attempt = Attempt(
            address: "sign-in \(hasher.fingerprint(email))", network: context.remoteAddress)
        try networks.take([attempt.network], at: context.now)
        try await lockOuts.take(attempt.address, at: context.now)
        return attempt
    }

    /// Takes a successful attempt back from the counts.
    func succeed(_ attempt: Attempt) async throws {
        networks.giveBack([attempt.network])
        try await lockOuts.forgive(attempt.address)
    }
}
