import Domain
import Foundation
import GradingInterface

/// How much each category counts in one course's grade, as fractions of 1.
package struct GradeWeights: Codable, Sendable, Hashable {
    var assignments: Decimal
    var quizzes: Decimal
    var participation: Decimal
    var midterm: Decimal
    var `final`: Decimal

    /// What a course begins with.
    package static let standard = GradeWeights(
        assignments: Decimal(40) / 100, quizzes: Decimal(30) / 100, participation: Decimal(10) / 100,
        midterm: Decimal(10) / 100, final: Decimal(10) / 100)

    subscript(category: GradeCategory) -> Decimal {
        switch category {
        case .assignments: assignments
        case .quizzes: quizzes
        case .participation: participation
        case .midterm: midterm
        case .final: `final`
        }
    }

    /// What is wrong with them, in whole percents; `nil` where they are fit to be kept.
    var fault: Fault? {
        let all = GradeCategory.allCases.map { self[$0] }
        if all.contains(where: { $0 < 0 || $0 > 1 }) { return .outOfRange }
        let sum = all.reduce(0, +)
        return sum == 1 ? nil : .sum(percent: sum * 100)
    }

    enum Fault: Equatable {
        case outOfRange
        case sum(percent: Decimal)
    }

    /// The weights of the categories that have something to count, made to sum to exactly 1; empty where none of them
    /// weighs anything.
    ///
    /// A third has no end as a decimal, so the last category takes what the others leave.
    func renormalised(over categories: Set<GradeCategory>) -> [GradeCategory: Decimal] {
        let counted = GradeCategory.allCases.filter { categories.contains($0) && self[$0] > 0 }
        let sum = counted.reduce(Decimal(0)) { $0 + self[$1] }
        guard sum > 0, let last = counted.last else { return [:] }
        var shares: [GradeCategory: Decimal] = [:]
        var left: Decimal = 1
        for category in counted.dropLast() {
            let share = Exactness.trimmed(self[category] / sum)
            shares[category] = share
            left -= share
        }
        shares[last] = left
        return shares
    }

    /// Weights in whole percents.
    init(_ percents: (GradeCategory) -> Int) {
        func part(_ category: GradeCategory) -> Decimal { Decimal(percents(category)) / 100 }
        self.init(
            assignments: part(.assignments), quizzes: part(.quizzes), participation: part(.participation),
            midterm: part(.midterm), final: part(.final))
    }

    init(assignments: Decimal, quizzes: Decimal, participation: Decimal, midterm: Decimal, final: Decimal) {
        self.assignments = assignments
        self.quizzes = quizzes
        self.participation = participation
        self.midterm = midterm
        self.final = final
    }

    /// A category's weight in whole percents, as people set it.
    func percent(of category: GradeCategory) -> Int { NSDecimalNumber(decimal: self[category] * 100).intValue }
}
