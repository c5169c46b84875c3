import ArgumentParser
import Conformance
import Foundation

struct Affected: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the blocks that changes touch, with those that depend on them.",
        discussion: "Prints one name per line, so that 'tower test $(tower affected --since main)' works.")

    @Option(help: "Compare the working tree with this commit, branch or tag.")
    var since: String

    func run() throws {
        let repository = try Repository()
        let paths = try changedPaths(repository)
        let manifest = try Manifest(ofPackageAt: repository.root)
        for name in Reach(manifest).blocks(touchedBy: paths) { print(name) }
    }

    private func changedPaths(_ repository: Repository) throws -> [String] {
        let commands = [
            ["git", "diff", "--name-only", "-z", since, "--"],
            ["git", "ls-files", "-z", "--others", "--exclude-standard"],
        ]
        return try commands.flatMap { command in
            let result = try Shell.run(command, in: repository.root)
            guard result.status == 0 else {
                throw Complaint("git does not know '\(since)': \(result.errors.trimmingCharacters(in: .newlines))")
            }
            return result.output.split(separator: "\0").map(String.init)
        }
    }
}

/// The blocks that a change reaches through the manifest's dependencies.
struct Reach {
    private let manifest: Manifest
    private let blocks: [String]

    init(_ manifest: Manifest) {
        self.manifest = manifest
        blocks = BlockTable(manifest).blocks.map(\.name)
    }

    /// The blocks to test again. Package.swift and the shared test support reach every block.
    func blocks(touchedBy paths: [String]) -> [String] {
        if paths.contains("Package.swift") { return blocks }
        var touched: Set<String> = []
        var lifted: Set<String> = []
        for path in paths {
            let target = manifest.targets.filter { path.hasPrefix($0.path + "/") }
                .max { $0.path.count < $1.path.count }
            if let target {
                touched.insert(target.name)
            }
            if let block = path.wholeMatch(of: /Apps\/Server\/App\/Wiring\/(\w+)Wiring\.swift/)?.1 {
                lifted.insert(String(block))
            } else if target == nil, path.hasPrefix("Modules/"),
                let folder = path.split(separator: "/").dropFirst().first
            {
                // A README or a script beside the targets belongs to its block.
                lifted.insert(String(folder))
            }
        }
        var open = Array(touched)
        while let name = open.popLast() {
            for target in manifest.targets where target.dependencies.contains(name) {
                if touched.insert(target.name).inserted { open.append(target.name) }
            }
        }
        return blocks.filter { touched.contains($0) || touched.contains("\($0)Tests") || lifted.contains($0) }
    }
}
