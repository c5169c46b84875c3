import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Signing in with an identity provider: what leaves, what comes back, what is linked, and what is taken back.
struct ProviderService: Sendable {
    /// How long somebody may stay at the provider.
    static let awayLifetime: TimeInterval = 10 * 60
    /// How long whoever came back may take to sign up or to link.
    static let arrivedLifetime: TimeInterval = 30 * 60
    /// How far the provider's clock and ours may differ where both date the same thing.
    static let skew: TimeInterval = 60

    let provider: any IdentityProvider
    let directory: any Database
    let hasher: any SecretHasher
    let cryptography: any Cryptography
    let publicURL: String
    /// Whoever leaves or comes back is counted per network end, which a school shares.
    private let limit = RateLimiter(limit: 200, period: 5 * 60)

    init(
        provider: any IdentityProvider, directory: any Database, hasher: any SecretHasher,
        cryptography: any Cryptography, publicURL: String
    ) {
        self.provider = provider
        self.directory = directory
        self.hasher = hasher
        self.cryptography = cryptography
        self.publicURL = publicURL
    }

    /// Where the provider sends the browser back to; it must be registered there.
    var returnAddress: String { publicURL + ArriveFromProvider.contract.path }

    func seal(_ token: String?, for id: UUID) throws -> String? {
        try token.map { try cryptography.seal(Array($0.utf8), for: Self.purpose(id)) }
    }

    private static func purpose(_ id: UUID) -> String { "provider token \(id.text)" }

    // MARK: - There and back

    /// A browser leaves. The nonce is the fingerprint of its ticket, which binds the identity token to this
    /// browser as well (OpenID Connect Core, section 15.5.2).
    func leave(
        _ context: RequestContext, linking accountId: UUID? = nil, next: String?
    ) async throws -> Departure {
        try limit.take([context.remoteAddress], at: context.now)
        let (state, ticket, now) = (context.ids.token(), context.ids.token(), context.now)
        let departure = ProviderDeparture(
            ticket: hasher.fingerprint(ticket), accountId: accountId, deviceId: context.deviceId, next: next,
            expiresAt: now.addingTimeInterval(Self.awayLifetime))
        let stateMark = hasher.fingerprint(state)
        // conformance: allow write - a link leads to the provider, since our policy lets no form be sent on there
        try await directory.write {
            try ProviderRepository.insert(departure, state: stateMark, at: now, in: $0)
        }
        return Departure(
            to: provider.authorizationAddress(
                state: state, nonce: departure.ticket, returnTo: returnAddress),
            ticket: ticket, lifetime: Self.awayLifetime + Self.arrivedLifetime)
    }

    /// The departure that this answer belongs to, used up whatever else is wrong with the answer; `nil` for one
    /// that is over, was used, or is another browser's.
    func takeDeparture(state: String?, _ context: RequestContext) async throws -> ProviderDeparture? {
        try limit.take([context.remoteAddress], at: context.now)
        guard let state, let ticket = context.ticket else { return nil }
        let (stateMark, ticketMark, now) = (hasher.fingerprint(state), hasher.fingerprint(ticket), context.now)
        // conformance: allow write - a state is good for one answer, also where the answer is not
        return try await directory.write {
            try ProviderRepository.takeDeparture(state: stateMark, ticket: ticketMark, at: now, in: $0)
        }
    }

    /// Takes back what a good sign-in was counted for: leaving, and coming back.
    func succeed(_ context: RequestContext) {
        limit.giveBack([context.remoteAddress, context.remoteAddress])
    }

    /// Whom the provider has named in this browser and who has neither signed up nor linked yet.
    func arrived(_ context: RequestContext) async throws -> ArrivedIdentity? {
        guard let ticket = context.ticket else { return nil }
        let (mark, now) = (hasher.fingerprint(ticket), context.now)
        return try await directory.read { try ProviderRepository.arrived(ticket: mark, at: now, in: $0) }
    }

    // MARK: - Taking back

    /// Unlinks every identity of the account, inside the transaction that ends the link or the account itself.
    /// The provider hears of it afterwards, also where it is down now (`revokeWaiting`).
    static func revoke(_ accountId: UUID, in context: CommandContext) throws {
        try ProviderRepository.unlinkAll(of: accountId, at: context.now, in: context.sql)
    }

    /// Takes back at the provider what was unlinked here. Safe to repeat: a grant that is over is over.
    func revokeWaiting(_ job: JobContext) async throws {
        let name = provider.name
        let waiting = try await job.directory.read {
            try ProviderRepository.revocations(provider: name, limit: 50, in: $0)
        }
        for one in waiting {
            do {
                let token = try cryptography.open(one.sealedToken, for: Self.purpose(one.id))
                try await provider.revoke(String(decoding: token, as: UTF8.self), at: job.now)
            } catch IdentityFault.unreachable {
                // The next run tries again; the others would wait as long as this one did.
                return
            }
            try await job.commit { try ProviderRepository.removeRevocation(one.id, in: $0) }
        }
    }

    var job: Job { .server("auth.revocations", every: 60) { try await revokeWaiting($0) } }
}
