import Domain
import FeatureKit
import Foundation
import GradingInterface

extension GradeEntry.State: SQLConvertible {}

/// Something that the students of a course get marks for, entered by hand.
struct GradebookItem: Identifiable, Sendable, Hashable {
    let id: UUID
    let courseId: UUID
    var title: String
    var category: GradeCategory
    /// The full mark, above 0.
    var maximum: Hundredths
    var dueDay: Day?
    /// Its points are on top of the others'.
    var isExtraCredit: Bool
    /// Since when students see its marks; `nil` while they do not.
    var releasedAt: Date?
    let createdAt: Date
    /// The page where another block marks it; `nil` for what is entered here.
    var path: String?
}

/// The mark of one student for one item, as it is kept.
struct Grade: Sendable, Hashable {
    let itemId: UUID
    let studentId: UUID
    var points: Hundredths?
    var state: GradeEntry.State
    var comment: String?
    /// Counts the changes of this mark, from 1; whoever changes it says which they saw.
    var version: Int

    /// Whether there is neither a mark nor a word for its state.
    var isEmpty: Bool { points == nil && (state == .graded || state == .late) }

    /// As somebody would type it: "8.5", "7 l", "ex", "m".
    var text: String { MarkText(points: points, state: state).text }

    /// As the calculation sees it; `nil` where it counts for nothing.
    func entry(for item: GradebookItem, missingCounts: Bool) -> GradeEntry? {
        guard state != .missing || missingCounts else { return nil }
        return GradeEntry(
            category: item.category, points: points, maximum: item.maximum, state: state,
            isExtraCredit: item.isExtraCredit)
    }
}

/// How a course counts.
struct GradeSettings: Sendable, Hashable {
    var weights: GradeWeights
    /// Whether what a teacher called missing counts as nought.
    var missingCounts: Bool

    static let standard = GradeSettings(weights: .standard, missingCounts: false)
}
