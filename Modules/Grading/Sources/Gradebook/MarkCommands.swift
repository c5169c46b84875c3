import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

struct SetMark: Command {
    static let contract = Contract(
        "grades.mark", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/marks/{studentId}",
        access: .member(.teachCourses), isOfflineCapable: true,
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
        access: .member(.teachCourses), isOfflineCapable: true,
        summary: """
            Sets a column: a line for each student in the gradebook's order. All of it, or nothing; nothing either where a \
            mark has another version than the caller saw.
            """)
    typealias Result = PastedMarks

    let courseId: UUID
    let itemId: UUID
    let text: String
    /// The first student of the column; the whole list where it is left out.
    let from: UUID?
    /// Whose lines these are, one after the other; the gradebook's order where it is left out. A sheet says it, since
    /// somebody may have joined the course since it was opened.
    let students: [UUID]
    /// Whether marks that stand in the column may be replaced.
    let replaces: Bool
    /// The versions that were seen, one for each student from the first on; 0, and what is left out, means no mark.
    let versions: [Int]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        // As it came: a column that begins with empty cells would slide up if it were trimmed.
        text = fields.writing("text", max: 10_000)
        from = fields.optionalId("from")
        students = fields.ids("students", max: 5000)
        replaces = fields.flag("replaces")
        let seen = (fields.optionalText("versions", max: 10_000) ?? "").split(separator: " ")
        versions = seen.compactMap { Int($0) }
        fields.refuse("versions", "grading.paste.versions", unless: versions.count == seen.count)
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

    /// Clashes that are told at once.
    private static let toldClashes = 50
    var authors: MarkAuthors { MarkAuthors(people: people) }

    var queries: [QueryRegistration] {
        [
            .handle(ReadMarks.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let course = try items.courses.course(query.courseId, ledBy: membership, in: sql)
                    guard let item = try GradingRepository.item(query.itemId, in: sql), item.courseId == course.id
                    else { throw Problem.notFound }
                    let students = try people.students(of: course.id, membership.organization.id, in: sql)
                    let stored = Dictionary(
                        try GradingRepository.grades(ofItem: item.id, in: sql).map { ($0.studentId, $0) },
                        uniquingKeysWith: { first, _ in first })
                    let places = Set(stored.keys.map { MarkPlace(studentId: $0, itemId: item.id) })
                    let authors = try authors.authors(of: places, membership.organization.id, in: sql)
                    return Page(
                        items: students.map { student in
                            StoredMark(
                                studentId: student.id, text: stored[student.id]?.text ?? "",
                                version: stored[student.id]?.version ?? 0,
                                by: authors[MarkPlace(studentId: student.id, itemId: item.id)]?.name)
                        }, next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(SetMark.self) { command, context in
                let item = try items.item(command.itemId, of: command.courseId, context)
                let inCourse = try people.roster.students(of: item.courseId, in: context.sql)
                guard inCourse.contains(command.studentId) else { throw Problem.notFound }
                let before = try GradingRepository.grade(of: command.studentId, for: item.id, in: context.sql)
                guard before?.version ?? 0 == command.version else {
                    // Whoever came later is told what is stored now; what they typed is still theirs to send.
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
                if !command.students.isEmpty {
                    let known = Dictionary(students.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                    students = try command.students.map { id in
                        guard let student = known[id] else { throw Problem(409, "grading.studentLeft") }
                        return student
                    }[...]
                }
                let old = Dictionary(
                    try GradingRepository.grades(ofItem: item.id, in: context.sql).map { ($0.studentId, $0) },
                    uniquingKeysWith: { first, _ in first })
                let marks = try Self.column(command, students.map(\.id), item, old)
                var changes: [Grade] = []
                var clashes: [Int: MarkClash] = [:]
                for (row, (student, (studentId, mark))) in zip(students, marks).enumerated() {
                    let before = old[studentId]
                    let after = Grade(
                        itemId: item.id, studentId: studentId, points: mark?.points, state: mark?.state ?? .graded,
                        comment: before?.comment, version: (before?.version ?? 0) + 1)
                    let stored = before?.text ?? ""
                    guard stored != after.text else { continue }
                    changes.append(after)
                    let seen = command.versions.indices.contains(row) ? command.versions[row] : 0
                    guard command.replaces, seen != before?.version ?? 0 else { continue }
                    clashes[row] = MarkClash(
                        studentId: studentId, itemId: item.id, student: student.name, item: item.title,
                        theirs: stored, yours: after.text)
                }
                try refuse(clashes, "lines", orgId, in: context.sql)
                for change in changes { try keep(change, of: item, in: &context) }
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

    /// Throws a problem that tells every clash, by its line; does nothing where there is none.
    func refuse(_ clashes: [Int: MarkClash], _ field: String, _ orgId: UUID, in sql: any SQLReading) throws {
        guard !clashes.isEmpty else { return }
        let rows = clashes.keys.sorted()
        let told = try authors.told(rows.compactMap { clashes[$0] }, orgId, in: sql)
        throw Problem(
            409, "grading.clashes",
            faults: zip(rows, told).prefix(Self.toldClashes).map { $1.fault("\(field)[\($0)]") })
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
