import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Who runs the server")
struct OperatorTests {
    let auth: AuthFixture

    init() async throws { auth = try await AuthFixture() }

    private func delete(_ email: String) async throws {
        try await auth.environment.directory.write { try $0.execute("DELETE FROM accounts WHERE email = \(email)") }
    }

    @Test("the first account ever made does, and nobody after it")
    func first() async throws {
        #expect(try await auth.auth.serverOperator() == nil)
        try await auth.signUp()
        try await auth.signUp("luz@maple.example")
        #expect(try await auth.auth.serverOperator()?.email == "ana@maple.example")
    }

    @Test("when that account is gone nobody does, whoever stays or comes")
    func gone() async throws {
        try await auth.signUp()
        try await auth.signUp("luz@maple.example")
        try await delete("ana@maple.example")
        #expect(try await auth.auth.serverOperator() == nil)
        try await delete("luz@maple.example")
        try await auth.signUp("eve@maple.example")
        #expect(try await auth.auth.serverOperator() == nil, "an empty server is not a new one")
    }

    @Test("a name on the command line counts, for an account that exists")
    func named() async throws {
        try await auth.signUp()
        try await auth.signUp("luz@maple.example")
        #expect(try await auth.auth.nameOperator(email: "Luz@Maple.example"))
        #expect(try await auth.auth.serverOperator()?.email == "luz@maple.example")
        #expect(try await !auth.auth.nameOperator(email: "nobody@maple.example"))
        #expect(try await auth.auth.serverOperator()?.email == "luz@maple.example")
        try await delete("luz@maple.example")
        #expect(try await auth.auth.serverOperator() == nil)
        #expect(try await auth.auth.nameOperator(email: "ana@maple.example"))
        #expect(try await auth.auth.serverOperator()?.email == "ana@maple.example")
    }

    @Test("accounts that a restore makes run nothing, nor does the first who signs up after them")
    func restored() async throws {
        let made = try await auth.auth.ensureAccounts([("ana@maple.example", "Ana"), ("luz@maple.example", "Luz")])
        #expect(made.count == 2)
        #expect(try await auth.auth.serverOperator() == nil)
        try await auth.signUp("eve@maple.example")
        #expect(try await auth.auth.serverOperator() == nil)
    }

    @Test("a data folder with accounts from before names nobody, since the first may have left")
    func earlierFolder() async throws {
        let folder = try TemporaryFolder()
        var feature = Feature("Auth", catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
        feature.storage.directoryMigrations = AuthMigrations.directory.filter { $0.name != "016-operator" }
        let before = try await TestEnvironment([feature], folder: folder)
        let id = before.ids.id(at: before.clock.now)
        try await before.directory.write { sql in
            try sql.execute(
                """
                INSERT INTO accounts (id, email, name, password_hash, created_at)
                VALUES (\(id), 'ana@maple.example', 'Ana', '-', 1)
                """)
        }
        try await before.close()
        feature.storage.directoryMigrations = AuthMigrations.directory
        let after = try await TestEnvironment([feature], folder: folder)
        let named = try await after.directory.write { sql in
            try OperatorRepository.noteFirst(id, in: sql)
            return try OperatorRepository.accountId(in: sql)
        }
        #expect(named == nil)
        try await after.close()
    }
}
