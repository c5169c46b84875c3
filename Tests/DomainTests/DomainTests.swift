import Domain
import Foundation
import TestKit
import Testing

@Suite("Ids")
struct UUIDv7Tests {
    @Test("an id contains its version, variant and time", .requirement("WW-0.02.b"))
    func bits() throws {
        let instant = Date(timeIntervalSince1970: 1_645_557_742)
        let id = UUID.v7(at: instant, random: SystemRandomNumberGenerator())
        // The time of the example in RFC 9562, appendix A.6.
        #expect(id.text.hasPrefix("017f22e2-79b0-7"))
        #expect(id.uuid.6 >> 4 == 7)
        #expect(id.uuid.8 >> 6 == 0b10)
        #expect(id.text == id.uuidString.lowercased())
    }

    @Test("an id is read from 36 characters in lower or upper case")
    func reading() {
        for _ in 0..<200 {
            let id = UUID()
            #expect(id.text == id.uuidString.lowercased())
            #expect(UUID(text: id.text) == id)
            #expect(UUID(text: id.uuidString) == id)
        }
    }

    @Test("ids are ordered like their texts, by which the database sorts them")
    func orderOfTexts() {
        let ids = (0..<200).map { _ in UUID() }
        #expect(ids.sorted().map(\.text) == ids.map(\.text).sorted())
    }

    @Test(
        "an id in any other spelling is refused",
        arguments: [
            "", "0192f3c0", "0192f3c0aaaa70008000000000000a7", "{0192f3c0-aaaa-7000-8000-0000000000a7}",
            "0192f3c0-aaaa-7000-8000-0000000000a", "0192f3c0-aaaa-7000-8000-0000000000a7 ",
            "0192f3c0-aaaa-7000-8000-0000000000g7", "0192f3c0_aaaa_7000_8000_0000000000a7",
            "0192f3c0aaaa-7000-8000-0000-0000000000a7", "é192f3c0-aaaa-7000-8000-000000000a7",
        ])
    func otherSpellings(_ text: String) { #expect(UUID(text: text) == nil) }

    @Test("of all bytes, 22 are digits of an id")
    func digits() {
        let read = (UInt8.min..<128).filter { byte in
            UUID(text: "0192f3c0-aaaa-7000-8000-0000000000a\(Character(UnicodeScalar(byte)))") != nil
        }
        #expect(read == Array("0123456789ABCDEFabcdef".utf8))
    }

    @Test("ids are sorted by their time of creation, as values and as text")
    func order() {
        var random = SystemRandomNumberGenerator()
        let ids = (0..<500).map {
            UUID.v7(at: Date(timeIntervalSince1970: Double($0) / 1000 + 1e9), using: &random)
        }
        #expect(ids.map(\.text).sorted() == ids.map(\.text))
        #expect(Set(ids).count == 500)
    }

    @Test("ids of the same instant differ")
    func unique() {
        let instant = Date(timeIntervalSince1970: 5)
        #expect(
            Set((0..<2000).map { _ in UUID.v7(at: instant, random: SystemRandomNumberGenerator()) }).count == 2000)
    }

    @Test("a time before 1970 does not crash")
    func early() {
        #expect(
            UUID.v7(at: Date(timeIntervalSince1970: -1), random: SystemRandomNumberGenerator()).text.hasPrefix(
                "00000000-0000-7"))
    }
}

@Suite("Entities")
struct EntityTests {
    /// Compiles only for types that follow the convention.
    private func isEntity<E: Identifiable & Hashable & Sendable & Codable>(_: E.Type) -> Bool where E.ID == UUID {
        true
    }

    @Test("every entity is a value type with a UUID", .requirement("WW-0.02.a"))
    func convention() {
        #expect(isEntity(Organization.self))
        #expect(isEntity(Person.self))
        #expect(isEntity(Guide.self))
        #expect(isEntity(Classroom.self))
        #expect(isEntity(Student.self))
    }

    @Test("an id always gives the same tint, and every tint occurs")
    func tint() {
        let ids = (0..<200).map { _ in UUID() }
        #expect(ids.allSatisfy { Tint(for: $0) == Tint(for: $0) })
        #expect(Set(ids.map { Tint(for: $0) }).count == Tint.allCases.count)
    }
}

@Suite("Roles")
struct RoleTests {
    @Test(
        "three of six roles are guide roles, with the names of the ledger",
        .requirement("WW-0.07.a", "PT-1.08.a", "PT-1.08.b"))
    func cases() {
        #expect(Role.guideRoles.map(\.rawValue) == ["superAdmin", "admin", "guide"])
        #expect(Role.allCases.map(\.rawValue) == ["superAdmin", "admin", "guide", "student", "parent", "warden"])
        #expect(Role.allCases.filter(\.isGuideRole) == Role.guideRoles)
        #expect(Role(rawValue: "SuperAdmin") == nil)
        #expect(Role(rawValue: "") == nil)
    }

    @Test("roles are text in JSON")
    func json() throws {
        #expect(
            String(decoding: try JSONEncoder().encode(Role.allCases), as: UTF8.self)
                == #"["superAdmin","admin","guide","student","parent","warden"]"#)
    }

    @Test("a permission is given to its roles only, and to nobody without a role", arguments: Role.allCases)
    func permission(_ role: Role) {
        let permission = Permission("attendance.mark", [.guide, .admin])
        #expect(permission.isGiven(to: [role]) == (role == .guide || role == .admin))
        #expect(permission.isGiven(to: [role, .guide]))
        #expect(!permission.isGiven(to: []))
        #expect(!Permission("none", []).isGiven(to: Set(Role.allCases)))
    }
}

@Suite("The language of a browser")
struct LanguageTests {
    @Test(
        "the best language among those that the browser names is chosen",
        arguments: [
            ("fr", Language.french), ("fr-CA,fr;q=0.9,en;q=0.8", .french), ("en;q=0.5, fr;q=0.7", .french),
            ("de, fr;q=0.1", .french), ("de", .english), ("", .english), ("*", .english), ("fr;q=0", .english),
            ("fr;q=0, en;q=0", .english), ("FR-ca", .french), ("fr;Q=0.2, en;Q=0.9", .english),
            ("en, fr", .english), ("fr, en", .french), ("fr;q=abc", .french), ("fr;q=nan, en;q=0.1", .english),
            (";;;,,,", .english), ("fr;level=1;q=0.4, en;q=0.5", .english), ("fra", .english),
            (String(repeating: "de,", count: 100_000), .english), ("\u{0}", .english),
        ])
    func best(_ header: String, _ language: Language) {
        #expect(Language(acceptLanguage: header) == language)
    }
}

@Suite("Names")
struct PersonNameTests {
    func makeName(_ given: String, _ family: String, _ preferred: String? = nil) -> PersonName {
        PersonName(given: given, family: family, preferred: preferred)
    }

    @Test("a name is shown with the preferred name, and its initials follow")
    func display() {
        #expect(makeName("Élodie", "Tremblay").display == "Élodie Tremblay")
        #expect(makeName("Elizabeth", "Øster", "Bess").display == "Bess Øster")
        #expect(makeName("Madonna", "").display == "Madonna")
        #expect(makeName("élodie", "tremblay").initials == "ÉT")
        #expect(makeName("Madonna", "").initials == "M")
        #expect(makeName("", "").initials == "")
        #expect(makeName("小明", "王").initials == "小王")
        #expect(makeName("e\u{301}lodie", "’t Hooft").initials == "E\u{301}H")
        #expect(makeName("नेहा", "👩‍🏫").initials == "ने👩‍🏫")
        #expect(makeName("Ana Maria", "Ruiz Lopez").initials == "AL")
        #expect(Initials.of("Ana Maria Ruiz Lopez") == "AL", "the same where only the whole name is known")
        #expect(Initials.of("Algebra") == "A" && Initials.of(" ").isEmpty)
    }

    @Test("one name is enough, and the other stays empty", arguments: [("Sena", ""), ("", "Sena")])
    func oneName(_ given: String, _ family: String) {
        let name = makeName(given, family)
        #expect(name.display == "Sena" && name.called == "Sena" && name.initials == "S")
        #expect(name.sortKey == "sena" && name.searchText.split(separator: " ") == ["sena"])
        #expect(makeName("Sena", "Ito", "Se").called == "Se" && makeName("Sena", "Ito").called == "Sena")
    }

    @Test(
        "invisible characters at the ends of words are removed, and joiners within words stay",
        arguments: [
            ("Sena\u{200D}", "Sena"), ("\u{200B}\u{FEFF}Sena \u{2060}", "Sena"), ("Ana\u{200C} Maria", "Ana Maria"),
            ("שרה\u{200F}", "שרה"), ("\u{3164}", ""), (" \u{200B} ", ""), ("Sena", "Sena"), (" Sena\t", "Sena"),
            ("مه\u{200C}سا\u{200C}", "مه\u{200C}سا"), ("क्\u{200D}षमा", "क्\u{200D}षमा"),
            // A chillu letter at the end of a word, written with a joiner.
            ("സുരേന്ദ്രന്\u{200D}", "സുരേന്ദ്രന്\u{200D}"),
            // A selector that chooses the form of a Chinese character.
            ("葛\u{E0100}", "葛\u{E0100}"), ("👩\u{200D}🏫", "👩\u{200D}🏫"),
        ])
    func invisible(_ text: String, _ stored: String) {
        func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
        let name = makeName(text, text, text)
        #expect(scalars(name.given) == scalars(stored) && scalars(name.family) == scalars(stored))
        #expect(name.preferred.map(scalars) == (stored.isEmpty ? nil : scalars(stored)))
        #expect(scalars(PersonName.trimmed(stored)) == scalars(stored))
    }

    @Test(
        "names are folded to what people type",
        arguments: [
            ("ÉCOLE", "ecole"), ("E\u{301}cole", "ecole"), ("Łukasz", "lukasz"), ("Øyvind", "oyvind"),
            ("Đorđe", "dorde"), ("Ægir", "aegir"), ("Œuvre", "oeuvre"), ("Straße", "strasse"), ("Þór", "thor"),
            ("Ångström", "angstrom"), ("Žižek", "zizek"), ("Nguyễn", "nguyen"), ("O’Brien", "o'brien"),
            ("Ǿ", "o"), ("ＡＢＣ", "abc"), ("ИВАН", "иван"), ("ΑΘΗΝΑ", "αθηνα"), ("", ""), ("D'Arcy", "d'arcy"),
            ("أَحْمَد", "احمد"), ("مُصْطَفَى", "مصطفي"), ("فاطمة", "فاطمه"), ("شَهْلَا‌", "شهلا"), ("שָׁלוֹם", "שלום"),
            ("ज़ोया", "जोया"),
            ("हिन्दी", "हिन्दी"), ("น้ำ", "น้ำ"), ("Sena\u{200D}", "sena"), ("\u{2060}Ana\u{200B} Maria\u{FEFF}", "ana maria"),
            ("می\u{200C}روم", "مي\u{200C}روم"),
        ])
    func folds(_ text: String, _ folded: String) { #expect(NameFolding.fold(text) == folded) }

    @Test(
        "folding twice changes nothing",
        arguments: ["Łódź", "İstanbul", "ﬁn", "שָׁלוֹם", "محمد", "王小明", "がぎぐ", "👩🏽‍🏫", "\u{0}"])
    func stable(_ text: String) {
        let once = NameFolding.fold(text)
        #expect(NameFolding.fold(once) == once)
    }

    @Test("a class list is sorted as people expect")
    func sorting() {
        let families = [
            "Zimmer", "Østby", "Éluard", "Łukasik", "Đurić", "adams", "Adams-Lee", "Olsen", "Evans", "Lund",
            "Duval",
            "Иванов", "Κώστας", "כהן", "محمد", "王", "Ábel",
        ]
        let sorted = families.map { makeName("Kim", $0) }.sorted { $0.sortKey < $1.sortKey }.map(\.family)
        #expect(
            sorted == [
                "Ábel", "adams", "Adams-Lee", "Đurić", "Duval", "Éluard", "Evans", "Łukasik", "Lund", "Olsen",
                "Østby", "Zimmer", "Κώστας", "Иванов", "כהן", "محمد", "王",
            ])
    }

    @Test("people with equal names have an order as well")
    func sortingEqual() {
        let people = [
            ("00000000-0000-7000-8000-000000000002", "Ana"), ("00000000-0000-7000-8000-000000000001", "Ana"),
            ("00000000-0000-7000-8000-000000000003", "Élie"),
        ]
        .compactMap { id, name in
            UUID(uuidString: id).map {
                Person(
                    id: $0, orgId: UUID(), name: makeName(name, "Li"), email: nil, avatarTint: .leaf,
                    createdAt: Date(timeIntervalSince1970: 1e9))
            }
        }
        for order in [people, people.reversed()] {
            #expect(order.sorted(by: Person.precedes).map(\.id.text.last) == ["1", "2", "3"])
        }
    }

    @Test("people are sorted by first name, then by family name")
    func sortingWithin() {
        let names = [makeName("Zoé", "Li"), makeName("Ana", "Lin"), makeName("Ana", "Li"), makeName("Bo", "")]
        #expect(names.sorted { $0.sortKey < $1.sortKey }.map(\.display) == ["Ana Li", "Ana Lin", "Bo", "Zoé Li"])
    }

    @Test("a search looks in every part of a name")
    func searchText() {
        let text = makeName("Elizabeth", "Łoś", "Bess").searchText
        for part in ["elizabeth", "bess", "los"] { #expect(text.contains(part)) }
    }
}

@Suite("Words")
struct WordsTests {
    static let catalog = """
        {"sourceLanguage": "en", "version": "1.0", "strings": {
          "greeting": {"localizations": {
            "en": {"stringUnit": {"state": "translated", "value": "Hello %@!"}},
            "fr": {"stringUnit": {"state": "translated", "value": "Bonjour %@ !"}}}},
          "swap": {"localizations": {"en": {"stringUnit": {"state": "translated", "value": "%2$@ before %1$@"}}}},
          "share": {"localizations": {"en": {"stringUnit": {"state": "translated", "value": "%lld %% of 50 % done, 5%"}}}},
          "rooms": {"localizations": {
            "en": {"variations": {"plural": {
              "one": {"stringUnit": {"state": "translated", "value": "%lld room of %@"}},
              "other": {"stringUnit": {"state": "translated", "value": "%lld rooms of %@"}}}}},
            "fr": {"variations": {"plural": {
              "one": {"stringUnit": {"state": "translated", "value": "%lld salle de %@"}},
              "other": {"stringUnit": {"state": "translated", "value": "%lld salles de %@"}}}}}}},
          "german": {"localizations": {"de": {"stringUnit": {"state": "translated", "value": "nur deutsch"}}}},
          "bare": {}
        }}
        """
    func makeWords(_ language: Language) throws -> Words {
        Words(language, [try StringCatalog(json: Data(Self.catalog.utf8))])
    }

    @Test("placeholders are filled in order or by number")
    func gaps() throws {
        let words = try makeWords(.english)
        #expect(words("greeting", "Ana") == "Hello Ana!")
        #expect(words("greeting", "%@ %lld") == "Hello %@ %lld!")
        #expect(words("greeting") == "Hello !")
        #expect(words("swap", "a", "b") == "b before a")
        #expect(words("swap", "a") == " before a")
        #expect(try makeWords(.french)("greeting", "Ana") == "Bonjour Ana !")
    }

    @Test("right-to-left text is isolated in a sentence, and no other text is")
    func isolation() throws {
        let words = try makeWords(.english)
        #expect(words("greeting", "أحمد") == "Hello \u{2068}أحمد\u{2069}!")
        #expect(words("swap", "שָׁלוֹם.", "Zoé 大翔 हिन्दी") == "Zoé 大翔 हिन्दी before \u{2068}שָׁלוֹם.\u{2069}")
        let bare = Words(
            .english,
            [
                try StringCatalog(
                    json: Data(
                        #"{"strings": {"a": {"localizations": {"en": {"stringUnit": {"value": "%@"}}}}}}"#.utf8))
            ])
        #expect(bare("a", "أحمد") == "أحمد")
    }

    @Test("a percent sign of the text itself stays")
    func percent() throws {
        #expect(try makeWords(.english)("share", 7) == "7 % of 50 % done, 5%")
    }

    @Test(
        "plural forms follow the rules of the language",
        arguments: [
            (Language.english, 0, "0 rooms of X"), (.english, 1, "1 room of X"), (.english, 2, "2 rooms of X"),
            (.english, 1234, "1,234 rooms of X"), (.french, 0, "0 salle de X"), (.french, 1, "1 salle de X"),
            (.french, 2, "2 salles de X"), (.english, -1, "-1 rooms of X"),
        ])
    func plural(_ language: Language, _ count: Int, _ text: String) throws {
        #expect(try makeWords(language)("rooms", count, "X") == text)
    }

    @Test(
        "the French word de loses its vowel before another one",
        arguments: [
            ("Ana", "d’Ana"), ("élodie", "d’élodie"), ("Île d’Yeu", "d’Île d’Yeu"), ("Œuvres", "d’Œuvres"),
            ("Yves", "d’Yves"), ("Yasmine", "de Yasmine"), ("Noah", "de Noah"), ("Hana", "de Hana"),
            ("A", "de A"), ("E2", "de E2"), ("« Algues »", "de « Algues »"), ("أحمد", "de \u{2068}أحمد\u{2069}"),
            ("", "de "),
        ])
    func elision(_ value: String, _ text: String) throws {
        let french = "De %@, monde %@, le dossier de %@"
        let json = #"{"strings": {"a": {"localizations": {"fr": {"stringUnit": {"value": "\#(french)"}}}}}}"#
        let words = Words(.french, [try StringCatalog(json: Data(json.utf8))])
        let capital = "D" + text.dropFirst()
        #expect(words("a", value, value, value).hasPrefix("\(capital), monde "))
        #expect(words("a", value, value, value).hasSuffix("le dossier \(text)"))
        #expect(words("a", "Noah", "Ana", "Noah") == "De Noah, monde Ana, le dossier de Noah")
    }

    @Test("English texts keep their words before a vowel")
    func noElision() throws {
        let json = #"{"strings": {"a": {"localizations": {"en": {"stringUnit": {"value": "Fleur de %@"}}}}}}"#
        #expect(Words(.english, [try StringCatalog(json: Data(json.utf8))])("a", "Ana") == "Fleur de Ana")
    }

    @Test("a missing text is shown as its key", arguments: ["nothing", "german", "bare", ""])
    func missing(_ key: String) throws {
        let words = try makeWords(.english)
        #expect(words(key) == "«\(key)»")
        #expect(!words.has(key))
    }

    @Test("the first catalog with a key provides its text")
    func precedence() throws {
        func catalog(_ text: String) throws -> StringCatalog {
            try StringCatalog(
                json: Data(
                    #"{"strings": {"a": {"localizations": {"en": {"stringUnit": {"value": "\#(text)"}}}}}}"#.utf8))
        }
        #expect(Words(.english, [try catalog("first"), try catalog("second")])("a") == "first")
    }

    @Test(
        "a broken catalog is refused",
        arguments: ["", "[]", "{}", #"{"strings": {"a": {"localizations": {"en": {}}}}}"#])
    func broken(_ json: String) {
        #expect(throws: (any Error).self) { try StringCatalog(json: Data(json.utf8)) }
    }

    @Test("dates are written as the reader's language writes them", .requirement("WW-10.04.a"))
    func dates() throws {
        let day = try #require(Day("2026-03-08"))
        let (english, french) = (try makeWords(.english), try makeWords(.french))
        #expect(english.longDate(day).contains("Sunday"))
        #expect(english.longDate(day).contains("March"))
        #expect(french.longDate(day).lowercased().contains("dimanche"))
        #expect(french.longDate(day).contains("8 mars"))
        let toronto = try #require(TimeZone(identifier: "America/Toronto"))
        let instant = try Date("2026-11-21T20:05:00Z", strategy: .iso8601)
        #expect(french.time(instant, in: toronto).contains("15"))
        #expect(english.time(instant, in: toronto).contains("3:05"))
        #expect(english.dateAndTime(instant, in: toronto).contains("2026"))
    }

    @Test(
        "in French the first day of a month is an ordinal, and no other day is",
        arguments: [("2026-12-01", "1er déc."), ("2026-12-11", "11 déc."), ("2026-12-21", "21 déc.")])
    func firstOfMonth(_ date: String, _ short: String) throws {
        let words = try makeWords(.french)
        let day = try #require(Day(date))
        #expect(words.dayAndMonth(day) == short)
        #expect(words.shortDate(day) == "\(short) 2026")
        #expect(words.longDate(day).hasSuffix(" \(short.split(separator: " ")[0]) décembre"))
        #expect(words.dateAndTime(day.midday(in: .gmt), in: .gmt).hasPrefix("\(short) 2026 à 12:00"))
        #expect(try makeWords(.english).longDate(day).contains("1er") == false)
    }
}

@Suite("Names as they are shown")
struct DisplayNameTests {
    @Test(
        "a shown name reveals the preferred name",
        arguments: [
            ("Łukasz", "Żak", "Luki Żak", "Luki"), ("Łukasz", "Żak", "Luki", "Luki"),
            ("Łukasz", "Żak", "Łukasz Żak", nil), ("Łukasz", "Żak", "", nil), ("Łukasz", "Żak", nil, nil),
            ("Cher", "", "Cher", nil), ("Cherilyn", "", "Cher", "Cher"), ("Ana", "Ruiz", "Ruiz", nil),
            ("Ana", "Ruiz", "Ana Ruiz Ruiz", "Ana Ruiz"),
        ] as [(String, String, String?, String?)])
    func readBack(_ given: String, _ family: String, _ display: String?, _ preferred: String?) {
        let name = PersonName(given: given, family: family, display: display)
        #expect(name.preferred == preferred)
        #expect(PersonName(given: given, family: family, display: name.display) == name)
    }
}
