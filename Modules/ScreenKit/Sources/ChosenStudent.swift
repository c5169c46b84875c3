public import DesignSystem
import Domain
import FeatureKit
public import Foundation

extension ScreenRequest {
    /// Whom a page is about that shows one student at a time: the one that its address names as `student`, else the one
    /// whom the person looked at last, else the first, and the segments to go from one to another. One student needs no segments; none at all is `nil`.
    /// - Parameters:
    ///   - students: whom the caller may see here, each with the name they are called by.
    ///   - first: whom the page is about where nobody was chosen yet; the first of them where it is left out.
    ///   - label: what the segments are for.
    /// - Throws: `Problem.notFound` for a student who is not among them.
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

    /// The same page about one student, so that the parts which other blocks add speak of the same one.
    public func about(student id: UUID) -> ScreenRequest {
        var request = self
        request.query["student"] = id.text
        return request
    }
}
