import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Practice

/// The parts of the island that need no browser, run by Node.js. `Tests/Browser/test_practice.py` tests the rest.
@Suite("The island of Practice", .enabled(if: Node.path != nil, "node is not installed"))
struct IslandTests {
    @Test(
        "the engines follow their tables",
        arguments: [
            "rounds", "verdicts", "differences", "choice", "numbers", "tasks", "levels", "ways", "keyboards",
            "lessons", "typing", "vocabulary",
        ])
    func engines(_ what: String) throws { #expect(try Node.complaints(what) == "") }

    @Test("the island has all its texts and no others")
    func words() throws {
        let files = try FileManager.default.contentsOfDirectory(at: Node.island, includingPropertiesForKeys: nil)
        var source: [String: String] = [:]
        for file in files where file.pathExtension == "js" {
            source[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
        for tool in PracticeTool.allCases {
            let text = (source["bench.js"] ?? "") + (source["\(tool.rawValue).js"] ?? "")
            let keys = Set(tool.wordKeys)
            #expect(keys.count == tool.wordKeys.count, "no key twice")
            for match in text.matches(of: /\b(?:say|count)\("([a-zA-Z.]+)"/) {
                let key = String(match.1)
                #expect(
                    key == "title" || keys.contains { $0 == key || $0.hasPrefix(key) }, "\(tool) says \(key)")
            }
            for key in keys {
                // The script builds the last part of a key from a plural form, a kind or a number.
                let stem = key.split(separator: ".").dropLast().joined(separator: ".")
                #expect(
                    text.contains("\"\(key)\"") || (!stem.isEmpty && text.contains("\"\(stem)")),
                    "nobody says \(key) in \(tool)")
            }
        }
    }

    @Test("the kinds of tasks have the same names on both sides")
    func kinds() throws {
        let source = try String(contentsOf: Node.island.appending(path: "sums.js"), encoding: .utf8)
        let match = try #require(source.firstMatch(of: /export const highest = \{(.*?)\}/))
        let kinds = match.1.split(separator: ",").compactMap { $0.split(separator: ":").first }
        #expect(kinds.map { $0.trimmingCharacters(in: .whitespaces) } == PracticeTool.kinds)
    }
}

enum Node {
    static let path = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let island = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Modules/Practice/Sources/Resources/island")

    /// The output of a check in `Fixtures/island.mjs`; empty if it passes.
    static func complaints(_ what: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = [tests.appending(path: "Fixtures/island.mjs").path, island.path, what]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : "\(what): \(output)"
    }
}
