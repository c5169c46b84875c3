import Client
import Domain
import Foundation
import ResidenceModel
import Synchronization
import TestKit
import Testing

@testable import GateApp

@Suite("The screen of a gate")
struct DisplayTests {
    /// What a display has written.
    private final class Paper: Sendable {
        private let written = Mutex("")
        var text: String { written.withLock { $0 } }
        func write(_ text: String) { written.withLock { $0 += text } }
    }

    private func shown(
        _ mood: Mood, _ parts: [String], language: Language = .english, isTerminal: Bool = false
    ) throws -> String {
        let paper = Paper()
        Display(words: try Display.words(language), isTerminal: isTerminal) { paper.write($0) }.show(mood, parts)
        return paper.text
    }

    @Test("each line begins with a word for its color, in both languages")
    func words() throws {
        for language in Language.allCases {
            let words = try Mood.allCases.map { try shown($0, ["Bea"], language: language) }
            #expect(Set(words).count == Mood.allCases.count)
            #expect(words.allSatisfy { !$0.contains("«") && !$0.contains("\u{1B}") && $0.hasSuffix("  Bea\n") })
        }
        #expect(try shown(.comingIn, ["Bea"], language: .french) == "ENTRÉE  Bea\n")
    }

    @Test("a terminal gets a color for each direction, to the end of the line")
    func colors() throws {
        let lines = try Mood.allCases.map { try shown($0, ["Bea"], isTerminal: true) }
        #expect(lines.allSatisfy { $0.contains("\u{1B}[K\u{1B}[0m\n") })
        #expect(Set(Mood.allCases.map(\.color)).count == Mood.allCases.count)
        #expect(Mood.comingIn.tone == Mood.goingOut.tone.reversed())
    }

    @Test("a name with control characters changes nothing on the terminal")
    func hostile() throws {
        let line = try shown(.comingIn, ["Bea\u{1B}[2J\u{7}\nRuiz\u{9B}31m"], isTerminal: true)
        #expect(line.hasPrefix("\u{1B}[30;42m IN          Bea[2JRuiz31m\u{1B}[K\u{1B}[0m\n"))
        #expect(Display.printable("\u{202E}Bea\u{2069}\u{202F}R\u{A0}.") == "Bea R .")
    }

    /// The line of a passage at 22:15 UTC on Thursday 12 November 2026.
    private func line(
        _ decision: GateDecision, unsent: Int = 0, language: Language = .english
    ) async throws -> String {
        let paper = Paper()
        let display = Display(words: try Display.words(language), isTerminal: false) { paper.write($0) }
        display.show(
            .passage(Self.passage(decision)), timeZone: .gmt, unsent: unsent)
        return paper.text
    }

    private static let now = Date(timeIntervalSince1970: 1_794_521_700)

    private static func passage(_ decision: GateDecision) -> GatePassage {
        GatePassage(
            id: UUID(),
            resident: GateList.Resident(
                id: UUID(), name: "Bea Ruiz", initials: "BR", room: "201", photo: nil, type: nil, lastPassage: nil,
                changedAt: nil, tags: [], leaves: []), decision: decision, at: now)
    }

    @Test("a line has the time, the name, the room, the leave and the lateness")
    func passages() async throws {
        let time = Display.printable(try Display.words(.english).time(Self.now, in: .gmt))
        #expect(try await line(GateDecision(type: .checkIn)) == "IN  \(time)  Bea Ruiz  Room 201\n")
        let due = Self.now.addingTimeInterval(-15 * 60)
        let late = try await line(GateDecision(type: .checkIn, due: due))
        #expect(late.hasPrefix("LATE  \(time)  Bea Ruiz  IN  Room 201  Due ") && late.hasSuffix("15 min late\n"))
        let hours = try await line(
            GateDecision(type: .checkIn, due: Self.now.addingTimeInterval(-95 * 60)), language: .french)
        #expect(hours.hasPrefix("EN RETARD  22:15  Bea Ruiz  ENTRÉE  Chambre 201  Attendu à 20:40"))
        #expect(hours.hasSuffix("1 h 35 min de retard\n"))
        let leave = try await line(
            GateDecision(type: .checkOut, leaveEnd: Self.now.addingTimeInterval(3 * 86_400)), unsent: 4)
        #expect(leave.hasPrefix("OUT  \(time)  Bea Ruiz  Room 201  On leave until Sunday "))
        #expect(leave.hasSuffix("  4 passages stored on this device\n"))
    }
}
