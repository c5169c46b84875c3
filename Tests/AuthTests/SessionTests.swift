import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Sessions")
struct SessionTests {
    let auth: AuthHouse
    var clock: FixedClock { auth.house.clock }

    init() async throws { auth = try await AuthHouse() }

    func refresh(_ tokens: SessionTokens) async throws -> SessionTokens? {
        try await auth.auth.refresh(refreshToken: tokens.refreshToken)
    }

    @Test("an access token is good for a quarter of an hour and then for nothing, remembered or not")
    func expiry() async throws {
        let remembered = try await auth.signUp()
        let fresh = try await auth.signIn()
        #expect(try await auth.caller(remembered).account != nil)
        clock.advance(by: AuthService.accessLifetime - 1)
        #expect(try await auth.caller(remembered).account != nil)
        clock.advance(by: 1)
        #expect(try await auth.caller(remembered).account == nil)
        #expect(try await auth.caller(fresh).account == nil)
    }

    @Test("a refresh gives new tokens for the same session and device", .requirement("WW-8.01", "WW-8.04"))
    func rotation() async throws {
        let first = try await auth.signUp()
        let session = try #require(try await auth.caller(first).account)
        clock.advance(by: AuthService.accessLifetime + 1)
        let second: SessionTokens = try await auth.house.execute(
            RefreshSession.self, ["refreshToken": .text(first.refreshToken)], as: .nobody)
        #expect(second.accessToken != first.accessToken && second.refreshToken != first.refreshToken)
        #expect(second.deviceId == first.deviceId)
        #expect(try await auth.caller(second).account == session)
        clock.advance(by: AuthService.accessLifetime + 1)
        let third = try #require(try await refresh(second))
        #expect(try await auth.caller(third).account == session)
    }

    @Test("a replaced refresh token works for a minute more, for the browser's other tabs")
    func grace() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        clock.advance(by: 60)
        let third = try #require(try await refresh(first))
        #expect(try await auth.caller(second).account != nil)
        #expect(try await auth.caller(third).account != nil)
    }

    @Test("a replaced refresh token that comes back later ends the session, thief's and owner's tokens alike")
    func reuse() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        #expect(try await auth.caller(second).account != nil)
        clock.advance(by: 61)
        let other = try await auth.signIn()
        #expect(try await refresh(first) == nil)
        #expect(try await auth.caller(second).account == nil)
        #expect(try await refresh(second) == nil)
        #expect(try await auth.caller(other).account != nil, "another session of the account goes on")
    }

    @Test("repeated use within the grace does not prolong it")
    func graceIsNotProlonged() async throws {
        let first = try await auth.signUp()
        _ = try await refresh(first)
        clock.advance(by: 40)
        #expect(try await refresh(first) != nil)
        clock.advance(by: 40)
        #expect(try await refresh(first) == nil)
    }

    @Test("a refresh token runs out, and is no access token, nor the other way round")
    func kinds() async throws {
        let tokens = try await auth.signUp()
        #expect(try await auth.auth.account(accessToken: tokens.refreshToken) == nil)
        #expect(try await auth.auth.refresh(refreshToken: tokens.accessToken) == nil)
        #expect(try await auth.auth.refresh(refreshToken: "") == nil)
        clock.advance(by: AuthService.refreshLifetime)
        #expect(try await refresh(tokens) == nil)
        let refusal = try await problem {
            try await auth.house.execute("auth.refresh", ["refreshToken": .text(tokens.refreshToken)], as: .nobody)
        }
        #expect(refusal == .signInNeeded)
    }

    @Test("twenty refreshes of one token at once all succeed within the grace")
    func refreshesAtOnce() async throws {
        let first = try await auth.signUp()
        let auth = auth
        let fresh = try await withThrowingTaskGroup(of: SessionTokens?.self) { group in
            for _ in 0..<20 { group.addTask { try await auth.auth.refresh(refreshToken: first.refreshToken) } }
            return try await group.reduce(into: [SessionTokens]()) { if let one = $1 { $0.append(one) } }
        }
        #expect(Set(fresh.map(\.refreshToken)).count == 20)
        for tokens in fresh { #expect(try await auth.caller(tokens).account != nil) }
    }

    @Test("sign-out makes a remembered access token useless at once, and its refresh token too")
    func signOut() async throws {
        let tokens = try await auth.signUp()
        let caller = try await auth.caller(tokens)
        let sessionId = try #require(caller.account?.sessionId)
        #expect(try await auth.auth.isValid(sessionId: sessionId))
        try await auth.house.execute(SignOut.self, as: caller)
        #expect(try await auth.caller(tokens).account == nil)
        #expect(try await refresh(tokens) == nil)
        #expect(try await !auth.auth.isValid(sessionId: sessionId))
        try await auth.house.execute(SignOut.self, as: caller)
    }

    @Test("a sign-out between a token's look-up and its answer is not forgotten")
    func signOutMeanwhile() async throws {
        let tokens = try await auth.signUp()
        let caller = try await auth.caller(tokens)
        // A second service of the same directory, which remembers nothing yet.
        let house = auth.house
        let other = AuthService(
            directory: auth.directory, hasher: auth.hasher, clock: house.clock, ids: house.ids)
        let feature = try AuthFeature.make(
            auth: other, directory: house.directory, hasher: auth.hasher, ids: house.ids,
            mailer: RememberingMailer(), cryptography: TestCryptography(), qr: TestQRCode(),
            publicURL: "https://tower.example", confirmsMail: false)
        let signOut = try #require(feature.commands.first { $0.contract.name == "auth.signOut" })
        auth.directory.afterNextRead {
            _ = try await house.pipeline.execute(
                signOut, [:], isForm: false, key: nil, in: house.context(of: caller))
        }
        _ = try await other.account(accessToken: tokens.accessToken)
        #expect(try await other.account(accessToken: tokens.accessToken) == nil)
    }

    @Test("neither tokens nor passwords are stored, in tables or in the file")
    func onlyFingerprints() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        try await auth.house.execute(
            "auth.signIn", ["email": "ana@maple.example", "password": .text(AuthHouse.password)], as: .nobody,
            key: "a-key-of-a-client")
        let stored = try await auth.stored()
        #expect(stored.contains("ana@maple.example"), "the look into the tables sees something")
        #expect(stored.contains(auth.hasher.fingerprint(second.accessToken)))
        let secrets = [first, second].flatMap { [$0.accessToken, $0.refreshToken] } + [AuthHouse.password]
        for secret in secrets { #expect(!stored.contains(secret)) }
        let files = try FileManager.default.contentsOfDirectory(
            at: auth.house.folder.url, includingPropertiesForKeys: nil
        ).filter { !$0.hasDirectoryPath }
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try Data(contentsOf: file)
            for secret in secrets {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "in \(file.lastPathComponent)")
            }
        }
    }

    @Test("the look-ups of every request read no table in whole")
    func indexed() async throws {
        let id = auth.house.ids.id(at: clock.now)
        try await auth.house.expectIndexed("SELECT * FROM accounts WHERE email = \("ana@maple.example")")
        try await auth.house.expectIndexed(
            "SELECT session_id FROM session_tokens WHERE fingerprint = \("f") AND kind = \("access")")
        try await auth.house.expectIndexed("DELETE FROM session_tokens WHERE session_id = \(id)")
    }
}
