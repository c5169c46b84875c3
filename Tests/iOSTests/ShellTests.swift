import Client
import DesignSystem
import Domain
import Foundation
import NativeViews
import ScreenUI
import SwiftUI
import TestKit
import Testing
import UserNotifications

@testable import AppShell

/// The app from its launch to the sign-out.
@Suite("The shell of the app")
@MainActor
struct ShellTests {
    private static let today = Screen(
        title: "Today", live: ["classroom:maple"],
        body: [.list(PTList(cells: [PTListCell(title: "Noor", action: .open("/students/7"))]))])

    /// The app of a signed-in guide whose first page is there.
    private func started(_ device: AppDevice? = nil) async throws -> AppDevice {
        let device = try device ?? AppDevice()
        for path in ["/", "/today"] { device.server.on(page: path, Self.today, tabs: AppDevice.tabs) }
        device.server.on(page: "/messages", Screen(title: "Messages"), tabs: AppDevice.tabs)
        await device.session.start()
        device.show()
        await device.appear()
        return device
    }

    // MARK: - Launch

    @Test(
        """
        a person who is signed in gets the main view with the session and the stores, whose changes evaluate the views \
        that read them, and another person gets the sign-in
        """,
        .requirement("PG-4.05.a", "PG-4.05.b", "PG-10.01.a"))
    func root() async throws {
        let device = try await started()
        #expect(device.has("RoleBasedMainView") && !device.has("SmartLaunchView"))
        let main = try #require(device.root.all("RoleBasedMainView").first)
        #expect(main.environment.appStore === device.session.signedIn?.store)
        #expect(main.environment.authManager === device.auth)
        device.recorder.resetEvaluations()
        await device.session.signedIn?.store.pageStore.refresh()
        device.show()
        let evaluated = device.recorder.evaluations
        #expect(evaluated["PageView"] != nil && evaluated["AppRootView"] == nil)

        let stranger = try AppDevice(auth: ScriptedSession(isSignedIn: false))
        await stranger.session.start()
        stranger.show()
        #expect(stranger.has("SmartLaunchView") && !stranger.has("RoleBasedMainView"))
    }

    @Test("the first start asks for the address of the school, and refuses what is none")
    func server() async throws {
        let device = try AppDevice(auth: ScriptedSession(isSignedIn: false), isInstalled: false)
        await device.session.start()
        device.show()
        try device.enter("maple", into: "Address of the school")
        try device.press("Continue")
        try await device.wait("the fault is shown") {
            device.texts.contains("This is not the address of a school. Enter it as in the browser.")
        }
        try device.enter("maple.example", into: "Address of the school")
        try device.press("Continue")
        try await device.wait("the sign-in is shown") { device.texts.contains("maple.example") }

        // The next start does not ask again.
        let next = try AppDevice(
            auth: ScriptedSession(isSignedIn: false), isInstalled: false, folder: device.folder)
        await next.session.start()
        #expect(next.session.server?.absoluteString == "https://maple.example")
    }

    @Test("the school's code is scanned in the place of typing its address")
    func scan() async throws {
        let scanner = Scanner(text: "https://maple.example/join/MAPLE")
        let device = try AppDevice(
            auth: ScriptedSession(isSignedIn: false), isInstalled: false, abilities: Abilities(codes: scanner))
        await device.session.start()
        device.show()
        try device.press("Scan the school’s code")
        try await device.wait("the sign-in is shown") { device.texts.contains("maple.example") }
        #expect(device.session.server?.absoluteString == "https://maple.example")
    }

    @Test("a person signs in with a password, and a wrong one is refused with everything that was typed")
    func password() async throws {
        let device = try AppDevice(auth: ScriptedSession(isSignedIn: false))
        device.server.on(page: "/", Self.today, tabs: AppDevice.tabs)
        await device.session.start()
        device.show()
        try device.enter("ana@maple.example", into: "Email address")
        try device.enter("wrong", into: "Password")
        try device.press("Sign in")
        try await device.wait("the refusal is shown") {
            device.texts.contains("The email address or the password is not right.")
        }
        let email = try #require(device.root.all("TextField").first { $0.spoken.contains("Email") })
        #expect(email.input?.value as? String == "ana@maple.example")
        try device.enter("rose cubes", into: "Password")
        try device.press("Sign in")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
    }

    @Test("a server that asks for a second factor gets the code of the authenticator app")
    func secondFactor() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        auth.asksForCode = true
        let device = try AppDevice(auth: auth)
        await device.session.start()
        device.show()
        try device.enter("ana@maple.example", into: "Email address")
        try device.enter("rose cubes", into: "Password")
        try device.press("Sign in")
        try await device.wait("the code is asked for") {
            device.texts.contains("Second step")
                || device.root.all("TextField").contains { $0.spoken.contains("Code") }
        }
        try device.enter("000000", into: "Code")
        try device.press("Sign in")
        try await device.wait("the refusal is shown") {
            device.texts.contains("This code is not right or has expired.")
        }
        #expect(!device.auth.isAuthenticated)
        try device.enter("123456", into: "Code")
        try device.press("Sign in")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
    }

    @Test("a person signs in with a passkey where the device has them, and sees no button where it does not")
    func passkey() async throws {
        let keys = Passkeys()
        let device = try AppDevice(
            auth: ScriptedSession(isSignedIn: false), abilities: Abilities(passkeys: keys))
        await device.session.start()
        device.show()
        try device.press("Sign in with a passkey")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        #expect(keys.asked == ["Y2hhbGxlbmdl maple.example"])

        let plain = try AppDevice(auth: ScriptedSession(isSignedIn: false))
        await plain.session.start()
        plain.show()
        #expect(!plain.root.all("Button").contains { $0.spoken.contains("passkey") })
    }

    @Test("Sign in with Apple is offered where the school has set it up and the device has it, and nowhere else")
    func apple() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        auth.appleNonce = "n-7"
        let device = try AppDevice(auth: auth, abilities: Abilities(apple: AppleAccounts()))
        await device.session.start()
        device.show()
        await device.appear()
        try device.press("Continue with Apple")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }

        let without = try AppDevice(
            auth: ScriptedSession(isSignedIn: false), abilities: Abilities(apple: AppleAccounts()))
        let plain = ScriptedSession(isSignedIn: false)
        plain.appleNonce = "n-7"
        for device in [without, try AppDevice(auth: plain)] {
            await device.session.start()
            device.show()
            await device.appear()
            #expect(!device.root.all("Button").contains { $0.spoken.contains("Apple") })
        }
    }

    @Test("a person who cancels Sign in with Apple is back at the sign-in, and a refused account is told so")
    func noApple() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        auth.appleNonce = "n-7"
        let accounts = AppleAccounts()
        accounts.answer = { _ in nil }
        let device = try AppDevice(auth: auth, abilities: Abilities(apple: accounts))
        await device.session.start()
        device.show()
        await device.appear()
        try device.press("Continue with Apple")
        try await device.wait("the account was asked for") { accounts.asked == ["n-7"] }
        #expect(device.has("SmartLaunchView"))
        accounts.answer = { _ in AppleCredential(user: "001", identityToken: "another token") }
        try device.press("Continue with Apple")
        try await device.wait("the refusal is shown") {
            device.texts.contains("The sign-in did not work. Try again or use your password.")
        }
        #expect(device.has("SmartLaunchView"))
    }

    // MARK: - Tabs and pages

    @Test("the tabs are those that the server sends for the role, with what is unread")
    func tabs() async throws {
        let device = try await started()
        let tabs = try #require(device.root.all("TabView").first)
        #expect(
            tabs.children.compactMap { $0.modifier("tabItem")?.content.first?.spoken } == ["Today", "Messages"])
        #expect(tabs.children.map { $0.modifier("badge")?.value() as Int? } == [0, 3])
        #expect(tabs.input?.value as? String == "/today")
        #expect(device.texts.contains("Noor"))
        #expect(device.recorder.faults == [])

        let warden = try AppDevice()
        let own = [PTNavigationEntry(title: "Residence", icon: .bed, path: "/residences")]
        for path in ["/", "/residences"] { warden.server.on(page: path, Screen(title: "Residence"), tabs: own) }
        await warden.session.start()
        warden.show()
        await warden.appear()
        let shown = try #require(warden.root.all("TabView").first)
        #expect(shown.children.compactMap { $0.modifier("tabItem")?.content.first?.spoken } == ["Residence"])
    }

    @Test("a row opens its page over the tab, and a path of a tab selects it")
    func navigation() async throws {
        let device = try await started()
        device.server.on(page: "/students/7", Screen(title: "Noor", body: [.text(PTText("Likes cubes."))]))
        try device.press("Noor")
        await device.appear()
        #expect(device.texts.contains("Likes cubes."))
        let navigator = try #require(device.session.signedIn?.navigator)
        #expect(navigator.stacks["/today"] == [Place("/students/7")])
        navigator.open("/messages", isReplacing: false)
        device.show()
        #expect(device.root.all("TabView").first?.input?.value as? String == "/messages")
    }

    @Test("a page that was read is shown without a network, and says so")
    func offline() async throws {
        let first = try await started()
        first.session.signedIn?.store.stop()
        let device = try AppDevice(auth: first.auth, folder: first.folder)
        for path in ["/", "/today", "/messages"] {
            device.server.on("GET \(path)", failing: .unreachable("no network"))
        }
        await device.session.start()
        device.show()
        await device.appear()
        #expect(device.texts.contains("Noor"))
        #expect(device.texts.contains("This is the page as you last read it."))
    }

    @Test("a command without a network waits, the app says how many do, and the server gets it later with its key")
    func outbox() async throws {
        let device = try await started()
        let mark = PTCommandCall(path: "/api/v1/attendance/mark", key: "mark-1", isQueued: true)
        device.server.on(
            page: "/today",
            Screen(title: "Today", body: [.button(PTButton(title: "Mark all", action: .perform(mark)))]),
            tabs: AppDevice.tabs)
        device.server.on("POST /api/v1/attendance/mark", failing: .unreachable("no network"))
        await device.session.signedIn?.store.pageStore.refresh()
        device.show()
        await device.appear()
        try device.press("Mark all")
        try await device.wait("the app says that a change waits") {
            device.texts.contains("1 change waits") && device.session.signedIn?.store.syncSummary.failing == 1
        }
        device.server.on("POST /api/v1/attendance/mark", json: "{}")
        try device.press("Send now")
        try await device.wait("nothing waits any more") { !device.texts.contains("1 change waits") }
        let bodies = device.server.requests("/api/v1/attendance/mark").compactMap(\.body)
        #expect(bodies.count == 2)
        #expect(bodies.map { String(decoding: $0, as: UTF8.self) } == ["%5Fkey=mark%2D1", "%5Fkey=mark%2D1"])
    }

    @Test("a change that is being sent for the first time is not announced")
    func sending() async throws {
        let device = try await started()
        let (asked, answer) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        device.server.on("POST /api/v1/attendance/mark") { _ in
            asked.continuation.finish()
            for await _ in answer.stream {}
            return Data("{}".utf8)
        }
        let store = try #require(device.session.signedIn?.store)
        let command = PageCommand(path: "/api/v1/attendance/mark", fields: [:], key: "mark-4")
        let sending = Task { try await store.pageStore.run(command, isQueued: true) }
        for await _ in asked.stream {}
        device.show()
        #expect(store.syncSummary.unsent == 1 && !device.texts.contains("1 change waits"))
        answer.continuation.finish()
        #expect(try await sending.value == .answered(PageCommandAnswer()))
    }

    @Test("a refused command shows the server's sentence, and a notice keeps what was typed")
    func notices() async throws {
        let device = try await started()
        let refusal = Refusal(status: 409, code: "attendance.closed", title: "The day is closed.")
        device.server.on("POST /api/v1/attendance/mark", failing: .refused(refusal))
        let store = try #require(device.session.signedIn?.store)
        let command = PageCommand(path: "/api/v1/attendance/mark", fields: ["note": "Was late"], key: "mark-2")
        await #expect(throws: StoreError.refused(refusal)) {
            try await store.pageStore.run(command, isQueued: true)
        }
        device.show()
        #expect(device.texts.contains("1 change was not applied"))
        try device.press("Show")
        try await device.wait("the notices are shown") { device.texts.contains("Was late") }
        #expect(device.texts.contains("The day is closed."))
    }

    // MARK: - Links and notifications

    @Test("a link that opens the app before the sign-in leads to its page afterwards")
    func link() async throws {
        let device = try AppDevice(auth: ScriptedSession(isSignedIn: false))
        for path in ["/", "/today", "/messages"] {
            device.server.on(page: path, Self.today, tabs: AppDevice.tabs)
        }
        device.server.on(page: "/open?link=course%2F7f", Screen(title: "French"))
        await device.session.start()
        device.session.open(try #require(URL(string: "wolfwhale://course/7f")))
        device.auth.userId = device.auth.account
        try await device.session.enter()
        #expect(device.session.signedIn?.navigator.stack == [Place("/open?link=course%2F7f")])
        device.show()
        await device.appear()
        #expect(
            device.session.signedIn?.navigator.stack == [Place("/open?link=course%2F7f")],
            "the tabs keep it in front")
    }

    @Test("a link of another server opens in the browser")
    func outside() async throws {
        let device = try await started()
        device.session.open(try #require(URL(string: "https://other.example/a")))
        #expect(device.session.signedIn?.navigator.outside?.host() == "other.example")
        #expect(device.session.signedIn?.navigator.stack == [])
    }

    @Test("a tap on a notification opens its page, and nothing if it is for another account")
    func notification() async throws {
        let device = try await started()
        let delegate = AppDelegate()
        delegate.begin(device.session)
        #expect(delegate.launch())
        let center = UNUserNotificationCenter.current()
        await center.tap(userInfo: ["url": "/students/8", "account": UUID().uuidString])
        #expect(device.session.signedIn?.navigator.stack == [])
        await center.tap(userInfo: ["url": "/students/7", "account": device.auth.account.uuidString])
        #expect(device.session.signedIn?.navigator.stack == [Place("/students/7")])
        await center.tap(userInfo: ["url": "//evil.example/"])
        #expect(device.session.signedIn?.navigator.stack == [Place("/students/7")])
    }

    @Test("a person who allows notifications registers the device with the server")
    func push() async throws {
        let device = try await started()
        let before = RecordedSystem.registrations
        UNUserNotificationCenter.current().allow(false)
        await DeviceNotifications().ask()
        #expect(RecordedSystem.registrations == before)
        UNUserNotificationCenter.current().allow(true)
        await DeviceNotifications().ask()
        #expect(RecordedSystem.registrations == before + 1)

        device.server.on("POST /api/v1/notifications/device", json: "{}")
        let delegate = AppDelegate()
        delegate.begin(device.session)
        delegate.receive(token: Data([0xA0, 0x01]))
        try await device.wait("the device is registered") {
            !device.server.requests("/api/v1/notifications/device").isEmpty
        }
        let body = try #require(device.server.requests("/api/v1/notifications/device").first?.body)
        #expect(try JSONDecoder().decode([String: String].self, from: body) == ["kind": "apns", "target": "a001"])
    }

    @Test("a person who wants notifications is registered again with each session and start, and nobody else")
    func pushAgain() async throws {
        let notifications = CountedNotifications()
        let device = try await started(AppDevice(notifications: notifications))
        try await device.session.enter()
        #expect(notifications.renewals == 0)
        device.server.on("POST /api/v1/notifications/device", json: "{}")
        await device.session.signedIn?.register(token: Data([0xA0, 0x01]))
        try await device.session.enter()
        #expect(notifications.renewals == 1)
        device.session.signedIn?.store.stop()
        let next = try AppDevice(auth: device.auth, folder: device.folder, notifications: notifications)
        await next.session.start()
        #expect(notifications.renewals == 2)
    }

    // MARK: - The end of a session

    @Test("an expired session asks for the sign-in over the pages, and what was typed stays")
    func expired() async throws {
        let device = try await started()
        let form = PTForm(
            id: "note", action: "/api/v1/notes", fields: [PTField(name: "text", label: "Note")],
            submit: SubmitButton(title: "Save"), key: "note-1")
        device.server.on(page: "/today", Screen(title: "Today", body: [.form(form)]), tabs: AppDevice.tabs)
        await device.session.signedIn?.store.pageStore.refresh()
        device.show()
        await device.appear()
        try device.enter("Built a tower", into: "Note")
        device.auth.userId = nil
        device.show()
        #expect(device.has("RoleBasedMainView") && device.has("SmartLaunchView"))
        try device.enter("ana@maple.example", into: "Email address")
        try device.enter("rose cubes", into: "Password")
        try device.press("Sign in")
        try await device.wait("the sign-in closes") { !device.has("SmartLaunchView") }
        let note = try #require(device.root.all("TextField").first { $0.spoken.contains("Note") })
        #expect(note.input?.value as? String == "Built a tower")
    }

    @Test("signing out removes the tokens, the pages, the stores and the notifications from the device")
    func signOut() async throws {
        let device = try await started()
        let stored = Data(
            #"{"userId":"\#(UUID())","roles":[],"accessToken":"a","accessExpiresAt":0,"refreshToken":"r"}"#.utf8)
        try device.tokens.save(try JSONDecoder().decode(StoredSession.self, from: stored))
        let item = try #require(RecordedSystem.keychainItem(service: device.folder.url.path))
        #expect(item.protection == RecordedSystem.protection)
        #expect(String(decoding: item.data, as: UTF8.self).contains("refreshToken"))
        var cleared = 0
        device.session.onSignOut.append { cleared += 1 }
        let removals = UNUserNotificationCenter.current().recordedRemovals
        let menu = try #require(device.root.all("Menu").first)
        try #require(menu.items.flatMap { $0.all("Button") }.first { $0.spoken == "Sign out" }).press()
        try await device.wait("the sign-in is shown") { device.has("SmartLaunchView") }
        #expect(device.auth.signOuts == 1 && cleared == 1)
        #expect(UNUserNotificationCenter.current().recordedRemovals > removals)
        #expect(RecordedSystem.keychainItem(service: device.folder.url.path) == nil)
        #expect(try device.tokens.load() == nil)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: device.folder.url.appending(path: "app").path)
        #expect(!files.contains { $0.hasSuffix(".sqlite") }, "\(files)")
    }

    @Test("signing out asks before changes are lost that the server does not have")
    func unsent() async throws {
        let device = try await started()
        device.server.on("POST /api/v1/attendance/mark", failing: .unreachable("no network"))
        let store = try #require(device.session.signedIn?.store)
        _ = try await store.pageStore.run(
            PageCommand(path: "/api/v1/attendance/mark", fields: [:], key: "mark-3"), isQueued: true)
        device.show()
        let menu = try #require(device.root.all("Menu").first)
        try #require(menu.items.flatMap { $0.all("Button") }.first { $0.spoken == "Sign out" }).press()
        try await device.wait("the question is asked") {
            device.texts.contains("1 change was not sent yet and would be lost.")
        }
        #expect(device.has("RoleBasedMainView"))
        let answer = device.root.all.flatMap { $0.modifiers.filter { $0.name == "confirmationDialog" } }
            .flatMap(\.content).flatMap { $0.all("Button") }
        try #require(answer.first { $0.spoken == "Sign out" }).press()
        try await device.wait("the sign-in is shown") { device.has("SmartLaunchView") }
    }

    @Test("tokens that a removed app left in the keychain are not used by a new installation")
    func reinstalled() async throws {
        let device = try AppDevice(isInstalled: false)
        let stored = Data(
            #"{"userId":"\#(UUID())","roles":[],"accessToken":"a","accessExpiresAt":0,"refreshToken":"r"}"#.utf8)
        try device.tokens.save(try JSONDecoder().decode(StoredSession.self, from: stored))
        await device.session.start()
        #expect(try device.tokens.load() == nil)
        device.show()
        #expect(device.has("SmartLaunchView"))
    }
}

@MainActor
final class Scanner: CodeScanner {
    let isAvailable = true
    private let text: String
    init(text: String) { self.text = text }
    func scan() async throws -> String? { text }
}

@MainActor
final class Passkeys: PasskeySignIn {
    private(set) var asked: [String] = []

    func signIn(challenge: String, relyingParty: String) async throws -> PasskeyAssertion? {
        asked.append("\(challenge) \(relyingParty)")
        return PasskeyAssertion(
            passkeyId: "aWQ", clientData: "Y2xpZW50", authenticatorData: "YXV0aA", signature: "c2lnbmF0dXJl",
            userHandle: nil)
    }

    /// The answer of the system's sheet for a new passkey; `nil` if the person cancels.
    var make: (PasskeyOptions) throws -> PasskeyRegistration? = { _ in
        PasskeyRegistration(clientData: "bmV3", attestation: "YXR0")
    }
    func create(_ options: PasskeyOptions) async throws -> PasskeyRegistration? { try make(options) }
}

@MainActor
final class AppleAccounts: AppleSignIn {
    private(set) var asked: [String] = []
    var answer: (String) -> AppleCredential? = {
        AppleCredential(user: "001", identityToken: "token of \($0)", authorizationCode: "code", name: "Ana")
    }

    func signIn(nonce: String) async throws -> AppleCredential? {
        asked.append(nonce)
        return answer(nonce)
    }
}

/// Counts how often the device was registered again.
@MainActor
private final class CountedNotifications: NotificationAccess {
    private(set) var renewals = 0

    func ask() async {}
    func renew() { renewals += 1 }
    func removeAll() {}
}
