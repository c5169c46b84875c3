package import GradingInterface

/// The arithmetic of grades, by a school's scale. Pure; nothing on the way to a letter is binary floating point.
///
/// A category's percentage is all its points over all its full marks. Extra credit adds points and no full mark, so a
/// category may exceed 100 %. Categories in which nothing counts are left out and the weights of the others
/// renormalised (WW-6.02). The weighted percentage is rounded once, by the school's rule, and the letter follows from
/// what is shown.
package struct GradeCalculationService: Sendable {
    var scale: GradingScale

    /// By the scale of a school that has not set its own.
    package init() { scale = .standard }

    init(scale: GradingScale) { self.scale = scale }

    /// One category's part of a course's grade.
    struct CategoryShare: Sendable, Hashable {
        let category: GradeCategory
        /// Of what counts in it, not rounded.
        let percentage: Quotient
        /// Its weight among the categories that count; all of them sum to 1.
        let weight: Quotient
        /// What it adds to the grade, in percent: its percentage times its weight, not rounded.
        let addition: Quotient

        /// The addition as it is shown, to two places.
        var shownAddition: Hundredths { addition.rounded(places: 2, .halfUp) }
        var weightInPercent: Quotient { Quotient(units: weight.units * 100) }
    }

    /// A course's grade with the way it came about.
    package struct CourseGrade: Sendable, Hashable {
        let percentage: Quotient
        let shown: Hundredths
        package let letter: LetterGrade
        let color: GradeColor
        let shares: [CategoryShare]

        /// What rounding adds to the shown additions (or takes away, below zero), so that they sum to the shown grade.
        var rounding: Hundredths { shown - shares.reduce(.zero) { $0 + $1.shownAddition } }
    }

    /// The weighted percentage; `nil` where nothing counts.
    package func calculateCourseGrade(grades: some Sequence<GradeEntry>, weights: GradeWeights) -> CourseGrade? {
        calculateCourseGrade(CourseTally(grades), weights: weights)
    }

    /// The same from marks that are gathered already.
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
        let shares = GradeWeights.renormalised(parts.map(\.weight))
        return CourseGrade(
            percentage: percentage, shown: shown, letter: letterGrade(from: shown), color: gradeColor(from: shown),
            shares: parts.indices.map { place in
                CategoryShare(
                    category: parts[place].category, percentage: parts[place].percentage, weight: shares[place],
                    addition: Quotient(parts[place].weighted, over: weight))
            })
    }

    /// The average over courses by the letters' points; `nil` without any.
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

    /// The letter of a percentage as it is shown; it is not rounded again.
    func letterGrade(from shown: Hundredths) -> LetterGrade { scale.letter(of: shown) }

    /// Green from 80 on, yellow from 70, orange from 60, red below (WW-6.04).
    func gradeColor(from shown: Hundredths) -> GradeColor {
        shown >= 80 ? .green : shown >= 70 ? .yellow : shown >= 60 ? .orange : .red
    }

    private struct Part {
        let category: GradeCategory
        let tally: Tally
        /// In percents, as it was set.
        let weight: Int

        var percentage: Quotient { Quotient(tally.points.count * 100, over: tally.maximum.count) }
        /// Its percentage as often as its weight says.
        var weighted: Quotient.Sum { Quotient.Sum(weight * tally.points.count * 100, over: tally.maximum.count) }
    }
}
