public import Foundation
public import SwiftUI

extension AuthorizationController {
    /// The system's sheet, which answers as a test decides.
    public static func recorded(
        _ answer: @escaping @MainActor @Sendable (ASAuthorizationRequest) throws -> ASAuthorizationResult
    ) -> AuthorizationController { AuthorizationController { try answer($0[0]) } }

    /// The system's sheet for several ways of signing in, which answers as a test decides.
    public static func recordedAll(
        _ answer: @escaping @MainActor @Sendable ([ASAuthorizationRequest]) throws -> ASAuthorizationResult
    ) -> AuthorizationController { AuthorizationController(answer: answer) }
}

extension ASAuthorizationResult {
    public static func recorded(
        user: String = "001.ana", token: Data?, code: Data?, name: PersonNameComponents?
    ) -> ASAuthorizationResult {
        .appleID(ASAuthorizationAppleIDCredential(user: user, token: token, code: code, name: name))
    }

    /// A new passkey: on the device, or on a security key.
    public static func recorded(
        newPasskey clientData: Data, attestation: Data?, isOnKey: Bool = false
    ) -> ASAuthorizationResult {
        isOnKey
            ? .securityKeyRegistration(
                ASAuthorizationSecurityKeyPublicKeyCredentialRegistration(
                    clientData: clientData, attestation: attestation))
            : .passkeyRegistration(
                ASAuthorizationPlatformPublicKeyCredentialRegistration(
                    clientData: clientData, attestation: attestation))
    }

    public static func recorded(
        securityKey id: Data, clientData: Data, authenticatorData: Data?, signature: Data?, user: Data? = nil
    ) -> ASAuthorizationResult {
        .securityKeyAssertion(
            ASAuthorizationSecurityKeyPublicKeyCredentialAssertion(
                id: id, clientData: clientData, authenticatorData: authenticatorData, signature: signature,
                user: user))
    }

    public static func recorded(
        passkey id: Data, clientData: Data, authenticatorData: Data?, signature: Data?, user: Data? = nil
    ) -> ASAuthorizationResult {
        .passkeyAssertion(
            ASAuthorizationPlatformPublicKeyCredentialAssertion(
                id: id, clientData: clientData, authenticatorData: authenticatorData, signature: signature,
                user: user))
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
    public var recordedServer: String { server }
    public var recordedChallenge: Data { challenge }
}

extension ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest {
    public var recordedServer: String { server }
    public var recordedChallenge: Data { challenge }
    public var isVerifying: Bool { userVerificationPreference == .required }
}

/// What a request for a new passkey asks for.
public struct RecordedRegistration: Hashable, Sendable {
    public let server: String
    public let challenge: Data
    public let name: String
    public let displayName: String?
    public let user: Data
    public let excluded: [Data]
    public let isVerifying: Bool

    public init(
        server: String, challenge: Data, name: String, displayName: String?, user: Data, excluded: [Data],
        isVerifying: Bool
    ) {
        self.server = server
        self.challenge = challenge
        self.name = name
        self.displayName = displayName
        self.user = user
        self.excluded = excluded
        self.isVerifying = isVerifying
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
    public var recorded: RecordedRegistration {
        RecordedRegistration(
            server: server, challenge: challenge, name: name, displayName: displayName, user: user,
            excluded: (excluded ?? []).map(\.id), isVerifying: userVerificationPreference == .required)
    }
}

extension ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest {
    public var recorded: RecordedRegistration {
        RecordedRegistration(
            server: server, challenge: challenge, name: name, displayName: displayName, user: user,
            excluded: excludedCredentials.map(\.id), isVerifying: userVerificationPreference == .required)
    }

    /// The numbers of the accepted algorithms (COSE).
    public var recordedAlgorithms: [Int] { credentialParameters.map(\.algorithm.number) }
    /// Whether the key stores the passkey.
    public var isResident: Bool { residentKeyPreference == .required }
    /// Whether each excluded passkey is found however its key is connected.
    public var excludesEveryTransport: Bool {
        excludedCredentials.allSatisfy {
            $0.transports == ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport.allSupported
        }
    }
}

extension ASAuthorizationError {
    public static func recorded(_ code: Code) -> ASAuthorizationError { ASAuthorizationError(code: code) }
}

extension EnvironmentValues {
    /// The environment with the system's sheet, which answers as a test decides.
    public func recorded(_ controller: AuthorizationController) -> EnvironmentValues {
        var values = self
        values[ControllerKey.self] = controller
        return values
    }
}
