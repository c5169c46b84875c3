extension Rule {
    static let services = Rule(
        "services",
        "A service is made where its block is put together: in a wiring file or in the block's own <Block>Feature.swift."
    ) { tree in
        // What an engine computes needs no port: its values are made where they are used.
        let made = tree.sources.filter { $0.path.hasPrefix("Modules/") && !$0.path.contains("/Engines/") }
            .flatMap { $0.facts.declared }.filter { $0.hasSuffix("Service") }
        let services = Set(made)
        return tree.inEachSource(where: makesNone) { file in
            file.facts.calls.filter { $0.base == nil && services.contains($0.name) }.map {
                Violation(
                    file.path, $0.line,
                    "\($0.name) is made here: take it through the initializer, and make it in the wiring or in the block's Feature"
                )
            }
        }
    }

    /// Whether a file has to take its services from outside.
    private static func makesNone(_ file: SourceFile) -> Bool {
        if file.path.hasPrefix("Apps/Server/") { return !file.path.hasPrefix("Apps/Server/App/Wiring/") }
        guard let block = file.moduleFolder, file.path.hasPrefix("Modules/\(block)/Sources/") else { return false }
        return file.fileName != "\(block)Feature.swift"
    }
}
