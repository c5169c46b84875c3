import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

struct PreviewMarks: Command {
    static let contract = Contract(
        "grades.previewImport", "/api/v1/courses/{courseId}/gradebook/import/preview",
        access: .member(.teachCourses), replay: .natural,
        summary:
            "Compares the marks of a CSV file such as the export writes with the gradebook, changes nothing, and keeps them for a day."
    )
    typealias Result = MarkImportReport

    let courseId: UUID
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        // The course is looked at first: whoever may not lead it learns nothing.
        files = fields.optionalFiles("file", max: 1)
    }
}

struct ImportMarks: Command {
    static let contract = Contract(
        "grades.import", "/api/v1/courses/{courseId}/gradebook/import", access: .member(.teachCourses),
        summary:
            "Sets the marks that a preview showed. Nothing where a mark has changed since the preview; it is shown anew."
    )
    typealias Result = MarkImportReport

    let courseId: UUID
    let uploadId: UUID
    /// The `plan` of the preview.
    let plan: String
    /// The clashes in which the file's mark counts, as `studentId/itemId`; in all others the stored mark stays.
    let taken: [String]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        uploadId = fields.id("uploadId")
        plan = fields.optionalText("plan", max: 200_000) ?? ""
        taken = fields.texts("taken", max: 10_000)
    }
}

/// What an import changes, or has changed.
struct MarkImportReport: Codable, Sendable, Hashable {
    let uploadId: UUID
    let plan: String
    let isApplied: Bool
    /// Whether marks have changed since the preview; then nothing was written.
    let isOutdated: Bool
    /// Marks that the file changes.
    let changes: [MarkClash]
    /// Marks that the file changes and somebody else has changed since it was exported.
    let clashes: [MarkClash]
    /// How many marks somebody has changed since the export that the file leaves as they were exported; they stay.
    let keptCount: Int
}

/// The marks of a file as they wait for their import.
struct MarkUpload: Codable, Sendable, Hashable {
    struct Line: Codable, Sendable, Hashable {
        let studentId: UUID
        let itemId: UUID
        /// The mark of the file, as it is typed.
        let text: String
        /// The mark that the file's author saw; where the file does not tell, the one that was stored when it was read.
        let seen: String
    }
    let lines: [Line]
    let keptCount: Int

    /// Three marks decide: what was exported, what the file has, and what is stored. A mark that the file's author left
    /// as it was exported is no change.
    init(_ entries: [GradebookCSV.Entry], _ gradebook: Gradebook) {
        var (lines, kept): ([Line], Int) = ([], 0)
        for entry in entries {
            let stored = gradebook.grade(of: entry.studentId, for: entry.itemId)?.text ?? ""
            let seen = entry.seen ?? stored
            if entry.mark.text != seen {
                lines.append(
                    Line(studentId: entry.studentId, itemId: entry.itemId, text: entry.mark.text, seen: seen))
            } else if stored != seen {
                kept += 1
            }
        }
        (self.lines, keptCount) = (lines, kept)
    }
}

/// What an upload would change now.
struct MarkImportPlan: Sendable {
    struct Row: Sendable {
        let change: MarkClash
        let item: GradebookItem
        let before: Grade?
        let isClash: Bool
        var key: String { "\(change.studentId.text)/\(change.itemId.text)" }
    }
    let rows: [Row]
    let keptCount: Int
    /// The versions of all marks that the file is about, in its order: they tell whether a preview still holds.
    let fingerprint: String

    init(_ upload: MarkUpload, _ gradebook: Gradebook, _ students: [GradebookPeople.Student]) {
        let names = Dictionary(students.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let items = Dictionary(gradebook.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (rows, versions): ([Row], [String]) = ([], [])
        for line in upload.lines {
            guard let name = names[line.studentId], let item = items[line.itemId] else {
                versions.append("-")
                continue
            }
            let before = gradebook.grade(of: line.studentId, for: line.itemId)
            let stored = before?.text ?? ""
            versions.append(String(before?.version ?? 0))
            guard stored != line.text else { continue }
            rows.append(
                Row(
                    change: MarkClash(
                        studentId: line.studentId, itemId: line.itemId, student: name, item: item.title,
                        theirs: stored, yours: line.text), item: item, before: before,
                    isClash: stored != line.seen))
        }
        self.rows = rows
        keptCount = upload.keptCount
        fingerprint = versions.joined(separator: " ")
    }

    var changes: [Row] { rows.filter { !$0.isClash } }
    var clashes: [Row] { rows.filter(\.isClash) }
}

/// The SQL of files that wait for their import. One per person, for a day.
enum MarkUploadRepository {
    static let lifetime: TimeInterval = 86_400

    static func replace(
        _ id: UUID, _ upload: MarkUpload, of personId: UUID, courseId: UUID, at instant: Date,
        in sql: any SQLWriting
    ) throws {
        try remove(of: personId, in: sql)
        let body = String(decoding: try JSON.encode(upload), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO grading_uploads (id, person_id, course_id, body, created_at)
            VALUES (\(id), \(personId), \(courseId), \(body), \(instant))
            """)
    }

    static func remove(of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM grading_uploads WHERE person_id = \(personId)")
    }

    /// The person's own upload for this course; `nil` where it is gone or too old.
    static func upload(
        _ id: UUID, of personId: UUID, courseId: UUID, at instant: Date, in sql: any SQLReading
    ) throws -> MarkUpload? {
        try sql.row(
            """
            SELECT body FROM grading_uploads WHERE id = \(id) AND person_id = \(personId)
                AND course_id = \(courseId) AND created_at >= \(instant - lifetime)
            """
        ).map { try JSON.decode(MarkUpload.self, from: Data($0.get("body", as: String.self).utf8)) }
    }
}

extension MarkHandlers {
    /// The import of a file: shown first, then written as it was shown.
    var importCommands: [CommandRegistration] {
        [
            .handle(PreviewMarks.self) { command, context in
                let membership = try context.membership
                let course = try items.courses.course(command.courseId, ledBy: membership, in: context.sql)
                let gradebook = try reader.gradebook(of: course.id, in: context.sql)
                guard let file = command.files.first else { throw Problem.invalid("file", "required") }
                let students = try people.students(of: course.id, membership.organization.id, in: context.sql)
                let entries = try GradebookCSV(gradebook.items).entries(
                    of: file.content.bytes(), students: Set(students.map(\.id)))
                let (id, upload) = (context.newId(), MarkUpload(entries, gradebook))
                try MarkUploadRepository.replace(
                    id, upload, of: membership.personId, courseId: course.id, at: context.now, in: context.sql)
                context.destination = GradebookScreens.importPath(course.id, id)
                return try report(
                    id, MarkImportPlan(upload, gradebook, students), membership.organization.id, in: context.sql)
            },
            .handle(ImportMarks.self) { command, context in
                let membership = try context.membership
                let course = try items.courses.course(command.courseId, ledBy: membership, in: context.sql)
                guard
                    let upload = try MarkUploadRepository.upload(
                        command.uploadId, of: membership.personId, courseId: course.id, at: context.now,
                        in: context.sql)
                else { throw Problem(410, "grading.uploadGone") }
                let plan = MarkImportPlan(
                    upload, try reader.gradebook(of: course.id, in: context.sql),
                    try people.students(of: course.id, membership.organization.id, in: context.sql))
                guard plan.fingerprint == command.plan else {
                    context.destination = GradebookScreens.importPath(course.id, command.uploadId, isOutdated: true)
                    return try report(
                        command.uploadId, plan, membership.organization.id, isOutdated: true, in: context.sql)
                }
                let taken = Set(command.taken)
                let rows = plan.rows.filter { !$0.isClash || taken.contains($0.key) }
                for grade in try rows.map(Self.grade) {
                    guard let item = plan.rows.first(where: { $0.item.id == grade.itemId })?.item else { continue }
                    try keep(grade, of: item, in: &context)
                }
                try MarkUploadRepository.remove(of: membership.personId, in: context.sql)
                context.feedback = Feedback(.toast, context.words("grading.said.imported", rows.count))
                context.destination = GradebookScreens.path(course.id)
                return try report(
                    command.uploadId, plan, membership.organization.id, isApplied: true, in: context.sql)
            },
        ]
    }

    /// The mark that a row stores. The item may have changed since the file was read.
    private static func grade(_ row: MarkImportPlan.Row) throws -> Grade {
        do throws(MarkText.Fault) {
            let mark = try MarkText.read(
                row.change.yours, maximum: row.item.maximum, isExtraCredit: row.item.isExtraCredit)
            return Grade(
                itemId: row.item.id, studentId: row.change.studentId, points: mark?.points,
                state: mark?.state ?? .graded, comment: row.before?.comment,
                version: (row.before?.version ?? 0) + 1)
        } catch {
            throw Problem.invalid(
                "plan", "grading.import.mark",
                [.text(row.change.student), .text(row.item.title), .text(row.change.yours)])
        }
    }

    private func report(
        _ id: UUID, _ plan: MarkImportPlan, _ orgId: UUID, isApplied: Bool = false, isOutdated: Bool = false,
        in sql: any SQLReading
    ) throws -> MarkImportReport {
        MarkImportReport(
            uploadId: id, plan: plan.fingerprint, isApplied: isApplied, isOutdated: isOutdated,
            changes: plan.changes.map(\.change),
            clashes: try authors.told(plan.clashes.map(\.change), orgId, in: sql), keptCount: plan.keptCount)
    }
}
