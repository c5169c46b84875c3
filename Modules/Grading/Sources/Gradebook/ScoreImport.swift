import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// Reads a CSV file of scores for a preview.
struct PreviewScoreImport: Command {
    static let contract = Contract(
        "grades.previewImport", "/api/v1/courses/{courseId}/gradebook/import/preview",
        access: .member(.teachCourses), replay: .natural,
        summary:
            "Compares a CSV file in the format of the export with the gradebook. Stores the file for a day and changes no score."
    )
    typealias Result = ScoreImportReport

    let courseId: UUID
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        // The course is checked before the file, so that a caller who does not lead it learns nothing.
        files = fields.optionalFiles("file", max: 1)
    }
}

/// Imports the scores of a previewed file.
struct ImportScores: Command {
    static let contract = Contract(
        "grades.import", "/api/v1/courses/{courseId}/gradebook/import", access: .member(.teachCourses),
        summary:
            "Stores the scores that a preview showed. Stores none if a score has changed since the preview, and returns a new one."
    )
    typealias Result = ScoreImportReport

    let courseId: UUID
    let uploadId: UUID
    /// The `plan` of the preview.
    let plan: String
    /// The conflicts in which the file's score replaces the stored one, as `studentId/itemId`.
    let taken: [String]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        uploadId = fields.id("uploadId")
        plan = fields.optionalText("plan", max: 200_000) ?? ""
        taken = fields.texts("taken", max: 10_000)
    }
}

/// The changes of a preview or an import.
struct ScoreImportReport: Codable, Sendable, Hashable {
    let uploadId: UUID
    let plan: String
    let isApplied: Bool
    /// Whether scores have changed since the preview, in which case nothing was stored.
    let isOutdated: Bool
    /// The scores that the file changes.
    let changes: [ScoreConflict]
    /// The scores that the file changes and another person has changed since the export.
    let clashes: [ScoreConflict]
    /// The number of scores that changed since the export and that the file leaves as exported. The stored ones stay.
    let keptCount: Int
}

/// The scores of a file that waits for its import.
struct ScoreUpload: Codable, Sendable, Hashable {
    struct Line: Codable, Sendable, Hashable {
        let studentId: UUID
        let itemId: UUID
        /// The score in the file, as it is typed.
        let text: String
        /// The score at the time of the export or, if the file does not say, at the time of the upload.
        let seen: String
    }
    let lines: [Line]
    let keptCount: Int

    /// Compares the exported, the file's and the stored score. A score that the file leaves as exported is no change.
    init(_ entries: [GradebookCSV.Entry], _ gradebook: Gradebook) {
        var (lines, kept): ([Line], Int) = ([], 0)
        for entry in entries {
            let stored = gradebook.score(of: entry.studentId, for: entry.itemId)?.text ?? ""
            let seen = entry.seen ?? stored
            if entry.score.text != seen {
                lines.append(
                    Line(studentId: entry.studentId, itemId: entry.itemId, text: entry.score.text, seen: seen))
            } else if stored != seen {
                kept += 1
            }
        }
        (self.lines, keptCount) = (lines, kept)
    }
}

/// The changes that an upload would make now.
struct ScoreImportPlan: Sendable {
    struct Row: Sendable {
        let change: ScoreConflict
        let item: GradebookItem
        let before: Score?
        let isConflict: Bool
        var key: String { "\(change.studentId.text)/\(change.itemId.text)" }
    }
    let rows: [Row]
    let keptCount: Int
    /// The versions of all scores in the file, in its order. A preview is outdated if they differ.
    let fingerprint: String

    init(_ upload: ScoreUpload, _ gradebook: Gradebook, _ students: [GradebookPeople.Student]) {
        let names = Dictionary(students.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let items = Dictionary(gradebook.items.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (rows, versions): ([Row], [String]) = ([], [])
        for line in upload.lines {
            guard let name = names[line.studentId], let item = items[line.itemId] else {
                versions.append("-")
                continue
            }
            let before = gradebook.score(of: line.studentId, for: line.itemId)
            let stored = before?.text ?? ""
            versions.append(String(before?.version ?? 0))
            guard stored != line.text else { continue }
            rows.append(
                Row(
                    change: ScoreConflict(
                        studentId: line.studentId, itemId: line.itemId, student: name, item: item.title,
                        theirs: stored, yours: line.text), item: item, before: before,
                    isConflict: stored != line.seen))
        }
        self.rows = rows
        keptCount = upload.keptCount
        fingerprint = versions.joined(separator: " ")
    }

    var changes: [Row] { rows.filter { !$0.isConflict } }
    var conflicts: [Row] { rows.filter(\.isConflict) }
}

/// Reads and writes files that wait for their import. Each person has one, for a day.
enum ScoreUploadRepository {
    static let lifetime: TimeInterval = 86_400

    static func replace(
        _ id: UUID, _ upload: ScoreUpload, of personId: UUID, courseId: UUID, at instant: Date,
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

    /// The person's upload for a course; `nil` if it is gone or older than a day.
    static func upload(
        _ id: UUID, of personId: UUID, courseId: UUID, at instant: Date, in sql: any SQLReading
    ) throws -> ScoreUpload? {
        try sql.row(
            """
            SELECT body FROM grading_uploads WHERE id = \(id) AND person_id = \(personId)
                AND course_id = \(courseId) AND created_at >= \(instant - lifetime)
            """
        ).map { try JSON.decode(ScoreUpload.self, from: Data($0.get("body", as: String.self).utf8)) }
    }
}

extension ScoreHandlers {
    /// The commands of the import: preview and apply.
    var importCommands: [CommandRegistration] {
        [
            .handle(PreviewScoreImport.self) { command, context in
                let membership = try context.membership
                let course = try items.courses.course(command.courseId, ledBy: membership, in: context.sql)
                let gradebook = try reader.gradebook(of: course.id, in: context.sql)
                guard let file = command.files.first else { throw Problem.invalid("file", "required") }
                let students = try people.students(of: course.id, membership.organization.id, in: context.sql)
                let entries = try GradebookCSV(gradebook.items).entries(
                    of: file.content.bytes(), students: Set(students.map(\.id)))
                let (id, upload) = (context.newId(), ScoreUpload(entries, gradebook))
                try ScoreUploadRepository.replace(
                    id, upload, of: membership.personId, courseId: course.id, at: context.now, in: context.sql)
                context.destination = GradebookScreens.importPath(course.id, id)
                return try report(
                    id, ScoreImportPlan(upload, gradebook, students), membership.organization.id, in: context.sql)
            },
            .handle(ImportScores.self) { command, context in
                let membership = try context.membership
                let course = try items.courses.course(command.courseId, ledBy: membership, in: context.sql)
                guard
                    let upload = try ScoreUploadRepository.upload(
                        command.uploadId, of: membership.personId, courseId: course.id, at: context.now,
                        in: context.sql)
                else { throw Problem(410, "grading.uploadGone") }
                let plan = ScoreImportPlan(
                    upload, try reader.gradebook(of: course.id, in: context.sql),
                    try people.students(of: course.id, membership.organization.id, in: context.sql))
                guard plan.fingerprint == command.plan else {
                    context.destination = GradebookScreens.importPath(course.id, command.uploadId, isOutdated: true)
                    return try report(
                        command.uploadId, plan, membership.organization.id, isOutdated: true, in: context.sql)
                }
                let taken = Set(command.taken)
                let rows = plan.rows.filter { !$0.isConflict || taken.contains($0.key) }
                for grade in try rows.map(Self.score) {
                    guard let item = plan.rows.first(where: { $0.item.id == grade.itemId })?.item else { continue }
                    try store(grade, of: item, in: &context)
                }
                try ScoreUploadRepository.remove(of: membership.personId, in: context.sql)
                context.feedback = Feedback(.toast, context.words("grading.said.imported", rows.count))
                context.destination = GradebookScreens.path(course.id)
                return try report(
                    command.uploadId, plan, membership.organization.id, isApplied: true, in: context.sql)
            },
        ]
    }

    /// The score that a row stores. Throws if the item has changed since so that the score is not valid.
    private static func score(_ row: ScoreImportPlan.Row) throws -> Score {
        do throws(ScoreText.Fault) {
            let score = try ScoreText.read(
                row.change.yours, maximum: row.item.maximum, isExtraCredit: row.item.isExtraCredit)
            return Score(
                itemId: row.item.id, studentId: row.change.studentId, points: score?.points,
                state: score?.state ?? .graded, comment: row.before?.comment,
                version: (row.before?.version ?? 0) + 1)
        } catch {
            throw Problem.invalid(
                "plan", "grading.import.mark",
                [.text(row.change.student), .text(row.item.title), .text(row.change.yours)])
        }
    }

    private func report(
        _ id: UUID, _ plan: ScoreImportPlan, _ orgId: UUID, isApplied: Bool = false, isOutdated: Bool = false,
        in sql: any SQLReading
    ) throws -> ScoreImportReport {
        ScoreImportReport(
            uploadId: id, plan: plan.fingerprint, isApplied: isApplied, isOutdated: isOutdated,
            changes: plan.changes.map(\.change),
            clashes: try authors.addingAuthors(to: plan.conflicts.map(\.change), orgId, in: sql),
            keptCount: plan.keptCount)
    }
}
