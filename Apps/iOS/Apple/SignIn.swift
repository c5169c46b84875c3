public import AuthenticationServices
public import Foundation

/// Sign in with Apple and with a passkey, in the system's sheet.
@MainActor
public struct SystemSignIn {
    /// Apple's statement about who signed in.
    public struct Identity: Hashable, Sendable {
        /// The token that the server checks (a JWT).
        public let token: String
        /// The code that the server exchanges.
        public let code: String
        /// The name, which Apple tells only at the first time.
        public let name: PersonNameComponents?
    }

    /// The answer of a passkey to the server's challenge, in base64url (RFC 4648 section 5).
    public struct Assertion: Hashable, Sendable {
        public let passkeyId: String
        public let clientData: String
        public let authenticatorData: String
        public let signature: String
    }

    /// The system gave another answer than the one that was asked for.
    public struct UnexpectedAnswer: Error, Hashable, Sendable {}

    private let controller: AuthorizationController

    /// - Parameter controller: the value `authorizationController` of a view's environment.
    public init(_ controller: AuthorizationController) { self.controller = controller }

    /// Signs in with Apple. Throws the system's error, also if the person cancels.
    /// - Parameter nonce: the text of the server's challenge, which the token contains.
    public func apple(nonce: String) async throws -> Identity {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = nonce
        guard case .appleID(let credential) = try await controller.performRequest(request),
            let token = credential.identityToken, let code = credential.authorizationCode
        else { throw UnexpectedAnswer() }
        return Identity(
            token: String(decoding: token, as: UTF8.self), code: String(decoding: code, as: UTF8.self),
            name: credential.fullName)
    }

    /// Signs in with a passkey. Throws the system's error, also if the person cancels.
    /// - Parameters:
    ///   - server: the domain that the passkey belongs to.
    ///   - challenge: the bytes of the server's challenge.
    public func passkey(of server: String, challenge: Data) async throws -> Assertion {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: server)
        let request = provider.createCredentialAssertionRequest(challenge: challenge)
        guard case .passkeyAssertion(let credential) = try await controller.performRequest(request),
            let authenticatorData = credential.rawAuthenticatorData, let signature = credential.signature
        else { throw UnexpectedAnswer() }
        return Assertion(
            passkeyId: credential.credentialID.base64URL, clientData: credential.rawClientDataJSON.base64URL,
            authenticatorData: authenticatorData.base64URL, signature: signature.base64URL)
    }
}

extension Data {
    /// The bytes in base64url without padding.
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
