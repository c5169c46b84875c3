import Domain
import FeatureKit
import Foundation
import RosterInterface
import RosterTesting
import TestKit
import Testing

@testable import Roster

@Suite("OneRoster bundles") struct RosterBundleTests {
    /// The faults as `code file:line column`.
    func faults(_ files: [RosterFile]) -> [String] {
        RosterBundle.parse(files).findings.faults.first.map(Self.text)
    }

    func notices(_ files: [RosterFile]) -> [String] {
        RosterBundle.parse(files).findings.notices.first.map(Self.text)
    }

    static func text(of finding: Finding) -> String {
        "\(finding.code.rawValue) \(finding.file):\(finding.line)\(finding.column.map { " \($0)" } ?? "")"
    }

    @Test("the sample bundle has no fault, and all its rows are read")
    func clean() {
        let bundle = RosterBundle.parse(RosterSample().bundle)
        #expect(bundle.findings.faults.first.map(Self.text) == [])
        #expect(bundle.users.count == 1 + 2 * (1 + 6))
        #expect(bundle.rooms.map(\.title) == ["Casa 0", "Casa 1"])
        #expect(bundle.roles.count == bundle.users.count)
        #expect(bundle.enrollments.count == 8)
        #expect(bundle.users[0].preferred == "Olu")
    }

    @Test(
        "a person may have only a given or only a family name",
        arguments: ["Sena,", ",Sena", "Sena,-", " ,Sena"])
    func oneName(_ names: String) throws {
        var sample = RosterSample()
        sample.replace("Oluwaseun,Berg-de", with: names, in: "users.csv")
        let bundle = RosterBundle.parse(sample.bundle)
        #expect(bundle.findings.faults.first.map(Self.text) == [])
        let first = try #require(bundle.users.first)
        #expect(Set([first.given, first.family]).contains("Sena"))
    }

    struct Bend: Sendable, CustomTestStringConvertible {
        let file: String
        let old: String
        let new: String
        let expected: [String]
        var testDescription: String { expected.joined(separator: ", ") }

        init(_ file: String, _ old: String, _ new: String, _ expected: String...) {
            self.file = file
            self.old = old
            self.new = new
            self.expected = expected
        }
    }

    static let bends: [Bend] = [
        Bend(
            "manifest.csv", "oneroster.version,1.2", "oneroster.version,1.3",
            "wrongVersion manifest.csv:3 oneroster.version"),
        Bend("manifest.csv", "oneroster.version,1.2\n", "", "wrongVersion manifest.csv:0 oneroster.version"),
        Bend(
            "manifest.csv", "manifest.version,1.0", "manifest.version,2.0",
            "wrongManifestVersion manifest.csv:2 manifest.version"),
        Bend(
            "manifest.csv", "file.users,bulk", "file.users,some", "manifestValue manifest.csv:11 file.users",
            // Without people, every row that refers to one has a fault.
            "unknownReference"),
        Bend("users.csv", "true,guide-0", "yes,guide-0", "boolean users.csv:3 enabledUser"),
        Bend("users.csv", "guide-0@maple.example", "guide-0 at maple", "email users.csv:3 email"),
        Bend("users.csv", "givenName,familyName", "givenName,surname", "missingColumn users.csv:1 familyName"),
        Bend(
            "users.csv", "givenName,familyName", "givenName,givenName", "doubleColumn users.csv:1 givenName",
            "missingColumn users.csv:1 familyName"),
        Bend("users.csv", "Oluwaseun,Berg-de", "-, ", "nameMissing users.csv:2 givenName"),
        Bend("users.csv", "Oluwaseun", "\"Olu\nwaseun\"", "severalLines users.csv:2 givenName"),
        Bend("users.csv", "Oluwaseun", String(repeating: "é", count: 201), "tooLong users.csv:2 givenName"),
        Bend("users.csv", "admin-1,,", "admin-1,gone,", "choice users.csv:2 status"),
        Bend(
            "users.csv", "guide-1,,,", "guide-0,,,", "duplicateId users.csv:10 sourcedId",
            "unknownReference roles.csv:10 userSourcedId", "unknownReference enrollments.csv:6 userSourcedId"),
        Bend("users.csv", ",parent-0-0,", ",student-0-0,", "ownReference users.csv:4 agentSourcedIds"),
        Bend("users.csv", "school-1,", "school-9,", "unknownReference users.csv:2 primaryOrgSourcedId"),
        Bend("users.csv", "Oluwaseun", "Olu\u{202E}waseun", "control users.csv:2 givenName"),
        Bend("users.csv", "Oluwaseun,Berg-de", "\u{200B}\u{2060},\u{3164}", "nameMissing users.csv:2 givenName"),
        Bend("users.csv", "Oluwaseun", "ZoÃ©", "twiceEncoded users.csv:2 givenName"),
        Bend("roles.csv", "primary,systemAdministrator", "primary,emperor", "choice roles.csv:2 role"),
        Bend("roles.csv", "primary,teacher", "main,teacher", "choice roles.csv:3 roleType"),
        Bend(
            "enrollments.csv", "class-0,school-1,guide-0", "class-7,school-1,guide-0",
            "unknownReference enrollments.csv:2 classSourcedId"),
        Bend("enrollments.csv", "2026-08-24", "2026-02-30", "date enrollments.csv:2 beginDate"),
        Bend("enrollments.csv", "2026-08-24", "24/08/2026", "date enrollments.csv:2 beginDate"),
        Bend("enrollments.csv", "2027-06-30", "9999-01-01", "farDay enrollments.csv:2 endDate"),
        Bend("academicSessions.csv", "2026-08-24", "0001-08-24", "farDay academicSessions.csv:2 startDate"),
        Bend("classes.csv", "term-1", "term-2", "unknownReference classes.csv:2 termSourcedIds"),
        Bend("academicSessions.csv", ",,2027", ",,27", "year academicSessions.csv:2 schoolYear"),
        Bend(
            "academicSessions.csv", "2027-06-30,,", "2027-06-30,term-1,",
            "circularReference academicSessions.csv:2 parentSourcedId"),
        Bend("orgs.csv", "QC-0417,", "QC-0417,school-1", "ownReference orgs.csv:2 parentSourcedId"),
        Bend(
            "roles.csv", "role-admin-1-systemAdministrator,,,", "role-admin-1-systemAdministrator,,,,",
            "fieldCount roles.csv:2"),
        Bend("users.csv", "admin-1,,,true,admin-1,,", "admin-1,,,true,admin-1,", "fieldCount users.csv:2"),
    ]

    @Test(
        "each kind of mistake is found at its file, line and column, without other faults",
        .requirement("BY-1.19.c"), arguments: bends)
    func bend(_ bend: Bend) {
        var sample = RosterSample()
        sample.replace(bend.old, with: bend.new, in: bend.file)
        let found = faults(sample.bundle)
        if bend.expected.contains("unknownReference") {
            #expect(found.first == bend.expected.first)
            #expect(found.dropFirst().allSatisfy { $0.hasPrefix("unknownReference") })
        } else {
            #expect(found == bend.expected)
        }
    }

    @Test("the faults of all files are reported together", .requirement("BY-1.14.d", "BY-1.19.c"))
    func allAtOnce() {
        var sample = RosterSample()
        sample.replace("oneroster.version,1.2", with: "oneroster.version,1.0", in: "manifest.csv")
        sample.replace("true,guide-0", with: "yes,guide-0", in: "users.csv")
        sample.replace("guide-1@maple.example", with: "x", in: "users.csv")
        sample.replace("primary,systemAdministrator", with: "primary,boss", in: "roles.csv")
        sample.replace("homeroom", with: "room", in: "classes.csv")
        sample.append("enr-9,,,class-0", to: "enrollments.csv")
        sample.files["courses.csv"] = nil
        #expect(
            faults(sample.bundle) == [
                "wrongVersion manifest.csv:3 oneroster.version", "missingFile courses.csv:0",
                "fieldCount enrollments.csv:10", "choice classes.csv:2 classType",
                "boolean users.csv:3 enabledUser",
                "email users.csv:10 email", "choice roles.csv:2 role",
            ])
    }

    @Test("a missing manifest and missing files are reported", .requirement("BY-1.19.c"))
    func missing() {
        var sample = RosterSample()
        sample.files["manifest.csv"] = nil
        #expect(faults(sample.bundle) == ["noManifest manifest.csv:0"])
        sample = RosterSample()
        sample.files["users.csv"] = nil
        #expect(faults(sample.bundle) == ["missingFile users.csv:0"])
        #expect(faults([]) == ["noManifest manifest.csv:0"])
    }

    @Test("only the last part of a path is the file's name, and a file sent twice is a fault")
    func names() {
        let plain = RosterSample().bundle
        let paths = plain.map { RosterFile(name: "C:\\x/../../etc/\($0.name)", bytes: $0.bytes) }
        #expect(faults(paths) == [])
        #expect(RosterBundle.parse(paths).users.count == 15)
        #expect(faults(plain + [plain[0]]) == ["doubleFile academicSessions.csv:0"])
    }

    @Test(
        "a bundle that is cut within its rows has a fault",
        arguments: ["users.csv", "roles.csv", "classes.csv"])
    func cut(_ file: String) throws {
        let sample = RosterSample()
        let bytes = Array(try #require(sample.files[file]).utf8)
        let others = sample.bundle.filter { $0.name != file }
        // A file without its last line break is complete.
        for end in stride(from: 0, to: bytes.count - 2, by: 7) {
            let half = RosterFile(name: file, bytes: Array(bytes[..<end]))
            let found = RosterBundle.parse(others + [half]).findings
            // A cut between two rows of roles.csv leaves a valid bundle.
            let isBetweenRows =
                bytes[..<end].filter { $0 == 0x0A }.count > 1 && bytes[end - 1] == 0x0A || bytes[end] == 0x0A
            if file == "roles.csv" && isBetweenRows { continue }
            let isClean = found.isClean
            #expect(!isClean, "cut after \(end) bytes")
        }
    }

    @Test("wrong encodings, NUL bytes and a field of a megabyte are reported")
    func hostileBytes() {
        var sample = RosterSample()
        let others = sample.bundle.filter { $0.name != "users.csv" }
        let text = sample.files["users.csv"] ?? ""
        let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        #expect(
            faults(others + [RosterFile(name: "users.csv", bytes: [0xFF, 0xFE] + wide)]) == [], "it has its mark")
        #expect(faults(others + [RosterFile(name: "users.csv", bytes: wide)]) == ["utf16 users.csv:0"])
        let latin = text.unicodeScalars.map { $0.value < 256 ? UInt8($0.value) : UInt8(ascii: "?") }
        let read = [RosterFile(name: "users.csv", bytes: latin)]
        #expect(faults(others + read) == [] && notices(others + read).contains("readAsWindows1252 users.csv:0"))
        let damaged = Array(text.utf8) + [0xC3]
        let broken = faults(others + [RosterFile(name: "users.csv", bytes: damaged)])
        #expect(
            broken.first?.hasPrefix("notUTF8 users.csv:") == true || broken.first?.hasPrefix("fieldCount") == true)
        sample.replace("Oluwaseun", with: "Olu\0waseun", in: "users.csv")
        #expect(faults(sample.bundle) == ["control users.csv:2 givenName"])
        sample = RosterSample()
        sample.replace("Oluwaseun", with: String(repeating: "O", count: 1 << 20), in: "users.csv")
        #expect(faults(sample.bundle) == ["fieldTooLong users.csv:2 givenName"])
    }

    @Test("values in a report are short and have no control characters")
    func shownText() throws {
        var sample = RosterSample()
        sample.replace(
            "true,guide-0", with: "\u{1B}[2J\(String(repeating: "x", count: 500)),guide-0", in: "users.csv")
        sample.replace("Oluwaseun", with: "Olu\u{9B}waseun", in: "users.csv")
        sample.files["a\u{1B}\n\(String(repeating: "y", count: 500)).csv"] = "x\n1\n"
        let findings = RosterBundle.parse(sample.bundle).findings
        let words = Words(.english, [try RosterFeature.catalog()])
        let reported = (findings.faults.first + findings.notices.first).map { $0.finding(words) }
        #expect(faults(sample.bundle).contains("control users.csv:2 givenName"))
        #expect(reported.contains { $0.code == "boolean" } && reported.contains { $0.file.hasPrefix("a") })
        for finding in reported {
            let text = finding.place + finding.sentence
            #expect(!text.unicodeScalars.contains(where: \.isControl) && text.count < 300, "\(finding.code)")
        }
    }

    @Test("all faults are counted, but only the first thousand are listed")
    func manyFaults() {
        var sample = RosterSample()
        sample.files["roles.csv", default: ""] += String(repeating: "x\n", count: 100_000)
        let findings = RosterBundle.parse(sample.bundle).findings
        #expect(findings.faults.first.count == RosterReport.findingLimit)
        #expect(findings.faults.count >= RosterReport.findingLimit)
        #expect(!findings.isClean)
    }

    @Test("unused columns, files and rows to be deleted are noted")
    func noticesOfUnused() {
        var sample = RosterSample()
        sample.replace("pronouns", with: "pronouns,metadata.bus", in: "users.csv")
        sample.files["users.csv"] = sample.files["users.csv"]?.replacingOccurrences(
            of: "school-1,\r\n", with: "school-1,,7\r\n")
        sample.replace("admin-1,,", with: "admin-1,tobedeleted,", in: "users.csv")
        sample.files["demographics.csv"] = "sourcedId\n"
        sample.replace(
            "file.demographics,absent", with: "file.demographics,bulk\nfile.results,bulk", in: "manifest.csv")
        sample.files["RESULTS.csv"] = "sourcedId\n"
        let notices = notices(sample.bundle)
        #expect(faults(sample.bundle) == [])
        for expected in [
            "vendorColumns users.csv:1", "columnNotUsed users.csv:0 username", "sensitiveFile demographics.csv:0",
            "fileOnlyChecked orgs.csv:0",
        ] {
            #expect(notices.contains(expected), "\(expected)")
        }
        #expect(notices.count { $0.lowercased().contains("results.csv") || $0.contains("demographics") } == 2)
        let stays = RosterBundle.parse(sample.bundle).findings.stays
        #expect(stays.first.map(Self.text) == ["toBeDeleted users.csv:2 status"])
    }

    // MARK: - Variants

    /// The sample in version 1.1, with roles in users.csv.
    static func version11() -> RosterSample {
        var sample = RosterSample(rooms: 1, studentsPerRoom: 1)
        sample.replace("oneroster.version,1.2", with: "oneroster.version,1.1", in: "manifest.csv")
        sample.replace("file.roles,bulk\n", with: "", in: "manifest.csv")
        sample.files["roles.csv"] = nil
        sample.files["users.csv"] = """
            sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grade,password,ext_bus,metadata.house
            admin-1,,,true,school-1,administrator,head,,Olu,Berg,,,,,,,,,,
            guide-0,,,true,school-1,Teacher,guide,,Ana,Li,,,,,,,,secret,,Blue
            student-0-0,,,true,school-1,student,child,,Bo,Li,,,,,,"parent-0-0,stranger",03,hunter2,7,Red
            parent-0-0,,,true,school-1,parent,parent,,Cy,Li,,,,,,student-0-0,,,,

            """
        return sample
    }

    @Test("version 1.1 is read with roles in users.csv, and vendor columns are noted once")
    func version11IsRead() {
        let bundle = RosterBundle.parse(Self.version11().bundle)
        #expect(bundle.findings.faults.first.map(Self.text) == [])
        #expect(bundle.roles.map(\.role) == ["administrator", "teacher", "student", "parent"])
        #expect(bundle.users.map(\.gradeLevel) == [nil, nil, "03", nil])
        let notices = notices(Self.version11().bundle)
        for expected in [
            "version11 manifest.csv:0", "vendorColumns users.csv:1", "sensitive users.csv:0 password",
            "unknownAgent users.csv:4 agentSourcedIds", "otherCase users.csv:3 role",
        ] {
            #expect(notices.contains(expected), "\(expected)")
        }
        #expect(notices.count { $0.hasPrefix("vendorColumns") } == 1)
    }

    @Test("the case of values, columns and file names is ignored and noted once per column")
    func otherCase() throws {
        var sample = RosterSample()
        sample.files["users.csv"] = sample.files["users.csv"]?.replacing(",true,", with: ",TRUE,")
        sample.files["classes.csv"] = sample.files["classes.csv"]?.replacing("homeroom", with: "HomeRoom")
            .replacing("courseSourcedId", with: "COURSESOURCEDID")
        sample.files["roles.csv"] = sample.files["roles.csv"]?.replacing(
            "systemAdministrator,,", with: "SYSTEMADMINISTRATOR,,")
        sample.replace("admin-1,,", with: "admin-1,Active,13.01.2026", in: "users.csv")
        let bundle = RosterBundle.parse(
            sample.bundle.map { RosterFile(name: $0.name.uppercased(), bytes: $0.bytes) })
        #expect(bundle.findings.faults.first.map(Self.text) == [])
        #expect(bundle.users.allSatisfy(\.isEnabled) && bundle.rooms.count == 2)
        #expect(bundle.roles.first?.role == "systemAdministrator")
        let found = bundle.findings.notices.first.filter { [.otherCase, .instant].contains($0.code) }
        #expect(
            found.map { "\(Self.text(of: $0)) \($0.times)" } == [
                "otherCase classes.csv:2 classType 2", "otherCase users.csv:2 status 1",
                "instant users.csv:2 dateLastModified 1", "otherCase users.csv:2 enabledUser 15",
                "otherCase roles.csv:2 role 1",
            ])
        let words = Words(.english, [try RosterFeature.catalog()])
        #expect(found[3].finding(words).sentence == "“TRUE” is read as “true”. (15 times) Lines 2, 3, 4, 5, 6…")
    }

    @Test("files of another format with OneRoster names are one fault")
    func notOneRoster() {
        let files = [
            "orgs.csv": "sourcedId,name,type\n1,Maple,school\n",
            "users.csv": "sourcedId,username,givenName,familyName,password\n7,a,Ana,Li,hunter2\n",
            "roles.csv": "userSourcedId,orgSourcedId,role\n7,1,teacher\n",
            "relationships.csv": "userSourcedId,relationshipUserSourcedId\n7,8\n",
        ].map { RosterFile(name: $0.key, bytes: Array($0.value.utf8)) }
        #expect(faults(files) == ["notOneRoster users.csv:0"])
    }

    @Test("a file of changes is read, may be empty, and may refer to rows that it lacks")
    func deltas() {
        var sample = RosterSample()
        for file in ["users", "enrollments", "orgs"] {
            sample.replace("file.\(file),bulk", with: "file.\(file),delta", in: "manifest.csv")
        }
        sample.files["users.csv"] = RosterSample.userHeader + "\n"
        sample.files["orgs.csv"] = "sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId\n"
        let bundle = RosterBundle.parse(sample.bundle)
        #expect(bundle.findings.faults.first.map(Self.text) == [])
        #expect(bundle.deltas == [.users, .enrollments, .orgs] && !bundle.isComplete)
    }

    @Test("sensitive data is removed before files are stored, and every line keeps its number")
    func sensitive() {
        var sample = Self.version11()
        sample.replace("secret,,Blue", with: "\"se \"\"c\"\"\nret\",,\"Bl,ue\"", in: "users.csv")
        sample.files["demographics.csv"] = "sourcedId,sex\n7,f\n"
        sample.files["userProfiles.csv"] = "sourcedId,password\n7,hunter2\n"
        let cleaned = SensitiveData.removed(from: sample.bundle, FixedUnpacking(), limits: CSVReader.Limits())
        let text = cleaned.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(!text.contains("hunter2") && !text.contains("ret") && !text.contains("7,f"))
        #expect(text.contains("\"Bl,ue\""))
        func outline(_ files: [RosterFile]) -> [String] {
            let findings = RosterBundle.parse(files).findings
            return (findings.faults.first + findings.notices.first).map { "\(Self.text(of: $0)) \($0.times)" }
        }
        #expect(outline(cleaned) == outline(sample.bundle))
        let plain = RosterSample().bundle.filter { $0.name == "roles.csv" }
        #expect(SensitiveData.removed(from: plain, FixedUnpacking(), limits: CSVReader.Limits()) == plain)
    }

    @Test("metadata files of macOS and Windows are ignored")
    func leftovers() {
        let litter = ["__MACOSX/export/._users.csv", "export/._users.csv", "export/.DS_Store", "Thumbs.db"]
            .map { RosterFile(name: $0, bytes: [0, 5, 22, 7]) }
        let source = RosterSource.read(
            RosterSample().bundle + litter, language: .english, unpacker: FixedUnpacking())
        #expect(source.findings.faults.first.map(Self.text) == [])
        #expect(!source.findings.notices.first.contains { $0.code == .fileNotUsed })
    }

    @Test("text in a doubtful encoding is refused")
    func doubtfulLetters() {
        for text in ["C½ur-d'½il", "½uvre", "LŽa", "ZoŽ", "ƒcole"] {
            #expect(EncodingMistake.isDoubtful(text), "\(text)")
        }
        for text in ["ŽIŽEK", "Žižek", "Cœur", "3 ½", "“Żółć”", "d’Orléans", "LÉA", "Nike™", "O´Neill"] {
            #expect(!EncodingMistake.isDoubtful(text), "\(text)")
        }
        #expect(EncodingMistake.decodedOnceMore("DeuxiÃ¨me prÃ©nom") == "Deuxième prénom")
        #expect(EncodingMistake.decodedOnceMore("Oâ€™Neill") == "O’Neill")
        for text in ["Zoé", "São", "Ã", "Müller-Lefèvre", "明"] {
            #expect(EncodingMistake.decodedOnceMore(text) == nil)
        }
    }

    @Test("every finding, change and role has its text in both languages", arguments: Language.allCases)
    func sentences(_ language: Language) throws {
        let catalog = try RosterFeature.catalog()
        let words = Words(language, [catalog])
        for code in Finding.Code.allCases { #expect(words.has("fault.roster.\(code.rawValue)"), "\(code)") }
        for kind in RosterChange.Kind.allCases { #expect(words.has("roster.change.\(kind.rawValue)"), "\(kind)") }
        for role in [Role.admin, .guide, .parent] { #expect(words.has("roster.role.\(role.rawValue)")) }
        #expect(!RosterCounts().rows(in: words).contains { $0.term.hasPrefix("«") })
    }
}
