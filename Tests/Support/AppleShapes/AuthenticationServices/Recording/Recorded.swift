public import Foundation

extension AuthorizationController {
    /// The system's sheet, which answers as a test decides.
    public static func recorded(
        _ answer: @escaping (ASAuthorizationRequest) throws -> ASAuthorizationResult
    ) -> AuthorizationController { AuthorizationController(answer: answer) }
}

extension ASAuthorizationResult {
    public static func recorded(token: Data?, code: Data?, name: PersonNameComponents?) -> ASAuthorizationResult {
        .appleID(ASAuthorizationAppleIDCredential(token: token, code: code, name: name))
    }

    public static func recorded(
        passkey id: Data, clientData: Data, authenticatorData: Data?, signature: Data?
    ) -> ASAuthorizationResult {
        .passkeyAssertion(
            ASAuthorizationPlatformPublicKeyCredentialAssertion(
                id: id, clientData: clientData, authenticatorData: authenticatorData, signature: signature))
    }
}

extension ASAuthorizationPlatformPublicKeyCredentialAssertionRequest {
    public var recordedServer: String { server }
    public var recordedChallenge: Data { challenge }
}
