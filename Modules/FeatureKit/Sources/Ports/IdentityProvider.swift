public import Foundation

/// A party that tells who somebody is: OpenID Connect Core 1.0, the authorization code flow with the answer as a
/// form post (OAuth 2.0 Form Post Response Mode).
public protocol IdentityProvider: Sendable {
    /// Kept beside each subject: `apple`. Short and never changed.
    var name: String { get }
    /// Where a browser goes to sign in there (section 3.1.2.1).
    func authorizationAddress(state: String, nonce: String, returnTo address: String) -> String
    /// Swaps the code for tokens and verifies the identity token (section 3.1.3.7). Throws `IdentityFault`.
    /// - Parameters:
    ///   - nonce: what the token must carry.
    ///   - address: the one that the browser was sent back to.
    func identity(
        code: String, nonce: String, returnTo address: String, at now: Date
    ) async throws -> ProvidedIdentity
    /// Takes back what the person granted (RFC 7009); what was over already is no fault. Throws `IdentityFault`.
    func revoke(_ refreshToken: String, at now: Date) async throws
    /// Reads what the provider itself reports about somebody, once it is verified. Throws `IdentityFault`.
    func notice(_ signed: String, at now: Date) async throws -> IdentityNotice
}

/// Somebody, as a provider knows them.
public struct ProvidedIdentity: Sendable, Hashable {
    /// The person's id there; the same for ever.
    public let subject: String
    /// An address that the provider has confirmed; `nil` where it gave none or did not confirm it.
    public let email: String?
    /// What takes the grant back later.
    public let refreshToken: String?

    public init(subject: String, email: String?, refreshToken: String?) {
        self.subject = subject
        self.email = email
        self.refreshToken = refreshToken
    }
}

/// What a provider reports by itself.
public struct IdentityNotice: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The person took their consent back, or closed their account there: they sign in this way no more.
        case ended
        /// Something that changes nothing here: mails to a relayed address stop or start again.
        case other
    }
    public let kind: Kind
    public let subject: String
    /// When it happened there.
    public let at: Date

    public init(kind: Kind, subject: String, at: Date) {
        self.kind = kind
        self.subject = subject
        self.at = at
    }
}

/// Why a provider's answer is good for nothing. Says nothing about the person, so that it may be logged.
public enum IdentityFault: Error, Hashable, Sendable {
    /// It cannot be reached, is too slow, answers what nobody understands, or refuses this server.
    case unreachable
    /// What was shown is not good.
    case refused(Reason)

    public enum Reason: String, Hashable, Sendable {
        /// The code was used, is too old, or is of another client.
        case code
        case malformed, algorithm, key, signature, issuer, audience, expired, notYet, nonce, subject
    }
}
