extension Rule {
    private static let server = "Apps/Server/"
    private static let folder = "Apps/Server/App/Wiring/"

    static let wiring = Rule(
        "wiring", "The server names a block only in that block's wiring file, which names no other implementation."
    ) { tree in
        tree.inEachSource(where: { $0.path.hasPrefix(server) }) { file in
            let own = block(ofWiring: file.path)
            let foreign = file.facts.imports.compactMap { found -> Violation? in
                switch tree.module(named: found.module)?.layer {
                case .feature(let name) where name != own:
                    Violation(
                        file.path, found.line,
                        "\(name) is named here: only \(folder)\(name)Wiring.swift imports the implementation")
                case .interface(let name) where own == nil:
                    Violation(
                        file.path, found.line,
                        "\(name)Interface is named here: only wiring files know what blocks offer")
                default: nil
                }
            }
            let conditions = file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .compactMap { index, line -> Violation? in
                    guard line.contains("#if WITH_") else { return nil }
                    return Violation(
                        file.path, index + 1,
                        "the manifest selects whole wiring files: no condition on a block in the code")
                }
            return foreign + conditions + (own.map { needs(of: $0, in: file, tree) } ?? [])
        }
    }

    /// The block of a wiring file: `Quest` for `Apps/Server/App/Wiring/QuestWiring.swift`.
    private static func block(ofWiring path: String) -> String? {
        guard path.hasPrefix(folder), path.hasSuffix("Wiring.swift") else { return nil }
        let name = String(path.dropFirst(folder.count).dropLast("Wiring.swift".count))
        return name == "Block" ? nil : name
    }

    /// Checks that the wiring needs exactly the blocks in the manifest's table.
    private static func needs(of block: String, in file: SourceFile, _ tree: SourceTree) -> [Violation] {
        guard
            let entry = tree.text("Package.swift")?.text.matches(of: /Feature\(\s*name: "(\w+)"[^)]*\)/)
                .first(where: { $0.1 == block })
        else { return [Violation(file.path, 1, "the table of Package.swift has no entry for \(block)")] }
        let needed = entry.0.firstMatch(of: /needs: \[([^\]]*)\]/).map { String($0.1) } ?? ""
        let declared = Set(needed.matches(of: /"(\w+)"/).map { String($0.1) })
        let list = file.text.firstMatch(of: /needs: \[([^\]]*)\]/).map { String($0.1) } ?? ""
        let written = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
        guard written != declared else { return [] }
        return [
            Violation(
                file.path, 1,
                "needs [\(written.sorted().joined(separator: ", "))] is not what Package.swift says: [\(declared.sorted().joined(separator: ", "))]"
            )
        ]
    }
}
