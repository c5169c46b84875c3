import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Sends browsers to an identity provider, matches them when they return, and revokes tokens.
struct ProviderService: Sendable {
    /// Seconds that a person may spend at the provider.
    static let awayLifetime: TimeInterval = 10 * 60
    /// Seconds that a person may take to sign up or link after returning.
    static let arrivedLifetime: TimeInterval = 30 * 60
    /// Seconds by which the provider's clock and ours may differ.
    static let skew: TimeInterval = 60

    let provider: any IdentityProvider
    let directory: any Database
    let hasher: any SecretHasher
    let cryptography: any Cryptography
    let publicURL: String
    /// Limits departures and returns per network address, which a school shares.
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

    /// The callback address, which must be registered at the provider.
    var returnAddress: String { publicURL + ReturnFromProvider.contract.path }

    func seal(_ token: String?, for id: UUID) throws -> String? {
        try token.map { try cryptography.seal(Array($0.utf8), for: Self.purpose(id)) }
    }

    private static func purpose(_ id: UUID) -> String { "provider token \(id.text)" }

    // MARK: - Departure and return

    /// Sends a browser to the provider. The nonce is the fingerprint of the browser's ticket, which binds the identity
    /// token to this browser (OpenID Connect Core, section 15.5.2).
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

    /// Uses and returns the departure of a callback, even when the callback is refused later. Returns `nil` when it has
    /// expired, was used, or belongs to another browser.
    ///
    /// - Parameter ticket: the ticket of an app, which has no cookie.
    func takeDeparture(
        state: String?, ticket: String? = nil, _ context: RequestContext
    ) async throws -> ProviderDeparture? {
        try limit.take([context.remoteAddress], at: context.now)
        guard let state, let ticket = ticket ?? context.ticket else { return nil }
        let (stateMark, ticketMark, now) = (hasher.fingerprint(state), hasher.fingerprint(ticket), context.now)
        // conformance: allow write - a state is good for one answer, also where the answer is not
        return try await directory.write {
            try ProviderRepository.takeDeparture(state: stateMark, ticket: ticketMark, at: now, in: $0)
        }
    }

    /// Counts the start of a sign-in from an app. Throws `Problem` 429 when the network has too many.
    func countStart(_ context: RequestContext) throws { try limit.take([context.remoteAddress], at: context.now) }

    /// Returns the two attempts of a successful sign-in to the limit.
    func succeed(_ context: RequestContext) {
        limit.giveBack([context.remoteAddress, context.remoteAddress])
    }

    /// The identity that this browser returned with and that is neither signed up nor linked yet.
    ///
    /// - Parameter ticket: the ticket of an app, which has no cookie.
    func arrived(_ context: RequestContext, ticket: String? = nil) async throws -> ArrivedIdentity? {
        guard let ticket = ticket ?? context.ticket else { return nil }
        let (mark, now) = (hasher.fingerprint(ticket), context.now)
        return try await directory.read { try ProviderRepository.arrived(ticket: mark, at: now, in: $0) }
    }

    // MARK: - Revocation

    /// Unlinks every identity of the account within the transaction that removes the link or the account. The job
    /// revokes the tokens afterwards (`revokeWaiting`).
    static func revoke(_ accountId: UUID, in context: CommandContext) throws {
        try ProviderRepository.unlinkAll(of: accountId, at: context.now, in: context.sql)
    }

    /// Revokes the queued tokens at the provider. Safe to repeat: revoking twice is no error.
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
                // The provider is down: the next run tries again.
                return
            }
            try await job.commit { try ProviderRepository.removeRevocation(one.id, in: $0) }
        }
    }

    var job: Job { .server("auth.revocations", every: 60) { try await revokeWaiting($0) } }
}
