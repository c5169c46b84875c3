import Conformance
import Domain
import Foundation
import TestKit
import Testing

/// The terms of `docs/terms.md` in the texts of all catalogs.
@Suite("The terms of the pages")
struct TermTests {
    @Test("each term of the pages is translated one way, and no text has a retired word")
    func terms() async throws {
        let tree = try await ProjectTree.tree()
        let table = try TermTable(markdown: try #require(tree.text("docs/terms.md")).text)
        #expect(table.terms.count >= 80)
        var texts = 0
        for file in tree.texts where file.path.hasSuffix("Localizable.xcstrings") {
            let catalog = try StringCatalog(json: Data(file.text.utf8))
            texts += catalog.entries[.english]?.count ?? 0
            let faults = table.faults(in: catalog)
            #expect(faults.isEmpty, "\(file.path):\n\(faults.joined(separator: "\n"))")
        }
        #expect(texts > 3000)
    }

    @Test("the first sentence of an English text has at most 25 words")
    func length() async throws {
        let tree = try await ProjectTree.tree()
        func words(_ text: String) -> Int {
            let sentence = text.prefix { !".!?:;\n".contains($0) }
            return sentence.split(separator: " ").count { $0.contains(where: \.isLetter) }
        }
        #expect(words("One two, three. Four five") == 3)
        for file in tree.texts where file.path.hasSuffix("Localizable.xcstrings") {
            for (key, entry) in try StringCatalog(json: Data(file.text.utf8)).entries[.english] ?? [:] {
                let texts =
                    switch entry {
                    case .text(let text): [text]
                    case .plural(let forms): Array(forms.values)
                    }
                #expect(texts.allSatisfy { words($0) <= 25 }, "\(file.path): \(key)")
            }
        }
    }

    @Test("a text that translates a term otherwise, or has a retired word, is a fault")
    func counterexamples() throws {
        let table = try TermTable(
            markdown: """
                | English | French |
                |---|---|
                | waitlist | liste d’attente |
                | grade level | niveau |
                | grade | note |
                | enroll, enrolled | inscrit, inscrire |

                | English, retired | say |
                |---|---|
                | audit trail | audit log |

                | French, retired | say |
                |---|---|
                | second regard | suivi |
                """)
        #expect(
            table.faults("a", english: "Waitlists", french: "Listes d’attente") == [
                "a: 'waitlist' in \"Waitlists\""
            ])
        #expect(table.faults("a", english: "Waitlist", french: "Liste d’attente\u{A0}: complète").isEmpty)
        #expect(
            table.faults("a", english: "Waitlist", french: "File d’attente") == ["a: 'waitlist' in \"Waitlist\""])
        #expect(table.faults("a", english: "Grade level", french: "Niveau").isEmpty)
        #expect(table.faults("a", english: "Grade", french: "Niveau") == ["a: 'grade' in \"Grade\""])
        #expect(table.faults("a", english: "She is enrolled", french: "Elle s’est inscrite").isEmpty)
        #expect(table.faults("a", english: "upgraded", french: "mis à jour").isEmpty)
        #expect(table.faults("a", english: "{grade} of %1$@", french: "{grade} de %1$@").isEmpty)
        #expect(
            table.faults("a", english: "The audit trail", french: "Le journal d’audit")
                == ["a: retired 'audit trail' in \"The audit trail\""])
        #expect(
            table.faults("a", english: "Follow up", french: "Un second regard")
                == ["a: retired 'second regard' in \"Un second regard\""])
    }

    @Test("a table of terms with a row that cannot be read is refused")
    func unreadable() {
        #expect(throws: TermTable.Unreadable.self) {
            try TermTable(markdown: "| English | French |\n|---|---|\n| waitlist |\n")
        }
        #expect(throws: TermTable.Unreadable.self) { try TermTable(markdown: "| waitlist | liste d’attente |\n") }
    }
}

/// The tables of `docs/terms.md`: pairs of English and French terms, and the words that no text has.
struct TermTable {
    /// A line of a table that names no pair, or stands before the head of its table.
    struct Unreadable: Error {
        let line: String
    }

    /// A word or a few, in small letters without accents.
    typealias Phrase = [Substring]

    /// An English term and the French forms of which its translation has one.
    struct Term {
        let english: Phrase
        let french: [Phrase]
    }

    /// Longer terms first: each word of a text belongs to the longest term that has it.
    let terms: [Term]
    private let retired: [Language: [Phrase]]

    private enum Head: String {
        case terms = "English"
        case retiredEnglish = "English, retired"
        case retiredFrench = "French, retired"
    }

    init(markdown: String) throws {
        var terms: [Term] = []
        var retired: [Language: [Phrase]] = [:]
        var head: Head?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                head = nil
                continue
            }
            if line.hasPrefix("|---") { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2 else { throw Unreadable(line: String(line)) }
            let phrases = cells[0].split(separator: ",").map { Self.words(of: String($0)) }
            switch head {
            case nil:
                guard let found = Head(rawValue: cells[0]) else { throw Unreadable(line: String(line)) }
                head = found
            case .terms:
                let french = cells[1].split(separator: ",").map { Self.words(of: String($0)) }
                terms += phrases.map { Term(english: $0, french: french) }
            case .retiredEnglish: retired[.english, default: []] += phrases
            case .retiredFrench: retired[.french, default: []] += phrases
            }
        }
        self.terms = terms.sorted { $0.english.count > $1.english.count }
        self.retired = retired
    }

    /// One line for each fault of a catalog, in the order of its keys.
    func faults(in catalog: StringCatalog) -> [String] {
        let french = catalog.entries[.french] ?? [:]
        return (catalog.entries[.english] ?? [:]).sorted { $0.key < $1.key }.flatMap { key, entry -> [String] in
            switch (entry, french[key]) {
            case (.text(let english), .text(let french)): faults(key, english: english, french: french)
            case (.plural(let english), .plural(let french)):
                english.sorted { $0.key < $1.key }.flatMap { form, text in
                    faults(key, english: text, french: french[form] ?? french["other"] ?? "")
                }
            default: ["\(key): no French text of the same kind"]
            }
        }
    }

    /// One line for each fault of one text.
    func faults(_ key: String, english: String, french: String) -> [String] {
        let (words, translated) = (Self.words(of: english), Self.words(of: french))
        var faults: [String] = []
        var used: Set<Int> = []
        for term in terms {
            for start in Self.places(of: term.english, in: words, Self.isSame) {
                let range = start..<start + term.english.count
                guard used.isDisjoint(with: range) else { continue }
                used.formUnion(range)
                let isThere = term.french.contains {
                    !Self.places(of: $0, in: translated) { $0.hasPrefix($1) }.isEmpty
                }
                if !isThere { faults.append("\(key): '\(term.english.joined(separator: " "))' in \"\(english)\"") }
            }
        }
        for (language, text, words) in [(Language.english, english, words), (.french, french, translated)] {
            for phrase in retired[language] ?? [] where !Self.places(of: phrase, in: words, Self.isSame).isEmpty {
                faults.append("\(key): retired '\(phrase.joined(separator: " "))' in \"\(text)\"")
            }
        }
        return faults
    }

    /// The words of a text without its gaps and its code, in small letters without accents.
    private static func words(of text: String) -> Phrase {
        text.replacing(/`[^`]*`|\{[^}]*\}|%(\d+\$)?(@|lld|d)/, with: " ")
            .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// Where a phrase begins in a text; the last word is compared by `matches`, those before it are the same.
    private static func places(
        of phrase: Phrase, in words: Phrase, _ matches: (Substring, Substring) -> Bool
    ) -> [Int] {
        guard let last = phrase.last, words.count >= phrase.count else { return [] }
        return (0...words.count - phrase.count).filter { start in
            words[start..<start + phrase.count - 1].elementsEqual(phrase.dropLast())
                && matches(words[start + phrase.count - 1], last)
        }
    }

    /// Whether a word is the other one or its plural.
    private static func isSame(_ word: Substring, _ other: Substring) -> Bool {
        word == other || word == other + "s" || word == other + "es"
    }
}
