import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("The operator of the server")
struct OperatorTests {
    let auth: AuthFixture

    init() async throws { auth = try await AuthFixture() }

    private func delete(_ email: String) async throws {
        try await auth.environment.directory.write { try $0.execute("DELETE FROM accounts WHERE email = \(email)") }
    }

    @Test("the first account becomes the operator, later ones do not")
    func first() async throws {
        #expect(try await auth.auth.serverOperator() == nil)
        try await auth.signUp()
        try await auth.signUp("luz@maple.example")
        #expect(try await auth.auth.serverOperator()?.email == "ana@maple.example")
    }

    @Test("deleting the operator's account leaves no operator")
    func gone() async throws {
        try await auth.signUp()
        try await auth.signUp("luz@maple.example")
        try await delete("ana@maple.example")
        #expect(try await auth.auth.serverOperator() == nil)
        try await delete("luz@maple.example")
        try await auth.signUp("eve@maple.example")
        #expect(try await auth.auth.serverOperator() == nil, "an empty server is not a new one")
    }

    @Test("the command line names an existing account as operator")
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

    @Test("accounts from a restore do not become operator, nor does the first sign-up after them")
    func restored() async throws {
        let made = try await auth.auth.ensureAccounts([("ana@maple.example", "Ana"), ("luz@maple.example", "Luz")])
        #expect(made.count == 2)
        #expect(try await auth.auth.serverOperator() == nil)
        try await auth.signUp("eve@maple.example")
        #expect(try await auth.auth.serverOperator() == nil)
    }

    @Test("an existing data folder has no operator, since its first account may be deleted")
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
