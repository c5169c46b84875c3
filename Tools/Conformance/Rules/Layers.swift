extension Rule {
    /// Checks both the manifest's dependencies and the imports, since either alone can be bypassed.
    static let layers = Rule(
        "layers", "A module depends only on lower layers, and never on another feature."
    ) { tree in
        let byManifest = tree.manifest.targets.flatMap { target -> [Violation] in
            guard let module = tree.module(named: target.name) else { return [] }
            return target.dependencies.compactMap(tree.module(named:)).filter { !module.mayDepend(on: $0) }
                .map { other in
                    Violation(
                        "Package.swift", tree.lineInManifest(of: target.name),
                        "\(module.name) (\(module.layer.name)) must not depend on \(other.name) (\(other.layer.name))"
                    )
                }
        }
        let byImports = tree.inEachSource { file in
            guard let module = tree.module(of: file.path) else { return [] }
            let declared = tree.manifest.target(module.name)?.dependencies
            return file.facts.imports.compactMap { found in
                guard let other = tree.module(named: found.module), other.name != module.name else { return nil }
                if !module.mayDepend(on: other) {
                    return Violation(
                        file.path, found.line,
                        "\(module.name) (\(module.layer.name)) must not import \(other.name) (\(other.layer.name))")
                }
                if let declared, !declared.contains(other.name) {
                    return Violation(
                        file.path, found.line,
                        "\(module.name) imports \(other.name), which Package.swift does not name among its dependencies"
                    )
                }
                return nil
            }
        }
        return byManifest + byImports
    }

    static let cycles = Rule("cycles", "No module depends on itself through others.") { tree in
        var edges = Dictionary(
            tree.manifest.targets.map { ($0.name, Set($0.dependencies)) }, uniquingKeysWith: { $0.union($1) })
        for file in tree.sources {
            guard let module = tree.module(of: file.path) else { continue }
            edges[module.name, default: []].formUnion(file.facts.imports.map(\.module))
        }
        let ours = Set(tree.modules.map(\.name))
        edges = edges.mapValues { $0.intersection(ours) }
        for name in edges.keys { edges[name]?.remove(name) }
        return cycles(in: edges).map { path in
            Violation(
                "Package.swift", tree.lineInManifest(of: path[0]),
                "a cycle: \((path + [path[0]]).joined(separator: " -> "))")
        }
    }

    /// Each cycle once, starting with its alphabetically first member.
    private static func cycles(in edges: [String: Set<String>]) -> [[String]] {
        var done: Set<String> = []
        var path: [String] = []
        var found: Set<[String]> = []
        func visit(_ name: String) {
            if let start = path.firstIndex(of: name) {
                let cycle = Array(path[start...])
                guard let first = cycle.min(), let index = cycle.firstIndex(of: first) else { return }
                found.insert(Array(cycle[index...] + cycle[..<index]))
                return
            }
            guard !done.contains(name) else { return }
            path.append(name)
            for next in (edges[name] ?? []).sorted() { visit(next) }
            path.removeLast()
            done.insert(name)
        }
        for name in edges.keys.sorted() { visit(name) }
        return found.sorted { $0.joined() < $1.joined() }
    }
}

extension SourceTree {
    /// The line where Package.swift first names the target; 1 when a loop creates the target.
    func lineInManifest(of name: String) -> Int {
        let lines = text("Package.swift")?.lines ?? []
        let index = lines.firstIndex { $0.contains("\"\(name)\"") }
        return index.map { $0 + 1 } ?? 1
    }
}
