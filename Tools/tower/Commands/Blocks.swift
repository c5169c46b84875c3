import ArgumentParser
import Conformance

struct Blocks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "features", abstract: "Lists the blocks: what each needs, its size and its tests.")

    func run() throws {
        let repository = try Repository()
        let manifest = try Manifest(ofPackageAt: repository.root)
        let tree = try SourceTree(
            at: repository.root, manifest: manifest, under: ["Modules/", "Tests/"], cache: repository.factCache())
        let rows = BlockTable(manifest).blocks.map { block in
            let sources = tree.sources.filter { $0.moduleFolder == block.name }
            let tests = tree.sources.filter { $0.path.hasPrefix("Tests/\(block.name)Tests/") }
            return [
                block.name, block.needs.isEmpty ? "-" : block.needs.joined(separator: ", "),
                "\(sources.map(\.lineCount).reduce(0, +))", "\(tests.map(\.facts.tests.count).reduce(0, +))",
            ]
        }
        print(Table.text([["block", "needs the interface of", "lines", "tests"]] + rows))
    }
}
