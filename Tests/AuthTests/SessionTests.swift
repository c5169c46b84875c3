import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Sessions")
struct SessionTests {
    let auth: AuthFixture
    var clock: FixedClock { auth.environment.clock }

    init() async throws { auth = try await AuthFixture() }

    func refresh(_ tokens: SessionTokens) async throws -> SessionTokens? {
        try await auth.auth.refresh(refreshToken: tokens.refreshToken)
    }

    @Test("an access token expires after 15 minutes, cached or not")
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

    @Test("a refresh gives new tokens for the same session and device")
    func rotation() async throws {
        let first = try await auth.signUp()
        let session = try #require(try await auth.caller(first).account)
        clock.advance(by: AuthService.accessLifetime + 1)
        let second: SessionTokens = try await auth.environment.execute(
            RefreshSession.self, ["refreshToken": .text(first.refreshToken)], as: .nobody)
        #expect(second.accessToken != first.accessToken && second.refreshToken != first.refreshToken)
        #expect(second.deviceId == first.deviceId)
        #expect(try await auth.caller(second).account == session)
        clock.advance(by: AuthService.accessLifetime + 1)
        let third = try #require(try await refresh(second))
        #expect(try await auth.caller(third).account == session)
    }

    @Test("a replaced refresh token gets the same answer for a minute, for other tabs and lost answers")
    func grace() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        clock.advance(by: 60)
        #expect(try await refresh(first) == second)
        #expect(try await auth.caller(second).account != nil)
        clock.advance(by: 1)
        #expect(try await refresh(second) != nil, "the session goes on with the one token that it has")
    }

    @Test("a replaced token whose successor was exchanged too is refused, and the session stays")
    func supersededInGrace() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        clock.advance(by: 5)
        let third = try #require(try await refresh(second))
        #expect(try await problem { _ = try await refresh(first) } == Problem(409, "auth.renewedFurther"))
        #expect(try await refresh(second) == third)
        #expect(try await auth.caller(third).account != nil)
        clock.advance(by: AuthService.accessLifetime)
        #expect(try await refresh(third) != nil)
    }

    @Test("setting the clock back does not prolong the minute of a replaced token")
    func graceOnTheClock() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        #expect(try await auth.caller(second).account != nil)
        clock.advance(by: -86_400)
        #expect(try await refresh(first) == nil)
        #expect(try await refresh(second) == nil, "the session is over")
    }

    @Test("a replaced token used later ends the session, for thief and owner alike")
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

    @Test(
        "a replaced token whose answers are lost is good until new tokens are first used, for a tablet too",
        arguments: [120, AuthService.accessLifetime + 1, 7 * 86_400] as [TimeInterval])
    func lostForLong(_ gap: TimeInterval) async throws {
        let first = try await auth.signUp()
        let lost = try #require(try await refresh(first))
        for _ in 0..<2 {
            clock.advance(by: gap)
            auth.auth.clearSessionCache()
            let again = try #require(try await refresh(first))
            #expect(again.refreshToken == lost.refreshToken, "a session has one refresh token")
            // The server looks at its own answer before it is sent, as it does for cookies.
            #expect(try await auth.auth.account(renewed: again) != nil)
            #expect(try await swappable() == [1])
        }
        let arrived = try #require(try await refresh(first))
        #expect(try await auth.caller(arrived).account != nil)
        clock.advance(by: 61)
        #expect(try await refresh(first) == nil, "the new tokens were used, so the old one has been copied")
        #expect(try await auth.caller(arrived).account == nil)
    }

    @Test("an access token from before the renewal does not end the replaced token's time")
    func olderAccess() async throws {
        let first = try await auth.signUp()
        clock.advance(by: 300)
        let lost = try #require(try await refresh(first))
        auth.auth.clearSessionCache()
        #expect(try await auth.caller(first).account != nil)
        clock.advance(by: 61)
        #expect(try await refresh(first)?.refreshToken == lost.refreshToken)
    }

    @Test("repeated use within the grace does not prolong it")
    func graceIsNotProlonged() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        #expect(try await auth.caller(second).account != nil)
        clock.advance(by: 40)
        #expect(try await refresh(first) != nil)
        clock.advance(by: 40)
        #expect(try await refresh(first) == nil)
    }

    @Test("a refresh token expires, and neither kind of token works as the other")
    func kinds() async throws {
        let tokens = try await auth.signUp()
        #expect(try await auth.auth.account(accessToken: tokens.refreshToken) == nil)
        #expect(try await auth.auth.refresh(refreshToken: tokens.accessToken) == nil)
        #expect(try await auth.auth.refresh(refreshToken: "") == nil)
        clock.advance(by: AuthService.refreshLifetime)
        #expect(try await refresh(tokens) == nil)
        let refusal = try await problem {
            try await auth.environment.execute(
                "auth.refresh", ["refreshToken": .text(tokens.refreshToken)], as: .nobody)
        }
        #expect(refusal == .signInNeeded)
    }

    @Test("twenty refreshes of one token at once get the same answer")
    func refreshesAtOnce() async throws {
        let first = try await auth.signUp()
        let auth = auth
        let fresh = try await withThrowingTaskGroup(of: SessionTokens?.self) { group in
            for _ in 0..<20 { group.addTask { try await auth.auth.refresh(refreshToken: first.refreshToken) } }
            return try await group.reduce(into: [SessionTokens]()) { if let one = $1 { $0.append(one) } }
        }
        #expect(fresh.count == 20 && Set(fresh).count == 1)
        for tokens in fresh { #expect(try await auth.caller(tokens).account != nil) }
        #expect(try await swappable() == [1])
    }

    /// For each open session, the number of refresh tokens that would yield new tokens.
    private func swappable() async throws -> [Int] {
        let now = clock.now
        return try await auth.environment.directory.read { sql in
            try sql.rows(
                """
                SELECT COUNT(*) AS live FROM session_tokens JOIN sessions ON sessions.id = session_tokens.session_id
                WHERE kind = 'refresh' AND replaced_at IS NULL AND expires_at > \(now) AND ended_at IS NULL
                GROUP BY session_id
                """
            ).map { try $0.get("live") }
        }
    }

    @Test(
        "no mix of refreshes, lost answers, replays and thefts leaves two usable refresh tokens",
        arguments: 0..<40)
    func oneLine(_ seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var held = try await auth.signUp()
        // Every refresh token so far, and its successors.
        var known = [held.refreshToken]
        var given: [String: SessionTokens] = [:]
        for _ in 0..<60 {
            let token: String
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: token = held.refreshToken
            case 4..<6: token = known.suffix(2).randomElement(using: &random) ?? held.refreshToken
            case 6: token = known.randomElement(using: &random) ?? held.refreshToken
            default:
                clock.advance(by: TimeInterval(Int.random(in: -2...45, using: &random)))
                continue
            }
            let times = Int.random(in: 1...3, using: &random)
            let service = auth.auth
            let answers = await withTaskGroup(of: SessionTokens?.self) { group in
                // Any refusal yields no tokens.
                for _ in 0..<times { group.addTask { try? await service.refresh(refreshToken: token) } }
                return await group.reduce(into: [SessionTokens]()) { if let one = $1 { $0.append(one) } }
            }
            #expect(Set(answers.map(\.refreshToken)).count <= 1)
            if let answer = answers.first {
                #expect(
                    given[token] == nil || given[token]?.refreshToken == answer.refreshToken,
                    "a token has one successor")
                if given.updateValue(answer, forKey: token) == nil { known.append(answer.refreshToken) }
                // The answer reaches the owner, is lost, or goes to a thief.
                if Bool.random(using: &random) { held = answer }
            }
            #expect(try await swappable().allSatisfy { $0 <= 1 })
        }
    }

    @Test(
        "a client that retries lost answers within a minute stays signed in",
        arguments: 0..<10)
    func lostAnswers(_ seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var held = try await auth.signUp()
        for _ in 0..<30 {
            clock.advance(by: AuthService.accessLifetime)
            let lost = try #require(try await refresh(held))
            clock.advance(by: TimeInterval(Int.random(in: 0...59, using: &random)))
            let again = try #require(try await refresh(held))
            #expect(again == lost)
            #expect(try await auth.caller(again).account != nil)
            held = again
        }
    }

    @Test(
        "sign-out ends a cached access token and its refresh token at once",
        .requirement("PT-1.13.e"))
    func signOut() async throws {
        let tokens = try await auth.signUp()
        let caller = try await auth.caller(tokens)
        let sessionId = try #require(caller.account?.sessionId)
        #expect(try await auth.auth.isValid(sessionId: sessionId))
        try await auth.environment.execute(SignOut.self, as: caller)
        #expect(try await auth.caller(tokens).account == nil)
        #expect(try await refresh(tokens) == nil)
        #expect(try await !auth.auth.isValid(sessionId: sessionId))
        try await auth.environment.execute(SignOut.self, as: caller)
    }

    @Test("a sign-out during a token's read is not overwritten by the cache")
    func signOutMeanwhile() async throws {
        let tokens = try await auth.signUp()
        let caller = try await auth.caller(tokens)
        let other = startedAgain()
        auth.directory.afterNextRead { try await signOut(caller, other) }
        _ = try await other.account(accessToken: tokens.accessToken)
        #expect(try await other.account(accessToken: tokens.accessToken) == nil)
    }

    @Test("a session's state is read once, until a session ends")
    func knownAsOpen() async throws {
        let tokens = try await auth.signUp()
        let caller = try await auth.caller(tokens)
        let sessionId = try #require(caller.account?.sessionId)
        #expect(try await auth.auth.isValid(sessionId: sessionId))
        // Another process ends the session; this one learns of it a moment later.
        try await signOut(caller, startedAgain())
        #expect(try await auth.auth.isValid(sessionId: sessionId), "without a look-up")
        auth.auth.clearSessionCache()
        #expect(try await !auth.auth.isValid(sessionId: sessionId))
    }

    @Test("a sign-out during a session's read is not overwritten by the cache")
    func signOutWhileLooking() async throws {
        let tokens = try await auth.signUp()
        let caller = try await auth.caller(tokens)
        let sessionId = try #require(caller.account?.sessionId)
        let other = startedAgain()
        auth.directory.afterNextRead { try await signOut(caller, other) }
        _ = try await other.isValid(sessionId: sessionId)
        #expect(try await !other.isValid(sessionId: sessionId))
    }

    @Test(
        "a start caches all signed-in people in one read", .requirement("PT-1.14.a"))
    func rememberedAtStart() async throws {
        let (first, second) = (try await auth.signUp(), try await auth.signUp("luz@maple.example"))
        let known = try await [auth.caller(first).account, auth.caller(second).account]
        let other = startedAgain()
        try await other.fillSessionCache()
        #expect(try await remembered(first, by: other) == known[0])
        #expect(try await remembered(second, by: other) == known[1])
        clock.advance(by: AuthService.accessLifetime)
        #expect(try await other.account(accessToken: first.accessToken) == nil)
    }

    @Test("a start does not cache sessions that ended before or during its read")
    func signOutAtStart() async throws {
        let (gone, going) = (try await auth.signUp(), try await auth.signUp("luz@maple.example"))
        let callers = try await [auth.caller(gone), auth.caller(going)]
        try await auth.environment.execute(SignOut.self, as: callers[0])
        let other = startedAgain()
        auth.directory.afterNextRead { try await signOut(callers[1], other) }
        try await other.fillSessionCache()
        #expect(try await other.account(accessToken: gone.accessToken) == nil)
        #expect(try await other.account(accessToken: going.accessToken) == nil)
    }

    @Test("a start caches the newest sessions up to its limit, and no API token")
    func boundAtStart() async throws {
        try await auth.signUp()
        clock.advance(by: 1)
        try await auth.signUp("luz@maple.example")
        clock.advance(by: 1)
        let program = try #require(try await auth.caller(auth.signUp("sync@maple.example")).account?.sessionId)
        let (school, now) = (auth.environment.ids.id(at: clock.now), clock.now)
        let found = try await auth.environment.directory.write { sql in
            try sql.execute(
                """
                UPDATE sessions SET scopes = \("students:read"), organization_id = \(school) WHERE id = \(program)
                """)
            return try SessionRepository.people(at: now, limit: 1, in: sql).map(\.account.email)
        }
        #expect(found == ["luz@maple.example"])
    }

    @Test("a new or refreshed session is cached until it ends")
    func rememberedWhenMade() async throws {
        let first = try await auth.signUp()
        let renewed = try #require(try await refresh(first))
        let holder = try await remembered(first, by: auth.auth)
        #expect(holder?.email == "ana@maple.example")
        #expect(try await remembered(renewed, by: auth.auth) == holder)
        try await auth.environment.execute(SignOut.self, as: auth.caller(renewed))
        #expect(try await auth.caller(first).account == nil)
        #expect(try await auth.caller(renewed).account == nil)
    }

    @Test("a session that another process ended is refused once the cache is emptied")
    func endedElsewhere() async throws {
        let tokens = try await auth.signUp()
        #expect(try await auth.caller(tokens).account != nil)
        _ = try await startedAgain().removeSecondFactors(email: "ana@maple.example")
        auth.auth.clearSessionCache()
        #expect(try await auth.caller(tokens).account == nil)
    }

    /// A second service of the same directory with an empty cache.
    private func startedAgain() -> AuthService {
        AuthService(directory: auth.directory, hasher: auth.hasher, clock: clock, ids: auth.environment.ids)
    }

    private func signOut(_ caller: Caller, _ service: AuthService) async throws {
        let fixture = auth.environment
        let feature = try AuthFeature.make(
            auth: service, directory: fixture.directory, hasher: auth.hasher, ids: fixture.ids,
            mailer: RememberingMailer(), outbox: EmptyOutbox(), cryptography: TestCryptography(), qr: TestQRCode(),
            publicURL: "https://tower.example", confirmsMail: false,
            addresses: AddressChanges(
                auth: service, directory: fixture.directory, hasher: auth.hasher, ids: fixture.ids,
                mailer: RememberingMailer(), publicURL: "https://tower.example", confirmsMail: false),
            erasing: nil,
            allFeatures: AllFeatures(kernelRecords: KernelRecordStore.kinds))
        let signOut = try #require(feature.endpoints.commands.first { $0.contract.name == "auth.signOut" })
        _ = try await fixture.pipeline.execute(
            signOut, [:], isForm: false, key: nil, in: fixture.context(of: caller))
    }

    /// The cached holder of the token; records an issue when the directory is read.
    private func remembered(_ tokens: SessionTokens, by service: AuthService) async throws -> SignedInAccount? {
        auth.directory.afterNextRead { Issue.record("the directory was read") }
        defer { auth.directory.afterNextRead {} }
        return try await service.account(accessToken: tokens.accessToken)
    }

    @Test("neither tokens nor passwords are stored, in tables or in the file")
    func onlyFingerprints() async throws {
        let first = try await auth.signUp()
        let second = try #require(try await refresh(first))
        try await auth.environment.execute(
            "auth.signIn", ["email": "ana@maple.example", "password": .text(AuthFixture.password)], as: .nobody,
            key: "a-key-of-a-client")
        let stored = try await auth.stored()
        #expect(stored.contains("ana@maple.example"), "the look into the tables sees something")
        #expect(stored.contains(auth.hasher.fingerprint(second.accessToken)))
        let secrets = [first, second].flatMap { [$0.accessToken, $0.refreshToken] } + [AuthFixture.password]
        for secret in secrets { #expect(!stored.contains(secret)) }
        let files = try FileManager.default.contentsOfDirectory(
            at: auth.environment.folder.url, includingPropertiesForKeys: nil
        ).filter { !$0.hasDirectoryPath }
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try Data(contentsOf: file)
            for secret in secrets {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "in \(file.lastPathComponent)")
            }
        }
    }

    @Test("the reads of every request use indexes")
    func indexed() async throws {
        let id = auth.environment.ids.id(at: clock.now)
        try await auth.environment.expectIndexed("SELECT * FROM accounts WHERE email = \("ana@maple.example")")
        try await auth.environment.expectIndexed(SessionRepository.holder(of: "f", at: clock.now))
        try await auth.environment.expectIndexed("DELETE FROM session_tokens WHERE session_id = \(id)")
    }
}
