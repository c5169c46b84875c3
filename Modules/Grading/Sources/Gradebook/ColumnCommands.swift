import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

struct CurveMarks: Command {
    static let contract = Contract(
        "grades.curve", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/curve",
        access: .member(.teachCourses),
        summary:
            "Raises all marks of an item by one rule: points for everybody (add), or until the best is full (best, scale)."
    )
    typealias Result = PastedMarks

    let courseId: UUID
    let itemId: UUID
    let curve: GradeCurve

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        let method = fields.choice("method", of: CurveMethod.self)
        let text = fields.optionalText("points", max: 12) ?? ""
        // Whatever the number is not, `refuse` says.
        let points = (try? MarkText.number(text)) ?? 0
        fields.refuse("points", "grading.curve.points", unless: method != .add || points > 0)
        curve = method.curve(points)
    }
}

/// The rules of a curve, as they are chosen.
enum CurveMethod: String, Codable, Sendable, Hashable, CaseIterable {
    case add, best, scale

    func curve(_ points: Hundredths) -> GradeCurve {
        switch self {
        case .add: .add(points: points)
        case .best: .best
        case .scale: .scale
        }
    }
}

struct ImportMarks: Command {
    static let contract = Contract(
        "grades.import", "/api/v1/courses/{courseId}/gradebook/import", access: .member(.teachCourses),
        summary: "Sets the marks of a CSV file such as the export writes. All of it, or nothing.")
    typealias Result = PastedMarks

    let courseId: UUID
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        // The course is looked at first: whoever may not lead it learns nothing.
        files = fields.optionalFiles("file", max: 1)
    }
}

extension MarkHandlers {
    /// The commands that set many marks by a rule or a file.
    var columnCommands: [CommandRegistration] {
        [
            .handle(CurveMarks.self) { command, context in
                let item = try items.item(command.itemId, of: command.courseId, context)
                let marked = try GradingRepository.grades(ofItem: item.id, in: context.sql).filter {
                    $0.points != nil
                }
                let after = command.curve.applied(
                    to: marked.compactMap(\.points), maximum: item.maximum, isExtraCredit: item.isExtraCredit)
                var count = 0
                for (grade, points) in zip(marked, after) where grade.points != points {
                    var raised = grade
                    raised.points = points
                    raised.version += 1
                    try keep(raised, of: item, in: &context)
                    count += 1
                }
                context.feedback = Feedback(.toast, context.words("grading.said.pasted", count))
                context.destination = GradebookScreens.path(item)
                return PastedMarks(count: count)
            },
            .handle(ImportMarks.self) { command, context in
                let course = try items.courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                let gradebook = try reader.gradebook(of: course.id, in: context.sql)
                let known = Dictionary(gradebook.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                guard let file = command.files.first else { throw Problem.invalid("file", "required") }
                let entries = try GradebookCSV(gradebook.items).entries(
                    of: file.content.bytes(),
                    students: Set(people.roster.students(of: course.id, in: context.sql)))
                var count = 0
                for entry in entries {
                    let before = gradebook.grade(of: entry.studentId, for: entry.itemId)
                    let after = Grade(
                        itemId: entry.itemId, studentId: entry.studentId, points: entry.mark.points,
                        state: entry.mark.state, comment: before?.comment, version: (before?.version ?? 0) + 1)
                    guard let item = known[entry.itemId], before?.text ?? "" != after.text else { continue }
                    try keep(after, of: item, in: &context)
                    count += 1
                }
                context.feedback = Feedback(.toast, context.words("grading.said.pasted", count))
                context.destination = GradebookScreens.path(course.id)
                return PastedMarks(count: count)
            },
        ]
    }
}
