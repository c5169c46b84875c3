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

    @Test("a text of help is one sentence in both languages")
    func help() async throws {
        let tree = try await ProjectTree.tree()
        var rule = HelpRule()
        for file in tree.texts where file.path.hasSuffix(".swift") && !file.path.hasPrefix("Tests/") {
            rule.findUses(in: file.text)
        }
        #expect(rule.used.count > 250)
        var texts = 0
        for file in tree.texts where file.path.hasSuffix("Localizable.xcstrings") {
            for entries in try StringCatalog(json: Data(file.text.utf8)).entries.values {
                texts += entries.keys.count(where: rule.isHelp)
                let faults = rule.faults(in: entries)
                #expect(faults.isEmpty, "\(file.path):\n\(faults.joined(separator: "\n"))")
            }
        }
        #expect(texts > 800)
    }

    @Test("a second sentence of help is a fault, found by the key or by its place on a page")
    func helpCounterexamples() {
        var rule = HelpRule()
        rule.findUses(
            in: """
                PTField(.text, name: "a", label: words("a.one"), hint: words(isNew ? "a.new" : "a.old"))
                PTText(words("a.note", "\\(url)/x"), role: .note)
                PTText(words("a.text"))
                PTEmptyState(icon: .task, title: words("a.none"), message: request.words("a.empty"))
                """)
        #expect(rule.used == ["a.new", "a.old", "a.note", "a.empty"])
        let two = StringCatalog.Entry.text("Write it. Then save it.")
        for key in ["a.new", "a.empty", "b.tip", "b.nameHint", "b.tip.full", "b.subtitle"] {
            #expect(rule.faults(in: [key: two]) == ["\(key): \"Write it. Then save it.\""])
            #expect(rule.faults(in: [key: .text("Write it, e.g. here; then save it.")]).isEmpty)
            #expect(
                rule.faults(in: [key: .text("Choisissez un jour, p. ex. lundi\u{A0}; puis enregistrez.")]).isEmpty)
        }
        #expect(rule.faults(in: ["a.text": two]).isEmpty)
        #expect(rule.faults(in: ["b.tip": .plural(["one": "One.", "other": "Two\u{A0}! Three."])]).count == 1)
        #expect(rule.faults(in: ["students.deleteExplained": two]).isEmpty)
        let three = StringCatalog.Entry.text("One. Two. Three.")
        #expect(rule.faults(in: ["students.deleteExplained": three]).count == 1)
    }

    @Test("a number before a plural noun has plural forms in both languages")
    func plurals() async throws {
        for file in try await ProjectTree.tree().texts where file.path.hasSuffix("Localizable.xcstrings") {
            for (language, entries) in try StringCatalog(json: Data(file.text.utf8)).entries {
                let faults = PluralRule.faults(in: entries)
                #expect(faults.isEmpty, "\(file.path) (\(language)):\n\(faults.joined(separator: "\n"))")
            }
        }
    }

    @Test("a number before a plural noun without plural forms is a fault")
    func pluralCounterexamples() {
        for text in [
            "%lld days", "All %1$lld voice notes of %2$@", "%lld\u{A0}élèves inscrits", "{count} résidents",
        ] {
            #expect(PluralRule.faults(in: ["a": .text(text)]) == ["a: \"\(text)\""])
            #expect(PluralRule.faults(in: ["a": .plural(["one": text, "other": text])]).isEmpty)
        }
        for text in [
            "Lessons: %lld of %lld", "%1$lld of %2$lld present", "%lld MB", "{n} sur {m}", "%lld repas sur %lld",
        ] {
            #expect(PluralRule.faults(in: ["a": .text(text)]).isEmpty)
        }
        #expect(PluralRule.faults(in: ["fault.a": .text("At most %lld files")]).isEmpty)
        #expect(PluralRule.faults(in: ["a.other": .text("{n} hours")]).isEmpty)
    }

    @Test("an entry of the audit log begins with a capital letter, in French with \"A\" if it names no subject")
    func audit() async throws {
        var texts = 0
        for file in try await ProjectTree.tree().texts where file.path.hasSuffix("Localizable.xcstrings") {
            let source = file.path.split(separator: "/").prefix(3).joined(separator: "/")
            let entries = try StringCatalog(json: Data(file.text.utf8)).entries
            for case (let key, .text(let french)) in entries[.french] ?? [:] where key.hasPrefix("audit.") {
                guard case .text(let english)? = entries[.english]?[key], key.wholeMatch(of: Self.auditKey) != nil,
                    !source.hasSuffix("Audit/Sources"), !key.hasPrefix("audit.group.")
                else { continue }
                texts += 1
                #expect(english.first.map { $0.isUppercase || $0 == "%" } ?? false, "\(key): \(english)")
                let isVerb = french.hasPrefix("A ") || french.hasPrefix("%1$@ ") || french.hasPrefix("%@ ")
                #expect(isVerb || Self.auditWithSubject.contains(key), "\(key): \(french)")
            }
        }
        #expect(texts > 190)
    }

    private static var auditKey: Regex<Substring> { /audit\.\w+\.\w+/ }
    /// The entries whose subject is a thing.
    private static let auditWithSubject: Set<String> = [
        "audit.assessment.timeOver", "audit.enrollment.lapsed", "audit.reminders.due",
    ]

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
                | audit log | audit log |

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
            table.faults("a", english: "The audit log", french: "Le journal d’audit")
                == ["a: retired 'audit log' in \"The audit log\""])
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

/// Finds the texts of help with more than one sentence: those below a field or a title, and those of empty pages and
/// banners.
struct HelpRule {
    /// The keys that the code shows as help.
    private(set) var used: Set<String> = []

    /// The texts that may have two sentences.
    private static let mayHaveTwo: Set<String> = [
        // Dialogs that confirm something irreversible say what is lost, and that it cannot be undone.
        "classrooms.deleteExplained", "quest.deletePlayerExplained", "students.deleteExplained",
        // Explanations of privacy and of what a deletion erases have to be complete.
        "closing.explained", "records.erase.explained", "records.erase.replacesHint",
    ]
    private static let names = ["tip", "hint", "help", "note", "subtitle", "explained", "explanation", "footnote"]

    /// Adds the keys that a Swift file shows as the hint of a field, a subtitle, a note, or the message of an empty page
    /// or banner.
    mutating func findUses(in swift: String) {
        for place in ["hint:", "subtitle:", ".note("] {
            for part in swift.components(separatedBy: place).dropFirst() { use(part) }
        }
        for part in swift.components(separatedBy: "PTText(").dropFirst() where part.contains("role: .note") {
            use(part)
        }
        for component in ["PTEmptyState(", "PTBanner("] {
            for part in swift.components(separatedBy: component).dropFirst() {
                let arguments = part.components(separatedBy: "PTConfirmation(")[0].components(
                    separatedBy: "message:")
                if arguments.count > 1 { use(arguments[1]) }
            }
        }
    }

    /// Adds the key, or the two keys of a condition, of the call of `words` with which a text of Swift begins.
    private mutating func use(_ swift: String) {
        let call = /\s*(?:\w+\.)*words\(\s*(?:[^"?:()]+\?\s*"([\w.]+)"\s*:\s*)?"([\w.]+)"/
        guard let match = swift.prefixMatch(of: call) else { return }
        used.formUnion([match.output.1, match.output.2].compactMap(\.self).map(String.init))
    }

    /// Whether the text of a key is help, by a part of its name or by its use.
    func isHelp(_ key: String) -> Bool {
        guard !key.hasPrefix("fault."), !key.hasPrefix("problem.") else { return false }
        return used.contains(key)
            || key.split(separator: ".").contains { part in
                Self.names.contains { part == $0 || part.hasSuffix($0.capitalized) }
            }
    }

    /// One line for each text with more sentences than it may have, in the order of the keys.
    func faults(in entries: [String: StringCatalog.Entry]) -> [String] {
        entries.filter { isHelp($0.key) }.sorted { $0.key < $1.key }.flatMap { key, entry in
            let texts =
                switch entry {
                case .text(let text): [text]
                case .plural(let forms): forms.sorted { $0.key < $1.key }.map(\.value)
                }
            let most = Self.mayHaveTwo.contains(key) ? 2 : 1
            return texts.filter { Self.sentences(in: $0) > most }.map { "\(key): \"\($0)\"" }
        }
    }

    /// The number of sentences. A point of an abbreviation ends none.
    private static func sentences(in text: String) -> Int {
        text.replacing(#/e\.g\.|i\.e\.|p\. ex\.|etc\. (?!\p{Lu})/#, with: "")
            .split(separator: /[.!?…][”»"]?\s+|\n+/).count { $0.contains(where: \.isLetter) }
    }
}

/// Finds the texts that have a number and a noun in the plural, but no plural forms: "1 days".
enum PluralRule {
    /// Texts whose numbers are constants above one, or which are shown only for more than one.
    private static let constants: Set<String> = [
        "grading.sheet.waitingMarks", "habit.recent", "leaderboard.how", "messages.changeWindow",
        "messages.tooManyFiles", "records.daysHint", "gallery.chart",
    ]
    /// Words that end like a plural: English verbs, French adverbs, prepositions and nouns of one form.
    private static let singular: Set<Substring> = [
        "as", "has", "is", "its", "less", "this", "was", "cours", "dans", "fois", "moins", "plus", "repas", "sans",
    ]

    /// One line for each text with a fault, in the order of the keys.
    ///
    /// Refusals (`fault`, `problem`) are left out: their numbers are limits above one, and those that are not have
    /// plural forms. A key that ends in `other` is the plural form of a page script.
    static func faults(in entries: [String: StringCatalog.Entry]) -> [String] {
        let number = /(?:%(?:\d\$)?(?:lld|d)|\{(?:n|count|done|total|m)\})[ \u{A0}](\p{L}+)(?: (\p{L}+))?/
        return entries.sorted { $0.key < $1.key }.compactMap { key, entry in
            guard case .text(let text) = entry, !constants.contains(key), !key.hasSuffix(".other"),
                !key.hasPrefix("fault."), !key.hasPrefix("problem.")
            else { return nil }
            let isPlural = text.matches(of: number).contains { match in
                [match.output.1, match.output.2 ?? ""].contains { word in
                    word.count > 2 && (word.hasSuffix("s") || word == "ont" || word.hasSuffix("aux"))
                        && !singular.contains(word)
                }
            }
            return isPlural ? "\(key): \"\(text)\"" : nil
        }
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
