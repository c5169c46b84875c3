import ArgumentParser
import Conformance
import Foundation

@main
struct Tower: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Builds, tests, checks and extends PinkTower, one block at a time.",
        subcommands: [
            Status.self, Blocks.self, Build.self, Test.self, Affected.self, Check.self, New.self,
        ])
}

/// The repository around the current folder.
struct Repository {
    let root: URL

    /// Searches upwards from the current folder for the repository.
    init() throws {
        var folder = URL(filePath: FileManager.default.currentDirectoryPath)
        while folder.path != "/" {
            let manifest = folder.appending(path: "Package.swift")
            let modules = folder.appending(path: "Modules")
            if FileManager.default.fileExists(atPath: manifest.path),
                FileManager.default.fileExists(atPath: modules.path)
            {
                root = folder
                return
            }
            folder.deleteLastPathComponent()
        }
        throw Complaint("There is no Package.swift beside a folder Modules here or above: go into the repository.")
    }

    init(root: URL) { self.root = root }

    func url(_ path: String) -> URL { root.appending(path: path) }
    func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    /// The files directly in a folder, sorted; empty when the folder is missing.
    func files(in folder: String) throws -> [String] {
        guard has(folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: url(folder).path).sorted().map { folder + $0 }
    }

    /// The facts of the sources that an earlier run of this program found.
    func factCache() throws -> FactCache? {
        try Bundle.main.executableURL.map { try FactCache(url(".build/conformance/facts.json"), of: $0) }
    }

    func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

    func write(_ text: String, to path: String) throws {
        let target = url(path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: target, atomically: true, encoding: .utf8)
    }

    /// The event stream of a test run, which `status` reads. Not committed.
    static let events = ".build/tests/events.jsonl"
    static let browserRun = ".build/tests/browser.json"
}

/// An error with a one-sentence message.
struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The blocks of the manifest.
struct BlockTable {
    struct Block: Hashable {
        let name: String
        /// Blocks whose interfaces it imports.
        let needs: [String]
    }

    let blocks: [Block]

    init(_ manifest: Manifest) {
        blocks = manifest.targets.compactMap { target in
            guard case .feature(let name) = Layer(path: target.path + "/") else { return nil }
            let interfaces = target.dependencies.filter { $0.hasSuffix("Interface") }
                .map { String($0.dropLast("Interface".count)) }
            return Block(name: name, needs: interfaces.filter { $0 != name })
        }
    }

    /// The names with corrected case. Throws with a list of blocks for an unknown one.
    func checked(_ names: [String]) throws -> [String] {
        try names.flatMap { $0.split(separator: ",").map(String.init) }.map { name in
            guard let block = blocks.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                throw Complaint(
                    "No block is named '\(name)'. There are \(blocks.map(\.name).joined(separator: ", ")).")
            }
            return block.name
        }
    }
}

/// Formats text in columns; numbers are right-aligned.
enum Table {
    static func text(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                let isNumber = cell.first?.isNumber ?? false
                return isNumber ? space + cell : cell + space
            }.joined(separator: "  ").replacing(/\s+$/, with: "")
        }.joined(separator: "\n")
    }
}

extension Duration {
    /// The duration as text, such as `4.2 s`.
    var inSeconds: String {
        formatted(.units(allowed: [.seconds], width: .narrow, fractionalPart: .show(length: 1)))
    }
}
