import AssessmentModel
import Domain
import Foundation
import TestKit
import Testing

@Suite("Typed answers")
struct MatchingTests {
    /// Accepted answers of several languages.
    private static let keys = [
        "Élève", "don't", "l'eau", "\"oui\"", "aujourd'hui", "New York", "hello world", "Straße", "naïve",
        "São Paulo", "Où est-il ?", "«oui»", "Ωmega", "Привет мир", "東京", "œuf", "ça va", "Chang'an",
        "Tarim basin", "3 × 4", "H2O", "x < 3", "Tom & Jerry", "100 %", "crème brûlée", "Noël", "déjà vu", "Zürich",
        "piñata", "Łódź",
    ]

    /// The ways in which the same answer may be typed.
    private static let twins: [@Sendable (String) -> String] = [
        { $0 }, { $0.uppercased() }, { $0.lowercased() }, { "  \($0) " }, { "\u{00A0}\($0)\u{202F}" },
        { $0.replacing(" ", with: "  ") }, { $0.replacing(" ", with: "\u{00A0}") },
        { $0.decomposedStringWithCanonicalMapping }, { $0.precomposedStringWithCanonicalMapping },
        { $0.replacing("'", with: "\u{2019}") }, { $0.replacing("'", with: "\u{2018}") },
        { $0.replacing("\"", with: "\u{201D}") }, { "\u{200B}\($0)\u{FEFF}" },
        { $0.replacing("-", with: "\u{2011}") }, { $0.replacing(" ?", with: "?") },
        { $0.replacing("«", with: "« ").replacing("»", with: " »") },
    ]

    /// Pairs that differ in a way that counts.
    private static let others = [
        ("Élève", "eleve"), ("Élève", "élève."), ("don't", "dont"), ("New York", "NewYork"), ("naïve", "naive"),
        ("H2O", "H20"), ("x²", "x2"), ("x < 3", "x > 3"), ("ça va", "ca va"), ("a quarter", "quarter"), ("oui", ""),
        ("oui", "   "), ("Noël", "Noel"), ("3", "30"), ("рот", "pot"), ("1/2", "1\\2"), ("was", "saw"),
        ("resume", "résumé"), ("piñata", "pinata"), ("cote", "côte"),
    ]

    @Test(
        "case, blanks, the Unicode form and typographic twins never matter", .requirement("WW-5.05.d"),
        .requirement("WW-5.07.b"))
    func twinsMatch() {
        var count = 0
        for key in Self.keys {
            for twin in Self.twins {
                let typed = twin(key)
                #expect(AnswerText.matches(typed, [key], ignoringAccents: false), "\(typed) for \(key)")
                count += 1
            }
        }
        #expect(count + Self.others.count == 500)
    }

    @Test("an answer that differs in a letter, an accent or a sign does not match")
    func othersDiffer() {
        for (key, typed) in Self.others {
            #expect(!AnswerText.matches(typed, [key], ignoringAccents: false), "\(typed) for \(key)")
        }
    }

    @Test(
        "accents do not matter if the teacher says so",
        arguments: [
            ("Élève", "eleve"), ("ça va", "CA VA"), ("Noël", "noel"), ("Łódź", "lodz"),
            ("smørrebrød", "smorrebrod"),
            ("résumé", "resume"),
        ])
    func ignoresAccents(pair: (String, String)) {
        #expect(AnswerText.matches(pair.1, [pair.0], ignoringAccents: true))
        #expect(!AnswerText.matches(pair.1, [pair.0], ignoringAccents: false))
    }

    /// Texts with the only number that they can mean.
    private static let clear = [
        ("3", "3"), ("3,14", "3.14"), ("3.14", "3.14"), ("-7", "-7"), ("\u{2212}7", "-7"), ("+5", "5"),
        (" 42 ", "42"), ("1 234,5", "1234.5"), ("1\u{202F}234,5", "1234.5"), ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"), ("1,234,567", "1234567"), ("1.234.567", "1234567"), ("0,125", "0.125"),
        ("0.125", "0.125"), (".5", "0.5"), (",5", "0.5"), ("1'234.5", "1234.5"), ("٣٫١٤", "3.14"), ("३.१४", "3.14"),
        ("３．１４", "3.14"), ("1e3", "1000"), ("1,5e3", "1500"), ("2E-2", "0.02"), ("1234,567", "1234.567"),
        ("12 345", "12345"), ("16,0", "16"), ("16,0000", "16"), ("− 5", "-5"),
    ]

    @Test("a number is read in every notation")
    func numbers() throws {
        for (typed, number) in Self.clear {
            let expected = try #require(ExactNumber(number))
            #expect(NumberReading(typed) == .number(expected), "\(typed)")
        }
    }

    @Test("the number parser of ICU reads the same numbers as ours")
    func agreesWithICU() throws {
        for (identifier, texts) in [
            ("en_US", ["3.14", "1,234.5", "0.125", "1,234,567", "42", "-7.25", "1,234,567.5"]),
            ("fr_FR", ["3,14", "1\u{202F}234,5", "0,125", "42", "-7,25"]),
            ("de_DE", ["3,14", "1.234,5", "0,125", "1.234.567", "-7,25"]),
        ] {
            let style = Decimal.FormatStyle(locale: Locale(identifier: identifier))
            for text in texts {
                let theirs = try Decimal(text, strategy: style.parseStrategy)
                #expect(NumberReading(text) == .number(try #require(ExactNumber("\(theirs)"))), "\(text)")
            }
        }
    }

    @Test("a text that can mean two numbers is ambiguous, and the student's choice counts")
    func ambiguous() throws {
        let (small, large) = (try #require(ExactNumber("16")), try #require(ExactNumber("16000")))
        for typed in ["16,000", "16.000"] {
            let reading = NumberReading(typed)
            #expect(reading == .ambiguous(decimal: small, grouped: large))
            #expect(reading.number(in: .english, typed: typed, chosen: "16000") == large)
            #expect(reading.number(in: .english, typed: typed, chosen: "16.000") == small)
        }
        #expect(NumberReading("16,000").number(in: .english, typed: "16,000", chosen: nil) == large)
        #expect(NumberReading("16,000").number(in: .french, typed: "16,000", chosen: nil) == small)
        #expect(NumberReading("16,000").number(in: .english, typed: "16,000", chosen: "17") == large)
    }

    @Test(
        "a text that is no number is none",
        arguments: ["", "abc", "1,2,3", "1.2.3", "--5", "1 2", "12,34,567", ".", "5-", "1e", "x3", "½"])
    func noNumber(typed: String) {
        #expect(NumberReading(typed) == .none)
    }
}
