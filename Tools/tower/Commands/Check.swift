import ArgumentParser
import Conformance
import Foundation

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The quick gate: format, rules of the tree, string catalogs, page scripts.",
        discussion: "Every finding is one line 'file:line: rule: message'. Ends with an error where there is one.")

    @Argument(help: "Names of blocks; without one, the findings of the whole tree.")
    var blocks: [String] = []

    @Flag(help: "Add new migrations to \(MigrationLock.path). Landed ones are never changed.")
    var acceptMigrations = false

    @Flag(help: "Write the table of what the iOS app uses of Apple's frameworks to \(AppleFrameworks.document).")
    var acceptSymbols = false

    @Flag(help: "List the rules and stop.")
    var rules = false

    @Option(help: "Only this rule (or 'format', 'scripts').")
    var only: String?

    @Option(help: "Judge the fixture in this folder instead of the tree, as the tests of the rules do.")
    var fixture: String?

    func run() throws {
        if rules {
            print(Table.text(Rule.all.map { [$0.name, $0.sentence] }))
            return
        }
        let names = Rule.all.map(\.name) + ["format", "scripts"]
        if let only, !names.contains(only) {
            throw Complaint("No rule is named '\(only)'. There are \(names.joined(separator: ", ")).")
        }
        let repository = try Repository()
        if let unknown = blocks.first(where: { !repository.has("Modules/\($0)") }) {
            throw Complaint("There is no module '\(unknown)'.")
        }
        if let fixture { return try check(fixture) }
        let clock = ContinuousClock()
        let start = clock.now
        let tree = try SourceTree(
            at: repository.root, manifest: Manifest(ofPackageAt: repository.root), cache: repository.factCache())
        if acceptMigrations { return try accept(tree, repository) }
        if acceptSymbols {
            guard let text = AppleFrameworks.document(in: tree) else {
                throw Complaint("\(AppleFrameworks.document) has no place for the table of symbols.")
            }
            return try repository.write(text, to: AppleFrameworks.document)
        }

        var findings: [Finding] = []
        for rule in Rule.all where only ?? rule.name == rule.name {
            findings += rule.violations(in: tree).map { Finding(rule: rule.name, violation: $0) }
        }
        if only ?? "format" == "format" { findings += try FormatCheck(repository, places).findings() }
        if only ?? "scripts" == "scripts" { findings += try ScriptCheck(repository, tree).findings() }
        if !blocks.isEmpty {
            findings.removeAll { finding in !places.contains(where: finding.violation.file.hasPrefix) }
        }
        for finding in findings { print(finding.line) }
        let time = (clock.now - start).inSeconds
        guard findings.isEmpty else {
            let rules = Set(findings.map(\.rule)).sorted().joined(separator: ", ")
            print("\(findings.count) findings (\(rules)) in \(tree.sources.count) Swift files, in \(time).")
            throw ExitCode(1)
        }
        print("All rules hold: \(tree.sources.count) Swift files, \(Rule.all.count) rules, \(time).")
    }

    /// The folders and files of the blocks, or all with sources.
    private var places: [String] {
        guard !blocks.isEmpty else { return ["Modules", "Apps", "Tools", "Tests", "Package.swift"] }
        return blocks.flatMap {
            ["Modules/\($0)/", "Tests/\($0)Tests/", "Apps/Server/App/Wiring/\($0)Wiring.swift"]
        }
    }

    /// Prints the findings in the format of a fixture's `expected.txt`.
    private func check(_ fixture: String) throws {
        let tree = try SourceTree(fixture: URL(filePath: fixture))
        for rule in Rule.all where only ?? rule.name == rule.name {
            for violation in rule.violations(in: tree) { print(violation) }
        }
    }

    private func accept(_ tree: SourceTree, _ repository: Repository) throws {
        switch MigrationLock.accept(in: tree) {
        case .accepted(_, 0): print("No migration is new.")
        case .accepted(let text, let count):
            try repository.write(text, to: MigrationLock.path)
            print("New migrations in \(MigrationLock.path): \(count).")
        case .refused(let violations):
            for violation in violations { print(Finding(rule: "migrations", violation: violation).line) }
            print("\(MigrationLock.path) was left as it is.")
            throw ExitCode(1)
        }
    }
}

/// A violation with the name of its check.
struct Finding {
    let rule: String
    let violation: Violation

    var line: String { "\(violation.file):\(violation.line): \(rule): \(violation.message)" }
}

/// The check by `swift format lint` of all sources.
private struct FormatCheck {
    private let repository: Repository
    private let places: [String]

    init(_ repository: Repository, _ places: [String]) {
        self.repository = repository
        self.places = places.filter(repository.has)
    }

    func findings() throws -> [Finding] {
        let result = try Shell.run(
            ["swift", "format", "lint", "--strict", "--parallel", "--recursive"] + places, in: repository.root)
        let found = (result.errors + result.output).split(separator: "\n").compactMap { line -> Finding? in
            guard let match = line.wholeMatch(of: /(.+?):(\d+):\d+: (?:error|warning): (.*)/) else { return nil }
            let path = String(match.output.1).replacing(repository.root.path + "/", with: "")
            return Finding(
                rule: "format",
                violation: Violation(
                    path, Int(match.output.2) ?? 1, "\(match.output.3): run 'swift format -i \(path)'"))
        }
        guard result.status == 0 || !found.isEmpty else {
            throw Shell.Failure(command: "swift format lint", result: result)
        }
        return found
    }
}

/// The type check of page scripts by TypeScript.
private struct ScriptCheck {
    private let repository: Repository
    private let scripts: [String]

    init(_ repository: Repository, _ tree: SourceTree) {
        self.repository = repository
        scripts = tree.texts.map(\.path).filter { $0.hasPrefix("Modules/") && $0.hasSuffix(".js") }
    }

    func findings() throws -> [Finding] {
        guard !scripts.isEmpty else { return [] }
        let local = "node_modules/.bin/tsc"
        let compiler = repository.has(local) ? repository.url(local).path : "tsc"
        guard try isPresent(compiler) else {
            print("tsc is not installed: \(scripts.count) page scripts were not checked.")
            return []
        }
        let folders = Dictionary(grouping: scripts) { path in
            path.split(separator: "/").dropLast().joined(separator: "/")
        }
        return try folders.sorted { $0.key < $1.key }.flatMap { folder, files in
            let configuration = "\(folder)/jsconfig.json"
            let arguments =
                repository.has(configuration)
                ? ["--noEmit", "-p", configuration]
                : [
                    "--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022", "--module", "es2022",
                    "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable",
                ] + files
            return try check([compiler, "--pretty", "false"] + arguments)
        }
    }

    private func isPresent(_ compiler: String) throws -> Bool {
        try Shell.run(["sh", "-c", "command -v \"$0\"", compiler], in: repository.root).status == 0
    }

    private func check(_ command: [String]) throws -> [Finding] {
        let result = try Shell.run(command, in: repository.root)
        let found = result.output.split(separator: "\n").compactMap { line -> Finding? in
            guard let match = line.wholeMatch(of: /(.+?)\((\d+),\d+\): error (.*)/) else { return nil }
            return Finding(
                rule: "scripts",
                violation: Violation(String(match.output.1), Int(match.output.2) ?? 1, String(match.output.3)))
        }
        guard result.status == 0 || !found.isEmpty else { throw Shell.Failure(command: "tsc", result: result) }
        return found
    }
}
