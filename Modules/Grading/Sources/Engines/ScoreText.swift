import Foundation
import GradingInterface

/// A score as it is typed into the gradebook: a number or a word for its state.
struct ScoreText: Sendable, Hashable {
    enum Fault: String, Error, Sendable, Hashable, CaseIterable {
        /// The text is neither a number nor a known word.
        case unreadable
        case negative
        /// The points exceed the maximum of an item that is not extra credit.
        case aboveMaximum
        /// The number has more than two decimal places.
        case tooFine
    }

    var points: Hundredths?
    var state: GradeEntry.State

    /// The text as one would type it: "8.5", "7 l", "ex", "m".
    var text: String {
        switch state {
        case .excused: "ex"
        case .missing: "m"
        case .graded: points.map { "\($0)" } ?? ""
        case .late: points.map { "\($0) l" } ?? ""
        }
    }

    /// The largest maximum of an item, in points.
    static let largestMaximum: Hundredths = 10_000
    /// Reads `8.5`, `8,5`, `ex`, `m` or `7 l` (late). Returns `nil` for an empty text.
    static func read(_ text: String, maximum: Hundredths, isExtraCredit: Bool) throws(Fault) -> ScoreText? {
        var word = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        switch word {
        case "": return nil
        case "ex", "excused", "exc", "dispensé", "dispensée": return ScoreText(points: nil, state: .excused)
        case "m", "missing", "manquant": return ScoreText(points: nil, state: .missing)
        default: break
        }
        var state = GradeEntry.State.graded
        if word.last == "l" || word.last == "r" {
            // "l" for late, "r" for "en retard".
            state = .late
            word = word.dropLast().trimmingCharacters(in: .whitespaces)
        }
        let points = try number(word)
        guard isExtraCredit ? points <= largestMaximum : points <= maximum else { throw .aboveMaximum }
        return ScoreText(points: points, state: state)
    }

    /// Reads a decimal number with a point or a comma and ASCII digits on both sides.
    static func number(_ text: String) throws(Fault) -> Hundredths {
        let isNegative = text.hasPrefix("-") || text.hasPrefix("\u{2212}")
        let parts = text.dropFirst(isNegative ? 1 : 0).replacing(",", with: ".")
            .split(separator: ".", omittingEmptySubsequences: false)
        let isDigits = { (part: Substring) in !part.isEmpty && part.allSatisfy { $0.isASCII && $0.isNumber } }
        guard (1...2).contains(parts.count), parts.allSatisfy(isDigits), parts[0].count <= 9 else {
            throw .unreadable
        }
        let value = Hundredths(parts.map { $0.prefix(9) }.joined(separator: "."))
        guard !isNegative || value == .zero else { throw .negative }
        guard let value else { throw .tooFine }
        return value
    }
}
