public import Foundation

/// A service that signs people in, such as Apple.
///
/// It follows OpenID Connect Core 1.0: the authorization code flow with a form post as answer (OAuth 2.0 Form Post
/// Response Mode).
public protocol IdentityProvider: Sendable {
    /// The short name of the provider that is stored with each subject, and never changes: `apple`.
    var name: String { get }
    /// The address at which a browser signs in with the provider (section 3.1.2.1).
    func authorizationAddress(state: String, nonce: String, returnTo address: String) -> String
    /// Exchanges the code for tokens and verifies the identity token (section 3.1.3.7). Throws `IdentityFault`.
    /// - Parameters:
    ///   - nonce: the nonce that the token must carry.
    ///   - address: the address that the browser was sent back to.
    func identity(
        code: String, nonce: String, returnTo address: String, at now: Date
    ) async throws -> ProvidedIdentity
    /// Whether the school has an app of its own, whose identity tokens this server accepts.
    var hasApp: Bool { get }
    /// Verifies the identity token that the provider gave to the school's app (section 3.1.3.7), and exchanges the code
    /// that came with it. Throws `IdentityFault` for the token alone: without the exchange, which can fail, the identity
    /// has no refresh token.
    /// - Parameters:
    ///   - code: the code of the same sign-in; `nil` if the app sent none.
    ///   - nonce: the nonce that the token must carry.
    func identity(token: String, code: String?, nonce: String, at now: Date) async throws -> ProvidedIdentity
    /// Revokes the grant that the person gave to a client (RFC 7009); a grant that is over already is no error. Throws
    /// `IdentityFault`: `refused` for a client that this server is no longer registered as.
    func revoke(_ refreshToken: String, of client: IdentityClient, at now: Date) async throws
    /// Verifies and reads a message that the provider sends about a person, such as a closed account. Throws
    /// `IdentityFault`.
    func notice(_ signed: String, at now: Date) async throws -> IdentityNotice
}

/// A client of an identity provider. A person gives each client a grant of its own, which only this client revokes.
public enum IdentityClient: String, Codable, CodingKeyRepresentable, Sendable, Hashable, CaseIterable {
    /// The pages of this server.
    case web
    /// The school's app.
    case app
}

/// A person as an identity provider knows them.
public struct ProvidedIdentity: Sendable, Hashable {
    /// The id of the person at the provider, which never changes.
    public let subject: String
    /// The address that the provider has confirmed; `nil` if it sent none or did not confirm it.
    public let email: String?
    /// The token with which the person's consent to the sign-in can be revoked; `nil` if the provider sent none.
    public let refreshToken: String?

    public init(subject: String, email: String?, refreshToken: String?) {
        self.subject = subject
        self.email = email
        self.refreshToken = refreshToken
    }
}

/// A message of an identity provider about a person.
public struct IdentityNotice: Sendable, Hashable {
    /// The event that an identity provider's message is about.
    public enum Kind: Sendable, Hashable {
        /// The person withdrew their consent, or closed their account with the provider. They can no longer sign in
        /// with it.
        case ended
        /// Anything else, which changes nothing here, such as mails to a relayed address.
        case other
    }
    public let kind: Kind
    /// The id at the provider of the person whom the message is about.
    public let subject: String
    /// The time of the event that the message is about.
    public let at: Date

    public init(kind: Kind, subject: String, at: Date) {
        self.kind = kind
        self.subject = subject
        self.at = at
    }
}

/// The reason why a provider's answer is not accepted. It says nothing about the person, so that it may be logged.
public enum IdentityFault: Error, Hashable, Sendable {
    /// The provider is unreachable, too slow, answers unreadably, or refuses this server.
    case unreachable
    /// The provider did not accept the code, or its token is not valid.
    case refused(Reason)

    /// The reason why a code or a token is not valid.
    public enum Reason: String, Hashable, Sendable {
        /// The code was used before, is too old, or belongs to another client.
        case code
        case malformed, algorithm, key, signature, issuer, audience, expired, notYet, nonce, subject
    }
}
