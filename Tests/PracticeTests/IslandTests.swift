import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Practice

/// The parts of the island that need no browser, run by Node.js. `Tests/Browser/test_practice.py` tests the rest.
@Suite("The island of Practice", .enabled(if: NodeScript.program != nil, "node is not installed"))
struct IslandTests {
    private static let node = NodeScript("island.mjs", of: "Practice")

    @Test(
        "the engines follow their tables",
        arguments: [
            "rounds", "verdicts", "differences", "choice", "numbers", "tasks", "levels", "ways", "keyboards",
            "lessons", "typing", "vocabulary",
        ])
    func engines(_ what: String) throws { #expect(try Self.node.complaints(what) == "") }

    @Test("the island has all its texts and no others")
    func words() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.node.island, includingPropertiesForKeys: nil)
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

    @Test("the keyboard layouts have the same names on both sides")
    func layouts() throws {
        let source = try String(contentsOf: Self.node.island.appending(path: "keys.js"), encoding: .utf8)
        let block = try #require(source.firstMatch(of: /(?s)export const layouts = \{\n(.*?)\n\};/)).1
        let names = block.matches(of: /(?m)^ +([a-z]+): \[/).map { String($0.1) }
        #expect(names == PracticeTool.layouts)
    }

    @Test("the kinds of tasks have the same names on both sides")
    func kinds() throws {
        let source = try String(contentsOf: Self.node.island.appending(path: "sums.js"), encoding: .utf8)
        let match = try #require(source.firstMatch(of: /export const highest = \{(.*?)\}/))
        let kinds = match.1.split(separator: ",").compactMap { $0.split(separator: ":").first }
        #expect(kinds.map { $0.trimmingCharacters(in: .whitespaces) } == PracticeTool.kinds)
    }
}
