import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

struct SetMark: Command {
    static let contract = Contract(
        "grades.mark", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/marks/{studentId}",
        access: .member(.teachCourses),
        summary: "Sets one mark as it is typed: a number, 'ex', 'm', a number with 'l' for late, or nothing.")
    typealias Result = GradeCell

    let courseId: UUID
    let itemId: UUID
    let studentId: UUID
    let text: String
    let comment: String?
    /// Whether the comment stays as it is: a sheet sets marks alone.
    let keepsComment: Bool
    /// The version of the mark that was seen; 0 where there was none.
    let version: Int

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        studentId = fields.id("studentId")
        text = fields.optionalText("text", max: 20) ?? ""
        comment = fields.optionalText("comment", max: 500, multiline: true)
        keepsComment = fields.flag("keepsComment")
        version = fields.integer("version", in: 0...1_000_000_000, default: 0)
    }
}

/// A cell of the gradebook after a change, with the student's total.
struct GradeCell: Codable, Sendable, Hashable {
    let itemId: UUID
    let studentId: UUID
    let text: String
    let comment: String?
    let version: Int
    /// The student's percentage as it is shown, and its letter; absent where nothing counts.
    let shown: String?
    let letter: String?
    let color: GradeColor?
    let trend: GradeTrend?
}

struct PasteMarks: Command {
    static let contract = Contract(
        "grades.paste", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/paste",
        access: .member(.teachCourses),
        summary: "Sets a column: a line for each student in the gradebook's order. All of it, or nothing.")
    typealias Result = PastedMarks

    let courseId: UUID
    let itemId: UUID
    let text: String
    /// The first student of the column; the whole list where it is left out.
    let from: UUID?
    /// Whether marks that stand in the column may be replaced.
    let replaces: Bool

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        // As it came: a column that begins with empty cells would slide up if it were trimmed.
        text = fields.writing("text", max: 10_000)
        from = fields.optionalId("from")
        replaces = fields.flag("replaces")
    }
}

struct PastedMarks: Codable, Sendable, Hashable {
    let count: Int
}

/// The commands that set marks.
struct MarkHandlers: Sendable {
    let items: ItemHandlers
    let people: GradebookPeople
    let reader: GradebookReader

    var commands: [CommandRegistration] {
        [
            .handle(SetMark.self) { command, context in
                let item = try items.item(command.itemId, of: command.courseId, context)
                let inCourse = try people.roster.students(of: item.courseId, in: context.sql)
                guard inCourse.contains(command.studentId) else { throw Problem.notFound }
                let before = try GradingRepository.grade(of: command.studentId, for: item.id, in: context.sql)
                guard before?.version ?? 0 == command.version else {
                    // Whoever came later is told what stands there now; what they typed is still theirs to send.
                    throw Problem(409, "grading.changed", [.text(before?.text ?? "")])
                }
                let mark: MarkText?
                do throws(MarkText.Fault) {
                    mark = try MarkText.read(
                        command.text, maximum: item.maximum, isExtraCredit: item.isExtraCredit)
                } catch {
                    throw Problem.invalid("text", error.code, [.text("\(item.maximum)")])
                }
                let after = Grade(
                    itemId: item.id, studentId: command.studentId, points: mark?.points,
                    state: mark?.state ?? .graded,
                    comment: command.keepsComment ? before?.comment : command.comment,
                    version: command.version + 1)
                try keep(after, of: item, in: &context)
                context.feedback = Feedback(.toast, context.words("grading.said.marked"))
                return try cell(after, of: item, in: context.sql)
            },
            .handle(PasteMarks.self) { command, context in
                let item = try items.item(command.itemId, of: command.courseId, context)
                let orgId = try context.membership.organization.id
                var students = try people.students(of: item.courseId, orgId, in: context.sql)[...]
                if let from = command.from {
                    guard let first = students.firstIndex(where: { $0.id == from }) else { throw Problem.notFound }
                    students = students[first...]
                }
                let old = Dictionary(
                    try GradingRepository.grades(ofItem: item.id, in: context.sql).map { ($0.studentId, $0) },
                    uniquingKeysWith: { first, _ in first })
                let marks = try Self.column(command, students.map(\.id), item, old)
                for (studentId, mark) in marks {
                    let before = old[studentId]
                    let after = Grade(
                        itemId: item.id, studentId: studentId, points: mark?.points, state: mark?.state ?? .graded,
                        comment: before?.comment, version: (before?.version ?? 0) + 1)
                    guard before?.text ?? "" != after.text else { continue }
                    try keep(after, of: item, in: &context)
                }
                context.feedback = Feedback(.toast, context.words("grading.said.pasted", marks.count))
                return PastedMarks(count: marks.count)
            },
        ]
    }

    /// The lines of a pasted column by student; every line that cannot be taken is a fault of its own.
    private static func column(
        _ command: PasteMarks, _ students: [UUID], _ item: GradebookItem, _ old: [UUID: Grade]
    ) throws -> [(UUID, MarkText?)] {
        var lines = command.text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A spreadsheet ends its last line too; further empty ones are cells that were emptied, as far as there are any.
        if lines.last?.isEmpty == true { lines.removeLast() }
        while lines.count > students.count, lines.last?.isEmpty == true { lines.removeLast() }
        var faults: [Fault] = []
        var marks: [(UUID, MarkText?)] = []
        for (row, line) in lines.enumerated() {
            // Not the field's own name: a form shows one fault beside a field, and all others above them.
            let field = "lines[\(row)]"
            guard students.indices.contains(row) else {
                faults.append(Fault(field, "grading.paste.nobody", [.number(row + 1)]))
                break
            }
            do throws(MarkText.Fault) {
                let mark = try MarkText.read(line, maximum: item.maximum, isExtraCredit: item.isExtraCredit)
                let new = Grade(
                    itemId: item.id, studentId: students[row], points: mark?.points,
                    state: mark?.state ?? .graded, version: 0)
                let standing = old[students[row]]?.text ?? ""
                if !command.replaces, !standing.isEmpty, standing != new.text {
                    faults.append(Fault(field, "grading.paste.taken", [.number(row + 1), .text(standing)]))
                }
                marks.append((students[row], mark))
            } catch {
                faults.append(
                    Fault(
                        field, error.lineCode,
                        [.number(row + 1), .text(String(line.prefix(20))), .text("\(item.maximum)")]))
            }
        }
        guard faults.isEmpty else { throw Problem.invalid(faults) }
        return marks
    }

    func keep(_ grade: Grade, of item: GradebookItem, in context: inout CommandContext) throws {
        try GradingRepository.put(grade, at: context.now, in: context.sql)
        items.news.leaders("grades.marked", item, student: grade.studentId, in: &context)
        if item.releasedAt != nil {
            try items.news.families("grades.changed", item, of: [grade.studentId], in: &context)
        }
    }

    /// Reads one student's marks and nobody else's: a total follows from these alone.
    private func cell(_ grade: Grade, of item: GradebookItem, in sql: any SQLReading) throws -> GradeCell {
        let gradebook = try reader.gradebook(of: item.courseId, student: grade.studentId, in: sql)
        let total = gradebook.courseGrade(of: grade.studentId)
        return GradeCell(
            itemId: grade.itemId, studentId: grade.studentId, text: grade.text, comment: grade.comment,
            version: grade.version, shown: total.map { "\($0.shown)" }, letter: total?.letter.rawValue,
            color: total?.color, trend: gradebook.trend(of: grade.studentId))
    }
}

extension MarkText.Fault {
    /// Of one mark.
    fileprivate var code: String {
        switch self {
        case .unreadable: "grading.mark.unreadable"
        case .negative: "grading.mark.negative"
        case .aboveMaximum: "grading.mark.aboveMaximum"
        case .tooFine: "grading.mark.tooFine"
        }
    }

    /// Of a line of a pasted column.
    fileprivate var lineCode: String {
        switch self {
        case .unreadable: "grading.paste.unreadable"
        case .negative: "grading.paste.negative"
        case .aboveMaximum: "grading.paste.aboveMaximum"
        case .tooFine: "grading.paste.tooFine"
        }
    }
}
