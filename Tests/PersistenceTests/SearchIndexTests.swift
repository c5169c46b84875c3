import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite("The search index")
struct SearchIndexTests {
    private let indexes: TestSearchIndexes
    private let index: any SearchIndex
    private let school = UUID()

    init() async throws {
        indexes = try TestSearchIndexes()
        index = try await indexes.index(of: school)
    }

    private func document(
        _ title: String, _ text: String = "", subtitle: String = "", readers: [Audience] = [.school]
    ) -> SearchDocument {
        SearchDocument(
            id: UUID(), title: title, subtitle: subtitle, text: text, path: "/x", tint: .leaf, readers: readers)
    }

    private func put(_ documents: SearchDocument..., in category: String = "courses") async throws {
        try await index.put(documents, in: category, removing: [])
    }

    private func find(
        _ text: String, as readers: Set<Audience> = [.school], in categories: [String] = ["courses"],
        limit: Int = 20
    ) async throws -> IndexedHits {
        try await index.find(
            IndexedSearch(text: text, readers: readers, categories: categories, limit: limit))
    }

    private func titles(
        _ text: String, as readers: Set<Audience> = [.school], in categories: [String] = ["courses"],
        limit: Int = 20
    ) async throws -> [String] {
        try await find(text, as: readers, in: categories, limit: limit).hits.map(\.title)
    }

    @Test("case and accents do not matter in any script")
    func folding() async throws {
        try await put(
            document("École de Paris"), document("Łukasz Żak"), document("王小明"), document("Ольга Петрова"),
            document("Maths", "l’été à la mer", subtitle: "Zoë"))
        #expect(try await titles("ecole") == ["École de Paris"])
        #expect(try await titles("LUKASZ zak") == ["Łukasz Żak"])
        #expect(try await titles("小明") == ["王小明"])
        #expect(try await titles("明") == ["王小明"])
        #expect(try await titles("ольга") == ["Ольга Петрова"])
        #expect(try await titles("ete") == ["Maths"])
        #expect(try await titles("zoe") == ["Maths"])
    }

    @Test(
        "a word is found in every script, with and without optional signs",
        arguments: [
            ("हिन्दी पढ़ना", "हिन्दी"), ("हिन्दी पढ़ना", "पढना"), ("हिन्दी पढ़ना", "हि"),
            ("تركيزًا عاليًا", "تركيزا"), ("تركيزا", "تركيزًا"), ("الأحمد", "احمد"), ("احمد", "الأحمد"),
            ("أحمد", "احمد"),
            ("والمدرسة", "مدرسه"), ("مـــريم", "مريم"), ("שָׁלוֹם", "שלום"), ("שלום", "שָׁלוֹם"), ("ภาษาไทย", "ภาษา"),
            ("កម្ពុជា", "កម្ពុជា"), ("தமிழ்", "தமிழ்"), ("বাংলা", "বাংলা"), ("ひらがな", "がな"), ("한국어", "국어"),
            // Composed and decomposed forms of the same letters.
            ("한국어", "\u{1112}\u{1161}\u{11AB}"), ("\u{1112}\u{1161}\u{11AB}국어", "한국"), ("Zoe\u{301}", "Zoé"),
            // Letters newer than SQLite's tables, and signs that only Unicode counts as letters.
            ("𞤀𞤣𞤤𞤢𞤥", "𞤀𞤣"), ("Ⓐb", "ⓐb"), ("½ litre", "litre"), ("ἀνάγνωσις", "αναγνωσισ"),
        ])
    func scripts(_ stored: String, _ typed: String) async throws {
        try await put(document(stored), document("Maths", "about \(stored) and more"), document("Elsewhere"))
        #expect(try await titles(typed) == [stored, "Maths"])
    }

    @Test(
        "every word must match by its beginning, and titles come first", .requirement("WW-14.07.a"))
    func words() async throws {
        try await put(
            document("Biology", "The algebra of life"), document("Algebra one"), document("Algebra two"))
        #expect(try await titles("alg") == ["Algebra two", "Algebra one", "Biology"])
        #expect(try await titles("two alg") == ["Algebra two"])
        #expect(try await titles("algebra chemistry").isEmpty)
        #expect(try await titles("lgebra").isEmpty)
    }

    @Test(
        "a small mistake is corrected, and the correction is shown",
        arguments: ["algbera", "algerba", "algebre", "alegbra", "lagebra"])
    func mistakes(_ typed: String) async throws {
        try await put(document("Algebra"), document("Chemistry"))
        let found = try await find(typed)
        #expect(found.hits.map(\.title) == ["Algebra"])
        #expect(found.corrected == "algebra")
    }

    @Test("words that match are not corrected, and short words are not guessed")
    func noMistake() async throws {
        try await put(document("Algebra"), document("Art"))
        #expect(try await find("algebra").corrected == nil)
        #expect(try await find("ert") == IndexedHits())
        #expect(try await find("zzzzzzzz") == IndexedHits())
    }

    @Test("a reader finds only documents of her audiences, also through a correction")
    func rights() async throws {
        let (maple, birch) = (Audience("classroom:maple"), Audience("classroom:birch"))
        try await put(
            document("Secret plan", readers: [maple]), document("Secret song", readers: [birch, .role(.admin)]))
        #expect(try await titles("secret", as: [maple]) == ["Secret plan"])
        #expect(try await titles("secret", as: [.role(.admin)]) == ["Secret song"])
        #expect(try await titles("secret", as: [maple, birch]) == ["Secret song", "Secret plan"])
        #expect(try await find("secret", as: [.school]) == IndexedHits())
        // The index has the word, but not in a document of this reader.
        #expect(try await find("sectre", as: [.school]) == IndexedHits())
        #expect(try await find("secret", as: []) == IndexedHits())
    }

    @Test(
        "a short prefix finds all its words, and a longer one the most frequent"
    )
    func manyWords() async throws {
        try await index.put(
            (0..<200).map { document("xylo\(1000 + $0)", "common") }, in: "courses", removing: [])
        try await put(document("xylo1000 again", "common"))
        #expect(try await titles("xyl", limit: 300).count == 201)
        #expect(try await titles("xylo", limit: 300).count == 65)
        #expect(try await titles("xylo", limit: 300).first == "xylo1000 again")
        #expect(try await titles("xylo110", limit: 300).count == 10)
        #expect(try await titles("comm xylo1150") == ["xylo1150"])
    }

    @Test("a word that no document contains any longer is not suggested")
    func removedWords() async throws {
        let (one, two) = (document("Rosalind"), document("Rosalind", "Franklin"))
        try await index.put([one, two], in: "people", removing: [])
        try await index.put([], in: "people", removing: [one.id])
        #expect(try await find("rosalnid", in: ["people"]).corrected == "rosalind")
        try await index.put([], in: "people", removing: [two.id])
        try await put(document("Rosemary"), in: "people")
        #expect(try await find("rosalnid", in: ["people"]) == IndexedHits())
        #expect(try await find("franklni", in: ["people"]) == IndexedHits())
    }

    @Test("each category has its own limit, so none crowds out another")
    func groups() async throws {
        try await put(document("Common thing"), in: "people")
        for _ in 0..<5 {
            try await index.put(
                (0..<100).map { _ in document("Common course") }, in: "courses", removing: [])
        }
        let hits = try await find("common", in: ["people", "courses"], limit: 3).hits
        #expect(hits.map(\.category) == ["people", "courses", "courses", "courses"])
        #expect(try await titles("common", in: ["people"]) == ["Common thing"])
    }

    @Test("the index finds the same documents as a full scan, for frequent and rare words and any readers")
    func model() async throws {
        var random = SeededGenerator(seed: 17)
        func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        let words = (0..<40).map { "wort\(Character(Unicode.Scalar(97 + UInt8($0 % 20))))\($0 / 20)x" }
        let audiences = (0..<3).flatMap { [Audience("classroom:\($0)"), Audience("course:\($0)")] } + [.school]
        let categories = ["people", "courses", "lessons", "messages"]
        // The first words occur in most documents, the last in few.
        func word() -> String { words[min(below(40), below(40), below(40))] }
        var written: [(category: String, document: SearchDocument)] = []
        for _ in 0..<24 {
            let category = categories[below(4)]
            let documents = (0..<150).map { _ in
                document(
                    "\(word()) \(word())", (0..<6).map { _ in word() }.joined(separator: " "),
                    readers: [audiences[below(7)], audiences[below(7)]])
            }
            try await index.put(documents, in: category, removing: [])
            written += documents.map { (category, $0) }
        }
        for turn in 0..<80 {
            let typed = (0...turn % 2).map { _ in words[below(40)] }
            let readers = Set((0..<(1 + below(3))).map { _ in audiences[below(7)] })
            let wanted = categories.filter { _ in below(3) > 0 }
            let found = try await find(typed.joined(separator: " "), as: readers, in: wanted, limit: 5).hits
            let expected = wanted.flatMap { category in
                let visible = written.reversed().filter {
                    $0.category == category && !readers.isDisjoint(with: $0.document.readers)
                }.map(\.document)
                let titled = visible.filter { one in typed.allSatisfy(one.title.contains) }
                let others = visible.filter { one in
                    !titled.contains { $0.id == one.id }
                        && typed.allSatisfy { "\(one.title) \(one.text)".contains($0) }
                }
                return (titled + others).prefix(5).map(\.id)
            }
            #expect(found.map(\.id) == expected, "\(typed) by \(readers) in \(wanted)")
        }
    }

    @Test("a document replaces its former version, and a removed one is not found")
    func replacing() async throws {
        var one = document("Algebra")
        try await index.put([one], in: "courses", removing: [])
        one = SearchDocument(id: one.id, title: "Geometry", path: "/x", tint: .leaf, readers: [.school])
        try await index.put([one], in: "courses", removing: [])
        try await index.move(to: SearchPlace(seq: 7, hash: "h"))
        #expect(try await titles("algebra").isEmpty)
        #expect(try await titles("geometry") == ["Geometry"])
        #expect(try await index.place() == SearchPlace(seq: 7, hash: "h"))
        try await index.put([], in: "courses", removing: [one.id])
        #expect(try await titles("geometry").isEmpty)
        try await put(document("Algebra"))
        try await index.remove(category: "courses")
        #expect(try await titles("algebra").isEmpty)
        try await put(document("Algebra"))
        try await index.clear()
        #expect(try await titles("algebra").isEmpty)
        #expect(try await index.place() == nil)
    }

    @Test(
        "a query is never run as FTS5 syntax",
        arguments: [
            "\"", "' OR 1=1 --", "title:algebra", "NEAR(a b)", "a* AND", "{marks}: x", "(((", "-algebra", "^al",
            "\u{0}",
            "NOT", "algebra OR", "👩‍🏫", String(repeating: "a ", count: 300),
        ])
    func hostile(_ typed: String) async throws {
        try await put(document("Algebra", readers: [.role(.admin)]))
        #expect(try await find(typed).hits.isEmpty)
    }

    @Test("the index of a removed school is deleted, and that of an existing one stays")
    func sweep() async throws {
        try await put(document("Algebra"))
        let other = UUID()
        _ = try await indexes.index(of: other)
        try await indexes.keepOnly([school])
        #expect(try indexes.names.allSatisfy { $0.hasPrefix(school.text) })
        #expect(try await titles("algebra") == ["Algebra"])
    }

    @Test(
        "a removed index leaves no file, and its successor is empty despite writes to the old one")
    func removes() async throws {
        try await put(document("Algebra"))
        for round in 0..<3 {
            let old = try await indexes.index(of: school)
            try await indexes.remove(school)
            #expect(try indexes.names.isEmpty, "round \(round)")
            let new = try await indexes.index(of: school)
            do {
                try await old.put([document("Old")], in: "courses", removing: [])
            } catch {
                // SQLite may refuse to write to an unlinked file.
                #expect(error is DatabaseFault)
            }
            try await new.put([document("New \(round)")], in: "courses", removing: [])
            for (text, found) in [("old", []), ("algebra", []), ("new", ["New \(round)"])] {
                let hits = try await new.find(
                    IndexedSearch(text: text, readers: [.school], categories: ["courses"], limit: 9))
                #expect(hits.hits.map(\.title) == found)
            }
        }
        try await indexes.remove(school)
        try await indexes.remove(school)
        #expect(try indexes.names.isEmpty)
    }
}

@Suite("Spelling")
struct SpellingTests {
    @Test(
        "each wrong, missing, extra or transposed letter counts one, and the rest of the word is free",
        arguments: [
            ("algebra", "algebra", 0), ("alg", "algebra", 0), ("algbera", "algebra", 1), ("agebra", "algebra", 1),
            ("allgebra", "algebra", 1), ("olgebra", "algebra", 1), ("xxgebra", "algebra", 2),
            ("chem", "algebra", nil),
            ("algebraic", "alg", nil),
        ] as [(String, String, Int?)])
    func distance(_ typed: String, _ word: String, _ expected: Int?) {
        var (spelling, word) = (Spelling(typed), word)
        // The second call shows that the reused rows change nothing.
        for _ in 0..<2 { #expect(spelling.distance(toBeginningOf: &word, limit: 2) == expected) }
    }
}
