import Domain
import FeatureKit
import Foundation
import RecordsInterface
import TestKit
import Testing

@testable import Records

@Suite("Retention and the inventory")
struct RetentionTests {
    private static let marks = RecordKind(
        "test.marks", "marks", personal: [.attendance, .name], retention: .days(400, in: 30...800),
        erasure: .withPerson, tables: [RecordTable("marks")])
    private static let school = RecordKind(
        "test.school", "school", personal: [], erasure: .withSchool, tables: [RecordTable("school")])
    private let retention = RetentionService(kinds: [marks, school])

    private func fixture() async throws -> TestEnvironment {
        try await TestEnvironment { _ in
            var feature = Feature("Records", catalog: try StringCatalog(json: Data(Self.noTexts.utf8)))
            feature.storage.schoolMigrations = RecordsMigrations.school
            return [feature]
        }
    }

    private static let noTexts = #"{"sourceLanguage":"en","version":"1.0","strings":{}}"#

    @Test("a kind has its default period until the school chooses one within the bounds")
    func periods() async throws {
        let school = try await fixture().makeSchool()
        let person = UUID()
        func days() async throws -> Int? {
            try await school.database.read { sql in
                try retention.periods(in: sql).first { $0.kind.id == "test.marks" }?.days
            }
        }
        #expect(try await days() == 400)
        try await school.database.write { sql in
            try RetentionRepository.set(90, for: "test.marks", by: person, at: Date(), in: sql)
        }
        #expect(try await days() == 90)
        // A stored period outside of the current bounds is limited to them.
        try await school.database.write { sql in
            try RetentionRepository.set(5, for: "test.marks", by: person, at: Date(), in: sql)
        }
        #expect(try await days() == 30)
    }

    @Test("the inventory lists the personal data, retention and erasure of every kind")
    func inventory() async throws {
        let words = try await fixture().words()
        let entries = retention.entries(words)
        #expect(entries.map(\.id) == ["test.marks", "test.school"])
        #expect(entries[0].personal.count == 2 && entries[1].personal.isEmpty)
        #expect(entries[0].kept != entries[1].kept && entries[0].erasure != entries[1].erasure)
    }
}
