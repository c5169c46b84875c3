package import GradingInterface

/// The arithmetic of course grades by a school's grading scale. Pure, and without binary floating point.
///
/// A category's percentage is the sum of its points over the sum of its maximums. Extra credit adds points and no
/// maximum, so a category may exceed 100 %. Categories without counting scores are left out, and the weights of the
/// others are renormalized (WW-6.02). The weighted percentage is rounded once, by the school's rule, and the letter
/// follows from the rounded percentage.
package struct GradeCalculationService: Sendable {
    var scale: GradingScale

    /// Creates the calculation with the standard grading scale.
    package init() { scale = .standard }

    init(scale: GradingScale) { self.scale = scale }

    /// A category's part of a course grade.
    struct CategoryShare: Sendable, Hashable {
        let category: GradeCategory
        /// The category's own percentage, not rounded.
        let percentage: Quotient
        /// The weight among the categories that count. All weights sum to 1.
        let weight: Quotient
        /// The percentage times the weight, not rounded.
        let addition: Quotient

        /// The addition as shown, to two places.
        var shownAddition: Hundredths { addition.rounded(places: 2, .halfUp) }
        var weightInPercent: Quotient { Quotient(units: weight.units * 100) }
    }

    /// A course grade with the steps of its calculation: the percentage, exact and as shown, the letter and the
    /// color.
    package struct CourseGrade: Sendable, Hashable {
        let percentage: Quotient
        let shown: Hundredths
        package let letter: LetterGrade
        let color: GradeColor
        let shares: [CategoryShare]

        /// The difference between the shown grade and the sum of the shown additions. May be negative.
        var rounding: Hundredths { shown - shares.reduce(.zero) { $0 + $1.shownAddition } }
    }

    /// Returns the weighted percentage of a course with its letter; `nil` if no score counts.
    package func calculateCourseGrade(grades: some Sequence<GradeEntry>, weights: GradeWeights) -> CourseGrade? {
        calculateCourseGrade(CourseTally(grades), weights: weights)
    }

    /// Returns the same from scores that are already added up.
    func calculateCourseGrade(_ tally: CourseTally, weights: GradeWeights) -> CourseGrade? {
        var parts: [Part] = []
        parts.reserveCapacity(GradeCategory.allCases.count)
        var (weight, sum) = (0, Quotient.Sum())
        for category in GradeCategory.allCases {
            let (own, tally) = (weights[category], tally[category])
            guard own > 0, tally.maximum > .zero else { continue }
            let part = Part(category: category, tally: tally, weight: own)
            parts.append(part)
            weight += own
            sum += part.weighted
        }
        guard weight > 0 else { return nil }
        let percentage = Quotient(sum, over: weight)
        let shown = scale.rounding.shown(percentage)
        let shares = GradeWeights.renormalized(parts.map(\.weight))
        return CourseGrade(
            percentage: percentage, shown: shown, letter: letterGrade(from: shown), color: gradeColor(from: shown),
            shares: parts.indices.map { place in
                CategoryShare(
                    category: parts[place].category, percentage: parts[place].percentage, weight: shares[place],
                    addition: Quotient(parts[place].weighted, over: weight))
            })
    }

    /// Returns the grade point average over courses; `nil` if there are no courses.
    package func calculateGPA(courseGrades: [(letter: LetterGrade, credits: Int)]) -> GradePointAverage? {
        guard !courseGrades.isEmpty else { return nil }
        let sum = courseGrades.reduce(0) { $0 + $1.letter.gradePoints.count }
        let credits = courseGrades.reduce(0) { $0 + $1.credits }
        let weighted = courseGrades.reduce(0) { $0 + $1.letter.gradePoints.count * $1.credits }
        return GradePointAverage(
            unweighted: Self.average(sum, over: courseGrades.count),
            creditWeighted: credits > 0 ? Self.average(weighted, over: credits) : nil,
            courseCount: courseGrades.count)
    }

    private static func average(_ hundredths: Int, over count: Int) -> Hundredths {
        Quotient(hundredths, over: count * 100).rounded(places: 2, .halfUp)
    }

    /// Returns the letter of a rounded percentage.
    func letterGrade(from shown: Hundredths) -> LetterGrade { scale.letter(of: shown) }

    /// Returns green from 80 % on, yellow from 70 %, orange from 60 %, red below (WW-6.04).
    func gradeColor(from shown: Hundredths) -> GradeColor {
        shown >= 80 ? .green : shown >= 70 ? .yellow : shown >= 60 ? .orange : .red
    }

    private struct Part {
        let category: GradeCategory
        let tally: Tally
        /// In whole percent, as set for the course.
        let weight: Int

        var percentage: Quotient { Quotient(tally.points.count * 100, over: tally.maximum.count) }
        /// The percentage times the weight.
        var weighted: Quotient.Sum { Quotient.Sum(weight * tally.points.count * 100, over: tally.maximum.count) }
    }
}
