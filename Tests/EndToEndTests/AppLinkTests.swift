import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import HummingbirdTesting
import ScreenKit
import ServerApp
import TestKit
import Testing

@testable import standinapple

/// What the domain of a school tells Apple's devices about its app, and passkeys that the app uses.
@Suite("Links and passkeys of the app")
struct AppLinkTests {
    private static let path = "/.well-known/apple-app-site-association"
    private static let app = "\(StandInApple.teamId).\(StandInApple.appId)"

    /// A server with an app and a domain.
    private static func with(_ work: @escaping @Sendable (Tower) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let keyFile = folder.file("key.p8")
        try StandInApple().keyFile.write(to: keyFile)
        try await Tower.with(in: folder) { settings in
            settings.publicURL = "https://tower.example"
            settings.apns = AppPushSettings(
                teamId: StandInApple.teamId, keyId: StandInApple.keyId, keyFile: keyFile,
                topic: StandInApple.appId)
        } _: { tower in
            try await work(tower)
        }
    }

    // MARK: - The association

    private struct Association: Decodable {
        struct Links: Decodable {
            struct Detail: Decodable {
                let appIDs: [String]
                let components: [[String: Pattern]]
            }
            let details: [Detail]
        }
        enum Pattern: Decodable {
            case path(String)
            case exclude(Bool)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                // Either of both types.
                if let path = try? container.decode(String.self) {
                    self = .path(path)
                } else {
                    self = .exclude(try container.decode(Bool.self))
                }
            }
        }
        struct Credentials: Decodable { let apps: [String] }
        let applinks: Links
        let webcredentials: Credentials

        /// Whether a path has these parts in their order, with at least one character between two of them.
        private static func matches(_ path: Substring, _ parts: ArraySlice<String>) -> Bool {
            guard let part = parts.first, path.hasPrefix(part) else { return false }
            var rest = path.dropFirst(part.count)
            if parts.count == 1 { return rest.isEmpty }
            while !rest.isEmpty {
                rest = rest.dropFirst()
                if matches(rest, parts.dropFirst()) { return true }
            }
            return false
        }

        /// Whether a link opens in the app: the first pattern that matches decides ("Supporting associated domains").
        func opens(_ path: String) throws -> Bool {
            for component in try #require(applinks.details.first).components {
                guard case .path(let pattern)? = component["/"] else { continue }
                guard Self.matches(path[...], pattern.components(separatedBy: "?*")[...]) else { continue }
                if case .exclude(true)? = component["exclude"] { return false }
                return true
            }
            return false
        }
    }

    @Test("the domain names its app for links and passkeys, in a file that is cached and needs no session")
    func association() async throws {
        try await Self.with { tower in
            let answer = try await tower.get(Self.path, as: .nobody)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.cacheControl] == "public, max-age=3600")
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.text.utf8.count < 128 * 1024, "the largest file that Apple reads")
            let association = try JSONDecoder().decode(Association.self, from: Data(answer.text.utf8))
            #expect(association.webcredentials.apps == [Self.app])
            #expect(association.applinks.details.map(\.appIDs) == [[Self.app]])
        }
    }

    @Test("links to pages of a session open in the app; files, commands and pages for everyone stay in the browser")
    func links() async throws {
        try await Self.with { tower in
            let answer = try await tower.get(Self.path, as: .nobody)
            let association = try JSONDecoder().decode(Association.self, from: Data(answer.text.utf8))
            func sample(_ path: String) -> String { path.replacing(#/\{[^}]*\}/#, with: "0199f2c4") }
            let features = tower.composition.features.features
            for screen in features.flatMap(\.pages.screens) {
                let isInside = screen.access != .anyone || screen.path == "/"
                #expect(try association.opens(sample(screen.path)) == isInside, "\(screen.path)")
            }
            let others =
                features.flatMap(\.endpoints.downloads).map(\.path)
                + features.flatMap(\.endpoints.queries).map(\.contract.path)
                + features.flatMap(\.endpoints.commands).map(\.contract.path)
                + ["/healthz", "/openapi.json", "/sw.js", "/manifest.webmanifest", "/assets/a.js", Self.path]
            for path in others { #expect(try !association.opens(sample(path)), "\(path)") }
        }
    }

    @Test("without an app there is no association")
    func off() async throws {
        try await Tower.with { tower in
            let answer = try await tower.get(Self.path, as: .nobody)
            #expect(answer.status == .notFound)
        }
    }

    // MARK: - Passkeys

    private static let passkeys = "/api/v1/auth/passkeys"

    /// Creates a passkey with the app's session and returns the answer to the last request.
    private func create(_ passkey: StandInPasskey, _ tower: Tower, as who: Tower.As) async throws -> TestResponse {
        let options = try await tower.post("\(Self.passkeys)/options", ["password": Tower.password], as: who)
        guard options.status == .ok else { return options }
        #expect(try options.json().text("relyingParty") == "tower.example")
        return try await tower.post(
            Self.passkeys, passkey.made(options.json().text("challenge")), as: who)
    }

    /// Signs in with a passkey and returns the access token.
    private func signIn(_ passkey: StandInPasskey, _ tower: Tower) async throws -> String {
        let options = try await tower.post("\(Self.passkeys)/sign-in/options", [String: String]())
        let answer = try await tower.post(
            "\(Self.passkeys)/sign-in", passkey.shown(options.json().text("challenge")))
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json().text("accessToken")
    }

    @Test("the app's session creates a passkey with the password, and the app signs in with it")
    func passkey() async throws {
        try await Self.with { tower in
            let person = try await tower.signUp()
            let passkey = StandInPasskey(of: "tower.example")
            for fields in [[:], ["password": "a guess at it"]] {
                let refused = try await tower.post("\(Self.passkeys)/options", fields, as: person.bearer)
                #expect(refused.status == .unprocessableContent)
            }
            #expect(
                try await tower.post("\(Self.passkeys)/options", ["password": Tower.password]).status
                    == .unauthorized)
            let made = try await create(passkey, tower, as: person.bearer)
            #expect(made.status == .created, "\(made.text)")
            let access = try await signIn(passkey, tower)
            let listed = try await tower.get(Self.passkeys, as: .bearer(access))
            #expect(listed.text.contains("My phone"), "\(listed.text)")
        }
    }

    @Test("a second passkey needs a session of the first, not the password alone")
    func secondPasskey() async throws {
        try await Self.with { tower in
            let person = try await tower.signUp()
            let passkey = StandInPasskey(of: "tower.example")
            #expect(try await create(passkey, tower, as: person.bearer).status == .created)
            let withPassword = try await tower.post(
                "/api/v1/auth/sign-in", ["email": person.email, "password": Tower.password])
            let weak = try await create(
                StandInPasskey(of: "tower.example"), tower, as: .bearer(withPassword.json().text("accessToken")))
            #expect(weak.status == .forbidden)
            #expect(try weak.json().text("code") == "auth.showFactorFirst")
            let known = try await create(passkey, tower, as: .bearer(signIn(passkey, tower)))
            #expect(known.status == .conflict, "the same passkey is stored once")
        }
    }
}
