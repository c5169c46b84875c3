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

    // MARK: - Refresh tokens

    /// Seals the refresh token that a client got, beside those of the other clients; `nil` without a new one.
    ///
    /// - Parameters:
    ///   - id: the linked identity that the tokens belong to.
    ///   - stored: the sealed tokens so far.
    func seal(
        _ token: String?, of client: IdentityClient, for id: UUID, beside stored: String? = nil
    ) throws -> String? {
        guard let token else { return nil }
        var tokens: [IdentityClient: String] = [:]
        do {
            tokens = try stored.map { try self.tokens(in: $0, of: id) } ?? [:]
        } catch {
            // Sealed with a key that is lost: nothing can be revoked with them any more.
        }
        tokens[client] = token
        return try cryptography.seal(Array(JSONEncoder().encode(tokens)), for: Self.purpose(id))
    }

    /// The refresh tokens of an identity, by the clients that got them.
    private func tokens(in sealed: String, of id: UUID) throws -> [IdentityClient: String] {
        let plain = try cryptography.open(sealed, for: Self.purpose(id))
        do {
            return try JSONDecoder().decode([IdentityClient: String].self, from: Data(plain))
        } catch is DecodingError {
            // Until 2026-11 the text was the token of the browser.
            return [.web: String(decoding: plain, as: UTF8.self)]
        }
    }

    /// Records a sign-in with a linked identity, and the newest token of the client, which is the one to revoke later.
    func touch(_ id: UUID, _ token: String?, of client: IdentityClient, in context: CommandContext) throws {
        let stored = try ProviderRepository.sealedTokens(of: id, in: context.sql)
        try ProviderRepository.touch(
            id, sealedToken: try seal(token, of: client, for: id, beside: stored), at: context.now, in: context.sql)
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

    /// Revokes the queued tokens at the provider, and those of identities that nobody signed up or linked in time. Safe to
    /// repeat: revoking twice is no error. A run revokes fewer than a hundred.
    ///
    /// Throws at its end if tokens could not be opened. They stay until they expire, in case their key comes back, and do
    /// not keep the others waiting.
    func revokeWaiting(_ job: JobContext) async throws {
        let (name, now, page) = (provider.name, job.now, 50)
        try await job.commit { try ProviderRepository.expireArrived(provider: name, at: now, in: $0) }
        var (revoked, unopened, fault): (Int, Int, (any Error)?) = (0, 0, nil)
        var waiting: [ProviderRepository.Revocation]
        repeat {
            let skipped = unopened
            waiting = try await job.directory.read {
                try ProviderRepository.revocations(provider: name, skipping: skipped, limit: page, in: $0)
            }
            for one in waiting {
                let tokens: [IdentityClient: String]
                do {
                    tokens = try self.tokens(in: one.sealedToken, of: one.id)
                } catch {
                    (unopened, fault) = (unopened + 1, error)
                    continue
                }
                do {
                    for (client, token) in tokens { try await revoke(token, of: client, job) }
                } catch IdentityFault.unreachable {
                    // The provider is down: the next run tries again.
                    return
                }
                try await job.commit { try ProviderRepository.removeRevocation(one.id, in: $0) }
                revoked += 1
            }
        } while waiting.count == page && revoked < page
        if let fault { throw fault }
    }

    private func revoke(_ token: String, of client: IdentityClient, _ job: JobContext) async throws {
        do {
            try await provider.revoke(token, of: client, at: job.now)
        } catch IdentityFault.refused {
            // The school has no app any more, so that the app's grants cannot be revoked here.
        }
    }

    var job: Job { .server("auth.revocations", every: 60) { try await revokeWaiting($0) } }
}
