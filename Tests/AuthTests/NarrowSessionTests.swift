import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Narrowed sessions on a child's device")
struct NarrowSessionTests {
    private static let playing: Set<TokenScope> = [TokenScope(area: "quest", mayChange: true)]
    private static let preparing: Set<TokenScope> = [TokenScope(area: "routines", mayChange: true)]

    /// A person with a school, and the calls that another block's commands make.
    private struct Setup {
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

        /// Runs work in the directory's transaction and returns the change of the browser's session.
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

        /// Starts a narrowed session on a tablet.
        func tablet() async throws -> SessionTokens {
            let session = NarrowSession(
                accountId: try #require(try await caller(tokens.accessToken).account?.id), deviceId: UUID(),
                organizationId: organization.id, scopes: NarrowSessionTests.playing, hasSecondFactor: false)
            let change = try await run(as: .nobody) { try $0.start(session, in: &$1) }
            guard case .start(let tokens)? = change else { throw Problem.notFound }
            return tokens
        }
    }

    @Test("a narrowed session is a device of its person with only its scopes, also after a refresh")
    func startsNarrow() async throws {
        let setup = try await Setup()
        var tablet = try await setup.tablet()
        for _ in 0..<2 {
            let token = try #require(try await setup.caller(tablet.accessToken).account?.token)
            #expect(token.isDevice && token.scopes == Self.playing && token.organizationId == setup.organization.id)
            tablet = try #require(try await setup.fixture.auth.refresh(refreshToken: tablet.refreshToken))
        }
        let person = try await setup.caller(setup.tokens.accessToken)
        #expect(person.account?.token == nil)
        let devices = try await setup.fixture.environment.answer(ListDevices.self, as: person).items
        #expect(devices.map(\.isNarrow).sorted { !$0 && $1 } == [false, true])
        let (account, now) = (try #require(person.account), setup.fixture.environment.clock.now)
        let programs = try await setup.fixture.environment.directory.read {
            try TokenRepository.tokens(of: account.id, at: now, in: $0)
        }
        #expect(programs.isEmpty)
        // It is signed out like other devices.
        let narrow = try #require(devices.first { $0.isNarrow })
        try await setup.fixture.environment.execute(EndDevice.self, ["sessionId": .id(narrow.id)], as: person)
        #expect(try await setup.caller(tablet.accessToken).account == nil)
        #expect(try await setup.fixture.auth.refresh(refreshToken: tablet.refreshToken) == nil)
    }

    @Test("opened scopes end after their time, with Done, and without a request in between")
    func opensForAWhile() async throws {
        let setup = try await Setup()
        let tablet = try await setup.tablet()
        func scopes() async throws -> Set<TokenScope>? {
            try await setup.caller(tablet.accessToken).account?.token?.scopes
        }
        let until = setup.fixture.environment.clock.now.addingTimeInterval(600)
        func open() async throws {
            try await setup.run(as: setup.caller(tablet.accessToken)) {
                try $0.open(Self.preparing, until: until, in: $1)
            }
        }
        #expect(try await scopes() == Self.playing)
        try await open()
        #expect(try await scopes() == Self.playing.union(Self.preparing))
        try await setup.run(as: setup.caller(tablet.accessToken)) { try $0.close(in: $1) }
        #expect(try await scopes() == Self.playing)
        try await open()
        #expect(try await scopes() == Self.playing.union(Self.preparing))
        setup.fixture.environment.clock.advance(by: 601)
        #expect(try await scopes() == Self.playing)
        let renewed = try #require(try await setup.fixture.auth.refresh(refreshToken: tablet.refreshToken))
        #expect(try await setup.caller(renewed.accessToken).account?.token?.scopes == Self.playing)
    }

    @Test("an existing session is narrowed at once, and only once")
    func narrows() async throws {
        let setup = try await Setup()
        let person = try await setup.caller(setup.tokens.accessToken)
        try await setup.run(as: person) { try $0.narrow(to: Self.playing, in: $1) }
        let narrowed = try await setup.caller(setup.tokens.accessToken)
        #expect(narrowed.account?.token?.scopes == Self.playing)
        #expect(
            try await problem {
                try await setup.run(as: narrowed) { try $0.narrow(to: Self.preparing, in: $1) }
            }?.status == 409)
        // Signing in with the password restores all rights.
        let again = try await setup.fixture.environment.execute(
            SignIn.self, ["email": "ana@maple.example", "password": .text(AuthFixture.password)], as: narrowed)
        #expect(try await setup.caller(try #require(again.session).accessToken).account?.token == nil)
        // The device's former session has ended.
        #expect(try await setup.fixture.auth.refresh(refreshToken: setup.tokens.refreshToken) == nil)
        let refused = try await problem {
            try await setup.fixture.environment.execute(EndOtherDevices.self, as: narrowed)
        }
        #expect(refused?.code == "tokenScope")
    }

    @Test("a full session cannot be opened, and a deleted account gets no narrowed session")
    func refuses() async throws {
        let setup = try await Setup()
        let person = try await setup.caller(setup.tokens.accessToken)
        try await setup.run(as: person) { try $0.open(Self.preparing, until: .distantFuture, in: $1) }
        #expect(try await setup.caller(setup.tokens.accessToken).account?.token == nil)
        let gone = NarrowSession(
            accountId: UUID(), deviceId: UUID(), organizationId: UUID(), scopes: Self.playing,
            hasSecondFactor: false)
        #expect(try await problem { try await setup.run(as: .nobody) { try $0.start(gone, in: &$1) } } == .notFound)
    }
}
