public import AuthenticationServices
public import Foundation

/// Sign in with Apple and with a passkey, in the system's sheet.
@MainActor
public struct SystemSignIn {
    /// Apple's statement about who signed in.
    public struct Identity: Hashable, Sendable {
        /// Apple's id of the person.
        public let user: String
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

    /// The values with which a device creates a passkey.
    public struct NewPasskey: Hashable, Sendable {
        /// The domain that the passkey belongs to.
        public let server: String
        /// The bytes of the server's challenge.
        public let challenge: Data
        /// The id of the person for the passkey.
        public let user: Data
        /// The name of the account.
        public let name: String
        /// The name of the person.
        public let displayName: String
        /// The passkeys that the account has already, of which no second one is made in the same place.
        public let known: [Data]

        public init(
            server: String, challenge: Data, user: Data, name: String, displayName: String, known: [Data]
        ) {
            self.server = server
            self.challenge = challenge
            self.user = user
            self.name = name
            self.displayName = displayName
            self.known = known
        }
    }

    /// The answer of a new passkey to the server's challenge, in base64url (RFC 4648 section 5).
    public struct Registration: Hashable, Sendable {
        public let clientData: String
        public let attestation: String
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
        guard let answer = try await answer(to: [request]) else { return nil }
        guard case .appleID(let credential) = answer, let token = credential.identityToken,
            let code = credential.authorizationCode
        else { throw UnexpectedAnswer() }
        return Identity(
            user: credential.user, token: String(decoding: token, as: UTF8.self),
            code: String(decoding: code, as: UTF8.self),
            name: credential.fullName)
    }

    /// Signs in with a passkey of the device or of a security key; `nil` if the person cancels. Throws the system's
    /// error.
    /// - Parameters:
    ///   - server: the domain that the passkey belongs to.
    ///   - challenge: the bytes of the server's challenge.
    public func passkey(of server: String, challenge: Data) async throws -> Assertion? {
        let device = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: server)
        let key = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: server)
        let keyRequest = key.createCredentialAssertionRequest(challenge: challenge)
        // The server refuses a key that was only touched.
        keyRequest.userVerificationPreference = .required
        let requests = [device.createCredentialAssertionRequest(challenge: challenge), keyRequest]
        switch try await answer(to: requests) {
        case nil: return nil
        case .passkeyAssertion(let credential):
            return try Assertion(
                credential.credentialID, credential.rawClientDataJSON, credential.rawAuthenticatorData,
                credential.signature, credential.userID)
        case .securityKeyAssertion(let credential):
            return try Assertion(
                credential.credentialID, credential.rawClientDataJSON, credential.rawAuthenticatorData,
                credential.signature, credential.userID)
        default: throw UnexpectedAnswer()
        }
    }

    /// Creates a passkey on the device or on a security key; `nil` if the person cancels. Throws the system's error.
    public func create(_ passkey: NewPasskey) async throws -> Registration? {
        switch try await answer(to: [onDevice(passkey), onKey(passkey)]) {
        case nil: return nil
        case .passkeyRegistration(let credential):
            return try Registration(credential.rawClientDataJSON, credential.rawAttestationObject)
        case .securityKeyRegistration(let credential):
            return try Registration(credential.rawClientDataJSON, credential.rawAttestationObject)
        default: throw UnexpectedAnswer()
        }
    }

    private func onDevice(_ passkey: NewPasskey) -> ASAuthorizationRequest {
        let request = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: passkey.server)
            .createCredentialRegistrationRequest(
                challenge: passkey.challenge, name: passkey.name, userID: passkey.user)
        request.displayName = passkey.displayName
        request.userVerificationPreference = .required
        // Before iOS 17.4 the new passkey takes the place of the one before.
        if #available(iOS 17.4, *) {
            request.excludedCredentials = passkey.known.map {
                ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
            }
        }
        return request
    }

    private func onKey(_ passkey: NewPasskey) -> ASAuthorizationRequest {
        let request = ASAuthorizationSecurityKeyPublicKeyCredentialProvider(relyingPartyIdentifier: passkey.server)
            .createCredentialRegistrationRequest(
                challenge: passkey.challenge, displayName: passkey.displayName, name: passkey.name,
                userID: passkey.user)
        // The first of the server's algorithms, which every security key has.
        request.credentialParameters = [ASAuthorizationPublicKeyCredentialParameters(algorithm: .ES256)]
        // A sign-in begins without the name of the account.
        request.residentKeyPreference = .required
        request.userVerificationPreference = .required
        request.excludedCredentials = passkey.known.map {
            ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor(
                credentialID: $0, transports: Transport.allSupported)
        }
        return request
    }

    private typealias Transport = ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport

    private func answer(to requests: [ASAuthorizationRequest]) async throws -> ASAuthorizationResult? {
        do {
            return try await controller.performRequests(requests)
        } catch let error as ASAuthorizationError where error.code == .canceled {
            return nil
        }
    }
}

extension SystemSignIn.Assertion {
    fileprivate init(
        _ id: Data, _ clientData: Data, _ authenticatorData: Data?, _ signature: Data?, _ user: Data?
    ) throws {
        guard let authenticatorData, let signature, let user else { throw SystemSignIn.UnexpectedAnswer() }
        passkeyId = id.base64URL
        self.clientData = clientData.base64URL
        self.authenticatorData = authenticatorData.base64URL
        self.signature = signature.base64URL
        userHandle = user.base64URL
    }
}

extension SystemSignIn.Registration {
    fileprivate init(_ clientData: Data, _ attestation: Data?) throws {
        guard let attestation else { throw SystemSignIn.UnexpectedAnswer() }
        self.clientData = clientData.base64URL
        self.attestation = attestation.base64URL
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
