import Domain
import FeatureKit
import Foundation
import RecordsInterface
import TestKit
import Testing

@testable import Records

/// Stores a file and refers to it, as the blocks with files do.
private struct StorePicture: Command {
    static let contract = Contract(
        "pictures.keep", "/api/v1/pictures", access: .member(.manageSchoolFiles), summary: "Stores a picture.")
    struct Result: Codable, Sendable { let hash: BlobHash }
    let text: String
    let fails: Bool

    init(_ fields: inout FieldReader) {
        text = fields.text("text", max: 20)
        fails = fields.flag("fails")
    }
}

@Suite("The sweep of unused files")
struct FileSweepTests {
    private static let kinds = [
        RecordKind(
            "test.pictures", "pictures", personal: [.files], erasure: .withPerson,
            tables: [RecordTable("pictures", files: "SELECT sha256, thumbnail FROM pictures")])
    ]

    private func school() async throws -> TestSchool {
        var feature = Feature(
            "Pictures",
            catalog: try StringCatalog(json: Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8)))
        feature.storage.schoolMigrations = [
            Migration("001-pictures", "CREATE TABLE pictures (sha256 TEXT NOT NULL, thumbnail TEXT);")
        ]
        feature.endpoints.commands = [
            .handle(
                StorePicture.self,
                prepare: { command, context in try await context.files.put(Array(command.text.utf8)) },
                run: { command, hash, context in
                    if command.fails { throw Problem(409, "busy") }
                    try context.sql.execute("INSERT INTO pictures (sha256) VALUES (\(hash))")
                    return StorePicture.Result(hash: hash)
                })
        ]
        return try await TestSchool([feature])
    }

    private func sweep(_ school: TestSchool, age: TimeInterval = FileSweep.age) async throws -> Int {
        try await FileSweep(kinds: Self.kinds, blobs: school.environment.blobs)
            .run(school.organization.id, school.database, unlessPutSince: school.clock.now - age)
    }

    @Test("a file is stored before its row, and a file without a row is deleted after a day")
    func order() async throws {
        let school = try await school()
        let founder = school.makeCaller(.superAdmin)
        await #expect(throws: Problem.self) {
            try await school.execute(StorePicture.self, ["text": "lost", "fails": true], as: founder)
        }
        let lost = BlobHash(of: Array("lost".utf8))
        #expect(try await school.environment.blobs.all(of: school.organization.id) == [lost])
        let cited = try await school.execute(StorePicture.self, ["text": "kept", "fails": false], as: founder).hash
        school.clock.advance(by: FileSweep.age - 1)
        #expect(try await sweep(school) == 0)
        school.clock.advance(by: 2)
        #expect(try await sweep(school) == 1)
        #expect(try await sweep(school) == 0)
        #expect(try await school.environment.blobs.all(of: school.organization.id) == [cited])
    }

    @Test("a file that is put again stays another day, and a file whose row was deleted is deleted")
    func again() async throws {
        let school = try await school()
        let founder = school.makeCaller(.superAdmin)
        let hash = try await school.execute(StorePicture.self, ["text": "one", "fails": false], as: founder).hash
        try await school.database.write { try $0.execute("DELETE FROM pictures") }
        school.clock.advance(by: 2 * FileSweep.age)
        _ = try await school.context(of: founder).files.put(Array("one".utf8))
        #expect(try await sweep(school) == 0)
        school.clock.advance(by: FileSweep.ageOfErased + 1)
        #expect(try await sweep(school, age: FileSweep.ageOfErased) == 1)
        #expect(try await school.context(of: founder).files.file(hash) == nil)
    }

    @Test("a person outside of the school cannot reach its files")
    func walls() async throws {
        let school = try await school()
        let stranger = try await school.context(
            of: Caller(account: school.environment.makeAccount(), membership: nil))
        #expect(try await problem { _ = try stranger.files } == .notFound)
    }
}
