public import Foundation
public import SwiftUI

extension AuthorizationController {
    /// The system's sheet, which answers as a test decides.
    public static func recorded(
        _ answer: @escaping @MainActor @Sendable (ASAuthorizationRequest) throws -> ASAuthorizationResult
    ) -> AuthorizationController { AuthorizationController(answer: answer) }
}

extension ASAuthorizationResult {
    public static func recorded(token: Data?, code: Data?, name: PersonNameComponents?) -> ASAuthorizationResult {
        .appleID(ASAuthorizationAppleIDCredential(token: token, code: code, name: name))
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
