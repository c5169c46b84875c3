public import AppShell
public import AppleTools
import AuthenticationServices
import Client
import Foundation

/// Reads cards through Core NFC.
@MainActor
final class DeviceCardReader: CardReader {
    var isAvailable: Bool { TagReader.isAvailable }

    func read(prompt: String) async throws -> String? {
        do {
            return try await TagReader(prompt: prompt).read()
        } catch is CancellationError {
            return nil
        }
    }
}

/// Reads codes with the scanner of the device's tools.
@MainActor
final class DeviceCodeScanner: CodeScanner {
    private let tools: DeviceTools

    init(_ tools: DeviceTools) { self.tools = tools }

    var isAvailable: Bool { tools.isAvailable(.code) }

    func scan() async throws -> String? { await tools.scanCode() }
}

// Both have the same operation, which names no type of either part.
extension DeviceTools: FileChooser {}

/// Signs in with Apple and with passkeys in the system's sheets, which belong to a view.
@MainActor
final class DeviceSignIn: AppleSignIn, PasskeySignIn {
    private var system: SystemSignIn?

    /// Shows the sheets over the view of a controller from now on.
    func use(_ controller: AuthorizationController) { system = SystemSignIn(controller) }

    func signIn(nonce: String) async throws -> AppleCredential? {
        guard let identity = try await system?.apple(nonce: nonce) else { return nil }
        let name = [identity.name?.givenName, identity.name?.familyName].compactMap(\.self).joined(separator: " ")
        return AppleCredential(
            user: identity.user, identityToken: identity.token, authorizationCode: identity.code,
            name: name.isEmpty ? nil : name)
    }

    func signIn(challenge: String, relyingParty: String) async throws -> PasskeyAssertion? {
        guard let challenge = Data(base64URL: challenge) else { throw SystemSignIn.UnexpectedAnswer() }
        guard let answer = try await system?.passkey(of: relyingParty, challenge: challenge) else { return nil }
        return PasskeyAssertion(
            passkeyId: answer.passkeyId, clientData: answer.clientData,
            authenticatorData: answer.authenticatorData, signature: answer.signature,
            userHandle: answer.userHandle)
    }

    func create(_ options: PasskeyOptions) async throws -> PasskeyRegistration? {
        guard let challenge = Data(base64URL: options.challenge), let user = Data(base64URL: options.userId) else {
            throw SystemSignIn.UnexpectedAnswer()
        }
        let passkey = SystemSignIn.NewPasskey(
            server: options.relyingParty, challenge: challenge, user: user, name: options.userName,
            displayName: options.displayName, known: options.known.compactMap { Data(base64URL: $0) })
        guard let answer = try await system?.create(passkey) else { return nil }
        return PasskeyRegistration(clientData: answer.clientData, attestation: answer.attestation)
    }
}
