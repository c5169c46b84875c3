extension Rule {
    /// Names of blocks that are ordinary words in the kernel, such as `RecordKind`.
    private static let kernelWords: Set<String> = [
        "Auth", "Organization", "Records", "Notifications", "Search", "Audit", "Preferences", "Reports", "Progress",
    ]

    static let kernelNames = Rule(
        "kernel-names",
        "FeatureKit, ScreenKit and FeatureRuntime do not name blocks; blocks extend their constants."
    ) { tree in
        let blocks = tree.modules.compactMap { module -> String? in
            if case .feature(let name) = module.layer, !kernelWords.contains(name) { return name }
            return nil
        }
        return tree.inEachSource { file in
            switch file.layer {
            case .featureKit, .screenKit, .runtime: break
            default: return []
            }
            return file.facts.identifiers.compactMap { identifier, line -> Violation? in
                guard let block = blocks.first(where: { names(identifier, $0) }) else { return nil }
                return Violation(
                    file.path, line,
                    "'\(identifier)' names the block \(block): declare it in \(block)'s interface, as an extension")
            }
        }
    }

    private static let word = Pattern(/[A-Z]?[a-z]+/)

    /// Whether a word of an identifier is the block's name, in the singular or plural.
    private static func names(_ identifier: String, _ block: String) -> Bool {
        let words = identifier.matches(of: word.regex).map { $0.output.lowercased() }
        let block = block.lowercased()
        let singular = block.hasSuffix("s") ? String(block.dropLast()) : block
        return words.contains { $0 == block || $0 == singular || $0 == singular + "s" }
    }

    /// The most requirements of a protocol; larger ones are hard to implement and to replace in tests.
    private static let requirementLimit = 7

    static let protocols = Rule(
        "protocols", "A protocol has at most \(requirementLimit) requirements; split larger ones."
    ) { tree in
        tree.inEachSource(where: { $0.path.hasPrefix("Modules/") || $0.path.hasPrefix("Apps/") }) { file in
            file.facts.protocols.filter { $0.requirements > requirementLimit }.map {
                Violation(
                    file.path, $0.line,
                    "\($0.name) has \($0.requirements) requirements: split it by what its users need")
            }
        }
    }
}
