import AppRouter
public import Client
public import Foundation
public import NativeViews
public import Observation
public import ScreenUI

/// The parts of the app that depend on the device or the network. Tests replace them.
@MainActor
public struct AppParts {
    /// The connection to a server: the session of a person, and the API.
    public typealias Connection = (auth: any SignInManager, api: any APIManager)

    /// The folder of the app for the server's address and the stores.
    public var folder: URL
    public var tokens: any SessionStorage
    public var connect: @MainActor (URL, any SessionStorage) throws -> Connection
    public var environment: ClientEnvironment
    public var abilities: Abilities
    /// Adds the tools of the device to the content of pages.
    public var content: @MainActor (SessionContent) -> any HostedContent = { $0 }
    /// Asks for notifications; `nil` on a device without them.
    public var notifications: (any NotificationAccess)?

    public init(
        folder: URL, tokens: any SessionStorage,
        connect: @escaping @MainActor (URL, any SessionStorage) throws -> Connection = { server, tokens in
            let auth = try LiveAuthManager(server: server, storage: tokens)
            return (auth, LiveAPIManager(server: server, auth: auth))
        },
        environment: ClientEnvironment = ClientEnvironment(), abilities: Abilities = Abilities(),
        notifications: (any NotificationAccess)? = nil
    ) {
        self.folder = folder
        self.tokens = tokens
        self.connect = connect
        self.environment = environment
        self.abilities = abilities
        self.notifications = notifications
    }
}

/// The state of the app: which server it belongs to, and who is signed in.
@MainActor @Observable
public final class AppSession {
    /// The state of the app, which decides its root view.
    public enum Phase {
        case starting
        /// The state without a signed-in person.
        case signedOut
        case signedIn(SignedIn)
    }

    public private(set) var phase = Phase.starting
    /// The address of the school's server; `nil` until a person has entered it.
    public private(set) var server: URL?
    /// The sentence about a start that failed, such as on a full disk.
    public private(set) var fault: StoreError?

    @ObservationIgnored let parts: AppParts
    @ObservationIgnored private var connection: AppParts.Connection?
    /// Called when a person has signed out, to clear what other parts of the app show of them, such as widgets.
    @ObservationIgnored public var onSignOut: [@MainActor () async -> Void] = []
    /// Called after the start, after changes and when the app comes to the front, to renew what other parts of the app
    /// show of the person, such as widgets.
    @ObservationIgnored public var onChange: [@MainActor (SignedIn) -> Void] = []
    /// The address that opened the app before a person was signed in.
    @ObservationIgnored private var waitingAddress: URL?

    public init(_ parts: AppParts) { self.parts = parts }

    /// The name that Apple told, until the school has it.
    var names: AppleName { AppleName(in: parts.folder) }

    /// The signed-in person; `nil` for nobody.
    public var signedIn: SignedIn? {
        if case .signedIn(let person) = phase { person } else { nil }
    }

    /// The session of the present server.
    public var auth: (any SignInManager)? { connection?.auth }

    /// Whether the session of the signed-in person has ended on the server, so that they must sign in again.
    public var isExpired: Bool { signedIn.map { !$0.auth.isAuthenticated } ?? false }

    /// The sign-in that is presented over the pages while the session has expired. It closes when the person has signed
    /// in.
    var expiry: Place? {
        get { isExpired ? Place("sign-in") : nil }
        set {}
    }

    // MARK: - Start

    private var serverFile: URL { parts.folder.appending(path: "server") }

    /// Reads which server the app belongs to, and opens the stores of the person whose tokens the device has.
    public func start() async {
        do {
            guard FileManager.default.fileExists(atPath: serverFile.path) else {
                // The keychain outlives an app that was removed: a new installation begins without a session.
                try parts.tokens.save(nil)
                return phase = .signedOut
            }
            let text = try String(contentsOf: serverFile, encoding: .utf8)
            guard let address = AppRouter.server(in: text) else { return phase = .signedOut }
            try connect(to: address)
            try await enter()
        } catch {
            fault = StoreError(error)
            phase = .signedOut
        }
    }

    private func connect(to address: URL) throws {
        connection = try parts.connect(address, parts.tokens)
        server = address
    }

    /// Chooses the server that a person typed or scanned. Returns whether the text names one.
    func choose(server text: String) throws -> Bool {
        guard let address = AppRouter.server(in: text) else { return false }
        try FileManager.default.createDirectory(at: parts.folder, withIntermediateDirectories: true)
        try Data(address.absoluteString.utf8).write(to: serverFile, options: .atomic)
        try connect(to: address)
        return true
    }

    /// Forgets the server, so that a person can enter another one.
    func leaveServer() {
        connection = nil
        server = nil
        waitingAddress = nil
    }

    /// Shows the pages of the person who has signed in. After an expired session, the same person finds everything as
    /// it was, and changes that waited are sent.
    func enter() async throws {
        guard let connection, let server, connection.auth.isAuthenticated else {
            return phase = .signedOut
        }
        if let person = signedIn {
            if person.account == connection.auth.userId {
                person.store.retry()
                return renewNotifications(of: person)
            }
            // Another person's data is not shown, and their unsent changes stay in their file.
            person.store.stop()
            await leave(person)
        }
        let store = try await AppStore.open(
            api: connection.api, auth: connection.auth, storage: ClientStorage(folder: parts.folder),
            environment: parts.environment)
        let person = SignedIn(
            auth: connection.auth, store: store, router: AppRouter(server: server), session: self)
        phase = .signedIn(person)
        fault = nil
        store.start()
        renewNotifications(of: person)
        noteChange()
        if let address = waitingAddress {
            waitingAddress = nil
            person.open(address)
        }
    }

    /// Registers the device for notifications again: they belong to a session, and the system may have changed the token.
    private func renewNotifications(of person: SignedIn) {
        if person.store.wantsNotifications { parts.notifications?.renew() }
    }

    /// Renews what other parts of the app show of the person.
    func noteChange() {
        guard let person = signedIn else { return }
        for renew in onChange { renew(person) }
    }

    // MARK: - Links

    /// Opens an address from outside of the app: a link, or one that the system hands over.
    public func open(_ url: URL) {
        if let person = signedIn { person.open(url) } else { waitingAddress = url }
    }

    /// Opens what a notification, a widget or an entry of Spotlight names.
    public func open(payload text: String) {
        guard let server else { return }
        switch AppRouter(server: server).destination(ofPayload: text) {
        case .page(let path):
            if let url = URL(string: path, relativeTo: server) { open(url.absoluteURL) }
        case .outside, .nowhere: break
        }
    }

    // MARK: - Sign-out

    /// Signs out, and clears the stores, the tokens and everything that other parts of the app show of the person.
    ///
    /// Throws `StoreError.unsentChanges` if changes wait, unless the person agreed to lose them.
    public func signOut(discardingUnsent: Bool = false) async throws {
        guard let person = signedIn else { return }
        try await person.store.signOut(discardingUnsent: discardingUnsent)
        // The auth manager has removed them; a session that had expired already is removed here.
        try parts.tokens.save(nil)
        await leave(person)
        phase = .signedOut
    }

    /// Removes what the device shows of a person besides the stores.
    private func leave(_ person: SignedIn) async {
        parts.notifications?.removeAll()
        person.files.clear()
        await person.web.clear()
        for clear in onSignOut { await clear() }
    }
}

/// The signed-in person with their stores and the place where they are in the app.
@MainActor
public final class SignedIn {
    public let auth: any SignInManager
    public let store: AppStore
    /// The repositories of the native quest.
    public let dependencies: AppDependencies
    public let navigator = Navigator()
    let router: AppRouter
    /// The files of the server and of the person.
    let files: SessionContent
    /// The files with the tools of the device.
    let content: any HostedContent
    /// The web views of pages that need scripts.
    let web: WebPages
    /// The account whose stores these are.
    let account: UUID?
    unowned let session: AppSession

    init(auth: any SignInManager, store: AppStore, router: AppRouter, session: AppSession) {
        self.auth = auth
        self.store = store
        dependencies = AppDependencies(store)
        self.router = router
        self.session = session
        account = auth.userId
        files = SessionContent(store.pageStore, folder: session.parts.folder.appending(path: "files"))
        content = session.parts.content(files)
        web = WebPages(store)
    }

    /// The address of the person's server.
    public var server: URL { router.server }

    /// Opens an address from outside of the app.
    func open(_ url: URL) {
        switch router.destination(of: url) {
        case .page(let path): navigator.open(path, isReplacing: false)
        case .outside(let url): navigator.outside = url
        case .nowhere: break
        }
    }

    /// Registers this device for notifications with the token of Apple's push service.
    func register(token: Data) async {
        // The next start or sign-in registers again if the person wanted it before.
        do { try await store.registerForNotifications(token: token) } catch {}
    }
}
