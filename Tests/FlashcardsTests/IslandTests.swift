import Foundation
import TestKit
import Testing

/// The parts of the island that need no browser, run by Node.js. `Tests/Browser/test_flashcards.py` tests the rest.
@Suite("The island of Flashcards", .enabled(if: NodeScript.program != nil, "node is not installed"))
struct IslandTests {
    private static let node = NodeScript("island.mjs", of: "Flashcards")

    @Test("a day at the school has its own length where clocks are changed")
    func days() throws { #expect(try Self.node.complaints("days") == "") }

    @Test("a rating that was taken back does not count, also if the page was made while the server still knew it")
    func replay() throws { #expect(try Self.node.complaints("replay") == "") }
}
