/// What the tests say of one row. Nothing but tests that passed can make it met.
enum RowState: String, CaseIterable {
    case met
    case failing
    /// A test names it, but was skipped or not part of the last run.
    case notRun = "not run"
    case noTest = "no test"

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
}

/// The ledger joined with the last run.
struct Standing {
    struct Entry {
        let row: LedgerRow
        let tests: [NamingTest]
        var state: RowState { RowState(tests) }
    }

    let entries: [Entry]
    /// Ids that tests name and the ledger does not have.
    let unknown: [String]

    init(_ rows: [LedgerRow], _ tests: [NamingTest]) {
        var byId: [String: [NamingTest]] = [:]
        for test in tests {
            for id in test.requirements { byId[id, default: []].append(test) }
        }
        entries = rows.map { row in
            Entry(row: row, tests: (byId[row.id] ?? []).sorted { ($0.suite, $0.name) < ($1.suite, $1.name) })
        }
        unknown = byId.keys.filter { id in !rows.contains { $0.id == id } }.sorted()
    }

    /// Only the entries of these rows.
    func narrowed(to rows: [LedgerRow]) -> [Entry] {
        let ids = Set(rows.map(\.id))
        return entries.filter { ids.contains($0.row.id) }
    }

    // MARK: - Counting

    private func line(_ name: String, _ entries: [Entry]) -> [String] {
        let counts = RowState.allCases.map { state in entries.count { $0.state == state } }
        let percent = entries.isEmpty ? 0 : counts[0] * 100 / entries.count
        return [name, "\(entries.count)"] + counts.map(String.init) + ["\(percent) %"]
    }

    /// A line per part, per system and for all.
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

    /// `docs/tracker.md`: what is asked for, row by row, and what shows that it holds.
    func tracker() -> String {
        var text = """
            # Tracker

            Written by `tower status --write` from the requirement ledger and the last test run. A row is met
            only when every test that names it ran and passed; nothing else can mark it.

            """
        let counts = counts()
        text += "\n" + markdown(counts) + "\n"
        for part in entries.map(\.row.part).unique {
            text += "\n## \(part)\n\n"
            let rows = entries.filter { $0.row.part == part }.map { entry in
                [
                    entry.row.id, entry.row.firstSentence, entry.state.rawValue,
                    entry.tests.map { "\($0.suite): \($0.name)" }.joined(separator: "<br>"),
                ]
            }
            text += markdown([["id", "what", "state", "tests"]] + rows) + "\n"
        }
        return text
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
    /// Each element once, where it stood first.
    fileprivate var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
