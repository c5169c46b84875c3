import Client
import DesignSystem
import Domain
import Foundation
import NativeViews
import ScreenUI

extension SignInManager {
    /// Signs in with a passkey. Returns `false` if the person canceled. Throws `APIError`, or the system's error.
    func signIn(with passkeys: any PasskeySignIn) async throws -> Bool {
        let challenge = try await startPasskey()
        guard
            let answer = try await passkeys.signIn(
                challenge: challenge.challenge, relyingParty: challenge.relyingParty)
        else { return false }
        try await signIn(passkey: answer.fields)
        return true
    }
}

extension SignedIn {
    /// The result of a ceremony that comes before the command of a form.
    enum Ceremony {
        case canceled
        /// The new passkey's fields, for the form's command.
        case created([String: String])
        /// The person has signed in again with a passkey, so that the command is done.
        case used
    }

    /// Creates a passkey, or signs in with one. Throws `StoreError`, `APIError`, or the system's error.
    func perform(_ ceremony: PTPasskeyCeremony, _ fields: [String: String]) async throws -> Ceremony {
        guard let passkeys = session.parts.abilities.passkeys else { return .canceled }
        switch ceremony.kind {
        case .create:
            let options = try await store.startPasskey(at: ceremony.options, password: fields[Self.password])
            guard let made = try await passkeys.create(options) else { return .canceled }
            // The password was sent with the request for the challenge; it is not sent twice.
            return .created(fields.filter { $0.key != Self.password }.merging(made.fields) { $1 })
        case .use:
            guard try await auth.signIn(with: passkeys) else { return .canceled }
            // The passkey may belong to another account of the school.
            try await session.enter()
            return .used
        }
    }

    private static let password = "password"

    /// The refusal of a ceremony that failed.
    static func refusal(ofCeremony error: any Error) -> Outcome {
        guard error is StoreError || error is APIError else {
            return .refused(message: ClientWords.current("client.passkey.failed"), fields: [:])
        }
        return StoreCommands.refusal(StoreError(unsent: error))
    }
}
