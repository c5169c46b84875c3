package import GradingInterface

/// One student's score for one grade item, as the calculation of the course grade needs it.
package struct GradeEntry: Sendable, Hashable {
    enum State: String, Codable, Sendable, Hashable, CaseIterable {
        /// The points count.
        case graded
        /// The points count. The work was handed in after its due day.
        case late
        /// Nothing counts.
        case excused
        /// The work was not handed in. Counts as 0 only in courses with `missingCounts`.
        case missing
    }

    var category: GradeCategory
    /// `nil` while the work is not graded.
    var points: Hundredths?
    /// The maximum of the item, in points.
    var maximum: Hundredths
    var state: State = .graded
    /// Whether the points are extra: the maximum does not count.
    var isExtraCredit = false

    /// What the score adds to its category; `nil` if it does not count.
    var counted: Tally? {
        switch state {
        case .excused: return nil
        case .missing: return isExtraCredit ? nil : Tally(points: 0, maximum: maximum, count: 1)
        case .graded, .late:
            guard let points else { return nil }
            return Tally(points: points, maximum: isExtraCredit ? 0 : maximum, count: 1)
        }
    }

    /// The score's percentage for the trend; `nil` if it does not count or is extra credit.
    var percentage: Quotient? {
        guard !isExtraCredit, let counted, counted.maximum > .zero else { return nil }
        return Quotient(counted.points.count * 100, over: counted.maximum.count)
    }
}

extension GradeEntry {
    /// Creates the entry of a score that a teacher gave.
    package init(category: GradeCategory, points: Hundredths, maximum: Hundredths) {
        self.init(category: category, points: points, maximum: maximum, state: .graded)
    }
}

/// The sums of points and maximums of some scores. The sums are exact, so scores can be added and removed in any order.
struct Tally: Sendable, Hashable {
    var points = Hundredths.zero
    var maximum = Hundredths.zero
    var count = 0

    static func += (left: inout Tally, right: Tally) {
        left.points += right.points
        left.maximum += right.maximum
        left.count += right.count
    }

    static func -= (left: inout Tally, right: Tally) {
        left.points -= right.points
        left.maximum -= right.maximum
        left.count -= right.count
    }
}

/// One student's sums in a course by category. A change of one score changes one category.
struct CourseTally: Sendable, Hashable {
    /// In the order of `GradeCategory.allCases`.
    private var tallies = Array(repeating: Tally(), count: GradeCategory.allCases.count)

    init(_ entries: some Sequence<GradeEntry> = []) {
        for entry in entries { add(entry) }
    }

    subscript(category: GradeCategory) -> Tally { tallies[category.place] }

    mutating func add(_ entry: GradeEntry) {
        guard let counted = entry.counted else { return }
        tallies[entry.category.place] += counted
    }

    /// Removes an entry that was added before.
    mutating func remove(_ entry: GradeEntry) {
        guard let counted = entry.counted else { return }
        tallies[entry.category.place] -= counted
    }
}

extension GradeCategory {
    /// The position among all categories.
    fileprivate var place: Int {
        switch self {
        case .assignments: 0
        case .quizzes: 1
        case .participation: 2
        case .midterm: 3
        case .final: 4
        }
    }
}
