import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("The consent log")
struct ConsentTests {
    /// Records one consent or withdrawal.
    private func agree(
        _ version: String, isGiven: Bool = true, _ accountId: UUID, _ auth: AuthFixture,
        _ language: Language = .english
    ) async throws {
        let fixture = auth.environment
        let (words, now, ids) = (try fixture.words(language), fixture.clock.now, fixture.ids)
        try await fixture.directory.write { sql in
            let context = CommandContext(caller: .nobody, now: now, ids: ids, words: words, sql: sql)
            try ConsentLog.record(
                ConsentDraft(accountId: accountId, purpose: "test", version: version, isGiven: isGiven), in: context
            )
        }
    }

    @Test("the log records who agreed to which version, when and in which language", .requirement("BY-1.24.c"))
    func keepsLines() async throws {
        let auth = try await AuthFixture()
        let (fixture, log) = (auth.environment, ConsentLog(directory: auth.environment.directory))
        let ana = try #require(try await auth.caller(auth.signUp()).account)
        try await agree("2026-09", ana.id, auth, .french)
        fixture.clock.advance(by: 60)
        try await agree("2026-11", ana.id, auth)
        let lines = try await log.consents(of: ana.id).filter { $0.purpose == "test" }
        #expect(lines.map(\.version) == ["2026-11", "2026-09"])
        #expect(lines.map(\.language) == [.english, .french])
        #expect(lines[0].at == fixture.clock.now && lines[1].at == fixture.clock.now - 60)
        #expect(lines.allSatisfy { $0.giver == .holder && $0.isGiven })
        #expect(try await log.consents(of: UUID()).isEmpty)
    }

    @Test("the version in force is the latest consent, and none after a withdrawal")
    func tellsTheVersion() async throws {
        let auth = try await AuthFixture()
        let log = ConsentLog(directory: auth.environment.directory)
        let ana = try #require(try await auth.caller(auth.signUp()).account)
        #expect(try await log.version(of: "test", for: ana.id) == nil)
        try await agree("2026-09", ana.id, auth)
        #expect(try await log.version(of: "test", for: ana.id) == "2026-09")
        #expect(try await log.version(of: "other", for: ana.id) == nil)
        try await agree("2026-09", isGiven: false, ana.id, auth)
        #expect(try await log.version(of: "test", for: ana.id) == nil)
        #expect(try await log.consents(of: ana.id).count == 4, "taking back adds a line and alters none")
    }
}
