import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Records

@Suite("An erased person's name in other people's texts")
struct NameReplacementTests {
    private let replacement = NameReplacement(
        of: PersonName(given: "Zoé", family: "d’Aubigné-Ito", preferred: "Zo"), by: "former member")

    @Test(
        "only the full name is replaced, in either order and as whole words",
        arguments: [
            ("Zoé d’Aubigné-Ito sang.", "former member sang."), ("With Zo d’Aubigné-Ito!", "With former member!"),
            ("d’Aubigné-Ito, Zoé: absent", "former member: absent"),
            ("zoé d’aubigné-ito and Zoé d’Aubigné-Ito", "former member and former member"),
            ("Zoé sang.", nil), ("Zoé d’Aubigné-Itos", nil), ("Xzoé d’Aubigné-Ito", nil), ("", nil),
        ] as [(String, String?)])
    func replaces(_ text: String, _ expected: String?) { #expect(replacement.replaced(text) == expected) }

    @Test("rows are updated by their key of one or two columns, and no other row changes")
    func keys() async throws {
        var feature = Feature(
            "Texts",
            catalog: try StringCatalog(json: Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8)))
        feature.storage.schoolMigrations = [
            Migration(
                "001-texts",
                """
                CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL, search_text TEXT NOT NULL);
                CREATE TABLE marks (student_id TEXT, item_id TEXT, comment TEXT, PRIMARY KEY (student_id, item_id));
                """)
        ]
        let tables = [
            RecordTable("notes", texts: .init(of: "notes", columns: ["text", "search_text"])),
            RecordTable("marks", texts: .init(of: "marks", columns: ["comment"], key: ["student_id", "item_id"])),
        ]
        let kinds = [RecordKind("a.notes", "a.notes", personal: [], erasure: .withSchool, tables: tables)]
        let name = "Zoé d’Aubigné-Ito"
        feature.storage.records = kinds
        let school = try await TestSchool([feature])
        let found = try await school.database.write { sql in
            try sql.execute(
                "INSERT INTO notes VALUES ('n', \("With " + name), \(NameFolding.fold("With " + name))), ('m', 'Zoé', 'zoe')"
            )
            try sql.execute(
                "INSERT INTO marks VALUES ('a', 'x', \(name)), ('a', 'y', 'Good'), ('b', 'x', NULL), ('b', 'y', \(name + "!"))"
            )
            try replacement.apply(to: kinds, in: sql)
            let notes = try sql.rows("SELECT text || '/' || search_text AS t FROM notes ORDER BY id")
            let marks = try sql.rows("SELECT comment AS t FROM marks ORDER BY student_id, item_id")
            return try (notes + marks).map { try $0.optional("t", as: String.self) }
        }
        #expect(
            found == [
                "Zoé/zoe", "With former member/with former member", "former member", "Good", nil, "former member!",
            ])
    }

    @Test("a name of one word is not replaced, because it may be another person's")
    func oneWord() {
        let names = NameReplacement(of: PersonName(given: "Hanako", family: ""), by: "former member").names
        #expect(names.isEmpty)
    }
}
