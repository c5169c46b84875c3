import CourseworkModel
public import FeatureKit
import Foundation
import GradingInterface

extension Assignment.LateWork: SQLConvertible {}

extension Assignment {
    /// The maximum score; `nil` if the assignment is not graded.
    var maximum: Hundredths? { points.flatMap { Hundredths($0) } }

    /// The category of the gradebook.
    var gradeCategory: GradeCategory { GradeCategory(rawValue: category) ?? .assignments }
}
