import Domain
import FeatureKit
import Foundation
import RecordsInterface
import TestKit
import Testing

@testable import Records

@Suite("The consent log")
struct ConsentTests {
    /// Stands in for the sign-up of another block.
    struct Agree: Command {
        static let contract = Contract(
            "test.agree", "/api/v1/test/agree", access: .account, store: .directory, replay: .natural,
            summary: "Agrees.")
        typealias Result = Consent
        let version: String
        let isGiven: Bool
        init(_ fields: inout FieldReader) {
            version = fields.text("version")
            isGiven = fields.flag("isGiven")
        }
    }

    private func makeHouse() async throws -> (TestHouse, ConsentLog) {
        var made: ConsentLog?
        let house = try await TestHouse { ports in
            let log = ConsentLog(directory: ports.directory)
            made = log
            var records = Feature("Records", catalog: try StringCatalog(json: RecordsHouse.noTexts))
            records.directoryMigrations = RecordsMigrations.directory
            records.schoolMigrations = RecordsMigrations.school
            records.commands = [
                .handle(Agree.self) { command, context in
                    try log.record(
                        ConsentDraft(
                            accountId: context.account.id, purpose: "terms", version: command.version,
                            isGiven: command.isGiven), in: context)
                }
            ]
            return [records]
        }
        return (house, try #require(made))
    }

    @Test("who agreed to which version, when and in which language is kept line by line", .requirement("BY-1.24"))
    func keepsLines() async throws {
        let (house, log) = try await makeHouse()
        let ana = house.makeAccount()
        let caller = Caller(account: ana, membership: nil)
        try await house.execute(
            "test.agree", ["version": "2026-09", "isGiven": true], as: caller, language: .french)
        house.clock.advance(by: 60)
        try await house.execute("test.agree", ["version": "2026-11", "isGiven": true], as: caller)
        let lines = try await log.consents(of: ana.id)
        #expect(lines.map(\.version) == ["2026-11", "2026-09"])
        #expect(lines.map(\.language) == [.english, .french])
        #expect(lines[0].at == house.clock.now && lines[1].at == house.clock.now - 60)
        #expect(lines.allSatisfy { $0.giver == .holder && $0.isGiven })
        #expect(try await log.consents(of: house.makeAccount().id).isEmpty)
    }

    @Test("the version in force is the latest one given, and none once it was taken back", .requirement("BY-1.24"))
    func tellsTheVersion() async throws {
        let (house, log) = try await makeHouse()
        let ana = house.makeAccount()
        let caller = Caller(account: ana, membership: nil)
        #expect(try await log.version(of: "terms", for: ana.id) == nil)
        try await house.execute("test.agree", ["version": "2026-09", "isGiven": true], as: caller)
        #expect(try await log.version(of: "terms", for: ana.id) == "2026-09")
        #expect(try await log.version(of: "privacy", for: ana.id) == nil)
        try await house.execute("test.agree", ["version": "2026-09", "isGiven": false], as: caller)
        #expect(try await log.version(of: "terms", for: ana.id) == nil)
        #expect(try await log.consents(of: ana.id).count == 2, "taking back adds a line and alters none")
    }
}

enum RecordsHouse {
    static let noTexts = Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8)
}
