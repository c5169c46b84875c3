import Conformance
import Foundation
import Yams

/// A statement of a ledger row, which tests can show.
struct Statement: Hashable {
    /// The id, such as `PT-1.03.a`, or the row's id when the row is one statement.
    let id: String
    let text: String
    /// For a statement that people judge: the date and the comparison.
    var judged: String?
}

/// One row of the requirement ledger.
struct LedgerRow: Hashable {
    let id: String
    let module: String
    let what: String
    /// The row's statements; empty when people judge it.
    let statements: [Statement]
    /// For a row that people judge: the date and the comparison.
    let judged: String?

    /// The system: `PT` for `PT-2M.15`.
    var system: String { id.split(separator: "-").first.map(String.init) ?? id }
    /// The part: `PT-2M` for `PT-2M.15`.
    var part: String { id.split(separator: ".").first.map(String.init) ?? id }
    var number: Int? { id.split(separator: ".").last.flatMap { Int($0) } }

    /// The requirement up to its first full stop.
    var firstSentence: String {
        let line = what.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let end = line.firstMatch(of: /\. (?=[A-Z`])/) else { return line }
        return String(line[..<end.range.lowerBound]) + "."
    }
}

/// The ledger's rows in file order.
struct RequirementLedger {
    let rows: [LedgerRow]

    /// The ledger's path in the repository, or beside it while it is not committed.
    static let places = [Ledger.path, "../shared/requirements.yml"]

    init(in repository: Repository) throws {
        guard let path = RequirementLedger.places.first(where: repository.has) else {
            throw Complaint("There is no ledger: neither \(RequirementLedger.places.joined(separator: " nor ")).")
        }
        try self.init(
            yaml: repository.text(path),
            statements: repository.files(in: Ledger.statements).map { try repository.text($0) })
    }

    /// - Parameter statements: files that split rows: `PT-1.10: {a: ..., b: ...}`, or mark them as judged: `PT-3.04:
    ///   {judged: ...}`. A judged statement of a row is a mapping with `what` and `judged`, each on a line of its own.
    init(yaml: String, statements files: [String] = []) throws {
        var split: [String: [(key: String, text: String, judged: String?)]] = [:]
        for file in files {
            for (row, parts) in try Yams.compose(yaml: file)?.mapping ?? [:] {
                split[row.string ?? ""] = (parts.mapping ?? [:]).map { key, part in
                    (key.string ?? "", part.string ?? part["what"]?.string ?? "", part["judged"]?.string)
                }
            }
        }
        guard let systems = try Yams.compose(yaml: yaml)?.mapping else {
            throw Complaint("The ledger is not a list of systems, each with its rows.")
        }
        rows = try systems.flatMap { _, list in
            try (list.sequence.map(Array.init) ?? []).map { node in
                guard let row = node.mapping, let id = row["id"]?.string, let what = row["what"]?.string else {
                    throw Complaint(
                        "The ledger has a row without id or what\(node.mark.map { " (line \($0.line))" } ?? "").")
                }
                let parts = split.removeValue(forKey: id)
                let statements = parts?.filter { $0.key != "judged" }.map {
                    Statement(id: "\(id).\($0.key)", text: $0.text, judged: $0.judged)
                }
                return LedgerRow(
                    id: id, module: row["module"]?.string ?? "", what: what,
                    statements: statements ?? [Statement(id: id, text: what)],
                    judged: parts?.first { $0.key == "judged" }?.text)
            }
        }
        if let row = split.keys.min() { throw Complaint("\(Ledger.statements) splits '\(row)', which is no row.") }
    }

    /// The rows of a filter such as `PT-1.*`, `PT-2M.01-23`, `WW-10.02`, joined by commas.
    func rows(matching filter: String) throws -> [LedgerRow] {
        let named = try filter.split(separator: ",").map(String.init).flatMap { pattern -> [LedgerRow] in
            let pattern = pattern.trimmingCharacters(in: .whitespaces)
            let found = rows.filter { matches(pattern, $0) }
            guard !found.isEmpty else {
                throw Complaint("No row of the ledger is '\(pattern)'. Write PT-1.*, PT-2M.01-23 or WW-10.02.")
            }
            return found
        }
        let ids = Set(named.map(\.id))
        return rows.filter { ids.contains($0.id) }
    }

    private func matches(_ pattern: String, _ row: LedgerRow) -> Bool {
        if pattern == row.id || pattern == row.part || pattern == row.system { return true }
        guard let dot = pattern.firstIndex(of: "."), pattern[..<dot] == row.part else { return false }
        let numbers = pattern[pattern.index(after: dot)...]
        if numbers == "*" { return true }
        let ends = numbers.split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, let number = row.number else { return false }
        return ends[0] <= number && number <= ends[1]
    }
}
