import Client
import DesignSystem
import Domain
import Foundation
import NativeViews
import Observation
import ScreenUI

/// The steps before a person is signed in, and what they type there.
@MainActor @Observable
final class LaunchModel: ActionHandler {
    /// The step that the person is at.
    enum Step: Hashable {
        /// The address of the school's server is asked for.
        case server
        case signIn
        /// The code of the authenticator app is asked for. The token belongs to this sign-in.
        case code(token: String)
        /// The account waits for a confirmation, such as by a parent.
        case waits
    }

    /// What a person does on these pages, as the path of a command.
    enum Command: String {
        case server, scan, password, code, apple, passkey, otherServer, back
    }

    private(set) var step: Step
    /// Whether the school has set up Sign in with Apple.
    private(set) var hasApple = false
    @ObservationIgnored private let session: AppSession
    @ObservationIgnored private let words: Words

    init(_ session: AppSession, _ words: Words) {
        self.session = session
        self.words = words
        step = session.server == nil ? .server : .signIn
    }

    // MARK: - Pages

    var screen: Screen {
        switch step {
        case .server:
            Screen(
                title: words("shell.launch.title"), layout: .focused, hero: .tower,
                body: [
                    fault,
                    .form(
                        form(
                            .server,
                            [
                                PTField(
                                    name: Self.address, label: words("shell.launch.server"),
                                    hint: words("shell.launch.server.hint"), isRequired: true, autocomplete: "url",
                                    maxLength: 200)
                            ], words("shell.launch.continue"))),
                    session.parts.abilities.codes?.isAvailable == true
                        ? .button(button(.scan, "shell.launch.scan", icon: .grid)) : nil,
                ].compactMap(\.self))
        case .signIn:
            Screen(
                title: words("shell.launch.signIn"), subtitle: session.server?.host(), layout: .focused,
                hero: .tower,
                body: [
                    fault,
                    .form(
                        form(
                            .password,
                            [
                                PTField(
                                    .email, name: Self.email, label: words("shell.launch.email"), isRequired: true,
                                    autocomplete: "username", maxLength: 200),
                                PTField(
                                    .password, name: Self.password, label: words("shell.launch.password"),
                                    isRequired: true, autocomplete: "current-password", maxLength: 200),
                            ], words("shell.launch.signIn"))),
                    hasApple ? .button(button(.apple, "shell.launch.apple", icon: .apple)) : nil,
                    session.parts.abilities.passkeys == nil
                        ? nil : .button(button(.passkey, "shell.launch.passkey", icon: .passkey)),
                    session.signedIn == nil ? .button(button(.otherServer, "shell.launch.otherServer")) : nil,
                ].compactMap(\.self))
        case .code:
            Screen(
                title: words("shell.launch.code.title"), layout: .focused,
                body: [
                    .form(
                        form(
                            .code,
                            [
                                PTField(
                                    name: Self.code, label: words("shell.launch.code"),
                                    hint: words("shell.launch.code.hint"), isRequired: true,
                                    autocomplete: "one-time-code", maxLength: 20)
                            ], words("shell.launch.signIn"))), .button(button(.back, "shell.launch.back")),
                ])
        case .waits:
            Screen(
                title: words("shell.launch.waits.title"), layout: .focused,
                body: [
                    .text(PTText(words("shell.launch.waits"))), .button(button(.back, "shell.launch.back")),
                ])
        }
    }

    private static let address = "address"
    private static let email = "email"
    private static let password = "password"
    private static let code = "code"

    /// The sentence about a start that failed.
    private var fault: Component? {
        session.fault.map {
            .banner(
                PTBanner(
                    tone: .warning, icon: .alert, title: $0.message(ClientWords.words(words.language))))
        }
    }

    private func form(_ command: Command, _ fields: [PTField], _ title: String) -> PTForm {
        PTForm(
            id: command.rawValue, action: command.rawValue, fields: fields, submit: SubmitButton(title: title),
            key: command.rawValue)
    }

    private func button(_ command: Command, _ title: String, icon: PTIcon? = nil) -> PTButton {
        PTButton(
            title: words(title), icon: icon, role: .outlined, isWide: true,
            action: .perform(PTCommandCall(path: command.rawValue, key: command.rawValue)))
    }

    // MARK: - Commands

    func run(_ call: PTCommandCall, with extras: CommandExtras) async -> Outcome {
        guard let command = Command(rawValue: call.path) else { return .done(nil) }
        do {
            return try await run(command, call.fields)
        } catch APIError.signInNeeded {
            let sentence =
                switch command {
                case .passkey, .apple: "shell.launch.refused"
                case .code: "shell.launch.code.wrong"
                default: "shell.launch.wrong"
                }
            return .refused(message: words(sentence), fields: [:])
        } catch {
            return StoreCommands.refusal(StoreError(error))
        }
    }

    private func run(_ command: Command, _ fields: [String: String]) async throws -> Outcome {
        switch command {
        case .server: return try choose(fields[Self.address] ?? "")
        case .scan:
            guard let text = try await session.parts.abilities.codes?.scan() else { return .done(nil) }
            return try choose(text)
        case .password:
            guard let auth = session.auth else { return .done(nil) }
            return try await take(
                try await auth.signIn(email: fields[Self.email] ?? "", password: fields[Self.password] ?? ""))
        case .code:
            guard let auth = session.auth, case .code(let token) = step else { return .done(nil) }
            try await auth.signIn(code: fields[Self.code] ?? "", token: token)
            try await session.enter()
        case .passkey: try await signInWithPasskey()
        case .apple: return try await signInWithApple()
        case .otherServer:
            session.leaveServer()
            step = .server
        case .back: step = .signIn
        }
        return .done(nil)
    }

    private func choose(_ text: String) throws -> Outcome {
        guard try session.choose(server: text) else {
            return .refused(
                message: words("shell.launch.noServer"), fields: [Self.address: words("shell.launch.noServer")])
        }
        step = .signIn
        return .done(nil)
    }

    private func take(_ result: SignInResult) async throws -> Outcome {
        switch result {
        case .signedIn: try await session.enter()
        case .needsCode(let token): step = .code(token: token)
        case .waits: step = .waits
        // A new account passes the questions for age and consents, which are pages of the server.
        case .noAccount: return .refused(message: words("shell.launch.noAccount"), fields: [:])
        }
        return .done(nil)
    }

    /// Asks the server whether it offers Sign in with Apple.
    func findOffers() async {
        hasApple = false
        guard step == .signIn, session.parts.abilities.apple != nil, let auth = session.auth else { return }
        do {
            hasApple = try await auth.startApple() != nil
        } catch {
            // Without an answer the button is not shown. The sign-in with a password says what is wrong.
        }
    }

    private func signInWithApple() async throws -> Outcome {
        // A nonce is used once, and the person may have waited on the page.
        guard let auth = session.auth, let apple = session.parts.abilities.apple,
            let nonce = try await auth.startApple(), let credential = try await apple.signIn(nonce: nonce)
        else { return .done(nil) }
        return try await take(
            try await auth.signIn(apple: credential.identityToken, nonce: nonce, name: credential.name))
    }

    private func signInWithPasskey() async throws {
        guard let auth = session.auth, let passkeys = session.parts.abilities.passkeys else { return }
        let challenge = try await auth.startPasskey()
        guard
            let answer = try await passkeys.signIn(
                challenge: challenge.challenge, relyingParty: challenge.relyingParty)
        else { return }
        var fields = [
            "passkeyId": answer.passkeyId, "clientData": answer.clientData,
            "authenticatorData": answer.authenticatorData, "signature": answer.signature,
        ]
        fields["userHandle"] = answer.userHandle
        try await auth.signIn(passkey: fields)
        try await session.enter()
    }

    // These pages lead nowhere else.
    func open(_ path: String, isReplacing: Bool) {}
    func present(_ path: String) {}
    func leave(for address: String) {}
    func allowNotifications() {}
    func choose(_ request: FileRequest) async -> [ChosenFile] { [] }
    func reload() async {}
}
