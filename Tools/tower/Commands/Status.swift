import ArgumentParser
import Conformance
import Foundation

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Joins the requirement ledger with the last test run.",
        discussion: """
            A row is met only when every statement of it has tests, which all ran and passed in the last run ('tower \
            test'; browser tests leave theirs in \(Repository.browserRun)). A skipped test has not passed.
            """)

    @Flag(help: "Also write docs/tracker.md.")
    var write = false

    @Option(help: "Only these rows (\"PT-1.*,PT-2M.01-23\"), one by one; ends with an error where one is not met.")
    var issue: String?

    func run() throws {
        let repository = try Repository()
        let ledger = try RequirementLedger(in: repository)
        let tree = try SourceTree(
            at: repository.root, manifest: .empty, under: ["Tests/"], cache: repository.factCache())
        var tests = NamingTest.all(in: tree, run: try lastRun(repository))
        if repository.has(Repository.browserRun) {
            tests += try NamingTest.browser(json: Data(contentsOf: repository.url(Repository.browserRun)))
        } else if repository.has("Tests/Browser") {
            print("The browser tests have not run: \(Repository.browserRun) is missing.")
        }
        let report = LedgerReport(ledger.rows, tests)
        for id in report.unknown { print("A test names '\(id)', which the ledger does not have.") }

        if write {
            try repository.write(report.tracker(), to: "docs/tracker.md")
            print("Wrote docs/tracker.md.")
        }
        guard let issue else {
            print(Table.text(report.counts()))
            return
        }
        let entries = report.narrowed(to: try ledger.rows(matching: issue))
        print(
            Table.text(
                entries.map { entry in
                    let tests = entry.statements.flatMap(\.tests).map {
                        "\($0.name) (\($0.outcome?.rawValue ?? "not run"))"
                    }
                    return [entry.row.id, entry.state.rawValue, entry.row.firstSentence.shortened(to: 70)]
                        + [tests.joined(separator: "; ")]
                }))
        let unmet = entries.count { ![.met, .judged].contains($0.state) }
        guard unmet == 0 else {
            print("\(unmet) of \(entries.count) rows are not met.")
            throw ExitCode(1)
        }
        print("All \(entries.count) rows are met.")
    }

    private func lastRun(_ repository: Repository) throws -> TestRun? {
        guard repository.has(Repository.events) else {
            print("No test run is on record: run 'tower test' first.")
            return nil
        }
        let file = repository.url(Repository.events)
        let ran = try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        let changed = try newestTest(repository)
        if let ran, let changed, ran < changed {
            print("The last run is older than the newest test: rows may have changed since ('tower test').")
        }
        return try TestRun(events: String(contentsOf: file, encoding: .utf8))
    }

    private func newestTest(_ repository: Repository) throws -> Date? {
        let files = FileManager.default.enumerator(
            at: repository.url("Tests"), includingPropertiesForKeys: [.contentModificationDateKey])
        return try files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .compactMap { try $0.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate }
            .max()
    }
}

extension String {
    /// The text with at most `limit` characters, ending with an ellipsis when cut.
    func shortened(to limit: Int) -> String { count > limit ? "\(prefix(limit - 1))…" : self }
}
