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
    /// Apple: identityToken. iOS 13.0.
    public let identityToken: Data?
    /// Apple: authorizationCode. iOS 13.0.
    public let authorizationCode: Data?
    /// Apple: ASAuthorizationAppleIDCredential.fullName. iOS 13.0.
    public let fullName: PersonNameComponents?

    init(token: Data?, code: Data?, name: PersonNameComponents?) {
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
}

/// The value of the environment that shows the system's sheets for signing in.
///
/// Apple: AuthorizationController. iOS 16.4.
@MainActor
public struct AuthorizationController {
    let answer: @MainActor @Sendable (ASAuthorizationRequest) throws -> ASAuthorizationResult

    nonisolated init(
        answer: @escaping @MainActor @Sendable (ASAuthorizationRequest) throws -> ASAuthorizationResult
    ) { self.answer = answer }

    /// Apple: performRequest(_:options:). iOS 16.4.
    public func performRequest(_ request: ASAuthorizationRequest) async throws -> ASAuthorizationResult {
        try answer(request)
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
