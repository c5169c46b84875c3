import Client
import DesignSystem
import Domain
import Foundation
import ScreenUI
import SwiftUI
import TestKit
import Testing

@testable import AppShell

/// New accounts and passkeys in the app, on the pages of the server.
@Suite("Accounts in the app")
@MainActor
struct AccountTests {
    private static let signUp = Screen(
        title: "Create an account", layout: .focused,
        body: [
            .button(
                PTButton(title: "With Apple", icon: .apple, role: .provider, action: .external("/sign-in/apple"))),
            .form(
                PTForm(
                    id: "sign-up", action: "/api/v1/auth/sign-up",
                    fields: [
                        PTField(name: "name", label: "Name", isRequired: true),
                        PTField(.newPassword, name: "password", label: "New password"),
                        PTField(.hidden, name: "signUpToken", label: "", value: "sign-up-7"),
                    ], submit: SubmitButton(title: "Make it"), key: "sign-up-1")),
            .links(
                PTLinks(links: [
                    .init(title: "Terms", action: .open("/terms")),
                    .init(title: "I have one", action: .open("/sign-in")),
                ])),
        ])

    /// The app of a person who is not signed in, at the sign-in.
    private func atSignIn(
        _ auth: ScriptedSession = ScriptedSession(isSignedIn: false), _ abilities: Abilities = Abilities(),
        folder: TemporaryFolder? = nil
    ) async throws -> AppDevice {
        let device = try AppDevice(auth: auth, abilities: abilities, folder: folder)
        device.server.on(page: "/", Screen(title: "Today"), tabs: AppDevice.tabs)
        auth.guestPages = [
            "/sign-up": Self.signUp, "/sign-up/apple/sign-up-7": Self.signUp,
            "/terms": Screen(title: "Terms", body: [.text(PTText("What we agree on."))]),
        ]
        await device.start()
        return device
    }

    private func open(_ button: String, _ text: String, on device: AppDevice) async throws {
        try device.press(button)
        await device.appear()
        try await device.wait("the page is shown") { device.texts.contains(text) || device.has("Button") }
    }

    // MARK: - New accounts

    @Test("a new account is made on the server's page: a refusal keeps what was typed, and success signs in")
    func signUp() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        let device = try await atSignIn(auth)
        try await open("Create an account", "Name", on: device)
        try device.enter("Ana", into: "Name")
        try device.enter("short", into: "New password")
        auth.answerGuest = { _ in
            throw APIError.refused(
                Refusal(
                    status: 422, code: "invalid", title: "Look again.",
                    errors: [.init(field: "password", code: "tooShort", message: "At least ten characters.")]))
        }
        try device.press("Make it")
        try await device.wait("the refusal is shown") { device.texts.contains("At least ten characters.") }
        let name = try #require(device.root.all("TextField").first { $0.spoken.contains("Name") })
        #expect(name.input?.value as? String == "Ana")
        auth.answerGuest = { _ in throw APIError.unreachable("no network") }
        try device.press("Make it")
        try await device.wait("the person is told that it is still there") {
            device.texts.contains(StoreError.notSent.message(ClientWords.current))
        }
        auth.answerGuest = { _ in GuestAnswer(answer: PageCommandAnswer(next: "/"), signIn: .signedIn) }
        try device.enter("a few words in a row", into: "New password")
        try device.press("Make it")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        let sent = try #require(auth.guestCommands.last)
        #expect(sent.path == "/api/v1/auth/sign-up" && sent.key == "sign-up-1")
        #expect(
            sent.fields == ["name": "Ana", "password": "a few words in a row", "signUpToken": "sign-up-7"])
    }

    @Test("a person whom Apple knows and the school does not gets the form of a new account")
    func apple() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        (auth.appleNonce, auth.knowsApple) = ("n-7", false)
        let device = try await atSignIn(auth, Abilities(apple: AppleAccounts()))
        try await open("Continue with Apple", "Name", on: device)
        try await device.wait("the form is open") { device.has("GuestPageView") }
        await device.appear()
        #expect(auth.appleName == "Ana" && auth.appleCode == "code")
        #expect(!auth.isAuthenticated)
        try device.enter("Ana", into: "Name")
        // The account of a child waits: the page says so and leads back to the sign-in.
        auth.guestPages["/sign-up/parent"] = Screen(
            title: "Almost there",
            body: [
                .text(PTText("A parent agrees first.")),
                .button(PTButton(title: "Go", action: .open("/sign-in"))),
            ])
        auth.answerGuest = { _ in GuestAnswer(answer: PageCommandAnswer(next: "/sign-up/parent")) }
        try device.press("Make it")
        try await device.wait("the next page is open") { !device.texts.contains("Make it") }
        await device.appear()
        #expect(device.texts.contains("A parent agrees first."))
        try device.press("Go")
        try await device.wait("the sign-in is shown") { !device.has("GuestPageView") }
        #expect(device.has("SmartLaunchView"))
    }

    @Test("the button for Apple on the server's page shows the system's sheet, and a refusal has its own page")
    func appleOnPage() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        auth.appleNonce = "n-7"
        let accounts = AppleAccounts()
        let device = try await atSignIn(auth, Abilities(apple: accounts))
        try await open("Create an account", "Name", on: device)
        auth.appleErrors = [
            .refused(Refusal(status: 409, code: "auth.apple.known", title: "You have one already."))
        ]
        auth.guestPages["/sign-in/apple/known"] = Screen(
            title: "Not yet",
            body: [
                .text(PTText("Sign in with your password first.")),
                .button(PTButton(title: "Once more", action: .external("/sign-in/apple"))),
            ])
        try device.press("With Apple")
        try await device.wait("the page is open") { device.root.all("GuestPageView").count == 2 }
        await device.appear()
        #expect(device.texts.contains("Sign in with your password first."))
        auth.appleErrors = [.unreachable("no network")]
        try device.press("Once more")
        try await device.wait("the refusal is said on the page") {
            device.texts.contains(StoreError.notSent.message(ClientWords.current))
        }
        try device.press("Once more")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        #expect(accounts.asked.count == 3)
    }

    @Test("the name that Apple tells once is sent again at the person's next try, until the school has it")
    func name() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        auth.appleNonce = "n-7"
        auth.appleErrors = [.unreachable("no network")]
        let accounts = AppleAccounts()
        let device = try await atSignIn(auth, Abilities(apple: accounts))
        try device.press("Continue with Apple")
        try await device.wait("the person is told") {
            device.texts.contains(StoreError.notSent.message(ClientWords.current))
        }
        // The app starts anew, another person comes first, and Apple tells no name.
        let next = try await atSignIn(auth, Abilities(apple: accounts), folder: device.folder)
        for (user, known) in [("002", nil), ("001", "Ana"), ("001", "Ana")] as [(String, String?)] {
            auth.knowsApple = false
            accounts.answer = { AppleCredential(user: user, identityToken: "token of \($0)") }
            let count = accounts.asked.count
            try next.press("Continue with Apple")
            try await next.wait("the form is open") {
                accounts.asked.count > count && next.has("GuestPageView")
            }
            #expect(auth.appleName == known)
            await next.appear()
            try next.press("I have one")
            try await next.wait("the sign-in is shown") { !next.has("GuestPageView") }
        }
        auth.knowsApple = true
        try next.press("Continue with Apple")
        try await next.wait("the main view is shown") { next.has("RoleBasedMainView") }
        #expect(auth.appleName == "Ana")
        let file = next.session.parts.folder.appending(path: "apple-name")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("links of a page open over it, and its form keeps what was typed")
    func links() async throws {
        let device = try await atSignIn()
        try await open("Create an account", "Name", on: device)
        try device.enter("Ana", into: "Name")
        try device.press("Terms")
        await device.appear()
        #expect(device.texts.contains("What we agree on."))
        let name = try #require(device.root.all("TextField").first { $0.spoken.contains("Name") })
        #expect(name.input?.value as? String == "Ana")
    }

    @Test("a page that cannot be read says so, and is read again when the person pulls it down")
    func unreadable() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        let device = try await atSignIn(auth)
        auth.guestError = .unreachable("no network")
        try device.press("Create an account")
        await device.appear()
        #expect(device.texts.contains(StoreError.notSent.message(ClientWords.current)))
        let pull = try #require(
            device.root.all("GuestPageView").flatMap(\.all).flatMap(\.modifiers).first { $0.name == "refreshable" })
        await pull.work?()
        device.show()
        #expect(device.root.all("Button").contains { $0.spoken == "Make it" })
    }

    @Test("a forgotten password and a second step after a new account have their pages")
    func more() async throws {
        let auth = ScriptedSession(isSignedIn: false)
        let device = try await atSignIn(auth)
        auth.guestPages["/forgot"] = Screen(title: "Forgot", body: [.text(PTText("We mail you a link."))])
        try device.press("Forgot your password?")
        await device.appear()
        #expect(device.texts.contains("We mail you a link."))

        let other = try await atSignIn(auth)
        try await open("Create an account", "Name", on: other)
        try other.enter("Ana", into: "Name")
        auth.answerGuest = { _ in
            GuestAnswer(answer: PageCommandAnswer(), signIn: .needsCode(token: "step"))
        }
        try other.press("Make it")
        try await other.wait("the code is asked for") {
            other.root.all("TextField").contains { $0.spoken.contains("Code") }
        }
        try other.enter("123456", into: "Code")
        try other.press("Sign in")
        try await other.wait("the main view is shown") { other.has("RoleBasedMainView") }
    }

    @Test("the scanned code of an invitation opens its page after the sign-in")
    func invitation() async throws {
        let device = try AppDevice(
            auth: ScriptedSession(isSignedIn: false), isInstalled: false,
            abilities: Abilities(codes: Scanner(text: "https://maple.example/join/MAPLE")))
        for page in ["/", "/join/MAPLE"] { device.server.on(page: page, Screen(title: page), tabs: AppDevice.tabs) }
        await device.start()
        try device.press("Scan the school’s code")
        try await device.wait("the sign-in is shown") { device.texts.contains("maple.example") }
        try device.enter("ana@maple.example", into: "Email address")
        try device.enter("rose cubes", into: "Password")
        try device.press("Sign in")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        #expect(device.session.signedIn?.navigator.stack == [Place("/join/MAPLE")])
    }

    // MARK: - Passkeys

    private static let passkeyForm: Screen = {
        var form = PTForm(
            id: "passkey", action: "/api/v1/auth/passkeys",
            fields: [
                PTField(name: "name", label: "Name", value: "My phone"),
                PTField(.password, name: "password", label: "Your password"),
                PTField(.hidden, name: "clientData", label: ""), PTField(.hidden, name: "attestation", label: ""),
            ], submit: SubmitButton(title: "Add it"), key: "passkey-1", to: "/settings/security")
        form.passkey = PTPasskeyCeremony(.create, options: "/api/v1/auth/passkeys/options")
        return Screen(title: "Passkeys", body: [.form(form)])
    }()

    /// The app of a signed-in person, at the page for a new passkey.
    private func atPasskeys(_ keys: Passkeys, _ screen: Screen = passkeyForm) async throws -> AppDevice {
        let device = try AppDevice(abilities: Abilities(passkeys: keys))
        for path in ["/", "/today"] { device.server.on(page: path, screen, tabs: AppDevice.tabs) }
        for path in ["/messages", "/settings/security"] {
            device.server.on(page: path, Screen(title: path), tabs: AppDevice.tabs)
        }
        device.server.on(
            "POST /api/v1/auth/passkeys/options",
            PasskeyOptions(
                challenge: "bg", relyingParty: "maple.example", userId: "BQ", userName: "ana@maple.example",
                displayName: "Ana", known: ["AQ"]))
        device.server.on("POST /api/v1/auth/passkeys", json: "{}")
        await device.start()
        return device
    }

    private func sent(_ device: AppDevice) throws -> String {
        String(
            decoding: try #require(device.server.requests("/api/v1/auth/passkeys").first?.body), as: UTF8.self)
    }

    @Test("a new passkey is made for the server's options, and stored with its name; the password is sent once")
    func newPasskey() async throws {
        let keys = Passkeys()
        var asked: [PasskeyOptions] = []
        keys.make = {
            asked.append($0)
            return PasskeyRegistration(clientData: "bmV3", attestation: "YXR0")
        }
        let device = try await atPasskeys(keys)
        try device.enter("rose cubes", into: "Your password")
        try device.press("Add it")
        try await device.wait("the passkey is stored") {
            !device.server.requests("/api/v1/auth/passkeys").isEmpty
        }
        #expect(asked.map(\.challenge) == ["bg"] && asked.first?.known == ["AQ"])
        let options = try #require(device.server.requests("/api/v1/auth/passkeys/options").first?.body)
        #expect(String(decoding: options, as: UTF8.self) == #"{"password":"rose cubes"}"#)
        let body = try sent(device)
        for part in ["attestation=YXR0", "clientData=bmV3", "name=My%20phone"] { #expect(body.contains(part)) }
        #expect(!body.contains("rose"))
        try await device.wait("the next page is open") {
            device.session.signedIn?.navigator.stack.last == Place("/settings/security")
        }
    }

    @Test("a canceled passkey is no error: nothing is stored, and what was typed stays")
    func canceled() async throws {
        let keys = Passkeys()
        keys.make = { _ in nil }
        let device = try await atPasskeys(keys)
        try device.enter("rose cubes", into: "Your password")
        try device.press("Add it")
        try await device.wait("the form can be sent again") {
            try !device.server.requests("/api/v1/auth/passkeys/options").isEmpty
                && device.find("Button", "Add it").isEnabled
        }
        #expect(device.server.requests("/api/v1/auth/passkeys").isEmpty)
        #expect(device.session.signedIn?.navigator.stack == [])
        let password = try #require(device.root.all("SecureField").first)
        #expect(password.input?.value as? String == "rose cubes")
        #expect(!device.texts.contains { $0.hasPrefix("This device did not create") })
    }

    @Test("a wrong password is said at its field, and a device that fails in a sentence")
    func refusals() async throws {
        let keys = Passkeys()
        let device = try await atPasskeys(keys)
        device.server.on(
            "POST /api/v1/auth/passkeys/options",
            failing: .refused(
                Refusal(
                    status: 422, code: "invalid", title: "Look again.",
                    errors: [.init(field: "password", code: "auth.wrongPassword", message: "Not the password.")])))
        try device.enter("a guess", into: "Your password")
        try device.press("Add it")
        try await device.wait("the refusal is shown") { device.texts.contains("Not the password.") }

        struct NoPasscode: Error {}
        keys.make = { _ in throw NoPasscode() }
        let other = try await atPasskeys(keys)
        try other.enter("rose cubes", into: "Your password")
        try other.press("Add it")
        try await other.wait("the sentence is shown") {
            other.texts.contains { $0.hasPrefix("This device did not create or use a passkey.") }
        }
        #expect(other.server.requests("/api/v1/auth/passkeys").isEmpty)
    }

    @Test("a page that asks for a passkey renews the session with it, which stays the person's")
    func use() async throws {
        var form = PTForm(
            id: "use", action: "/api/v1/auth/passkeys/sign-in",
            fields: [PTField(.hidden, name: "signature", label: "")], submit: SubmitButton(title: "Show it"),
            key: "use-1")
        form.passkey = PTPasskeyCeremony(.use, options: "/api/v1/auth/passkeys/sign-in/options")
        let device = try await atPasskeys(Passkeys(), Screen(title: "Security", body: [.form(form)]))
        try device.press("Show it")
        try await device.wait("the session is renewed") { device.auth.passkeySignIns == 1 }
        #expect(device.server.requests("/api/v1/auth/passkeys/sign-in").isEmpty)
        try await device.wait("the page is there") { device.has("RoleBasedMainView") }
    }
}
