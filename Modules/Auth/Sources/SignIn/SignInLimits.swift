import FeatureKit
import Foundation

/// Failed sign-ins, counted per e-mail address, whether it has an account or not, and per network end.
///
/// A whole school shares one network end, so that many more may fail there; and one good sign-in, which
/// an attacker may have too, forgives the failures of its own address alone.
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

    func take(_ email: String, _ context: RequestContext) async throws -> Attempt {
        let attempt = Attempt(
            address: "sign-in \(hasher.fingerprint(email))", network: context.remoteAddress)
        try networks.take([attempt.network], at: context.now)
        try await lockOuts.take(attempt.address, at: context.now)
        return attempt
    }

    func succeed(_ attempt: Attempt) async throws {
        networks.giveBack([attempt.network])
        try await lockOuts.forgive(attempt.address)
    }
}
