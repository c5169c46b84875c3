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
    /// The pages of the server that are open over the sign-in, the last one in front.
    var pages: [Place] = []
    /// An address that another app opens. The view that opens it sets it to `nil`.
    var outside: URL?
    /// Whether the school has set up Sign in with Apple.
    private(set) var hasApple = false
    @ObservationIgnored let session: AppSession
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
                    .button(link(Self.forgot, "shell.launch.forgot")),
                ].compactMap(\.self) + (session.signedIn == nil ? newcomer : []))
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

    /// What is offered to a person who is new here. After an expired session, the same person signs in.
    private var newcomer: [Component] {
        [
            .divider(PTDivider(words("shell.launch.new"))), .button(link(Self.signUp, "shell.launch.signUp")),
            .button(button(.otherServer, "shell.launch.otherServer")),
        ]
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

    private func link(_ path: String, _ title: String) -> PTButton {
        PTButton(
            title: words(title), role: path == Self.signUp ? .tonal : .quiet, isWide: true, action: .open(path))
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
        } catch let error as APIError {
            if openPage(about: error) { return .done(nil) }
            return StoreCommands.refusal(StoreError(unsent: error))
        } catch  where command == .apple || command == .passkey {
            // The system's sheet failed, such as without a passcode on the device.
            return .refused(message: words("shell.launch.refused"), fields: [:])
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
        // The code of an invitation names a page, which opens after the sign-in.
        if let url = URL(string: text), url.scheme != nil, url.path().count > 1 { session.open(url) }
        return .done(nil)
    }

    private func take(_ result: SignInResult) async throws -> Outcome {
        switch result {
        case .signedIn: try await session.enter()
        case .needsCode(let token):
            pages = []
            step = .code(token: token)
        case .waits: step = .waits
        // A new account passes the questions for age and consents, on a page of the server.
        case .noAccount(let token): pages = [Place("\(Self.appleSignUp)/\(token)")]
        }
        return .done(nil)
    }

    // MARK: - Pages of the server

    private static let signInPage = "/sign-in"
    private static let applePage = "/sign-in/apple"
    /// The beginning of the codes of refused sign-ins with Apple.
    private static let appleRefusal = "auth.apple."
    private static let signUp = "/sign-up"
    private static let appleSignUp = "/sign-up/apple"
    private static let forgot = "/forgot"

    /// Whether an address of the server is the sign-in, which the app has itself.
    static func isSignIn(_ address: String) -> Bool { path(address) == signInPage || path(address) == "/" }

    private static func path(_ address: String) -> String { String(address.prefix { !"?#".contains($0) }) }

    func open(_ path: String, isReplacing: Bool) {
        if Self.isSignIn(path) {
            (pages, step) = ([], .signIn)
        } else if isReplacing, !pages.isEmpty {
            pages[pages.count - 1] = Place(path)
        } else if pages.last?.address != path {
            pages.append(Place(path))
        }
    }

    /// Opens the page that the server has about a refused sign-in with Apple, with what the person can do. Returns
    /// whether there is one.
    func openPage(about error: any Error) -> Bool {
        guard case APIError.refused(let refusal) = error, refusal.code.hasPrefix(Self.appleRefusal) else {
            return false
        }
        open("\(Self.applePage)/\(refusal.code.dropFirst(Self.appleRefusal.count))", isReplacing: false)
        return true
    }

    func leave(for address: String) {
        outside = session.server.flatMap { URL(string: address, relativeTo: $0)?.absoluteURL }
    }

    /// Whether an address leads to Apple's page, in whose place the app shows the system's sheet.
    func isApple(_ address: String) -> Bool { hasApple && Self.path(address) == Self.applePage }

    /// Signs in with Apple. Returns the sentence of a refusal.
    func continueWithApple() async -> String? {
        let call = PTCommandCall(path: Command.apple.rawValue, key: Command.apple.rawValue)
        return if case .refused(let message, _) = await run(call, with: CommandExtras()) { message } else { nil }
    }

    /// Runs the command of a page, and shows what follows. Returns the message for the person. Throws `APIError`, or
    /// the error of the device.
    func run(_ command: PageCommand, from address: String) async throws -> PTFeedback? {
        guard let auth = session.auth else { return nil }
        let answer = try await auth.run(command)
        if Self.path(address).hasPrefix(Self.appleSignUp) { session.names.forget() }
        if let result = answer.signIn {
            _ = try await take(result)
        } else if let next = answer.answer.next {
            // The form that was sent is over.
            open(next, isReplacing: true)
        }
        return answer.answer.feedback.map(StoreCommands.feedback)
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
        let name = session.names.remember(credential.name, of: credential.user)
        let result = try await auth.signIn(
            apple: credential.identityToken, code: credential.authorizationCode, nonce: nonce, name: name)
        // A person who has an account has a name in the school, so that Apple's is no longer needed.
        switch result {
        case .noAccount: break
        case .signedIn, .needsCode, .waits: session.names.forget()
        }
        return try await take(result)
    }

    private func signInWithPasskey() async throws {
        guard let auth = session.auth, let passkeys = session.parts.abilities.passkeys else { return }
        if try await auth.signIn(with: passkeys) { try await session.enter() }
    }

    func present(_ path: String) { open(path, isReplacing: false) }
    func allowNotifications() {}
    func choose(_ request: FileRequest) async -> [ChosenFile] { [] }
    func reload() async {}
}
