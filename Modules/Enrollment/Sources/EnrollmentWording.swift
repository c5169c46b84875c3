import CoursesInterface
import DesignSystem
import Domain
import Foundation

/// The texts for enrollment in a course.
enum EnrollmentWording {
    /// A tag for the status of a course for a student, or `nil` if there is no student.
    static func tag(_ status: CourseStatus?, _ position: Int?, _ words: Words) -> PTTag? {
        switch status {
        case nil: nil
        case .enrolled: PTTag(text: words("enrollment.status.enrolled"), tone: .good, icon: .check)
        case .pending: PTTag(text: words("enrollment.status.pending"), tone: .attention, icon: .clock)
        case .available: PTTag(text: words("enrollment.status.available"))
        case .full: PTTag(text: words("enrollment.status.full"), tone: .attention)
        case .waitlisted:
            PTTag(text: words("enrollment.status.waitlisted", position ?? 1), tone: .attention, icon: .clock)
        }
    }

    /// The number of students and the capacity, such as "12 of 30 enrolled".
    static func occupancy(_ course: Course, _ enrolled: Int, _ words: Words) -> String {
        course.capacity.map { words("enrollment.seats", enrolled, $0) }
            ?? words("enrollment.seatsOpen", enrolled)
    }
}
