extension Rule {
    static let singletons = Rule(
        "singletons", "Shared state has its reason above it ('// Singleton: ...')."
    ) { tree in
        tree.inEachSource(where: { !$0.isTestCode && $0.fileName != "main.swift" }) { file in
            file.facts.shared.filter { !$0.hasReason }.map {
                Violation(
                    file.path, $0.line,
                    "'\($0.name)' is reachable from everywhere: pass it in, or say why above it ('// Singleton: ...')"
                )
            }
        }
    }

    static let printing = Rule("printing", "Library code does not print; it logs or returns.") { tree in
        tree.inEachSource(where: { $0.path.hasPrefix("Modules/") || $0.path.hasPrefix("Apps/Server/App/") }) {
            file in
            file.facts.calls.filter { call in
                ["print", "debugPrint", "dump", "NSLog"].contains(call.name)
                    && [nil, "Swift", "Foundation"].contains(call.base)
            }.map { Violation(file.path, $0.line, "\($0.name)() in library code: log it or return it") }
        }
    }

    static let hiddenErrors = Rule(
        "hidden-errors", "A 'try?' has a comment that says why the failure can be ignored."
    ) {
        tree in
        tree.inEachSource(where: { !$0.isTestCode }) { file in
            file.facts.hiddenErrors.filter { !file.hasReason($0) }.map {
                Violation(file.path, $0.line, "'try?' hides a failure: handle it, or say why not in a comment")
            }
        }
    }

    static let unchecked = Rule(
        "unchecked", "'@unchecked Sendable' and 'nonisolated(unsafe)' have a comment that says why they are safe."
    ) { tree in
        tree.inEachSource { file in
            file.facts.uncheckedIsolation.filter { !file.hasReason($0) }.map {
                Violation(file.path, $0.line, "'\($0.text)' without a comment that says what makes it safe")
            }
        }
    }

    static let forced = Rule("forced", "Code outside of tests has no 'x!', 'try!' or 'as!'.") { tree in
        tree.inEachSource(where: { !$0.isTestCode }) { file in
            file.facts.forced.map {
                Violation(
                    file.path, $0.line, "'\($0.text.shown)' ends the server where it is wrong: unwrap or throw")
            }
        }
    }
}

extension SourceFile {
    fileprivate var isTestCode: Bool { layer?.isTest ?? false }
}
