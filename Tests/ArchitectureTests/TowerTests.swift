import Conformance
import Foundation
import TestKit
import Testing

@testable import tower

@Suite("tower status")
struct StatusTests {
    private let ledger = """
        PT:  # the classroom
          - id: PT-1.01
            module: Platform
            what: >-
              The shared modules build on Linux. More is said later.
          - id: PT-1.02
            module: Platform
            what: Views only render.
          - id: PT-2M.03
            module: Organization
            what: A `Membership` links a person; e.g. a guide | a parent
        WW:
          - id: WW-1.01
            what: Each screen can be reached
        """

    private func makeTest(_ name: String, _ ids: Set<String>, _ outcome: Outcome?) -> NamingTest {
        NamingTest(name: name, suite: "SomeTests", requirements: ids, outcome: outcome)
    }

    @Test("a row is met only when every test that names it passed in the last run")
    func states() {
        let passed = makeTest("a", ["PT-1.01"], .passed)
        #expect(RowState([]) == .noTest)
        #expect(RowState([passed]) == .met)
        #expect(RowState([passed, makeTest("b", [], .failed)]) == .failing)
        #expect(RowState([passed, makeTest("b", [], .skipped)]) == .notRun)
        #expect(RowState([passed, makeTest("b", [], nil)]) == .notRun)
    }

    @Test("the event stream distinguishes passed, failed and skipped tests")
    func events() throws {
        let stream = try String(contentsOf: sample("events.jsonl"), encoding: .utf8)
        let run = try TestRun(events: stream)
        let byLine = Dictionary(uniqueKeysWithValues: run.outcomes.map { ($0.key.line, $0.value) })
        // Lines of the sample: passed, one of two arguments failed, disabled, known issue, canceled.
        #expect(byLine == [6: .passed, 9: .failed, 14: .skipped, 16: .failed, 19: .skipped])
    }

    @Test("a test is joined with its outcome by its location")
    func join() throws {
        let source = TextFile(
            path: "Tests/ATests/A.swift", text: try String(contentsOf: sample("A.swift.txt"), encoding: .utf8))
        let tree = SourceTree(manifest: .empty, texts: [source])
        let run = try TestRun(events: String(contentsOf: sample("events.jsonl"), encoding: .utf8))
        let tests = NamingTest.all(in: tree, run: run)
        let found = Dictionary(uniqueKeysWithValues: tests.map { ($0.name, $0) })
        #expect(found["passes"]?.requirements == ["PT-1.02"])
        #expect(found["passes"]?.outcome == .passed)
        #expect(found["fails"]?.outcome == .failed)
        #expect(found["c"]?.outcome == .skipped)
        #expect(found["top"] == nil)
    }

    @Test("the browser's run counts as well")
    func browser() throws {
        let json = #"[{ "name": "test_sign_in", "requirements": ["PT-1.02"], "outcome": "passed" }]"#
        let tests = try NamingTest.browser(json: Data(json.utf8))
        #expect(
            tests == [
                NamingTest(name: "test_sign_in", suite: "Browser", requirements: ["PT-1.02"], outcome: .passed)
            ])
    }

    @Test(
        "a filter names rows by part, range and id",
        arguments: [
            ("PT-1.*", ["PT-1.01", "PT-1.02"]), ("PT-1.02-09", ["PT-1.02"]),
            ("WW-1.01, PT-2M.03", ["PT-2M.03", "WW-1.01"]),
            ("PT", ["PT-1.01", "PT-1.02", "PT-2M.03"]), ("PT-2M", ["PT-2M.03"]),
        ])
    func filter(pattern: String, ids: [String]) throws {
        #expect(try RequirementLedger(yaml: ledger).rows(matching: pattern).map(\.id) == ids)
    }

    @Test("a filter that names no row is refused", arguments: ["PT-1.7", "PT-2", "XX-1.*", "PT-1.05-09"])
    func wrongFilter(pattern: String) throws {
        let ledger = try RequirementLedger(yaml: ledger)
        #expect(throws: Complaint.self) { try ledger.rows(matching: pattern) }
    }

    @Test("the tracker has a line per row, with its state and its tests", .requirement("PT-1.27"))
    func tracker() throws {
        let report = LedgerReport(
            try RequirementLedger(yaml: ledger).rows,
            [makeTest("it builds", ["PT-1.01"], .passed), makeTest("it renders", ["PT-1.02", "ZZ-1.01"], .failed)])
        let text = report.tracker()
        #expect(text.contains("| PT-1.01 | The shared modules build on Linux. | met | SomeTests: it builds |"))
        #expect(text.contains("| PT-1.02 | Views only render. | failing | SomeTests: it renders |"))
        #expect(
            text.contains("| PT-2M.03 | A `Membership` links a person; e.g. a guide \\| a parent | no test |  |"))
        #expect(text.contains("| all | 4 | 1 | 0 | 1 | 0 | 2 | 0 | 25 % |"))
        #expect(report.unknown == ["ZZ-1.01"])
    }

    @Test("a row with a judged statement is met when its other statements have passing tests")
    func judgedStatement() throws {
        let split = """
            PT-1.01:
              a: The shared modules build on Linux.
              b:
                what: They read well.
                judged: "2026-11-20, read once"
            """
        let rows = try RequirementLedger(yaml: ledger, statements: [split]).rows
        let tests = [
            makeTest("builds", ["PT-1.01.a"], .passed), makeTest("reads well", ["PT-1.01.b"], .passed),
        ]
        let report = LedgerReport(rows, tests)
        #expect(report.entries.first?.state == .met && report.unknown == ["PT-1.01.b"])
        #expect(LedgerReport(rows, []).entries.first?.state == .noTest)
        let text = report.tracker()
        #expect(text.contains("| PT-1.01.b | They read well. | judged | 2026-11-20, read once |"))
        #expect(text.contains("1 of 4 statements are met."))
    }

    @Test("a row is met when each of its statements has a passing test; judged rows are not counted")
    func statements() throws {
        let split = """
            PT-1.01:
              a: The shared modules build on Linux.
              b: More is said later.
            PT-1.02:
              judged: "2026-11-20, compared with the pictures of the reference"
            """
        let rows = try RequirementLedger(yaml: ledger, statements: [split]).rows
        func state(_ tests: NamingTest...) throws -> RowState {
            try #require(LedgerReport(rows, tests).entries.first).state
        }
        #expect(try state() == .noTest)
        #expect(try state(makeTest("builds", ["PT-1.01"], .passed)) == .noTest, "the bare id names no statement")
        #expect(try state(makeTest("builds", ["PT-1.01.a"], .passed)) == .partly)
        let both = [makeTest("builds", ["PT-1.01.a"], .passed), makeTest("says more", ["PT-1.01.b"], .passed)]
        #expect(try state(both[0], both[1]) == .met)
        #expect(try state(both[0], makeTest("says more", ["PT-1.01.b"], .failed)) == .failing)
        let report = LedgerReport(rows, both + [makeTest("is pretty", ["PT-1.02"], .passed)])
        #expect(report.unknown == ["PT-1.02"])
        let text = report.tracker()
        #expect(text.contains("| PT-1.01.b | More is said later. | met | SomeTests: says more |"))
        #expect(text.contains("| judged | 2026-11-20, compared with the pictures of the reference |"))
        #expect(text.contains("| all | 4 | 1 | 0 | 0 | 0 | 2 | 1 | 33 % |"))
        #expect(throws: Complaint.self) {
            try RequirementLedger(yaml: ledger, statements: ["PT-9.01:\n  a: of no row"])
        }
    }

    private func sample(_ name: String) -> URL {
        ProjectTree.root.appending(path: "Tests/ArchitectureTests/Samples/\(name)")
    }
}

@Suite("tower new")
struct NewBlockTests {
    @Test("the block's line is added at the end of the table in Package.swift")
    func manifest() throws {
        let old = try Repository(root: ProjectTree.root).text("Package.swift")
        let new = try NewBlock("TimeTable").addedToManifest(old)
        let added = new.split(separator: "\n").difference(from: old.split(separator: "\n"))
        #expect(added.removals.isEmpty)
        #expect(added.insertions.count == 1)
        #expect(new.contains("    Feature(name: \"TimeTable\"),\n]\n"))
        let offering = try NewBlock("TimeTable", hasInterface: true).addedToManifest(old)
        #expect(offering.contains("    Feature(name: \"TimeTable\", interface: true),\n]\n"))
        #expect(throws: Complaint.self) { try NewBlock("TimeTable").addedToManifest(new) }
        #expect(throws: Complaint.self) { try NewBlock("TimeTable").addedToManifest("let package = 1") }
    }

    @Test(
        "a new block changes at most three files outside its own: the manifest, the list of wirings, the lock of migrations"
    )
    func changes() throws {
        let block = try NewBlock("TimeTable", hasInterface: true)
        let changed = try block.changes(of: Repository(root: ProjectTree.root)).keys
        #expect(Set(changed).union([MigrationLock.path]).count <= 3, "\(changed.sorted())")
        let own = ["Modules/TimeTable/", "Tests/TimeTableTests/", "Apps/Server/App/Wiring/TimeTableWiring.swift"]
        for path in block.files.keys {
            #expect(own.contains(where: path.hasPrefix), "\(path)")
            #expect(!changed.contains(path))
        }
    }

    @Test("the list of wirings names every block of the manifest once")
    func listedWirings() throws {
        let repository = Repository(root: ProjectTree.root)
        let listed = try repository.text(NewBlock.wirings).matches(of: /\s+Wirings\.(\w+),/).map { String($0.1) }
        let declared = try repository.text("Package.swift").matches(of: /Feature\(\s*name: "(\w+)"/)
            .map { try NewBlock(String($0.1)).area }
        #expect(!listed.isEmpty)
        #expect(listed.sorted() == declared.sorted())
    }

    @Test("the list of wirings gets the block above its marker, and the block has a wiring file")
    func wirings() throws {
        let block = try NewBlock("TimeTable")
        let old = try Repository(root: ProjectTree.root).text(NewBlock.wirings)
        let added = try block.addedToList(old).split(separator: "\n").difference(from: old.split(separator: "\n"))
        #expect(added.removals.isEmpty)
        guard case .insert(_, let line, _)? = added.insertions.first, added.insertions.count == 1 else {
            Issue.record("\(added.insertions)")
            return
        }
        #expect(line == "            Wirings.timeTable,")
        #expect(throws: Complaint.self) { try block.addedToList("import FeatureKit") }
        #expect(
            block.files["Apps/Server/App/Wiring/TimeTableWiring.swift"]?.contains("static let timeTable") == true)
    }

    @Test(
        "the wiring of a new block sorts its imports, whatever the block's name",
        arguments: ["Borrowing", "TimeTable"])
    func sortsImports(name: String) throws {
        let text = try #require(try NewBlock(name).files["Apps/Server/App/Wiring/\(name)Wiring.swift"])
        let imports = text.split(separator: "\n").filter { $0.hasPrefix("import ") }
        #expect(imports.count == 2 && imports == imports.sorted())
    }

    @Test(
        "the catalog of a new block names the area of its endpoints, and its keys are sorted",
        arguments: ["Absence", "TimeTable"])
    func namesItsArea(name: String) throws {
        struct Catalog: Decodable { let strings: [String: [String: [String: [String: [String: String]]]]] }
        let block = try NewBlock(name)
        let text = try #require(block.files["Modules/\(name)/Sources/Resources/Localizable.xcstrings"])
        let area = try JSONDecoder().decode(Catalog.self, from: Data(text.utf8)).strings["area.\(block.area)"]
        #expect(area?["localizations"]?.keys.sorted() == ["en", "fr"])
        let keys = text.matches(of: #/    "([^"]+)": \{\n      "loc/#).map { String($0.1) }
        #expect(keys.count == 2 && keys == keys.sorted())
    }

    @Test(
        "invalid module names are refused", arguments: ["library", "Time Table", "", "QuestTests", "A/B"])
    func names(name: String) {
        #expect(throws: Complaint.self) { try NewBlock(name) }
    }

    @Test("a new block passes every rule of the project", arguments: Rule.all.map(\.name))
    func conforms(rule name: String) throws {
        let block = try NewBlock("TimeTable", hasInterface: true)
        let manifest = try Repository(root: ProjectTree.root).text("Package.swift")
        let files =
            block.files.map { TextFile(path: $0.key, text: $0.value) }
            + [TextFile(path: "Package.swift", text: try block.addedToManifest(manifest))]
        let rule = try #require(Rule.all.first { $0.name == name })
        #expect(rule.violations(in: SourceTree(manifest: .empty, texts: files)).listed == "")
    }
}

@Suite("tower affected")
struct ReachTests {
    private func makeManifest() throws -> Manifest {
        try Manifest(json: Data(contentsOf: Fixture.manifestOfGoodLayers))
    }

    @Test(
        "a change reaches the blocks that depend on it",
        arguments: [
            (["Modules/Auth/Sources/Login.swift"], ["Auth"]),
            (["Modules/Auth/Interface/Reading.swift"], ["Auth", "Search"]),
            (["Modules/Auth/README.md"], ["Auth"]),
            (["Apps/Server/App/Wiring/AuthWiring.swift"], ["Auth"]),
            (["Apps/Server/App/Wiring/BlockWiring.swift"], []),
            (["Modules/Domain/Sources/Day.swift"], ["Auth", "Search"]),
            (["Package.swift"], ["Auth", "Search"]),
            (["Tests/SearchTests/FinderTests.swift"], ["Search"]),
            (["Tests/TestKit/Clock.swift"], ["Search"]),
            (["Modules/Web/Sources/Server.swift", "docs/guide.md"], []),
        ] as [([String], [String])])
    func reach(paths: [String], blocks: [String]) throws {
        #expect(try Reach(makeManifest()).blocks(touchedBy: paths) == blocks)
    }
}

extension Fixture {
    static let manifestOfGoodLayers = folder.appending(path: "layers/good/Package.json.txt")
}

@Suite("The migration lock")
struct MigrationLockTests {
    private func makeTree(lock: String?, sql: String) -> SourceTree {
        var texts = [
            TextFile(
                path: "Modules/Quest/Sources/QuestMigrations.swift",
                text: "let all = [Migration(\"001-rounds\", \"\(sql)\")]\n")
        ]
        if let lock { texts.append(TextFile(path: MigrationLock.path, text: lock)) }
        return SourceTree(manifest: .empty, texts: texts)
    }

    @Test("a new migration is added, an edited old one is refused")
    func accepts() throws {
        guard case .accepted(let text, 1) = MigrationLock.accept(in: makeTree(lock: nil, sql: "abc")) else {
            Issue.record("the new migration was not accepted")
            return
        }
        // The example of FIPS 180-4: the digest of "abc".
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(text.hasSuffix("\nQuest 001-rounds \(digest)\n"))

        guard case .accepted(let same, 0) = MigrationLock.accept(in: makeTree(lock: text, sql: "abc")) else {
            Issue.record("a lock that is up to date was not accepted")
            return
        }
        #expect(same == text)

        guard case .refused(let violations) = MigrationLock.accept(in: makeTree(lock: text, sql: "abd")) else {
            Issue.record("an edited migration was accepted")
            return
        }
        #expect(violations.count == 1)
    }

    @Test("fingerprints are SHA-256, also over several blocks")
    func fingerprint() {
        let sql = String(repeating: "a", count: 1_000)
        // printf 'a%.0s' {1..1000} | sha256sum
        let digest = "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
        guard case .accepted(let text, 1) = MigrationLock.accept(in: makeTree(lock: nil, sql: sql)) else {
            Issue.record("the new migration was not accepted")
            return
        }
        #expect(text.hasSuffix("Quest 001-rounds \(digest)\n"))
    }
}
