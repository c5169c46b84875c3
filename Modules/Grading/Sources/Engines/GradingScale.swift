import GradingInterface

/// A letter grade, such as `B+`; the cases are sorted from best to worst.
package enum LetterGrade: String, Codable, Sendable, Hashable, CaseIterable {
    case aPlus = "A+"
    case a = "A"
    case aMinus = "A-"
    case bPlus = "B+"
    case b = "B"
    case bMinus = "B-"
    case cPlus = "C+"
    case c = "C"
    case cMinus = "C-"
    case dPlus = "D+"
    case d = "D"
    case dMinus = "D-"
    case f = "F"

    /// The grade points for an average, 0 to 4 (WW-6.03).
    var gradePoints: Hundredths {
        switch self {
        case .aPlus, .a: 4
        case .aMinus: Hundredths(count: 370)
        case .bPlus: Hundredths(count: 330)
        case .b: 3
        case .bMinus: Hundredths(count: 270)
        case .cPlus: Hundredths(count: 230)
        case .c: 2
        case .cMinus: Hundredths(count: 170)
        case .dPlus: Hundredths(count: 130)
        case .d: 1
        case .dMinus: Hundredths(count: 70)
        case .f: 0
        }
    }

    /// The letters with a cut-off: all but F.
    static let reached = allCases.filter { $0 != .f }
}

/// A school's cut-off for each letter and its rounding rule.
struct GradingScale: Codable, Sendable, Hashable {
    /// The lowest rounded percentage of each letter but F, in the order of the letters.
    var cutOffs: [Hundredths]
    var rounding: RoundingRule

    /// The scale of a school that has not changed it (WW-6.04).
    static let standard = GradingScale(
        cutOffs: [97, 93, 90, 87, 83, 80, 77, 73, 70, 67, 63, 60], rounding: .standard)

    /// Whether there is a cut-off for each letter but F, within 0 to 100 and strictly descending.
    var isOrdered: Bool {
        cutOffs.count == LetterGrade.reached.count && cutOffs.allSatisfy { $0 >= 0 && $0 <= 100 }
            && zip(cutOffs, cutOffs.dropFirst()).allSatisfy { $0 > $1 }
    }

    /// Returns the letter of a rounded percentage.
    func letter(of shown: Hundredths) -> LetterGrade {
        zip(LetterGrade.reached, cutOffs).first { shown >= $1 }?.0 ?? .f
    }
}
