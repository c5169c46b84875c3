import Foundation
import GradingInterface
import TestKit

@testable import Grading

/// A random gradebook from a seed, the same on each machine and in each run.
struct GeneratedGradebook {
    let entries: [GradeEntry]
    let weights: GradeWeights
    let rounding: RoundingRule

    init(using random: inout SeededGenerator, extraCredit: Bool = true) {
        // Five whole percents that sum to 100, some of them 0.
        let cuts = ([0, 100] + (0..<4).map { _ in Int.random(in: 0...100, using: &random) }).sorted()
        let parts = zip(cuts.dropFirst(), cuts).map { $0 - $1 }
        weights = GradeWeights(
            assignments: parts[0], quizzes: parts[1], participation: parts[2], midterm: parts[3], final: parts[4])
        rounding = RoundingRule(
            places: Int.random(in: 0...2, using: &random),
            mode: RoundingRule.Mode.allCases.randomElement(using: &random) ?? .halfUp)
        entries = (0..<Int.random(in: 0...24, using: &random)).map { _ in
            Self.entry(extraCredit: extraCredit, using: &random)
        }
    }

    static func entry(extraCredit: Bool, using random: inout SeededGenerator) -> GradeEntry {
        let maximum = Int.random(in: 1...400, using: &random) * 50
        let isExtra = extraCredit && Int.random(in: 0..<12, using: &random) == 0
        return GradeEntry(
            category: GradeCategory.allCases.randomElement(using: &random) ?? .final,
            points: Int.random(in: 0..<10, using: &random) == 0
                ? nil : Hundredths(count: Int.random(in: 0...maximum, using: &random)),
            maximum: Hundredths(count: maximum),
            state: [.graded, .graded, .graded, .late, .excused, .missing].randomElement(using: &random) ?? .graded,
            isExtraCredit: isExtra)
    }

    var service: GradeCalculationService {
        GradeCalculationService(scale: GradingScale(cutOffs: GradingScale.standard.cutOffs, rounding: rounding))
    }

    var grade: GradeCalculationService.CourseGrade? {
        service.calculateCourseGrade(grades: entries, weights: weights)
    }

    /// The input of the Python script. Numbers are text.
    var json: [String: Any] {
        [
            "entries": entries.map { entry -> [String: Any] in
                [
                    "category": entry.category.rawValue, "points": entry.points.map { "\($0)" as Any } ?? NSNull(),
                    "maximum": "\(entry.maximum)", "state": entry.state.rawValue, "extra": entry.isExtraCredit,
                ]
            },
            "weights": Dictionary(
                uniqueKeysWithValues: GradeCategory.allCases.map {
                    ($0.rawValue, "\(Hundredths(count: weights[$0]))")
                }),
            "places": rounding.places, "mode": rounding.mode.rawValue,
        ]
    }
}
