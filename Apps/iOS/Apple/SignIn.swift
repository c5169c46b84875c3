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
        /// The id of the person that the server gave the passkey.
        public let userHandle: String
    }

    /// The system gave another answer than the one that was asked for.
    public struct UnexpectedAnswer: Error, Hashable, Sendable {
        public init() {}
    }

    private let controller: AuthorizationController

    /// - Parameter controller: the value `authorizationController` of a view's environment.
    public init(_ controller: AuthorizationController) { self.controller = controller }

    /// Signs in with Apple; `nil` if the person cancels. Throws the system's error.
    /// - Parameter nonce: the text of the server's challenge, which the token contains.
    public func apple(nonce: String) async throws -> Identity? {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = nonce
        guard let answer = try await answer(to: request) else { return nil }
        guard case .appleID(let credential) = answer, let token = credential.identityToken,
            let code = credential.authorizationCode
        else { throw UnexpectedAnswer() }
        return Identity(
            token: String(decoding: token, as: UTF8.self), code: String(decoding: code, as: UTF8.self),
            name: credential.fullName)
    }

    /// Signs in with a passkey; `nil` if the person cancels. Throws the system's error.
    /// - Parameters:
    ///   - server: the domain that the passkey belongs to.
    ///   - challenge: the bytes of the server's challenge.
    public func passkey(of server: String, challenge: Data) async throws -> Assertion? {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: server)
        let request = provider.createCredentialAssertionRequest(challenge: challenge)
        guard let answer = try await answer(to: request) else { return nil }
        guard case .passkeyAssertion(let credential) = answer,
            let authenticatorData = credential.rawAuthenticatorData, let signature = credential.signature,
            let user = credential.userID
        else { throw UnexpectedAnswer() }
        return Assertion(
            passkeyId: credential.credentialID.base64URL, clientData: credential.rawClientDataJSON.base64URL,
            authenticatorData: authenticatorData.base64URL, signature: signature.base64URL,
            userHandle: user.base64URL)
    }

    private func answer(to request: ASAuthorizationRequest) async throws -> ASAuthorizationResult? {
        do {
            return try await controller.performRequest(request)
        } catch let error as ASAuthorizationError where error.code == .canceled {
            return nil
        }
    }
}

extension Data {
    /// The bytes in base64url without padding.
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of a text in base64url (RFC 4648 section 5), with or without padding; `nil` for any other text.
    public init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
