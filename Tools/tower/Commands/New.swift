import ArgumentParser
import Conformance
import Foundation

struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a block that compiles and has a test, and adds it to the manifest's table.")

    @Argument(help: "The block's name, a noun: Library.")
    var feature: String

    @Flag(help: "Also make an Interface, which other blocks may import.")
    var interface = false

    func run() throws {
        let repository = try Repository()
        let block = try NewBlock(feature, hasInterface: interface)
        guard !repository.has("Modules/\(block.name)") else {
            throw Complaint("There is a module '\(block.name)' already.")
        }
        // All texts are made before the first is written: a marker that is missing leaves nothing behind.
        let files = block.files.merging(try block.changes(of: repository)) { $1 }
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            try repository.write(text, to: path)
            print(path)
        }
        print(
            """
            Next: step 2 of "Add a block in ten minutes" in docs/developers.md. The first 'tower test \(block.name)' takes \
            1.5 minutes.
            """)
    }
}

/// The files of a new block.
struct NewBlock {
    static let wirings = "Apps/Server/App/Wiring/BlockWiring.swift"
    static let marker = "// tower:new inserts above this line"

    let name: String
    /// The area in catalogs and names: `timeTable` for `TimeTable`.
    let area: String
    let hasInterface: Bool

    init(_ name: String, hasInterface: Bool = false) throws {
        guard name.wholeMatch(of: /[A-Z][A-Za-z0-9]{1,39}/) != nil else {
            throw Complaint("'\(name)' is no name for a block: write a noun like Library or TimeTable.")
        }
        guard !["Tests", "Interface", "Testing"].contains(where: name.hasSuffix) else {
            throw Complaint("'\(name)' ends like the targets that a block has beside itself; choose another name.")
        }
        self.name = name
        self.hasInterface = hasInterface
        area = name.prefix(1).lowercased() + name.dropFirst()
    }

    /// The files of the project that a block has lines in, by path, with the block's lines. Migrations of its own will add
    /// lines to `MigrationLock.path` as well; nothing else outside its folders changes.
    func changes(of repository: Repository) throws -> [String: String] {
        [
            "Package.swift": try addedToManifest(repository.text("Package.swift")),
            NewBlock.wirings: try addedToList(repository.text(NewBlock.wirings)),
        ]
    }

    /// `Package.swift` with the block's line at the end of the table.
    func addedToManifest(_ text: String) throws -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("let features: [Feature] = [") }),
            let end = lines[start...].firstIndex(of: "]")
        else { throw Complaint("Package.swift has no table 'let features: [Feature] = [' that ends with ']'.") }
        guard !lines[start..<end].contains(where: { $0.contains("name: \"\(name)\"") }) else {
            throw Complaint("Package.swift names '\(name)' already.")
        }
        lines.insert("    Feature(name: \"\(name)\"\(hasInterface ? ", interface: true" : "")),", at: end)
        return lines.joined(separator: "\n")
    }

    /// The list of wirings with the block's line, above the marker.
    func addedToList(_ text: String) throws -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let place = lines.firstIndex(where: { $0.contains(NewBlock.marker) }) else {
            throw Complaint("\(NewBlock.wirings) has no line '\(NewBlock.marker)'.")
        }
        let indentation = String(lines[place].prefix { $0 == " " })
        lines.insert("\(indentation)Wirings.\(area),", at: place)
        return lines.joined(separator: "\n")
    }
}
