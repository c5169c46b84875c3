import CurriculumInterface
import Domain
import Foundation
import ScreenKit

/// The chosen subject and ages, and the page that the guide came from.
struct ProgressView {
    /// The class whose grid the guide came from, or `nil` for the child's list.
    let classroomId: UUID?
    let band: AgeBand?
    private let wanted: UUID?

    init(_ request: ScreenRequest, classroomId: UUID?) {
        self.classroomId = classroomId
        band = request.query["band"].flatMap(AgeBand.init(rawValue:))
        wanted = request.query["subject"].flatMap(UUID.init(text:))
    }

    /// The chosen subject, or the first.
    func subject(in curriculum: Curriculum) -> CurriculumEntry? {
        let subjects = curriculum.offered.filter { $0.kind == .subject }
        return subjects.first { $0.id == wanted } ?? subjects.first
    }

    /// The query of a material's path, which leads back to the same view.
    var query: String {
        let parts = [classroomId.map { "classroom=\($0.text)" }, band.map { "band=\($0.rawValue)" }]
            .compactMap(\.self)
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// The chosen subject and ages as fields of a form.
    func fields(in curriculum: Curriculum) -> [String: String] {
        var fields: [String: String] = [:]
        fields["subject"] = subject(in: curriculum)?.id.text
        fields["band"] = band?.rawValue
        return fields
    }

    /// The query for another subject or age band.
    func filter(subject: UUID?, _ band: AgeBand?) -> String {
        let parts = [subject.map { "subject=\($0.text)" }, band.map { "band=\($0.rawValue)" }].compactMap(\.self)
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// The path of the page that the guide came from.
    func back(from studentId: UUID, _ subjectId: UUID?) -> String {
        (classroomId.map { "/classrooms/\($0.text)/progress" } ?? "/students/\(studentId.text)/materials")
            + filter(subject: subjectId, band)
    }
}
