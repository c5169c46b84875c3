extension Rule {
    private static let images = [
        "Modules/Web/HTML/Render/PageRenderer+People.swift", "Apps/iOS/DesignSystem/CachedAsyncImage.swift",
    ]

    static let cachedImages = Rule(
        "images", "A picture is drawn in one place for each platform, which gives it its placeholder and its shape."
    ) { tree in
        tree.inEachSource(where: { !images.contains($0.path) && !($0.layer?.isTest ?? false) }) { file in
            let tags = file.facts.literals.filter { literal in
                file.layer == .adapter("Web") && literal.text.contains("<img ")
            }.map(\.line)
            let calls = file.facts.calls.filter { $0.name == "AsyncImage" }.map(\.line)
            return (tags + calls).map {
                Violation(file.path, $0, "a picture of its own: draw it as PTImage or PTAvatar")
            }
        }
    }

    /// Names by which code reaches a database, a file, the network or the system.
    private static let outsideAccess = [
        "SQLReading", "SQLWriting", "SchoolDatabase", "FileManager", "FileHandle", "URLSession", "Process",
        "ProcessInfo", "UserDefaults",
    ]

    static let viewModels = Rule(
        "view-models",
        "A view model belongs to one view, does no input or output, and its file has at most 400 lines."
    ) {
        tree in
        let sources = tree.sources.filter { !($0.layer?.isTest ?? false) }
        let models = Set(sources.flatMap { $0.facts.declared.filter { $0.hasSuffix("ViewModel") } })
        var makers: [String: Set<String>] = [:]
        for file in sources {
            for call in file.facts.calls where models.contains(call.name) {
                makers[call.name, default: []].insert(file.path)
            }
        }
        return tree.inEachSource(where: { !($0.layer?.isTest ?? false) }) { file in
            let shared = file.facts.calls.filter { makers[$0.name, default: []].count > 1 }.map {
                Violation(file.path, $0.line, "\($0.name) is another view's too: give this view a model of its own")
            }
            let lines = file.text.count { $0 == "\n" }
            let own = file.facts.declared.filter(models.contains).sorted()
            guard let name = own.first else { return shared }
            let effects = outsideAccess.compactMap { identifier in
                file.facts.identifiers[identifier].map {
                    Violation(file.path, $0, "\(name) uses \(identifier): let a service or repository do it")
                }
            }
            guard lines > 400 else { return shared + effects }
            return shared + effects + [
                Violation(file.path, 1, "\(name) has \(lines) lines around it: take it apart")
            ]
        }
    }
}
