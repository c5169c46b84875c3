package import GradingInterface

/// One mark of one student as the calculation sees it.
package struct GradeEntry: Sendable, Hashable {
    enum State: String, Codable, Sendable, Hashable, CaseIterable {
        /// Counts with its points.
        case graded
        /// The same, and handed in after its day.
        case late
        /// Does not count at all.
        case excused
        /// Was not handed in: counts as nought after its day where the course says so, not at all elsewhere.
        case missing
    }

    var category: GradeCategory
    /// `nil` while it is not marked.
    var points: Hundredths?
    /// The full mark.
    var maximum: Hundredths
    var state: State = .graded
    /// Its points are on top: its maximum does not count.
    var isExtraCredit = false

    /// What it adds to its category; `nil` where it does not count.
    var counted: Tally? {
        switch state {
        case .excused: return nil
        case .missing: return isExtraCredit ? nil : Tally(points: 0, maximum: maximum, count: 1)
        case .graded, .late:
            guard let points else { return nil }
            return Tally(points: points, maximum: isExtraCredit ? 0 : maximum, count: 1)
        }
    }

    /// Its own percentage, for the trend; `nil` where it does not count or has no full mark of its own.
    var percentage: Quotient? {
        guard !isExtraCredit, let counted, counted.maximum > .zero else { return nil }
        return Quotient(counted.points.count * 100, over: counted.maximum.count)
    }
}

extension GradeEntry {
    /// A mark that counts with its points.
    package init(category: GradeCategory, points: Hundredths, maximum: Hundredths) {
        self.init(category: category, points: points, maximum: maximum, state: .graded)
    }
}

/// Points and full marks of some entries together. Sums of marks are exact, so entries come and go in any order.
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

/// A student's marks of one course, gathered by category; a change of one mark touches its category alone.
struct CourseTally: Sendable, Hashable {
    /// In the order of the categories.
    private var tallies = Array(repeating: Tally(), count: GradeCategory.allCases.count)

    init(_ entries: some Sequence<GradeEntry> = []) {
        for entry in entries { add(entry) }
    }

    subscript(category: GradeCategory) -> Tally { tallies[category.place] }

    mutating func add(_ entry: GradeEntry) {
        guard let counted = entry.counted else { return }
        tallies[entry.category.place] += counted
    }

    /// Takes out what was added before.
    mutating func remove(_ entry: GradeEntry) {
        guard let counted = entry.counted else { return }
        tallies[entry.category.place] -= counted
    }
}

extension GradeCategory {
    /// Among all of them.
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
