extension Rule {
    static let ownTables = Rule(
        "own-tables",
        "The SQL of a block names its own tables and the kernel's; data of other blocks comes through interfaces."
    ) { tree in
        let owners = tableOwners(tree)
        return tree.inEachSource { file in
            guard let block = block(of: file) else { return [] }
            return file.facts.literals.flatMap { literal in
                tables(in: literal.text).compactMap { table -> Violation? in
                    guard let owner = owners[table], owner != block else { return nil }
                    return Violation(
                        file.path, literal.line,
                        "the table \(table) belongs to \(owner): ask for a protocol of its interface, or for a view of its own"
                    )
                }
            }
        }
    }

    /// The block that a source or interface file belongs to.
    private static func block(of file: SourceFile) -> String? {
        switch file.layer {
        case .feature(let block), .interface(let block): block
        default: nil
        }
    }

    /// The block that creates each table in its migrations.
    private static func tableOwners(_ tree: SourceTree) -> [String: String] {
        let creation = /CREATE TABLE (?:IF NOT EXISTS )?(\w+)/
        var owners: [String: String] = [:]
        for file in tree.sources {
            guard let block = block(of: file) else { continue }
            for literal in file.facts.literals {
                for match in literal.text.matches(of: creation) {
                    owners[String(match.1)] = block
                }
            }
        }
        return owners
    }

    private static let use = Pattern(/\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/)

    /// The tables that a statement reads or writes. Foreign keys of migrations are left out, since they may reference a
    /// needed block's table.
    private static func tables(in sql: String) -> Set<String> {
        Set(sql.matches(of: use.regex).map { String($0.1) })
    }
}
