import Client
import DesignSystem
import Domain
import Foundation
import ScreenUI
import ServerProcess
import SwiftUI
import TestKit
import Testing

@testable import AppShell
@testable import standinapple

/// New accounts and passkeys of the app with the real server, over sockets.
@Suite("Accounts of the app with the real server", .serialized, .timeLimit(.minutes(3)))
@MainActor
struct RealAccountTests {
    private nonisolated static let email = "ana@maple.example"
    private nonisolated static let password = "a few words in a row"

    private static let parentNeeded = "You are under 13: enter a parent’s email address, so that they can agree."

    /// The views of the page that is open over the sign-in.
    private func page(_ device: AppDevice) throws -> RecordedView {
        try #require(device.root.all("GuestPageView").first)
    }

    /// Opens a page over the sign-in and waits until the server has sent it.
    private func open(_ button: String, _ device: AppDevice) async throws {
        try device.press(button)
        try await device.wait("the page is open") { device.has("GuestPageView") }
        await device.appear()
        _ = try page(device)
    }

    /// Fills in the date of birth and the agreement, and sends the form.
    private func finish(_ year: Int, _ device: AppDevice) async throws {
        if let choose = try page(device).all("Button").first(where: { $0.spoken.hasPrefix("Date of birth") }) {
            choose.press()
            device.show()
        }
        let day = try #require(Calendar.current.date(from: DateComponents(year: year, month: 2, day: 28)))
        try #require(try page(device).all("DatePicker").first).enter(day)
        device.show()
        try #require(try page(device).all("Toggle").first { $0.spoken.contains("I agree") }).enter(true)
        device.show()
        try #require(try page(device).all("Button").first { $0.spoken == "Create an account" }).press()
    }

    @Test("a person makes an account in the app: a child is asked for a parent, and an adult finds the start page")
    func signUp() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.file("data"), in: folder)
        defer { server.kill() }
        let device = try AppDevice(folder: folder, at: try server.url)
        await device.start()
        try await open("Create an account", device)
        for (text, label) in [("Ana Silva", "Your name"), (Self.password, "Password"), (Self.email, "Email")] {
            let fields = try page(device).all("TextField") + page(device).all("SecureField")
            try #require(fields.first { $0.spoken.hasPrefix(label) }, "no field \(label)").enter(text)
            device.show()
        }
        try await finish(2024, device)
        try await device.wait("a parent's address is asked for") {
            device.texts.contains(Self.parentNeeded)
        }
        let name = try #require(try page(device).all("TextField").first { $0.spoken.hasPrefix("Your name") })
        #expect(name.input?.value as? String == "Ana Silva")
        try await finish(1990, device)
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        let person = try #require(device.session.signedIn)
        defer { person.store.stop() }
        await device.appear()
        let start = device.texts
        #expect(start.contains { $0.localizedCaseInsensitiveContains("school") }, "\(start)")
        // The code of a school is entered on a page of the server.
        person.navigator.open("/join", isReplacing: false)
        device.show()
        await device.appear()
        #expect(device.root.all("TextField").contains { $0.spoken.localizedCaseInsensitiveContains("code") })
    }

    /// The account at the stand-in for Apple, in the place of the system's sheet.
    private final class Account: AppleSignIn {
        let apple: StandInApple
        var name: String? = "Ana Silva"

        init(_ apple: StandInApple) { self.apple = apple }

        func signIn(nonce: String) async throws -> AppleCredential? {
            defer { name = nil }
            return AppleCredential(
                user: apple.state.person.subject, identityToken: try apple.appToken(nonce: nonce),
                authorizationCode: apple.appCode(nonce: nonce), name: name)
        }
    }

    @Test("a person makes an account with Apple in the app, with the name that Apple told, and comes back with it")
    func apple() async throws {
        try await StandInApple.with { apple in
            let granted = try await Self().signUp(with: apple)
            #expect(granted == [StandInApple.appId], "the server has the grant of the app")
        }
    }

    /// Makes an account with Apple, signs out and signs in again. Returns the clients of the grants after the sign-up.
    private func signUp(with apple: StandInApple) async throws -> [String] {
        let folder = try TemporaryFolder()
        let key = folder.file("key.p8")
        try apple.keyFile.write(to: key)
        let server = try RealServer.start(
            folder.file("data"), in: folder,
            environment: [
                "PINKTOWER_PUBLIC_URL": "http://127.0.0.1:8080", "PINKTOWER_APPLE_URL": apple.state.address,
                "PINKTOWER_APPLE_SERVICES_ID": StandInApple.servicesId,
                "PINKTOWER_APPLE_TEAM_ID": StandInApple.teamId,
                "PINKTOWER_APPLE_KEY_ID": StandInApple.keyId, "PINKTOWER_APPLE_KEY_FILE": key.path,
                "PINKTOWER_APNS_TEAM_ID": StandInApple.teamId, "PINKTOWER_APNS_KEY_ID": StandInApple.keyId,
                "PINKTOWER_APNS_KEY_FILE": key.path, "PINKTOWER_APNS_TOPIC": StandInApple.appId,
            ])
        defer { server.kill() }
        let device = try AppDevice(abilities: Abilities(apple: Account(apple)), folder: folder, at: try server.url)
        await device.start()
        try await open("Continue with Apple", device)
        let name = try #require(try page(device).all("TextField").first { $0.spoken.hasPrefix("Your name") })
        #expect(name.input?.value as? String == "Ana Silva")
        try await finish(1990, device)
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        let granted = Array(apple.state.refreshTokens.values)
        try await device.session.signOut()
        device.show()
        await device.appear()
        try device.press("Continue with Apple")
        try await device.wait("the main view is shown again") { device.has("RoleBasedMainView") }
        device.session.signedIn?.store.stop()
        return granted
    }

    /// A software authenticator, in the place of the system's sheet.
    private final class Authenticator: PasskeySignIn {
        let passkey = StandInPasskey(of: "tower.example")
        private(set) var known: [[String]] = []

        func signIn(challenge: String, relyingParty: String) async throws -> PasskeyAssertion? {
            let shown = try passkey.shown(challenge)
            func field(_ name: String) throws -> String { try #require(shown[name]) }
            #expect(relyingParty == passkey.domain)
            return PasskeyAssertion(
                passkeyId: try field("passkeyId"), clientData: try field("clientData"),
                authenticatorData: try field("authenticatorData"), signature: try field("signature"),
                userHandle: nil)
        }

        func create(_ options: PasskeyOptions) async throws -> PasskeyRegistration? {
            #expect(options.relyingParty == passkey.domain && options.userName == RealAccountTests.email)
            known.append(options.known)
            let made = passkey.made(options.challenge)
            return PasskeyRegistration(
                clientData: try #require(made["clientData"]), attestation: try #require(made["attestation"]))
        }
    }

    @Test("a person adds a passkey in the app, signs in with it, and its session may add another")
    func passkey() async throws {
        struct Person: Encodable {
            let name = "Ana"
            let email = RealAccountTests.email
            let password = RealAccountTests.password
            let bornOn = "1990-02-28"
            let agrees = true
        }
        let folder = try TemporaryFolder()
        let server = try RealServer.start(
            folder.file("data"), in: folder, environment: ["PINKTOWER_PUBLIC_URL": "https://tower.example"])
        defer { server.kill() }
        let auth = try LiveAuthManager(server: try server.url, storage: SessionFile(folder.file("other")))
        _ = try await LiveAPIManager(server: try server.url, auth: auth).send(
            APIRequest(.post, "/api/v1/auth/sign-up", body: try JSONEncoder().encode(Person())))
        let authenticator = Authenticator()
        let device = try AppDevice(
            abilities: Abilities(passkeys: authenticator), folder: folder, at: try server.url)
        await device.start()
        try device.enter(Self.email, into: "Email address")
        try device.enter(Self.password, into: "Password")
        try device.press("Sign in")
        try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
        try await addPasskey(device)
        try await device.wait("the passkey is listed") { device.texts.contains("My phone") }

        try await device.session.signOut()
        device.show()
        await device.appear()
        try device.press("Sign in with a passkey")
        try await device.wait("the main view is shown again") { device.has("RoleBasedMainView") }
        // The same passkey is stored once; the server asks for a session that has shown it.
        try await addPasskey(device)
        try await device.wait("the server was asked") { authenticator.known.count == 2 }
        #expect(authenticator.known.map(\.count) == [0, 1])
        device.session.signedIn?.store.stop()
    }

    private func addPasskey(_ device: AppDevice) async throws {
        let person = try #require(device.session.signedIn)
        person.navigator.open("/settings/security/passkeys/new", isReplacing: false)
        device.show()
        await device.appear()
        let fields = device.root.all("TextField")
        try #require(fields.first { $0.spoken.hasPrefix("Name") }).enter("My phone")
        device.show()
        try #require(device.root.all("SecureField").first).enter(Self.password)
        device.show()
        try device.press("Add passkey")
        try await device.wait("the security page follows") {
            person.navigator.stack.last?.address == "/settings/security"
                || device.texts.contains { $0.contains("lready") }
        }
        await device.appear()
    }
}
