import GradingInterface

/// The weight of each category in a course grade, in whole percent.
package struct GradeWeights: Sendable, Hashable {
    var assignments: Int
    var quizzes: Int
    var participation: Int
    var midterm: Int
    var `final`: Int

    /// The weights of the categories in a new course.
    package static let standard = GradeWeights(
        assignments: 40, quizzes: 30, participation: 10, midterm: 10, final: 10)

    subscript(category: GradeCategory) -> Int {
        switch category {
        case .assignments: assignments
        case .quizzes: quizzes
        case .participation: participation
        case .midterm: midterm
        case .final: `final`
        }
    }

    /// What is wrong with the weights; `nil` if they are valid.
    var fault: Fault? {
        let all = GradeCategory.allCases.map { self[$0] }
        if all.contains(where: { $0 < 0 || $0 > 100 }) { return .outOfRange }
        let sum = all.reduce(0, +)
        return sum == 100 ? nil : .sum(percent: sum)
    }

    enum Fault: Equatable {
        case outOfRange
        case sum(percent: Int)
    }

    /// Scales weights above 0 so that they sum to exactly 1.
    ///
    /// A third has no finite decimal expansion, so the last weight takes the remainder.
    static func renormalized(_ weights: [Int]) -> [Quotient] {
        let sum = weights.reduce(0, +)
        var left = Quotient(1)
        return weights.indices.map { place in
            guard place < weights.count - 1 else { return left }
            let share = Quotient(weights[place], over: sum)
            left = left - share
            return share
        }
    }
}

extension GradeWeights {
    init(_ percents: (GradeCategory) -> Int) {
        self.init(
            assignments: percents(.assignments), quizzes: percents(.quizzes),
            participation: percents(.participation), midterm: percents(.midterm), final: percents(.final))
    }
}
