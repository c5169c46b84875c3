extension Rule {
    static let assertions = Rule("assertions", "Every test has an expectation that can fail.") { tree in
        tree.inEachSource { file in
            file.facts.tests.filter { !$0.asserts }.map {
                Violation(
                    file.path, $0.line,
                    "the test '\($0.name)' cannot fail: it has no #expect, #require, confirmation or expect...() call"
                )
            }
        }
    }

    static let ledgerIds = Rule(
        "ledger-ids", "Tests name statements of the ledger; suites do not name them for their tests."
    ) { tree in
        let known = tree.text(Ledger.path).map { ledger in
            let split = tree.texts.filter { $0.path.hasPrefix(Ledger.statements) }.map(\.text)
            return Ledger.ids(ledger.text, statements: split)
        }
        return tree.inEachSource { file in
            let suites = file.facts.suites.filter { !$0.requirements.isEmpty }.map { suite in
                Violation(
                    file.path, 1,
                    "a suite names \(suite.requirements.sorted().joined(separator: ", ")): name it at the test that shows it"
                )
            }
            let tests = file.facts.tests.flatMap { test in
                test.requirements.compactMap { id -> Violation? in
                    if id.wholeMatch(of: /[A-Z]{2}-\w+\.\d{2,}(?:\.[a-z])?/) == nil {
                        return Violation(
                            file.path, test.line, "'\(id)' is no id of the ledger's form (PT-2M.15, PT-2M.15.a)")
                    }
                    if let known, !known.contains(id) {
                        return Violation(
                            file.path, test.line,
                            "the ledger has no statement '\(id)': see \(Ledger.path) and \(Ledger.statements)")
                    }
                    return nil
                }
            }
            return suites + tests
        }
    }
}

/// The files of the requirement ledger: its rows of requirements, and the statements into which they are split.
public enum Ledger {
    public static let path = "docs/ledger/requirements.yml"
    /// The folder of the files with the statements of requirements, and with the requirements that a person judges.
    public static let statements = "docs/ledger/statements/"

    /// The ids that a test may name: the statements of split rows and the ids of other rows. What people judge is left out.
    /// A judged statement has its text on a line of its own.
    static func ids(_ ledger: String, statements files: [String]) -> Set<String> {
        var ids = Set(ledger.matches(of: /\n\s*- id: (\S+)/).map { String($0.1) })
        for file in files {
            var row = ""
            for line in file.split(separator: "\n") {
                if let match = line.firstMatch(of: /^([A-Z]{2}-\w+\.\d{2,}):/) {
                    row = String(match.1)
                    ids.remove(row)
                } else if let match = line.firstMatch(of: /^  ([a-z]): ./) {
                    ids.insert("\(row).\(match.1)")
                }
            }
        }
        return ids
    }
}
