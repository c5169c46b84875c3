/// The state of a row or statement by its tests. Only passed tests make it met.
enum RowState: String, CaseIterable {
    case met
    /// Some statements are met, others have no test.
    case partly
    case failing
    /// A test names it, but was skipped or not in the last run.
    case notRun = "not run"
    case noTest = "no test"
    /// A row that people judge; not counted in percentages.
    case judged

    /// The state of one statement, which people judge or these tests show.
    init(_ statement: Statement, _ tests: [NamingTest]) {
        self = statement.judged == nil ? RowState(tests) : .judged
    }

    /// The state of what these tests show.
    init(_ tests: [NamingTest]) {
        if tests.isEmpty {
            self = .noTest
        } else if tests.allSatisfy({ $0.outcome == .passed }) {
            self = .met
        } else if tests.contains(where: { $0.outcome == .failed }) {
            self = .failing
        } else {
            self = .notRun
        }
    }

    /// The state of a row with these statements. Judged ones count only if there are no others.
    init(of statements: [RowState]) {
        let states = Set(statements).subtracting([.judged])
        if states.isEmpty {
            self = .judged
        } else if states.contains(.failing) {
            self = .failing
        } else if states.contains(.notRun) {
            self = .notRun
        } else if states.count > 1 {
            self = .partly
        } else {
            self = states.first ?? .judged
        }
    }
}

/// The ledger joined with the last test run.
struct LedgerReport {
    struct Entry {
        let row: LedgerRow
        let statements: [(statement: Statement, tests: [NamingTest])]
        var state: RowState { RowState(of: statements.map { RowState($0.statement, $0.tests) }) }
    }

    let entries: [Entry]
    /// Ids in tests that are not statements of the ledger.
    let unknown: [String]

    init(_ rows: [LedgerRow], _ tests: [NamingTest]) {
        var byId: [String: [NamingTest]] = [:]
        for test in tests {
            for id in test.requirements { byId[id, default: []].append(test) }
        }
        entries = rows.map { row in
            Entry(
                row: row,
                statements: row.statements.map { statement in
                    (statement, (byId[statement.id] ?? []).sorted { ($0.suite, $0.name) < ($1.suite, $1.name) })
                })
        }
        let known = Set(rows.flatMap(\.statements).filter { $0.judged == nil }.map(\.id))
        unknown = byId.keys.filter { !known.contains($0) }.sorted()
    }

    /// The entries of these rows.
    func narrowed(to rows: [LedgerRow]) -> [Entry] {
        let ids = Set(rows.map(\.id))
        return entries.filter { ids.contains($0.row.id) }
    }

    // MARK: - Counting

    private func line(_ name: String, _ entries: [Entry]) -> [String] {
        let counts = RowState.allCases.map { state in entries.count { $0.state == state } }
        let testable = entries.count { $0.state != .judged }
        let percent = testable == 0 ? 0 : counts[0] * 100 / testable
        return [name, "\(entries.count)"] + counts.map(String.init) + ["\(percent) %"]
    }

    /// One line per part, per system and in total.
    func counts() -> [[String]] {
        var lines = [["", "rows"] + RowState.allCases.map(\.rawValue) + ["met"]]
        for system in entries.map(\.row.system).unique {
            let own = entries.filter { $0.row.system == system }
            let parts = own.map(\.row.part).unique
            if parts.count > 1 {
                for part in parts { lines.append(line(part, own.filter { $0.row.part == part })) }
            }
            lines.append(line("\(system) in all", own))
        }
        lines.append(line("all", entries))
        return lines
    }

    // MARK: - The tracker

    /// The text of `docs/tracker.md`: every statement and the tests that show it.
    func tracker() -> String {
        let statements = entries.flatMap(\.statements).filter { $0.statement.judged == nil }
        let shown = statements.count { RowState($0.statement, $0.tests) == .met }
        var text = """
            # Tracker

            Written by `tower status --write` from the requirement ledger and the last test run. A row is met when each of
            its statements has tests of its own, which all passed in the last run. Rows and statements of taste and process
            are judged by people and count in no percentage.

            \(shown) of \(statements.count) statements are met.

            """
        text += "\n" + markdown(counts()) + "\n"
        for part in entries.map(\.row.part).unique {
            text += "\n## \(part)\n\n"
            let rows = entries.filter { $0.row.part == part }.flatMap(lines)
            text += markdown([["id", "what", "state", "tests"]] + rows) + "\n"
        }
        return text
    }

    /// One line for the row and, when it is split, one per statement.
    private func lines(_ entry: Entry) -> [[String]] {
        func tests(_ tests: [NamingTest]) -> String {
            tests.map { "\($0.suite): \($0.name)" }.joined(separator: "<br>")
        }
        let single = entry.statements.first { $0.statement.id == entry.row.id }
        let first = [
            entry.row.id, entry.row.firstSentence, entry.state.rawValue,
            entry.row.judged ?? single.map { tests($0.tests) } ?? "",
        ]
        guard single == nil else { return [first] }
        return [first]
            + entry.statements.map {
                [
                    $0.statement.id, $0.statement.text, RowState($0.statement, $0.tests).rawValue,
                    $0.statement.judged ?? tests($0.tests),
                ]
            }
    }

    private func markdown(_ rows: [[String]]) -> String {
        var lines = rows.map { row in
            "| \(row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
        }
        if let first = rows.first {
            lines.insert("|\(String(repeating: "---|", count: first.count))", at: 1)
        }
        return lines.joined(separator: "\n")
    }
}

extension Sequence where Element: Hashable {
    /// The elements without duplicates, in order of first appearance.
    fileprivate var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
