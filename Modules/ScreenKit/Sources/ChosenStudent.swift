public import DesignSystem
import Domain
import FeatureKit
public import Foundation

extension ScreenRequest {
    /// Chooses the student whom a page shows that is about one student at a time.
    ///
    /// That is the student whom the address names as `student`, else the one whom the person viewed last, else
    /// `first`.
    /// - Parameters:
    ///   - students: the students whom the caller may see here, each with the name that they are called by.
    ///   - first: the student to show if none was chosen yet; `nil` is the first of `students`.
    ///   - label: the label of the control that switches between students.
    /// - Returns: the student's id, `nil` if there are no students; and the control, empty for a single student.
    /// - Throws: `Problem.notFound` for a student who is not among `students`.
    public func chosenStudent(
        of students: [(id: UUID, name: String)], first: UUID? = nil, label: String
    ) throws -> (id: UUID?, segments: [Component]) {
        let wanted = query["student"]
        let named = wanted.flatMap { text in students.first { $0.id == UUID(text: text) } }
        guard wanted == nil || named != nil else { throw Problem.notFound }
        let remembered = students.first { $0.id == lastStudent }
        let chosen = named ?? remembered ?? students.first { $0.id == first } ?? students.first
        guard students.count > 1 else { return (chosen?.id, []) }
        let segments = students.map { student in
            PTSegmentedControl.Segment(
                title: student.name, path: "\(path)?student=\(student.id.text)",
                isSelected: student.id == chosen?.id)
        }
        return (chosen?.id, [.segments(PTSegmentedControl(label: label, segments: segments))])
    }

    /// Returns the request as if its address named a student, so that sections of other feature blocks show the same
    /// student.
    public func about(student id: UUID) -> ScreenRequest {
        var request = self
        request.query["student"] = id.text
        return request
    }
}
