import AuthenticationServices
import Client
import DesignSystem
import Domain
import Foundation
import Observation
import ScreenUI
import ServerProcess
import SwiftUI
import Synchronization
import TestKit
import Testing
import Widgets

@testable import AppComposition
@testable import AppShell

/// A server whose answers a test scripts by method and address. A request without a script fails the test.
final class ScriptedServer: APIManager {
    typealias Answer = @Sendable (APIRequest) async throws -> Data

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [APIRequest] = []
        var token = "token-1"
    }
    private let state = Mutex(State())

    func on(_ route: String, _ answer: @escaping Answer) { state.withLock { $0.answers[route] = answer } }
    func on(_ route: String, json: String) { on(route) { _ in Data(json.utf8) } }
    func on(_ route: String, failing error: APIError) { on(route) { _ in throw error } }

    func on(_ route: String, _ value: some Encodable & Sendable) {
        on(route) { _ in
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            return try encoder.encode(value)
        }
    }

    /// Scripts a page with the frame of a person's role.
    func on(page address: String, _ screen: Screen, tabs: [PTNavigationEntry] = []) {
        let chrome =
            tabs.isEmpty
            ? nil
            : PageChrome(
                navigation: tabs,
                account: PTAccountMenu(
                    name: "Ana", initials: "A", tint: .sky,
                    items: [
                        PTMenuItem(
                            title: "Sign out",
                            action: .perform(PTCommandCall(path: "/api/v1/auth/sign-out", key: "sign-out")))
                    ]), notificationsPath: "/notifications")
        on("GET \(address)", ScreenDocument(screen, chrome: chrome, seq: nil))
    }

    func send(_ request: APIRequest) async throws -> Data {
        let query = request.query.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "&")
        let route = "\(request.method.rawValue) \(request.path)" + (query.isEmpty ? "" : "?\(query)")
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers[route] ?? state.answers["\(request.method.rawValue) \(request.path)"]
        }
        guard let answer else { throw unexpectedCall(route) }
        return try await answer(request)
    }

    func webPage(at address: String, for account: UUID) async throws -> WebPage {
        guard let url = URL(string: "https://maple.example\(address)"), let page = WebPage(url, token: token) else {
            throw unexpectedCall(address)
        }
        return page
    }

    /// The access token of the session.
    var token: String {
        get { state.withLock { $0.token } }
        set { state.withLock { $0.token = newValue } }
    }

    func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error> {
        AsyncThrowingStream { _ in }
    }

    func requests(_ path: String) -> [APIRequest] {
        state.withLock { $0.requests.filter { $0.path == path } }
    }
}

/// The session of a person, which a test begins and ends.
@MainActor @Observable
final class ScriptedSession: SignInManager {
    /// The account of the right email address and password.
    let account: UUID
    var userId: UUID?
    var profileId: UUID?
    var currentPgId: UUID?
    var userRole: [String]
    /// Whether the server asks for a second factor.
    var asksForCode = false
    private(set) var signOuts = 0

    init(account: UUID = UUID(), isSignedIn: Bool = true, pgId: UUID? = nil, roles: [String] = ["guide"]) {
        self.account = account
        userId = isSignedIn ? account : nil
        profileId = account
        currentPgId = pgId
        userRole = roles
    }

    var isAuthenticated: Bool { userId != nil }
    func accessToken(for account: UUID) async throws -> String { throw unexpectedCall() }
    func renew(_ token: String, for account: UUID) async throws -> String { throw unexpectedCall() }

    func signOut() async {
        signOuts += 1
        userId = nil
    }

    func signIn(email: String, password: String) async throws -> SignInResult {
        guard email == "ana@maple.example", password == "rose cubes" else { throw APIError.signInNeeded }
        if asksForCode { return .needsCode(token: "step") }
        userId = account
        return .signedIn
    }

    func signIn(code: String, token: String) async throws {
        guard code == "123456", token == "step" else { throw APIError.signInNeeded }
        userId = account
    }

    func startPasskey() async throws -> PasskeyChallenge {
        PasskeyChallenge(challenge: "Y2hhbGxlbmdl", relyingParty: "maple.example")
    }

    /// The nonce of Sign in with Apple; `nil` for a school without it.
    var appleNonce: String?
    /// The name that came with the identity token.
    private(set) var appleName: String?
    /// The authorization code that came with the identity token.
    private(set) var appleCode: String?
    /// The errors of the next sign-ins with Apple.
    var appleErrors: [APIError] = []
    /// Whether Apple's account has an account at the school.
    var knowsApple = true

    func startApple() async throws -> String? { appleNonce }

    func signIn(
        apple identityToken: String, code: String?, nonce: String, name: String?
    ) async throws -> SignInResult {
        guard identityToken == "token of \(nonce)", nonce == appleNonce else { throw APIError.signInNeeded }
        if !appleErrors.isEmpty { throw appleErrors.removeFirst() }
        (appleName, appleCode) = (name, code)
        guard knowsApple else { return .noAccount(signUpToken: "sign-up-7") }
        userId = account
        return .signedIn
    }

    func signIn(passkey assertion: [String: String]) async throws {
        guard assertion["signature"] == "c2lnbmF0dXJl" else { throw APIError.signInNeeded }
        passkeySignIns += 1
        userId = account
    }

    /// The number of sign-ins with a passkey.
    private(set) var passkeySignIns = 0

    // MARK: - Pages before the sign-in

    /// The pages by their addresses. A page that is missing fails the test.
    var guestPages: [String: Screen] = [:]
    /// The error of the next page.
    var guestError: APIError?
    /// Answers the commands of the pages. A command with a session signs the person in.
    var answerGuest: (PageCommand) throws -> GuestAnswer = { throw unexpectedCall($0.path) }
    /// The commands of the pages.
    private(set) var guestCommands: [PageCommand] = []

    func page(at address: String, accept: String) async throws -> APIAnswer {
        #expect(accept.hasPrefix(ScreenDocument.mediaType))
        if let error = guestError {
            guestError = nil
            throw error
        }
        guard let screen = guestPages[address] else { throw unexpectedCall(address) }
        return APIAnswer(
            body: try JSONEncoder().encode(ScreenDocument(screen, chrome: nil, seq: nil)), address: address)
    }

    func run(_ command: PageCommand) async throws -> GuestAnswer {
        guestCommands.append(command)
        let answer = try answerGuest(command)
        if answer.signIn == .signedIn { userId = account }
        return answer
    }
}

/// The app on a device, as a person has it in front of them.
@MainActor
final class AppDevice {
    let server = ScriptedServer()
    let auth: ScriptedSession
    let folder: TemporaryFolder
    let session: AppSession
    let tokens: KeychainSession
    /// The clock of the device. Without another one it shows the same time until a test moves it.
    let clock: FixedClock
    let recorder: ViewRecorder
    private(set) var root: RecordedView
    private let design: Design
    /// All parts of the app; `nil` if the test is about the shell alone.
    let composition: AppComposition?

    static let tabs = [
        PTNavigationEntry(title: "Today", icon: .home, path: "/today", isCurrent: true),
        PTNavigationEntry(title: "Messages", icon: .chat, path: "/messages", unread: 3),
    ]

    /// - Parameters:
    ///   - isInstalled: Whether the app belongs to a server already.
    ///   - isComposed: Whether the app has all its parts, on the shapes of the frameworks.
    ///   - sheet: The system's sheet for signing in.
    ///   - address: The address of a real server; `nil` for the scripted one.
    ///   - clock: The clock of the device, also with a real server; by default that has the system's.
    ///   - notifications: The notifications of the device; by default the shape of the system's.
    ///   - wrap: Puts something between the app and a real server.
    ///   - sleep: Waits for a number of seconds; by default longer than a test.
    init(
        auth: ScriptedSession = ScriptedSession(), isInstalled: Bool = true, abilities: Abilities = Abilities(),
        folder: TemporaryFolder? = nil, language: Language = .english, isComposed: Bool = false,
        sheet: AuthorizationController? = nil, at address: URL? = nil, clock: FixedClock? = nil,
        notifications: any NotificationAccess = DeviceNotifications(),
        wrap: @escaping @MainActor (any APIManager) -> any APIManager = { $0 },
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void = { _ in
            try await Task.sleep(for: .seconds(3600))
        }
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        self.auth = auth
        let home = folder.url.appending(path: "app")
        if isInstalled {
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            try Data((address?.absoluteString ?? "https://maple.example").utf8).write(
                to: home.appending(path: "server"))
        }
        tokens = KeychainSession(service: folder.url.path)
        let server = server
        let own = clock ?? FixedClock()
        self.clock = own
        // Both clocks of the device go on together, while the test does not say otherwise.
        let steady: @Sendable () -> TimeInterval = { own.now.timeIntervalSince1970 }
        var parts = AppParts(
            folder: home, tokens: tokens, connect: { _, _ in (auth, server) },
            environment: ClientEnvironment(
                clock: own, random: { 1 }, sleep: sleep, timeZone: .gmt, steady: steady), abilities: abilities,
            notifications: notifications)
        if address != nil {
            parts.connect = { server, tokens in
                let auth = try LiveAuthManager(server: server, storage: tokens, language: language)
                return (auth, wrap(LiveAPIManager(server: server, auth: auth, language: language)))
            }
            parts.environment = ClientEnvironment(
                backoff: Backoff(first: 0.05, longest: 0.5), timeZone: RealServer.daytime)
            if let clock {
                parts.environment.clock = clock
                parts.environment.steady = steady
            }
        }
        design = try Design.ofApp(language: language)
        composition =
            isComposed ? AppComposition(parts, design: design, widgets: WidgetContainer(folder: home)) : nil
        session = composition?.session ?? AppSession(parts)
        // What the system shows of the person outside of the app is read, too.
        for path in ["/api/v1/widget", "/api/v1/courses"] {
            server.on("GET \(path)", failing: .unreachable("not in this test"))
        }
        var environment = EnvironmentValues.recorded()
        if let sheet { environment = environment.recorded(sheet) }
        recorder = ViewRecorder(environment: environment)
        root = recorder.record(EmptyView())
        show()
    }

    func show() {
        root =
            composition.map { recorder.record(ComposedView(composition: $0)) }
            ?? recorder.record(AppRootView(session: session, design: design))
    }

    /// Starts the app and runs the tasks of its views.
    func start() async {
        await session.start()
        show()
        await appear()
    }

    /// Runs the tasks of all views that are shown, as a device does when they appear.
    func appear() async {
        var done: Set<String> = []
        for _ in 0..<10 {
            let tasks = root.all.flatMap { view in
                view.modifiers.filter { $0.name == "task" }.compactMap { task in
                    task.work.map { ("\(view.path) \(task.values.first.map { "\($0.value)" } ?? "")", $0) }
                }
            }.filter { done.insert($0.0).inserted }
            guard !tasks.isEmpty else { return }
            for (_, work) in tasks { await work() }
            show()
        }
    }

    /// Waits until tasks made a condition true.
    func wait(
        _ text: Comment, sourceLocation: SourceLocation = #_sourceLocation, until isTrue: () throws -> Bool
    ) async throws {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(30) {
            if try isTrue() { return }
            try await Task.sleep(for: .milliseconds(5))
            show()
        }
        let isMet = try isTrue()
        #expect(isMet, text, sourceLocation: sourceLocation)
    }

    /// The texts of the app in the person's language.
    var words: Words { design.words }

    var texts: [String] { root.all("Text").compactMap(\.text) }

    func has(_ kind: String) -> Bool { !root.all(kind).isEmpty }

    func find(_ kind: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> RecordedView
    {
        let all = root.all(kind)
        // "Send" is not "Send now", which is there while a change waits.
        return try #require(
            all.first { $0.spoken == text } ?? all.first { $0.spoken.contains(text) },
            "no \(kind) says '\(text)', only \(root.all(kind).map(\.spoken))", sourceLocation: sourceLocation)
    }

    func enter(_ text: String, into label: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let field = root.all("TextField") + root.all("SecureField")
        let found = try #require(
            field.first { $0.spoken.contains(label) }, "no field '\(label)'", sourceLocation: sourceLocation)
        found.enter(text)
        show()
    }

    func press(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try find("Button", text, sourceLocation: sourceLocation).press()
        show()
    }
}
