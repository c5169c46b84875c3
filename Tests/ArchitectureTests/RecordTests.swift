import Conformance
import Domain
import Foundation
import TestKit
import Testing

@testable import tower

/// The records of the project: the ledger, its tracker, and the decisions.
@Suite("Records of the project")
struct RecordTests {
    private func decisions(_ tree: SourceTree) -> [TextFile] {
        tree.texts.filter { $0.path.hasPrefix("docs/decisions/") && $0.path.hasSuffix(".md") }
            .sorted { $0.path < $1.path }
    }

    @Test(
        "every requirement has a state, and every decision a reason and alternatives",
        .requirement("PT-1.06"))
    func onRecord() async throws {
        let tree = try await ProjectTree.tree()
        let ledger = try RequirementLedger(yaml: try #require(tree.text("docs/ledger/requirements.yml")).text)
        let tracker = try #require(tree.text("docs/tracker.md"), "'tower status --write' writes it").text
        for row in ledger.rows { #expect(tracker.contains("| \(row.id) |"), "\(row.id) is not in the tracker") }
        let decisions = decisions(tree)
        #expect(decisions.count >= 10)
        for (index, decision) in decisions.enumerated() {
            let number = String(index + 1)
            let name = decision.path.split(separator: "/").last ?? ""
            #expect(name.hasPrefix(String(repeating: "0", count: 4 - number.count) + number + "-"), "\(name)")
            #expect(decision.text.hasPrefix("# \(number). "), "\(name)")
            for part in ["**Context.**", "**Decision.**", "**Alternatives.**", "**Consequence.**"] {
                #expect(decision.text.contains(part), "\(name) has no \(part)")
            }
        }
    }

    @Test("files stay short, and decisions for speed state their effect")
    func readable() async throws {
        let tree = try await ProjectTree.tree()
        for file in tree.texts where file.path.hasPrefix("Modules/") && file.path.hasSuffix(".swift") {
            let lines = file.text.count { $0 == "\n" }
            #expect(lines <= 620, "\(file.path) has \(lines) lines: take it apart")
        }
        // The two decisions made for speed.
        for name in ["0004-group-commit.md", "0010-kept-pages.md"] {
            let text = try #require(tree.text("docs/decisions/\(name)")).text
            #expect(text.contains("Measured"), "\(name) gives no figures")
        }
    }

    @Test("every figure of the benchmark is published in a row with its bound", .requirement("BY-1.13.b"))
    func figures() async throws {
        let tree = try await ProjectTree.tree()
        let rows = try #require(tree.text("docs/performance.md")).text.split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        var count = 0
        for file in tree.sources where file.path.hasPrefix("Apps/Bench/") {
            for call in file.facts.calls where call.base == "Report" && call.name == "figure" {
                let name = try #require(call.arguments.first?.literals.first).text
                let bound = try #require(call.arguments.first { $0.label == "bound" }?.literals.first).text
                count += 1
                // What stands around the names and numbers that are put in.
                let parts = name.split(separator: Literal.gap).map { $0.trimmingCharacters(in: .whitespaces) }
                    .filter { $0.count >= 4 && !$0.hasPrefix("(") }
                // The number of the bound; a bound without a number by its words.
                let digits = bound.filter { $0.isNumber || $0 == "." }
                let wanted = digits.isEmpty ? String(bound.drop { "<>= ".contains($0) }) : digits
                #expect(
                    rows.contains { row in
                        row.count == 3 && row[1].contains(where: \.isNumber)
                            && parts.allSatisfy { row[0].contains($0) }
                            && row[2].replacing(",", with: "").contains(wanted)
                    }, "\(file.path):\(call.line): '\(name)' has no row with the bound \(bound)")
            }
        }
        #expect(count >= 40)
    }

    @Test(
        "each view model and service of the ledger is named in a test, by itself or by its commands, and the tests run in CI",
        .requirement("PT-1.03.d"))
    func tested() async throws {
        let tree = try await ProjectTree.tree()
        let ledger = try #require(tree.text(Ledger.path)).text
        let named = Set(ledger.matches(of: /\b[A-Z][A-Za-z]+(?:ViewModel|Service)\b/).map { String($0.output) })
        let tests = tree.sources.filter { $0.path.hasPrefix("Tests/") }
            .reduce(into: Set<String>()) { $0.formUnion($1.facts.identifiers.keys) }
        let sources = tree.sources.filter { $0.path.hasPrefix("Modules/") && !$0.path.contains("/Testing/") }
        var found = 0
        for name in named.sorted() {
            // What only the plan's iOS app has stands nowhere here.
            let own = sources.filter { file in file.facts.declared.contains { $0.hasSuffix(name) } }
            guard !own.isEmpty else { continue }
            found += 1
            let folders = Set(own.map { $0.path.prefix(through: $0.path.lastIndex(of: "/") ?? $0.path.startIndex) })
            let beside = sources.filter { file in
                file.fileName.hasSuffix("Commands.swift") && folders.contains { file.path.hasPrefix($0) }
            }
            let names = Set((own + beside).flatMap(\.facts.declared))
            #expect(!names.isDisjoint(with: tests), "no test names \(name), nor any of its commands")
        }
        #expect(found > 15)
        let run = try String(contentsOf: ProjectTree.root.appending(path: ".ci/run"), encoding: .utf8)
        #expect(run.contains("\nexec make test\n"))
    }

    @Test(
        "what one block asks of another is a protocol, and a test can replace a service in no other way",
        .requirement("PT-1.03.a"))
    func crossing() async throws {
        let tree = try await ProjectTree.tree()
        var services: Set<String> = []
        for file in tree.sources where file.path.contains("/Interface/") {
            #expect(
                file.text.firstMatch(of: /(?m)^\s*(?:public |package |final )*(?:class|actor) [A-Z]/) == nil,
                "\(file.path): an interface has protocols and values, and no implementation")
            let protocols = Set(file.facts.protocols.map(\.name))
            let named = file.facts.declared.filter { $0.hasSuffix("Service") }
            #expect(named.allSatisfy(protocols.contains), "\(file.path)")
            services.formUnion(protocols)
        }
        #expect(services.count > 25)
        for file in tree.sources where file.path.hasPrefix("Modules/") {
            #expect(
                file.text.firstMatch(of: /(?m)^\s*(?:public |package |private |fileprivate |open )*class [A-Z]/)
                    == nil,
                "\(file.path): a class that is not final could be replaced by a subclass")
        }
        // Each of them has an implementation in a block, or several.
        let blocks = tree.sources.filter { $0.path.hasPrefix("Modules/") && $0.path.contains("/Sources/") }
        for service in services {
            #expect(blocks.contains { $0.facts.identifiers[service] != nil }, "nobody implements \(service)")
        }
    }

    @Test("every mark of a browser test names a statement of the ledger")
    func marks() async throws {
        let tree = try await ProjectTree.tree()
        let ledger = try RequirementLedger(
            yaml: try #require(tree.text(Ledger.path)).text,
            statements: tree.texts.filter { $0.path.hasPrefix(Ledger.statements) }.map(\.text))
        let known = Set(ledger.rows.flatMap(\.statements).map(\.id))
        #expect(known.count > 900)
        var marks = 0
        for file in tree.texts where file.path.hasPrefix("Tests/") && file.path.hasSuffix(".py") {
            for mark in file.text.matches(of: /mark\.requirement\(([^)]*)\)/) {
                for id in mark.1.matches(of: /"([^"]+)"/) {
                    #expect(known.contains(String(id.1)), "\(file.path) names \(id.1)")
                    marks += 1
                }
            }
            #expect(
                !file.text.contains("pytestmark = pytest.mark.requirement"), "\(file.path) tags all of its tests")
        }
        #expect(marks > 150)
    }

    @Test("the texts of all screens follow one style")
    func voice() async throws {
        for file in try await ProjectTree.tree().texts where file.path.hasSuffix("Localizable.xcstrings") {
            let catalog = try StringCatalog(json: Data(file.text.utf8))
            for (language, entries) in catalog.entries {
                for (key, entry) in entries {
                    let texts: [String] =
                        switch entry {
                        case .text(let text): [text]
                        case .plural(let forms): Array(forms.values)
                        }
                    for text in texts {
                        let what = Comment(rawValue: "\(key) (\(language.rawValue)): \(text)")
                        #expect(!text.contains("!"), what)
                        #expect(!text.contains("  ") && text == text.trimmingCharacters(in: .whitespaces), what)
                        #expect(!text.contains("'") && !text.contains("..."), what)
                        #expect(!text.localizedCaseInsensitiveContains("oops"), what)
                        guard language == .french else { continue }
                        // A no-break space before these signs (a colon in a time follows a digit).
                        for mark in [":", ";", "?", "»"] {
                            #expect(!text.contains(" \(mark)"), what)
                        }
                        #expect(!text.contains("« "), what)
                    }
                }
            }
        }
    }

    @Test(
        "the parents' guide explains both ways to the parents' side of a child's device", .requirement("TQ-2.08.e"))
    func parentsGuide() async throws {
        let guide = try #require(try await ProjectTree.tree().text("docs/parents.md")).text
        let text = guide.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("tap the title three times quickly"))
        #expect(text.contains("hold Ctrl+Alt+P for a second"))
    }
}
