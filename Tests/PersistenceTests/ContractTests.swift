import FeatureKit
import Foundation
import Persistence
import TestKit
import Testing

@Suite("The Database contract on SQLite")
struct ContractTests {
    @Test("one file meets the contract", arguments: DatabaseContract.checks)
    func file(_ check: DatabaseContract.Check) async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(
            at: folder.file("contract.sqlite"), migrations: DatabaseContract.migrations)
        await #expect(throws: Never.self) { try await check.run(database) }
        try await database.close()
    }

    @Test("a school's handle meets the contract", arguments: DatabaseContract.checks)
    func school(_ check: DatabaseContract.Check) async throws {
        let folder = try TemporaryFolder()
        let schools = try SQLiteSchools(in: folder.url, migrations: DatabaseContract.migrations)
        let school = try await schools.create(UUID())
        await #expect(throws: Never.self) { try await check.run(school) }
        try await schools.close()
    }
}
