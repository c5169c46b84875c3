extension Rule {
    /// The endings of types of the client that are no data but the objects to which views belong.
    private static let objects = ["Store", "Manager", "Error", "Words"]

    static let storeCopies = Rule(
        "store-copies", "A view of the iOS app holds no copy of a store's data: it reads the store (PG-6.05)."
    ) { tree in
        func declared(_ isMeant: (SourceFile) -> Bool) -> Set<String> {
            tree.sources.filter(isMeant).reduce(into: []) { $0.formUnion($1.facts.declared) }
        }
        // The models of the blocks, and what the client makes of them. A name that pages or the app use, too, is theirs.
        let data = declared { source in
            if case .model = source.layer { return true }
            return source.path.hasPrefix("Modules/Client/")
        }.subtracting(
            declared { $0.path.hasPrefix(AppleFrameworks.app) || $0.path.hasPrefix("Modules/DesignSystem/") }
        ).filter { name in name.first?.isUppercase == true && !objects.contains { name.hasSuffix($0) } }
        // The type of a state, or the type that its first value is made of.
        let declaration = Pattern(
            /@State\b(?:\(.*\))?[^=]*?\bvar (\w+)(?:: ([^={]+))?\s*(?:= ([\w.]+))?/)
        return tree.inEachSource(where: { $0.path.hasPrefix(AppleFrameworks.app) }) { file in
            file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
                index, line -> [Violation] in
                guard let state = line.firstMatch(of: declaration.regex) else { return [] }
                let words = "\(state.2 ?? "") \(state.3 ?? "")".matches(of: /\w+/).map { String($0.0) }
                return words.filter(data.contains).map {
                    Violation(
                        file.path, index + 1,
                        "\(state.1) is a copy of \($0), which belongs to a store: read it from the store")
                }
            }
        }
    }
}
