import Client
public import Domain
import Foundation
import ResidenceModel
import Synchronization

/// The color and the tone of a line.
enum Mood: Sendable, Hashable, CaseIterable {
    case comingIn, goingOut, late, refused
    /// A line about the gate itself.
    case note

    /// The parameters of the line's color (ECMA-48, SGR). The line has the word of the color too.
    var color: String {
        switch self {
        case .comingIn: "30;42"
        case .goingOut: "97;44"
        case .late: "30;43"
        case .refused: "97;41"
        case .note: "0"
        }
    }

    /// The pitches of the tone in hertz, those of a tablet. In and out differ by direction.
    var tone: [Int] {
        switch self {
        case .comingIn: [523, 784]
        case .goingOut: [784, 523]
        case .late: [523, 784, 523, 784]
        case .refused: [196, 165]
        case .note: []
        }
    }

    /// The key of the word at the beginning of a line.
    var word: String {
        switch self {
        case .comingIn: "door.in"
        case .goingOut: "door.out"
        case .late: "door.late"
        case .refused: "door.refused"
        case .note: "door.note"
        }
    }
}

/// The screen of a gate: one line for each read, with a color and a tone on a terminal.
public struct Display: Sendable {
    /// The milliseconds of one pitch.
    private static let pitchLength = 140

    let words: Words
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let bell = Bell()
    /// The letters of the longest word at the beginning of a line.
    private let wordLength: Int

    /// - Parameters:
    ///   - isTerminal: Whether lines have colors and tones.
    ///   - write: Writes to the screen.
    public init(words: Words, isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
        self.words = words
        self.isTerminal = isTerminal
        self.write = write
        wordLength = Mood.allCases.map { words($0.word).count }.max() ?? 0
    }

    /// The texts of the program in a language.
    public static func words(_ language: Language) throws -> Words {
        Words(language, [try StringCatalog(in: .module)])
    }

    /// Shows a line.
    func show(_ mood: Mood, _ parts: [String]) {
        let (word, text) = (words(mood.word), parts.map(Self.printable).joined(separator: "  "))
        guard isTerminal else { return write("\(word)  \(text)\n") }
        let gap = String(repeating: " ", count: wordLength - word.count + 2)
        // The color fills the line to its end.
        write("\u{1B}[\(mood.color)m \(word)\(gap)\(text)\u{1B}[K\u{1B}[0m\n")
        let (pitches, write) = (mood.tone, write)
        if !pitches.isEmpty { bell.play { await Self.play(pitches, write) } }
    }

    /// Shows a plain text, such as the answer of a command.
    func say(_ text: String) { write("\(Self.printable(text))\n") }

    /// Plays pitches through the bell. The Linux console has its pitch and length (console_codes(4)); other terminals ring.
    private static func play(_ pitches: [Int], _ write: @Sendable (String) -> Void) async {
        for pitch in pitches {
            write("\u{1B}[10;\(pitch)]\u{1B}[11;\(pitchLength)]\u{07}")
            do { try await Task.sleep(for: .milliseconds(pitchLength)) } catch { return }
        }
    }

    /// Returns a text without characters with which a name could change the terminal or the order of the line, and with
    /// the spaces that the fonts of consoles have.
    static func printable(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x202A...0x202E, 0x2066...0x2069: continue
            case 0xA0, 0x202F: shown.append(" ")
            default: if scalar.properties.generalCategory != .control { shown.append(scalar) }
            }
        }
        return String(shown)
    }

    // MARK: - Lines

    /// Shows the meaning of a read.
    ///
    /// - Parameter unsent: The number of passages that wait without a network.
    func show(_ read: GateRead, timeZone: TimeZone, unsent: Int) {
        switch read {
        case .passage(let passage):
            let decision = passage.decision
            let mood: Mood = decision.due != nil ? .late : decision.type == .checkIn ? .comingIn : .goingOut
            show(mood, facts(of: passage, timeZone, unsent: unsent))
        case .repeated: return
        case .unknown: show(.refused, [words("door.unknown")])
        case .lost: show(.refused, [words("door.lost")])
        case .over: show(.refused, [words("door.over")])
        }
    }

    private func facts(of passage: GatePassage, _ timeZone: TimeZone, unsent: Int) -> [String] {
        let (resident, decision) = (passage.resident, passage.decision)
        var facts = [words.time(passage.at, in: timeZone), resident.name]
        if decision.due != nil { facts.append(words(decision.type == .checkIn ? "door.in" : "door.out")) }
        if let room = resident.room { facts.append(words("door.room", room)) }
        if let end = decision.leaveEnd {
            facts.append(words("door.leave", time(end, near: passage.at, timeZone)))
        }
        if let due = decision.due {
            facts.append(words("door.due", time(due, near: passage.at, timeZone)))
            let minutes = max(1, Int((passage.at.timeIntervalSince(due) / 60).rounded()))
            facts.append(
                minutes < 60
                    ? words("door.lateMinutes", minutes) : words("door.lateHours", minutes / 60, minutes % 60))
        }
        if unsent > 0 { facts.append(words("door.unsent", unsent)) }
        return facts
    }

    /// Returns a time, with its weekday if it is more than half a day away.
    private func time(_ instant: Date, near now: Date, _ timeZone: TimeZone) -> String {
        let time = words.time(instant, in: timeZone)
        guard abs(instant.timeIntervalSince(now)) > 12 * 3600 else { return time }
        return "\(words.weekdayInFull(Day(instant, in: timeZone))) \(time)"
    }
}

/// The bell of a terminal. A new tone ends the one before.
private final class Bell: Sendable {
    private let playing = Mutex<Task<Void, Never>?>(nil)

    func play(_ tone: @escaping @Sendable () async -> Void) {
        playing.withLock { task in
            task?.cancel()
            task = Task { await tone() }
        }
    }
}
