// Declarations of AuthenticationServices, for Linux only: exactly those that Apps/iOS uses. See Tests/Support/AppleShapes/README.md.

public import Foundation
public import SwiftUI

/// A request for a sign-in.
///
/// Apple: ASAuthorizationRequest. iOS 13.0.
open class ASAuthorizationRequest: NSObject {}

/// A request for a sign-in with Apple.
///
/// Apple: ASAuthorizationAppleIDRequest. iOS 13.0.
public final class ASAuthorizationAppleIDRequest: ASAuthorizationRequest {
    /// Apple: requestedScopes. iOS 13.0.
    public var requestedScopes: [ASAuthorization.Scope]?
    /// Apple: nonce. iOS 13.0.
    public var nonce: String?
}

/// A successful sign-in.
///
/// Apple: ASAuthorization. iOS 13.0.
public final class ASAuthorization: NSObject {
    /// A part of a person's account.
    ///
    /// Apple: ASAuthorization.Scope. iOS 13.0.
    public struct Scope: Hashable, Sendable {
        let name: String
        /// Apple: fullName. iOS 13.0.
        public static let fullName = Scope(name: "fullName")
        /// Apple: email. iOS 13.0.
        public static let email = Scope(name: "email")
    }
}

/// The maker of requests for a sign-in with Apple.
///
/// Apple: ASAuthorizationAppleIDProvider. iOS 13.0.
public final class ASAuthorizationAppleIDProvider: NSObject {
    /// Apple: createRequest(). iOS 13.0.
    public func createRequest() -> ASAuthorizationAppleIDRequest { ASAuthorizationAppleIDRequest() }
}

/// Apple's statement about who signed in.
///
/// Apple: ASAuthorizationAppleIDCredential. iOS 13.0.
public final class ASAuthorizationAppleIDCredential: NSObject {
    /// Apple: ASAuthorizationAppleIDCredential.user. iOS 13.0.
    public let user: String
    /// Apple: identityToken. iOS 13.0.
    public let identityToken: Data?
    /// Apple: authorizationCode. iOS 13.0.
    public let authorizationCode: Data?
    /// Apple: ASAuthorizationAppleIDCredential.fullName. iOS 13.0.
    public let fullName: PersonNameComponents?

    init(user: String, token: Data?, code: Data?, name: PersonNameComponents?) {
        self.user = user
        identityToken = token
        authorizationCode = code
        fullName = name
    }
}

/// A request for a sign-in with a passkey.
///
/// Apple: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest. iOS 15.0.
public final class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
    let server: String
    let challenge: Data

    init(server: String, challenge: Data) {
        self.server = server
        self.challenge = challenge
    }
}

/// The maker of requests for passkeys of a domain.
///
/// Apple: ASAuthorizationPlatformPublicKeyCredentialProvider. iOS 15.0.
public final class ASAuthorizationPlatformPublicKeyCredentialProvider: NSObject {
    let server: String

    /// Apple: init(relyingPartyIdentifier:). iOS 15.0.
    public init(relyingPartyIdentifier: String) { server = relyingPartyIdentifier }

    /// Apple: createCredentialAssertionRequest(challenge:). iOS 15.0.
    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
        ASAuthorizationPlatformPublicKeyCredentialAssertionRequest(server: server, challenge: challenge)
    }

    /// Apple: createCredentialRegistrationRequest(challenge:name:userID:). iOS 15.0.
    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest(
            server: server, challenge: challenge, name: name, user: userID)
    }
}

/// Whether the person proves who they are, such as by their face.
///
/// Apple: ASAuthorizationPublicKeyCredentialUserVerificationPreference. iOS 15.0.
public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: Hashable, Sendable {
    let name: String
    /// Apple: ASAuthorizationPublicKeyCredentialUserVerificationPreference.required. iOS 15.0.
    public static let required = ASAuthorizationPublicKeyCredentialUserVerificationPreference(name: "required")
    static let preferred = ASAuthorizationPublicKeyCredentialUserVerificationPreference(name: "preferred")
}

/// A passkey by its id.
///
/// Apple: ASAuthorizationPlatformPublicKeyCredentialDescriptor. iOS 15.0.
public final class ASAuthorizationPlatformPublicKeyCredentialDescriptor: NSObject {
    let id: Data

    /// Apple: ASAuthorizationPlatformPublicKeyCredentialDescriptor.init(credentialID:). iOS 15.0.
    public init(credentialID: Data) { id = credentialID }
}

/// A request for a new passkey.
///
/// Apple: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest. iOS 15.0.
public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
    let server: String
    let challenge: Data
    let name: String
    let user: Data
    /// Apple: displayName. iOS 15.0.
    public var displayName: String?
    /// Apple: userVerificationPreference. iOS 15.0.
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// Apple: excludedCredentials. iOS 17.4.
    @available(iOS 17.4, *)
    public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? {
        get { excluded }
        set { excluded = newValue }
    }
    var excluded: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?

    init(server: String, challenge: Data, name: String, user: Data) {
        self.server = server
        self.challenge = challenge
        self.name = name
        self.user = user
    }
}

/// A new passkey.
///
/// Apple: ASAuthorizationPlatformPublicKeyCredentialRegistration. iOS 15.0.
public final class ASAuthorizationPlatformPublicKeyCredentialRegistration: NSObject {
    /// Apple: ASAuthorizationPlatformPublicKeyCredentialRegistration.rawClientDataJSON. iOS 15.0.
    public let rawClientDataJSON: Data
    /// Apple: ASAuthorizationPlatformPublicKeyCredentialRegistration.rawAttestationObject. iOS 15.0.
    public let rawAttestationObject: Data?

    init(clientData: Data, attestation: Data?) {
        rawClientDataJSON = clientData
        rawAttestationObject = attestation
    }
}

/// The maker of requests for security keys of a domain.
///
/// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialProvider. iOS 15.0.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialProvider: NSObject {
    let server: String

    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialProvider.init(relyingPartyIdentifier:). iOS 15.0.
    public init(relyingPartyIdentifier: String) { server = relyingPartyIdentifier }

    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialProvider.createCredentialAssertionRequest(challenge:). iOS 15.0.
    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
        ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest(server: server, challenge: challenge)
    }

    /// Apple: createCredentialRegistrationRequest(challenge:displayName:name:userID:). iOS 15.0.
    public func createCredentialRegistrationRequest(
        challenge: Data, displayName: String, name: String, userID: Data
    ) -> ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
        ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest(
            server: server, challenge: challenge, displayName: displayName, name: name, user: userID)
    }
}

/// A request for a sign-in with a security key.
///
/// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest. iOS 15.0.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
    let server: String
    let challenge: Data
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest.userVerificationPreference. iOS 15.0.
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred

    init(server: String, challenge: Data) {
        self.server = server
        self.challenge = challenge
    }
}

/// An algorithm of COSE.
///
/// Apple: ASCOSEAlgorithmIdentifier. iOS 15.0.
public struct ASCOSEAlgorithmIdentifier: Hashable, Sendable {
    let number: Int
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Apple: ASCOSEAlgorithmIdentifier.ES256. iOS 15.0.
    public static let ES256 = ASCOSEAlgorithmIdentifier(number: -7)
}

/// An algorithm that the server accepts.
///
/// Apple: ASAuthorizationPublicKeyCredentialParameters. iOS 15.0.
public final class ASAuthorizationPublicKeyCredentialParameters: NSObject {
    let algorithm: ASCOSEAlgorithmIdentifier

    /// Apple: ASAuthorizationPublicKeyCredentialParameters.init(algorithm:). iOS 15.0.
    public init(algorithm: ASCOSEAlgorithmIdentifier) { self.algorithm = algorithm }
}

/// Whether a security key stores the passkey, so that it signs in without the name of the account.
///
/// Apple: ASAuthorizationPublicKeyCredentialResidentKeyPreference. iOS 15.0.
public struct ASAuthorizationPublicKeyCredentialResidentKeyPreference: Hashable, Sendable {
    let name: String
    /// Apple: ASAuthorizationPublicKeyCredentialResidentKeyPreference.required. iOS 15.0.
    public static let required = ASAuthorizationPublicKeyCredentialResidentKeyPreference(name: "required")
    static let discouraged = ASAuthorizationPublicKeyCredentialResidentKeyPreference(name: "discouraged")
}

/// A passkey of a security key by its id.
///
/// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor. iOS 15.0.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor: NSObject {
    /// A way in which a security key is connected.
    ///
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport. iOS 15.0.
    public struct Transport: Hashable, Sendable {
        let name: String
        /// Apple: allSupported. iOS 15.0.
        public static var allSupported: [Transport] { ["usb", "nfc", "ble"].map(Transport.init) }
    }
    let id: Data
    let transports: [Transport]

    /// Apple: init(credentialID:transports:). iOS 15.0.
    public init(credentialID: Data, transports: [Transport]) {
        id = credentialID
        self.transports = transports
    }
}

/// A request for a new passkey on a security key.
///
/// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest. iOS 15.0.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
    let server: String
    let challenge: Data
    let displayName: String
    let name: String
    let user: Data
    /// Apple: credentialParameters. iOS 15.0.
    public var credentialParameters: [ASAuthorizationPublicKeyCredentialParameters] = []
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest.excludedCredentials. iOS 15.0.
    public var excludedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
    /// Apple: residentKeyPreference. iOS 15.0.
    public var residentKeyPreference = ASAuthorizationPublicKeyCredentialResidentKeyPreference.discouraged
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest.userVerificationPreference. iOS 15.0.
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred

    init(server: String, challenge: Data, displayName: String, name: String, user: Data) {
        self.server = server
        self.challenge = challenge
        self.displayName = displayName
        self.name = name
        self.user = user
    }
}

/// A new passkey on a security key.
///
/// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialRegistration. iOS 15.0.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialRegistration: NSObject {
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialRegistration.rawClientDataJSON. iOS 15.0.
    public let rawClientDataJSON: Data
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialRegistration.rawAttestationObject. iOS 15.0.
    public let rawAttestationObject: Data?

    init(clientData: Data, attestation: Data?) {
        rawClientDataJSON = clientData
        rawAttestationObject = attestation
    }
}

/// The answer of a security key.
///
/// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertion. iOS 15.0.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialAssertion: NSObject {
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertion.credentialID. iOS 15.0.
    public let credentialID: Data
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertion.rawClientDataJSON. iOS 15.0.
    public let rawClientDataJSON: Data
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertion.rawAuthenticatorData. iOS 15.0.
    public let rawAuthenticatorData: Data!
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertion.signature. iOS 15.0.
    public let signature: Data!
    /// Apple: ASAuthorizationSecurityKeyPublicKeyCredentialAssertion.userID. iOS 15.0.
    public let userID: Data!

    init(id: Data, clientData: Data, authenticatorData: Data?, signature: Data?, user: Data?) {
        credentialID = id
        rawClientDataJSON = clientData
        rawAuthenticatorData = authenticatorData
        self.signature = signature
        userID = user
    }
}

/// The answer of a passkey.
///
/// Apple: ASAuthorizationPlatformPublicKeyCredentialAssertion. iOS 15.0.
public final class ASAuthorizationPlatformPublicKeyCredentialAssertion: NSObject {
    /// Apple: credentialID. iOS 15.0.
    public let credentialID: Data
    /// Apple: rawClientDataJSON. iOS 15.0.
    public let rawClientDataJSON: Data
    /// Apple: rawAuthenticatorData. iOS 15.0.
    public let rawAuthenticatorData: Data!
    /// Apple: signature. iOS 15.0.
    public let signature: Data!
    /// Apple: userID. iOS 15.0.
    public let userID: Data!

    init(id: Data, clientData: Data, authenticatorData: Data?, signature: Data?, user: Data?) {
        credentialID = id
        rawClientDataJSON = clientData
        rawAuthenticatorData = authenticatorData
        self.signature = signature
        userID = user
    }
}

/// The result of a request.
///
/// Apple: ASAuthorizationResult. iOS 16.4.
public enum ASAuthorizationResult {
    case appleID(ASAuthorizationAppleIDCredential)
    case passkeyAssertion(ASAuthorizationPlatformPublicKeyCredentialAssertion)
    case passkeyRegistration(ASAuthorizationPlatformPublicKeyCredentialRegistration)
    case securityKeyAssertion(ASAuthorizationSecurityKeyPublicKeyCredentialAssertion)
    case securityKeyRegistration(ASAuthorizationSecurityKeyPublicKeyCredentialRegistration)
}

/// The value of the environment that shows the system's sheets for signing in.
///
/// Apple: AuthorizationController. iOS 16.4.
@MainActor
public struct AuthorizationController {
    let answer: @MainActor @Sendable ([ASAuthorizationRequest]) throws -> ASAuthorizationResult

    nonisolated init(
        answer: @escaping @MainActor @Sendable ([ASAuthorizationRequest]) throws -> ASAuthorizationResult
    ) { self.answer = answer }

    /// Apple: performRequests(_:). iOS 16.4.
    public func performRequests(_ requests: [ASAuthorizationRequest]) async throws -> ASAuthorizationResult {
        try answer(requests)
    }
}

/// An error of a sign-in.
///
/// Apple: ASAuthorizationError. iOS 13.0.
public struct ASAuthorizationError: Error {
    /// The reason of an error.
    ///
    /// Apple: ASAuthorizationError.Code. iOS 13.0.
    public enum Code: Int, Sendable {
        case unknown = 1000
        case canceled = 1001
        case failed = 1004
    }
    /// Apple: code. iOS 13.0.
    public let code: Code
}

enum ControllerKey: EnvironmentKey {
    static var defaultValue: AuthorizationController {
        AuthorizationController { _ in preconditionFailure("no test answers the system's sheet") }
    }
}

extension EnvironmentValues {
    /// Apple: authorizationController. iOS 16.4.
    public var authorizationController: AuthorizationController { self[ControllerKey.self] }
}
