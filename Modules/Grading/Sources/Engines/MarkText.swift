import Foundation
import GradingInterface

/// A cell of the gradebook as people write it: a mark, or a word for its state.
struct MarkText: Sendable, Hashable {
    enum Fault: String, Error, Sendable, Hashable, CaseIterable {
        /// Neither a number nor one of the words.
        case unreadable
        case negative
        /// More than the full mark of an item that is not extra credit.
        case aboveMaximum
        /// More than two places after the point.
        case tooFine
    }

    var points: Hundredths?
    var state: GradeEntry.State

    /// As somebody would type it: "8.5", "7 l", "ex", "m".
    var text: String {
        switch state {
        case .excused: "ex"
        case .missing: "m"
        case .graded: points.map { "\($0)" } ?? ""
        case .late: points.map { "\($0) l" } ?? ""
        }
    }

    /// The largest full mark.
    static let largestMaximum: Hundredths = 10_000
    /// `8.5`, `8,5`, `ex`, `m`, `7 l`; nothing is no mark at all (`nil`).
    static func read(_ text: String, maximum: Hundredths, isExtraCredit: Bool) throws(Fault) -> MarkText? {
        var word = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        switch word {
        case "": return nil
        case "ex", "excused", "exc", "dispensé", "dispensée": return MarkText(points: nil, state: .excused)
        case "m", "missing", "manquant": return MarkText(points: nil, state: .missing)
        default: break
        }
        var state = GradeEntry.State.graded
        if word.last == "l" || word.last == "r" {
            // Late, "en retard".
            state = .late
            word = word.dropLast().trimmingCharacters(in: .whitespaces)
        }
        let points = try number(word)
        guard isExtraCredit ? points <= largestMaximum : points <= maximum else { throw .aboveMaximum }
        return MarkText(points: points, state: state)
    }

    /// A decimal number with a point or a comma, digits alone on both sides.
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
