import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Auth, devices in somebody else's hands")
struct NarrowSessionTests {
    private static let playing: Set<TokenScope> = [TokenScope(area: "quest", mayChange: true)]
    private static let preparing: Set<TokenScope> = [TokenScope(area: "routines", mayChange: true)]

    /// A person with a school, and what commands of another block would do for them.
    private struct Scene {
        let fixture: AuthFixture
        let tokens: SessionTokens
        let organization: Organization

        init() async throws {
            fixture = try await AuthFixture()
            tokens = try await fixture.signUp()
            organization = try await fixture.environment.makeSchool().organization
        }

        func caller(_ access: String) async throws -> Caller {
            let account = try await fixture.auth.account(accessToken: access)
            return Caller(
                account: account,
                membership: ActiveMembership(organization: organization, personId: UUID(), roles: [.parent]))
        }

        /// Runs what a command does in the directory's transaction; answers what it did to the browser's session.
        @discardableResult
        func run(
            as caller: Caller, _ work: @escaping @Sendable (AuthService, inout CommandContext) throws -> Void
        ) async throws -> SessionChange? {
            let words = try fixture.environment.words()
            let (auth, ids, now) = (fixture.auth, fixture.environment.ids, fixture.environment.clock.now)
            return try await fixture.environment.directory.write { sql in
                var context = CommandContext(caller: caller, now: now, ids: ids, words: words, sql: sql)
                try work(auth, &context)
                return context.session
            }
        }

        /// A tablet of the person's.
        func tablet() async throws -> SessionTokens {
            let session = NarrowSession(
                accountId: try #require(try await caller(tokens.accessToken).account?.id), deviceId: UUID(),
                organizationId: organization.id, scopes: NarrowSessionTests.playing, hasSecondFactor: false)
            let change = try await run(as: .nobody) { try $0.start(session, in: &$1) }
            guard case .start(let tokens)? = change else { throw Problem.notFound }
            return tokens
        }
    }

    @Test("a narrowed session is a device of its person, with its scopes alone, also after it renewed itself")
    func startsNarrow() async throws {
        let scene = try await Scene()
        var tablet = try await scene.tablet()
        for _ in 0..<2 {
            let token = try #require(try await scene.caller(tablet.accessToken).account?.token)
            #expect(token.isDevice && token.scopes == Self.playing && token.organizationId == scene.organization.id)
            tablet = try #require(try await scene.fixture.auth.refresh(refreshToken: tablet.refreshToken))
        }
        let person = try await scene.caller(scene.tokens.accessToken)
        #expect(person.account?.token == nil)
        let devices = try await scene.fixture.environment.answer(ListDevices.self, as: person).items
        #expect(devices.map(\.isNarrow).sorted { !$0 && $1 } == [false, true])
        let (account, now) = (try #require(person.account), scene.fixture.environment.clock.now)
        let programs = try await scene.fixture.environment.directory.read {
            try TokenRepository.tokens(of: account.id, at: now, in: $0)
        }
        #expect(programs.isEmpty)
        // It is signed out as every device is.
        let narrow = try #require(devices.first { $0.isNarrow })
        try await scene.fixture.environment.execute(EndDevice.self, ["sessionId": .id(narrow.id)], as: person)
        #expect(try await scene.caller(tablet.accessToken).account == nil)
        #expect(try await scene.fixture.auth.refresh(refreshToken: tablet.refreshToken) == nil)
    }

    @Test("what is opened on it closes by itself, by Done, and with no request in between")
    func opensForAWhile() async throws {
        let scene = try await Scene()
        let tablet = try await scene.tablet()
        func scopes() async throws -> Set<TokenScope>? {
            try await scene.caller(tablet.accessToken).account?.token?.scopes
        }
        let until = scene.fixture.environment.clock.now.addingTimeInterval(600)
        func open() async throws {
            try await scene.run(as: scene.caller(tablet.accessToken)) {
                try $0.open(Self.preparing, until: until, in: $1)
            }
        }
        #expect(try await scopes() == Self.playing)
        try await open()
        #expect(try await scopes() == Self.playing.union(Self.preparing))
        try await scene.run(as: scene.caller(tablet.accessToken)) { try $0.close(in: $1) }
        #expect(try await scopes() == Self.playing)
        try await open()
        #expect(try await scopes() == Self.playing.union(Self.preparing))
        scene.fixture.environment.clock.advance(by: 601)
        #expect(try await scopes() == Self.playing)
        let renewed = try #require(try await scene.fixture.auth.refresh(refreshToken: tablet.refreshToken))
        #expect(try await scene.caller(renewed.accessToken).account?.token?.scopes == Self.playing)
    }

    @Test("a present session is narrowed at once, and no second time")
    func narrows() async throws {
        let scene = try await Scene()
        let person = try await scene.caller(scene.tokens.accessToken)
        try await scene.run(as: person) { try $0.narrow(to: Self.playing, in: $1) }
        let narrowed = try await scene.caller(scene.tokens.accessToken)
        #expect(narrowed.account?.token?.scopes == Self.playing)
        #expect(
            try await problem {
                try await scene.run(as: narrowed) { try $0.narrow(to: Self.preparing, in: $1) }
            }?.status == 409)
        // Signing in is open to whoever knows the password, and gives all of it back.
        let again = try await scene.fixture.environment.execute(
            SignIn.self, ["email": "ana@maple.example", "password": .text(AuthFixture.password)], as: narrowed)
        #expect(try await scene.caller(try #require(again.session).accessToken).account?.token == nil)
        // It is the same device: the session that it had is over.
        #expect(try await scene.fixture.auth.refresh(refreshToken: scene.tokens.refreshToken) == nil)
        let refused = try await problem {
            try await scene.fixture.environment.execute(EndOtherDevices.self, as: narrowed)
        }
        #expect(refused?.code == "tokenScope")
    }

    @Test("a person's own session is not opened, and an account that is gone has no tablet")
    func refuses() async throws {
        let scene = try await Scene()
        let person = try await scene.caller(scene.tokens.accessToken)
        try await scene.run(as: person) { try $0.open(Self.preparing, until: .distantFuture, in: $1) }
        #expect(try await scene.caller(scene.tokens.accessToken).account?.token == nil)
        let gone = NarrowSession(
            accountId: UUID(), deviceId: UUID(), organizationId: UUID(), scopes: Self.playing,
            hasSecondFactor: false)
        #expect(try await problem { try await scene.run(as: .nobody) { try $0.start(gone, in: &$1) } } == .notFound)
    }
}
