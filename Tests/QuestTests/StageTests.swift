import Domain
import Foundation
import TestKit
import Testing

@testable import Quest

/// The parts of the island that need no browser, run by Node.js. `Tests/Browser/test_quest.py` tests the rest.
@Suite("The island of Quest", .enabled(if: NodeScript.program != nil, "node is not installed"))
struct StageTests {
    private static let node = NodeScript("stage.mjs", of: "Quest", reading: ["golden.json"])

    @Test("scores, durations and messages on the device equal those of the server")
    func twin() throws { #expect(try Self.node.complaints("golden") == "") }

    @Test("the device determines calibration sessions as the server does")
    func calibration() throws { #expect(try Self.node.complaints("calibration") == "") }

    @Test(
        "the device's weekday is that of the family's time zone, also when clocks change",
        .requirement("TQ-1.10.a"))
    func weekdays() throws { #expect(try Self.node.complaints("weekdays") == "") }

    @Test(
        "the stopwatch is correct after sleep, reloads and clock changes, and never runs backwards",
        .requirement("TQ-2.13.b"))
    func stopwatch() throws { #expect(try Self.node.complaints("stopwatch") == "") }

    @Test("the island has all its texts and no others")
    func words() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.node.island, includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "js" }
        let source = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let keys = Set(StageWords.keys.map { String($0.dropFirst(StageWords.prefix.count)) })
        #expect(keys.count == StageWords.keys.count)
        for match in source.matches(of: /\b(?:say|count)\("([a-zA-Z.]+)"/) {
            let key = String(match.1)
            #expect(keys.contains { $0 == key || $0.hasPrefix(key) }, "the stage says \(key)")
        }
        for key in keys {
            // The script builds the last part of a key from a plural form, a unit or a rating.
            let stem = key.split(separator: ".").dropLast().joined(separator: ".")
            #expect(
                source.contains("\"\(key)\"") || (!stem.isEmpty && source.contains("\"\(stem)"))
                    || ["hours", "minutes", "seconds"].contains(stem), "nobody says \(key)")
        }
    }

    @Test(
        "no text of the island mentions the parent mode to a child", .requirement("TQ-2.09"),
        arguments: Language.allCases)
    func neutral(_ language: Language) throws {
        let words = Words(language, [try StringCatalog.quest()])
        for key in StageWords.keys {
            let text = words(key).lowercased()
            for word in ["parent", "admin", "setting", "réglage", "paramètre", "locked", "verrouill", "bloqu"] {
                #expect(!text.contains(word), "\(key): \(text)")
            }
            #expect(!text.contains(/\bpin\b/), "\(key): \(text)")
        }
    }
}
