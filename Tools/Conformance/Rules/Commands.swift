extension Rule {
    static let commands = Rule(
        "commands", "Every change is a Command: only stores change rows, and only the pipeline opens writes."
    ) { tree in
        tree.inEachSource { file in
            guard file.path.hasPrefix("Modules/"), let layer = file.layer, !layer.isTest else { return [] }
            return statements(in: file, layer) + openedWrites(in: file, layer)
        }
    }

    /// Finds writing SQL outside of repositories, stores and migrations, which commands call.
    private static func statements(in file: SourceFile, _ layer: Layer) -> [Violation] {
        guard case .feature = layer, !isStore(file.fileName) else { return [] }
        return file.facts.literals.compactMap { literal in
            guard !literal.types.contains(where: isStore), let verb = changing(literal.text) else { return nil }
            return Violation(
                file.path, literal.line,
                "\(verb) stands outside a *Repository, *Store or *Migrations: give the change a method there")
        }
    }

    private static func isStore(_ name: String) -> Bool {
        ["Repository", "Store", "Migrations"].contains { name.contains($0) }
    }

    private static let change = Pattern(
        /(?:^|\s)(INSERT(?: OR \w+)? INTO|REPLACE INTO|DELETE FROM|UPDATE)\s+[\w"\u{FFFC}]/.ignoresCase())

    private static func changing(_ text: String) -> String? {
        guard text.contains(" ") else { return nil }
        return text.firstMatch(of: change.regex).flatMap { match in
            let verb = match.output.1.uppercased()
            // "Update" alone is also an English word.
            let isStatement = verb != "UPDATE" || text.contains(/\bSET\b/)
            return isStatement ? verb : nil
        }
    }

    private static let writers: Set<String> = ["Web", "Persistence", "FeatureKit", "FeatureRuntime"]

    /// Finds `database.write { ... }` outside of the pipeline, which bypasses permission, idempotency and change log.
    private static func openedWrites(in file: SourceFile, _ layer: Layer) -> [Violation] {
        guard let folder = file.moduleFolder, !writers.contains(folder),
            !file.text.contains("// conformance: allow write - ")
        else { return [] }
        return file.facts.calls.filter { call in
            guard call.name == "write", let base = call.base?.lowercased() else { return false }
            let onDatabase = ["database", "db", "school", "directory", "pool"].contains { base.hasSuffix($0) }
            return onDatabase || call.hasTrailingClosure && call.arguments.isEmpty
        }.map {
            Violation(
                file.path, $0.line,
                "a write transaction is opened outside the pipeline: make it a Command, or say why not with"
                    + " '// conformance: allow write - <reason>'")
        }
    }
}
