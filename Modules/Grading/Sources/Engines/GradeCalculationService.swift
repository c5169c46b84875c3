import Domain
import Foundation
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
    struct CategoryShare: Codable, Sendable, Hashable {
        let category: GradeCategory
        /// Of what counts in it, not rounded.
        let percentage: Decimal
        /// Its weight among the categories that count; all of them sum to 1.
        let weight: Decimal
        /// What it adds to the grade, in percent; rounded so that all of them sum to the grade as it is shown.
        let shown: Decimal
    }

    /// A course's grade with the way it came about.
    package struct CourseGrade: Codable, Sendable, Hashable {
        let percentage: Decimal
        let shown: Decimal
        package let letter: LetterGrade
        let color: GradeColor
        let shares: [CategoryShare]
    }

    /// The weighted percentage; `nil` where nothing counts.
    package func calculateCourseGrade(grades: some Sequence<GradeEntry>, weights: GradeWeights) -> CourseGrade? {
        calculateCourseGrade(CourseTally(grades), weights: weights)
    }

    /// The same from marks that are gathered already.
    func calculateCourseGrade(_ tally: CourseTally, weights: GradeWeights) -> CourseGrade? {
        let counted = tally.tallies.filter { $0.value.maximum > 0 }
        let shares = weights.renormalised(over: Set(counted.keys))
        let parts = GradeCategory.allCases.compactMap { category -> Part? in
            guard let share = shares[category], let tally = counted[category] else { return nil }
            return Part(
                category: category, percentage: tally.points * 100 / tally.maximum, weight: share,
                weighted: weights[category] * tally.points * 100 / tally.maximum, raw: weights[category])
        }
        let weight = parts.reduce(Decimal(0)) { $0 + $1.raw }
        guard weight > 0 else { return nil }
        let percentage = Exactness.trimmed(parts.reduce(Decimal(0)) { $0 + $1.weighted } / weight)
        let shown = scale.rounding.shown(percentage)
        let additions = apportioned(parts.map { $0.weighted / weight }, to: shown)
        return CourseGrade(
            percentage: percentage, shown: shown, letter: letterGrade(from: shown), color: gradeColor(from: shown),
            shares: zip(parts, additions).map { part, addition in
                CategoryShare(
                    category: part.category, percentage: Exactness.trimmed(part.percentage), weight: part.weight,
                    shown: addition)
            })
    }

    /// The average over courses by the letters' points; `nil` without any.
    package func calculateGPA(courseGrades: [(letter: LetterGrade, credits: Int)]) -> GradePointAverage? {
        guard !courseGrades.isEmpty else { return nil }
        let sum = courseGrades.reduce(Decimal(0)) { $0 + $1.letter.gradePoints }
        let credits = courseGrades.reduce(0) { $0 + $1.credits }
        let weighted = courseGrades.reduce(Decimal(0)) { $0 + $1.letter.gradePoints * Decimal($1.credits) }
        return GradePointAverage(
            unweighted: Exactness.trimmed(sum / Decimal(courseGrades.count)),
            creditWeighted: credits > 0 ? Exactness.trimmed(weighted / Decimal(credits)) : nil,
            courseCount: courseGrades.count)
    }

    /// The letter of a percentage as it is shown; it is not rounded again.
    func letterGrade(from shown: Decimal) -> LetterGrade { scale.letter(of: shown) }

    /// Green from 80 on, yellow from 70, orange from 60, red below (WW-6.04).
    func gradeColor(from shown: Decimal) -> GradeColor {
        shown >= 80 ? .green : shown >= 70 ? .yellow : shown >= 60 ? .orange : .red
    }

    private struct Part {
        let category: GradeCategory
        let percentage: Decimal
        let weight: Decimal
        /// By the weight as it was set.
        let weighted: Decimal
        let raw: Decimal
    }

    /// Rounds parts to tenths at least so that they sum to the total: each down, and what is missing goes to those
    /// that lost most (largest remainder; the first of equals).
    private func apportioned(_ exact: [Decimal], to total: Decimal) -> [Decimal] {
        let places = max(1, scale.rounding.places)
        let unit = Decimal(sign: .plus, exponent: -places, significand: 1)
        var parts = exact.map { Exactness.rounded(Exactness.trimmed($0), places: places, .down) }
        let order = exact.indices.sorted { left, right in
            let (lost, other) = (exact[left] - parts[left], exact[right] - parts[right])
            return lost == other ? left < right : lost > other
        }
        guard !order.isEmpty else { return parts }
        // A total of 90 for 89.5 is whole tenths away from its parts: the difference may go round more than once.
        let missing = (total - parts.reduce(0, +)) / unit
        let steps = NSDecimalNumber(decimal: missing).intValue
        if steps >= 0 {
            for step in 0..<steps { parts[order[step % order.count]] += unit }
        } else {
            takeAway(-steps, of: unit, from: &parts)
        }
        return parts
    }

    /// A school that rounds down shows less than its parts; the largest gives, so that none falls below nought.
    private func takeAway(_ steps: Int, of unit: Decimal, from parts: inout [Decimal]) {
        for _ in 0..<steps {
            guard let largest = parts.indices.max(by: { parts[$0] < parts[$1] }) else { return }
            parts[largest] -= unit
        }
    }
}
