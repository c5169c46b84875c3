import Domain
import FeatureKit
import Foundation
import GradingInterface

extension GradeEntry.State: SQLConvertible {}

/// A grade item whose scores teachers enter by hand.
struct GradebookItem: Identifiable, Sendable, Hashable {
    let id: UUID
    let courseId: UUID
    var title: String
    var category: GradeCategory
    /// The maximum in points, above 0.
    var maximum: Hundredths
    var dueDay: Day?
    /// Whether the points are extra: the maximum does not count.
    var isExtraCredit: Bool
    /// The time from which students see the scores; `nil` while they are hidden.
    var releasedAt: Date?
    let createdAt: Date
    /// The page on which another block grades the item; `nil` for items of the gradebook itself.
    var path: String?
}

/// A student's stored score for an item.
struct Score: Sendable, Hashable {
    let itemId: UUID
    let studentId: UUID
    var points: Hundredths?
    var state: GradeEntry.State
    var comment: String?
    /// The number of changes, from 1. A change must name the version that it replaces.
    var version: Int

    /// Whether there are neither points nor a state such as excused.
    var isEmpty: Bool { points == nil && (state == .graded || state == .late) }

    /// The score as one would type it: "8.5", "7 l", "ex", "m".
    var text: String { ScoreText(points: points, state: state).text }

    /// The score for the calculation; `nil` for missing work in a course where that does not count.
    func entry(for item: GradebookItem, missingCounts: Bool) -> GradeEntry? {
        guard state != .missing || missingCounts else { return nil }
        return GradeEntry(
            category: item.category, points: points, maximum: item.maximum, state: state,
            isExtraCredit: item.isExtraCredit)
    }
}

/// The settings of a course's gradebook.
struct GradeSettings: Sendable, Hashable {
    var weights: GradeWeights
    /// Whether missing work counts as 0.
    var missingCounts: Bool

    static let standard = GradeSettings(weights: .standard, missingCounts: false)
}
