extension Rule {
    static let assertions = Rule("assertions", "Every test holds something that can fail.") { house in
        house.inEachSource { file in
            file.facts.tests.filter { !$0.asserts }.map {
                Violation(
                    file.path, $0.line,
                    "the test '\($0.name)' cannot fail: it has no #expect, #require, confirmation or expect...() call"
                )
            }
        }
    }

    static let ledgerIds = Rule("ledger-ids", "A test names only rows that the ledger has.") { house in
        let rows = house.text(Ledger.path).map { Set($0.text.matches(of: /\n\s*- id: (\S+)/).map { String($0.1) }) }
        return house.inEachSource { file in
            let named = file.facts.tests.map { ($0.line, $0.requirements) }
            let suites = file.facts.suites.map { (1, $0.requirements) }
            return (named + suites).flatMap { line, ids in
                ids.compactMap { id in
                    if id.wholeMatch(of: /[A-Z]{2}-\w+\.\d{2,}/) == nil {
                        return Violation(file.path, line, "'\(id)' is no id of the ledger's form (PT-2M.15)")
                    }
                    if let rows, !rows.contains(id) {
                        return Violation(file.path, line, "the ledger has no row '\(id)'")
                    }
                    return nil
                }
            }
        }
    }
}

/// The requirement ledger's place in the repository.
public enum Ledger {
    public static let path = "docs/ledger/requirements.yml"
}
