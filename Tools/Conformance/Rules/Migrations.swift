import Crypto

/// The fingerprints of all migrations that were merged, stored in `docs/migrations.lock`.
public struct MigrationLock: Sendable {
    public static let path = "docs/migrations.lock"

    /// A migration in the sources: `Migration("001-people", "...")`.
    struct Declared: Sendable {
        let id: Id
        let sql: Literal
        let file: String
        let line: Int

        /// As `sha256sum` prints it.
        var fingerprint: String {
            SHA256.hash(data: Array(sql.text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    struct Id: Sendable, Hashable {
        let module: String
        let name: String
    }

    struct Entry: Sendable {
        let id: Id
        let fingerprint: String
        let line: Int
    }

    let entries: [Entry]
    let faults: [Violation]

    init(_ file: TextFile?) {
        var entries: [Entry] = []
        var faults: [Violation] = []
        for (index, line) in (file?.lines ?? []).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: " ").map(String.init)
            guard parts.count == 3 else {
                faults.append(
                    Violation(
                        MigrationLock.path, index + 1, "is not a line of the form 'Module 001-name fingerprint'"))
                continue
            }
            entries.append(
                Entry(id: Id(module: parts[0], name: parts[1]), fingerprint: parts[2], line: index + 1))
        }
        self.entries = entries
        self.faults = faults
    }

    static func declared(in tree: SourceTree) -> [Declared] {
        tree.sources.flatMap { file -> [Declared] in
            guard let module = file.moduleFolder, !(file.layer?.isTest ?? true) else { return [] }
            return file.facts.calls.compactMap { call in
                guard call.name == "Migration", call.arguments.count == 2,
                    let name = call.arguments[0].literals.first, let sql = call.arguments[1].literals.first
                else { return nil }
                return Declared(
                    id: Id(module: module, name: name.text), sql: sql, file: file.path, line: call.line)
            }
        }
    }

    // MARK: - Accepting

    /// The result of accepting new migrations.
    public enum Acceptance: Sendable {
        /// The new text of the lock and the number of added migrations.
        case accepted(text: String, added: Int)
        /// Migrations that were merged before have changed, so the lock stays as it is.
        case refused([Violation])
    }

    /// Adds new migrations to the lock. Changed ones are refused: schools have run them already, so a change needs a
    /// new migration.
    public static func accept(in tree: SourceTree) -> Acceptance {
        let lock = MigrationLock(tree.text(path))
        let refused = tree.migrationViolations().filter { $0.kind != .new }.map(\.violation)
        guard refused.isEmpty else { return .refused(refused) }
        let known = Set(lock.entries.map(\.id))
        let new = declared(in: tree).filter { !known.contains($0.id) }
            .sorted { ($0.id.module, $0.id.name) < ($1.id.module, $1.id.name) }
        let header =
            "# SHA-256 of each landed migration's SQL. Written by `tower check --accept-migrations`; never by hand.\n"
        let old = tree.text(path)?.text ?? header
        let lines = new.map { "\($0.id.module) \($0.id.name) \($0.fingerprint)\n" }
        return .accepted(text: old + lines.joined(), added: new.count)
    }
}

extension Rule {
    static let migrations = Rule(
        "migrations", "A landed migration is never edited, because schools have run it."
    ) { tree in tree.migrationViolations().map(\.violation) }
}

extension SourceTree {
    fileprivate enum MigrationFault { case new, broken }

    fileprivate func migrationViolations() -> [(kind: MigrationFault, violation: Violation)] {
        let lock = MigrationLock(text(MigrationLock.path))
        let declared = MigrationLock.declared(in: self)
        let locked = Dictionary(lock.entries.map { ($0.id, $0) }) { first, _ in first }
        var found: [(MigrationFault, Violation)] = lock.faults.map { (.broken, $0) }
        var seen: Set<MigrationLock.Id> = []
        for migration in declared {
            func note(_ kind: MigrationFault, _ message: String) {
                found.append(
                    (kind, Violation(migration.file, migration.line, "migration '\(migration.id.name)' \(message)"))
                )
            }
            if migration.id.name.wholeMatch(of: /\d{3}-[a-z0-9-]+/) == nil {
                note(.broken, "is not named like '001-people'")
            }
            if !seen.insert(migration.id).inserted { note(.broken, "is declared twice in \(migration.id.module)") }
            if migration.sql.isInterpolated {
                note(.broken, "is put together at run time: its SQL must be one literal")
            } else if let entry = locked[migration.id] {
                if entry.fingerprint != migration.fingerprint {
                    note(.broken, "has landed and was edited: put it back and add a migration with the change")
                }
            } else {
                note(.new, "is not in \(MigrationLock.path): run 'tower check --accept-migrations'")
            }
        }
        // A removed block takes its migrations along.
        let folders = Set(sources.compactMap(\.moduleFolder))
        for entry in lock.entries where !seen.contains(entry.id) && folders.contains(entry.id.module) {
            found.append(
                (
                    .broken,
                    Violation(
                        MigrationLock.path, entry.line,
                        "migration '\(entry.id.name)' of \(entry.id.module) has landed and is gone from the sources"
                    )
                ))
        }
        return found.map { (kind: $0.0, violation: $0.1) }
    }
}
