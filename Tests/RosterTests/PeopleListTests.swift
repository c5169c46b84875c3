import Domain
import FeatureKit
import Foundation
import RosterInterface
import RosterTesting
import TestKit
import Testing

@testable import Roster

@Suite("Plain lists of people") struct PeopleListTests {
    static func read(_ text: String, _ language: Language = .english, name: String = "people.csv") -> PeopleList {
        read(Array(text.utf8), language, name: name)
    }

    static func read(_ bytes: [UInt8], _ language: Language = .english, name: String = "people.csv") -> PeopleList {
        PeopleList(RosterFile(name: name, bytes: bytes), language: language)
    }

    static func faults(_ list: PeopleList) -> [String] { list.findings.faults.first.map(RosterBundleTests.text) }

    // MARK: - Columns

    @Test(
        "headers are recognized in English and French, with any separator, case and accents",
        arguments: [
            "First name,Last name,Preferred name,Email,Role,Classroom\nChloé,Côté,Clo,c@x.example,student,Casa\n",
            "PRÉNOM;Nom;Prénom usuel;Courriel;Rôle;Classe\r\nChloé;Côté;Clo;C@x.example;Élève;Casa\r\n",
            "\u{FEFF}prenom\tnom de famille\tsurnom\tadresse courriel\trole\tgroupe\nChloé\tCôté\tClo\tc@x.example\televe\tCasa",
            "givenName,familyName,preferredName,email,roles,classrooms\nChloé,Côté,Clo,c@x.example,student,Casa\n",
            "First name;Last name;Nickname;Email;Role;Class;\nChloé;Côté;Clo;c@x.example;student;Casa;\n",
            "First name;Last name;Nickname;Email;Role;Class\nChloé;Côté;Clo;c@x.example;student;Casa;\n",
            "\"Classroom\",\"Role\",\"E-mail\",\"Nickname\",\"Surname\",\"Forename\"\nCasa,pupil,c@x.example,Clo,Côté,Chloé\n",
        ])
    func headers(_ text: String) throws {
        let list = Self.read(text)
        #expect(Self.faults(list) == [])
        #expect(list.findings.notices.count == 0)
        let row = try #require(list.rows.first)
        #expect(list.rows.count == 1)
        #expect((row.given, row.family, row.preferred) == ("Chloé", "Côté", "Clo"))
        #expect(row.email == "c@x.example" && row.roles == ["student"] && row.classrooms == ["Casa"])
    }

    @Test("one column may have the whole name, and empty rows are skipped")
    func wholeNames() {
        let list = Self.read("Name;Class\nMary Jane Watson;Casa\n;\n ; \nさくら;Casa\n")
        #expect(Self.faults(list) == [])
        #expect(list.rows.map(\.given) == ["Mary Jane", "さくら"] && list.rows.map(\.family) == ["Watson", ""])
    }

    @Test("a field may have several roles or classrooms, and a doubled semicolon belongs to a name")
    func parts() {
        #expect(PeopleList.parts("Casa; Maple;; room ;") == ["Casa", "Maple; room"])
        #expect(PeopleList.parts("") == [] && PeopleList.parts("Casa, Maple") == ["Casa, Maple"])
    }

    @Test("a student number and a grade level are read under their English and French names")
    func schooling() {
        for header in ["First name,Student number,Grade", "Prénom,Matricule,Niveau", "prenom,numero,degre"] {
            let list = Self.read("\(header)\nAna, 14 ,Grade 3\n")
            #expect(Self.faults(list) == [] && list.findings.notices.count == 0)
            #expect(list.rows.first?.number == "14" && list.rows.first?.gradeLevel == "Grade 3")
        }
    }

    @Test("the headers of the French ministry's files are recognized, and the other columns are noted")
    func ministry() throws {
        let text = """
            Identifiant unique*;Premier prénom*;Deuxième prénom;Troisième prénom;Nom de famille*;Nom d'usage;Code sexe*;date naissance;Date de naissance (jj/mm/aaaa)*;Statut*;Division*
            9F;Zoé;Ana;;Roy;;F;;04/03/2015;AP;CM1 B

            """.replacing("date naissance;", with: "").replacing(";F;;", with: ";F;")
        let list = Self.read(text, .french)
        let row = try #require(list.rows.first)
        #expect(Self.faults(list) == [])
        #expect((row.id, row.given, row.family) == ("9F", "Zoé", "Roy") && row.classrooms == ["CM1 B"])
        #expect(
            list.findings.notices.first.map(RosterBundleTests.text) == [
                "unknownColumn people.csv:1 Statut*", "columnNotUsed people.csv:0 Date de naissance (jj/mm/aaaa)*",
                "columnNotUsed people.csv:0 Code sexe*", "columnNotUsed people.csv:0 Deuxième prénom",
            ])
        let known = [
            "PREMIER PRENOM", "date naissance", "Nom d’usage", "Prénom (usuel) *", "E-mail du responsable",
        ]
        #expect(known.map { ListColumn(header: $0) } == [.given, .birthDate, .usedName, .given, .guardianEmail])
    }

    @Test("a name of usage becomes the family name and is noted once with its count")
    func usedNames() throws {
        let list = Self.read(
            "Prénom;Nom de famille;Nom d'usage;Classe\nZoé;Roy;Martin;CM1\nBo;Roy;;CM1\nAna;Roy;ROY;CM1\nLi;;Ito;CM1\n",
            .french)
        #expect(Self.faults(list) == [])
        #expect(list.rows.map(\.name) == ["Zoé Martin", "Bo Roy", "Ana Roy", "Li Ito"])
        #expect(list.findings.notices.first.map(RosterBundleTests.text) == ["usedName people.csv:0 Nom d'usage"])
        #expect(list.findings.notices.first.first?.arguments == [.number(2)])
        let long = String(repeating: "x", count: 201)
        #expect(
            Self.faults(Self.read("Prénom;Nom;Nom d'usage\nA;B;\(long)\n")) == ["tooLong people.csv:2 Nom d'usage"])
    }

    @Test("a person may have only a given or only a family name")
    func oneName() {
        let list = Self.read("First name,Last name,Role\nSena,,student\n,Sena,student\n\u{200B},\u{3164},student\n")
        #expect(Self.faults(list) == ["nameMissing people.csv:4 First name"])
        #expect(list.rows.prefix(2).map(\.name) == ["Sena", "Sena"])
    }

    @Test("an unknown column is read as chosen, or ignored without a notice")
    func choices() throws {
        let bytes = Array("Vorname,Nachname,Farbe\nZoé,Roy,blau\n".utf8)
        func read(_ text: String) -> PeopleList {
            PeopleList(
                RosterFile(name: "people.csv", bytes: bytes), language: .english, choices: ColumnChoices(text))
        }
        #expect(Self.faults(read("")) == ["noNameColumn people.csv:1"])
        let list = read("0-given.1-family.2-ignore")
        #expect(Self.faults(list) == [] && list.findings.notices.count == 0)
        #expect(list.rows.first?.name == "Zoé Roy")
        #expect(list.columns.map(\.column) == [.given, .family, nil])
        #expect(Self.faults(read("0-given.1-given")) == ["doubleColumn people.csv:1 Nachname"])
        #expect(ColumnChoices("0-given.x.1-birthDate.-1-id.77-id.3-nothing").text == "0-given")
        #expect(ColumnChoices("5-ignore.2-email").text == "2-email.5-ignore")
    }

    @Test("bidirectional overrides and invisible names are faults")
    func refusedCharacters() {
        let list = Self.read(
            "First name,Last name,Class\n\u{202E}Ana,Roy,Casa\n\u{200B},\u{2060},Casa\nJo\u{200D}hn,D\u{2019}Or!,Ca\u{202D}sa\n"
        )
        #expect(
            Self.faults(list) == [
                "control people.csv:2 First name", "nameMissing people.csv:3 First name",
                "control people.csv:4 Class",
            ])
    }

    @Test("a date of birth centuries away is a fault")
    func farDates() {
        let list = Self.read("First name,Date of birth\nAna,0001-04-03\nBo,9999-01-01\nCy,2015-04-03\n")
        #expect(Self.faults(list) == ["farDay people.csv:2 Date of birth", "farDay people.csv:3 Date of birth"])
    }

    @Test("text that was encoded twice is a fault with the intended text")
    func twiceEncoded() throws {
        let list = Self.read("Prénom;Nom\nZoÃ©;Roy\nLéa;Roy\n")
        #expect(Self.faults(list) == ["twiceEncoded people.csv:2 Prénom"])
        let words = Words(.english, [try RosterFeature.catalog()])
        #expect(list.findings.faults.first[0].finding(words).sentence.hasPrefix("“ZoÃ©” is probably “Zoé”"))
    }

    @Test("a list in Mac Roman is refused with its faults")
    func macRoman() throws {
        let bytes = Array("Pr".utf8) + [0x8E] + Array("nom;Nom\rL".utf8) + [0x8E] + Array("a;Roy\r".utf8)
        let faults = Self.read(bytes).findings.faults.first
        #expect(faults.contains { $0.code == .bareCarriageReturn && $0.line == 1 })
        #expect(faults.contains { $0.code == .doubtfulLetters && $0.line == 2 })
    }

    @Test("unused columns are noted with their number of values, unknown ones by name")
    func notUsed() {
        let list = Self.read(
            "First name,Last name,Birthday,Gender,Shoe size\nAna,Kovač,2020-04-03,,38\nBo,Li,,f,\n")
        #expect(Self.faults(list) == [])
        #expect(
            list.findings.notices.first.map(RosterBundleTests.text) == [
                "unknownColumn people.csv:1 Shoe size", "columnNotUsed people.csv:0 Birthday",
                "columnNotUsed people.csv:0 Gender",
            ])
    }

    // MARK: - Faults

    @Test("all faults of a list are reported together, each at its line and column", .requirement("BY-1.14.d"))
    func faults() {
        let list = Self.read(
            """
            id,First name,Last name,Email,Role,Classroom,Email
            7,Ana,Kovač,nobody,student,Casa,
            7,Bo,Li,,emperor,Casa,
            ,,,,student,Casa,
            8,Eve,"O
            Neil",,,,
            9,Too,Few
            """)
        #expect(
            Self.faults(list) == [
                "fieldCount people.csv:7", "doubleColumn people.csv:1 Email", "email people.csv:2 Email",
                "listRole people.csv:3 Role", "duplicateId people.csv:3 id", "nameMissing people.csv:4 First name",
                "severalLines people.csv:5 Last name",
            ])
    }

    @Test("a list without names or rows is refused")
    func nothing() {
        #expect(Self.faults(Self.read("email,role\na@x.example,student\n")) == ["noNameColumn people.csv:1"])
        #expect(Self.faults(Self.read("First name,Last name\n")) == ["noRows people.csv:0"])
        #expect(Self.faults(Self.read("")) == ["emptyFile people.csv:0"])
    }

    // MARK: - Dates

    @Test("an ambiguous date is a fault, not a guess")
    func dates() {
        func read(_ texts: [String], _ language: Language) -> [WrittenDays.Reading] {
            let days = WrittenDays(texts, language: language)
            return texts.map(days.read)
        }
        func day(_ text: String) -> WrittenDays.Reading { Day(text).map(WrittenDays.Reading.day) ?? .none }
        #expect(
            read(["2015-04-03", "3/4/2015", "5/5/2015"], .english) == [
                day("2015-04-03"), .ambiguous, day("2015-05-05"),
            ])
        #expect(read(["3/4/2015", "03.04.2015"], .french) == [day("2015-04-03"), day("2015-04-03")])
        #expect(read(["3/4/2015", "13/4/2015"], .english) == [day("2015-04-03"), day("2015-04-13")])
        #expect(read(["3/4/2015", "4-13-2015"], .french) == [day("2015-03-04"), day("2015-04-13")])
        #expect(
            read(["3/4/2015", "13/4/2015", "4/13/2015"], .french)
                == [.ambiguous, day("2015-04-13"), day("2015-04-13")])
        #expect(
            read(["30/2/2015", "3/4/15", "soon", "2015-13-01", "1/2/3/4"], .french) == [
                .none, .none, .none, .none, .none,
            ])
        let list = Self.read("First name,Last name,Date of birth\nAna,Kovač,3/4/2015\nBo,Li,soon\n")
        #expect(
            Self.faults(list) == [
                "ambiguousDate people.csv:2 Date of birth", "listDate people.csv:3 Date of birth",
            ])
    }

    // MARK: - Encodings

    private static let text = "Prénom;Nom\r\nZoë;Côté\r\nŁukasz;“Żółć”\r\n"

    private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        ("\u{FEFF}" + text).utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isLittle ? [low, high] : [high, low]
        }
    }

    @Test("UTF-16 with a byte order mark is read and noted", arguments: [true, false])
    func utf16(_ isLittle: Bool) {
        let bytes = Self.utf16(Self.text, isLittle: isLittle)
        let list = Self.read(bytes)
        #expect(list.rows.map(\.given) == ["Zoë", "Łukasz"] && list.rows.last?.family == "“Żółć”")
        #expect(list.findings.notices.first.map(\.code) == [.readAsUTF16])
        #expect(Self.faults(Self.read(Array(bytes.dropLast()))) == ["utf16 people.csv:0"], "cut within a letter")
        #expect(Self.faults(Self.read(Array(bytes.dropFirst(2)))) == ["utf16 people.csv:0"], "without its mark")
    }

    @Test("Windows-1252 is read and noted")
    func windows1252() {
        let bytes = "Prénom;Nom\nZoë;d’Orléans\nAnaïs;Œuvrard €\n".unicodeScalars.map { scalar -> UInt8 in
            switch scalar {
            case "’": 0x92
            case "Œ": 0x8C
            case "€": 0x80
            default: UInt8(scalar.value)
            }
        }
        let list = Self.read(bytes)
        #expect(Self.faults(list) == [])
        #expect(
            list.rows.map(\.family) == ["d’Orléans", "Œuvrard €"] && list.rows.map(\.given) == ["Zoë", "Anaïs"])
        #expect(list.findings.notices.first.map(\.code) == [.readAsWindows1252])
    }

    @Test("UTF-8 with a damaged character is not taken for another encoding, and binary files are refused")
    func damaged() {
        var bytes = Array("Prénom;Nom\nZoë;Côté\nAna;Kov".utf8)
        bytes.append(0xC4)
        #expect(Self.faults(Self.read(bytes)) == ["notUTF8 people.csv:3 Nom"])
        #expect(
            Self.faults(Self.read(Array("First name\nA\0na\n".utf8) + Array(repeating: 65, count: 200))).contains(
                "control people.csv:2 First name"))
        #expect(Self.faults(Self.read([UInt8]("%PDF-1.7 x".utf8))) == ["binary people.csv:0"])
        #expect(Self.faults(Self.read([UInt8](repeating: 0, count: 500))) == ["binary people.csv:0"])
        // Windows-1252 does not define this byte.
        #expect(Self.faults(Self.read(Array("Nom\n".utf8) + [0x81])) == ["notUTF8 people.csv:2 Nom"])
    }

    // MARK: - Files

    private static func source(
        _ files: [RosterFile], _ answer: Result<[UnpackedFile], UnpackingFault>? = nil
    ) -> RosterSource {
        RosterSource.read(files, language: .english, unpacker: FixedUnpacking(answer))
    }

    private static func faults(of files: [RosterFile], _ answer: Result<[UnpackedFile], UnpackingFault>? = nil)
        -> [String]
    {
        source(files, answer).findings.faults.first.map(RosterBundleTests.text)
    }

    private static let zip = RosterFile(name: "export.zip", bytes: [0x50, 0x4B, 3, 4])

    @Test("a single file is a list unless it belongs to a bundle, and several are a bundle, also in a ZIP file")
    func kinds() throws {
        func isList(_ source: RosterSource) -> Bool { if case .list = source { true } else { false } }
        let list = RosterFile(name: "élèves.csv", bytes: Array("Nom\nCôté\n".utf8))
        #expect(isList(Self.source([list])))
        #expect(isList(Self.source([RosterFile(name: "users.csv", bytes: list.bytes)])))
        #expect(
            Self.faults(of: [RosterFile(name: "users.csv", bytes: Array("sourcedId,status\n1,\n".utf8))]).first
                == "noManifest manifest.csv:0")
        #expect(
            Self.faults(of: [list, RosterFile(name: "b.csv", bytes: list.bytes)]).contains(
                "noManifest manifest.csv:0"))
        #expect(isList(Self.source([Self.zip], .success([UnpackedFile(name: "a/x.csv", bytes: list.bytes)]))))
        let bundle =
            RosterSample().bundle.map { UnpackedFile(name: "export/\($0.name)", bytes: $0.bytes) }
            + [UnpackedFile(name: "__MACOSX/export/._users.csv", bytes: [0])]
        let read = Self.source([Self.zip], .success(bundle))
        #expect(!isList(read) && read.findings.isClean)
    }

    @Test("each problem of a ZIP file has its own fault")
    func zips() {
        let cases: [(UnpackingFault, String)] = [
            (.damaged, "zipDamaged"), (.encrypted, "zipEncrypted"), (.inParts, "zipInParts"),
            (.unknownMethod, "zipMethod"), (.tooManyFiles(limit: 100), "zipTooManyFiles"),
            (.tooLarge(limit: 64 << 20), "zipTooLarge"), (.path("../x"), "zipPath"),
        ]
        for (fault, code) in cases {
            #expect(Self.faults(of: [Self.zip], .failure(fault)) == ["\(code) export.zip:0"])
        }
        #expect(Self.faults(of: [Self.zip], .success([])) == ["zipEmpty export.zip:0"])
        #expect(
            Self.faults(of: [Self.zip], .success([UnpackedFile(name: "a.csv", bytes: Self.zip.bytes)]))
                == ["zipNested export.zip:0"])
        #expect(
            Self.faults(of: [Self.zip], .success([UnpackedFile(name: "[Content_Types].xml", bytes: [])]))
                == ["spreadsheet export.zip:0"])
    }

    @Test("a file above the size limit is refused before it is read")
    func tooLarge() {
        let limits = CSVReader.Limits(fileBytes: 1000)
        let list = PeopleList(
            RosterFile(name: "people.csv", bytes: [UInt8](repeating: 65, count: 1001)), language: .english,
            limits: limits)
        #expect(Self.faults(list) == ["tooLarge people.csv:0"] && list.rows.isEmpty)
    }
}
