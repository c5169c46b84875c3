import CourseworkModel
import Domain
import FeatureKit
import Foundation

/// A file in the school's files that does not belong to a student's work yet.
struct StoredFile: Sendable, Hashable {
    let name: String
    let size: Int
    let hash: BlobHash
    var preview: Preview?

    /// A smaller copy of a picture, without the place where it was taken, for the page.
    struct Preview: Sendable, Hashable {
        let hash: BlobHash
        let width: Int
        let height: Int
    }
}

/// A file of a student's work with what is needed to serve it.
struct WorkFile: Sendable, Hashable {
    let file: SubmittedFile
    let assignmentId: UUID
    let studentId: UUID
    /// `nil` for a file of a draft.
    let submissionId: UUID?
    let hash: BlobHash
    let preview: StoredFile.Preview?
    let addedAt: Date

    /// The file without where it belongs.
    var stored: StoredFile { StoredFile(name: file.name, size: file.size, hash: hash, preview: preview) }
}

/// Reads and writes what students hand in, in the school's database.
enum SubmissionRepository {
    // MARK: - Submissions

    /// The submissions of an assignment with their files, by student and attempt.
    /// - Parameter studentId: reads only this student's submissions; `nil` reads all.
    static func submissions(
        of assignmentId: UUID, by studentId: UUID? = nil, in sql: any SQLReading
    ) throws -> [Submission] {
        let files = Dictionary(
            grouping: try files(of: assignmentId, by: studentId, in: sql).filter { $0.submissionId != nil },
            by: \.submissionId)
        let only: SQL = studentId.map { "AND student_id = \($0)" } ?? ""
        return try sql.rows(
            """
            SELECT * FROM coursework_submissions WHERE assignment_id = \(assignmentId) \(only)
            ORDER BY student_id, attempt
            """
        ).map { row in
            let id: UUID = try row.get("id")
            return try Submission(
                id: id, assignmentId: row.get("assignment_id"), studentId: row.get("student_id"),
                attempt: row.get("attempt"), text: row.optional("text"), link: row.optional("link"),
                files: (files[id] ?? []).map(\.file), handedInAt: row.get("handed_in_at"))
        }
    }

    /// The times at which a student handed in work, by assignment.
    static func times(of studentId: UUID, in sql: any SQLReading) throws -> [UUID: [Date]] {
        try sql.rows(
            "SELECT assignment_id, handed_in_at FROM coursework_submissions WHERE student_id = \(studentId)"
        ).reduce(into: [:]) { all, row in
            try all[row.get("assignment_id"), default: []].append(row.get("handed_in_at"))
        }
    }

    static func hasAny(of assignmentId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM coursework_submissions WHERE assignment_id = \(assignmentId) LIMIT 1")
    }

    /// The number of students who handed in work, by assignment.
    static func counts(of assignmentIds: [UUID], in sql: any SQLReading) throws -> [UUID: Int] {
        try sql.rows(
            """
            SELECT assignment_id, COUNT(DISTINCT student_id) AS students FROM coursework_submissions
            WHERE assignment_id IN \(list: assignmentIds) GROUP BY assignment_id
            """
        ).reduce(into: [:]) { $0[try $1.get("assignment_id")] = try $1.get("students") }
    }

    /// Inserts a submission, to which the files of the student's draft then belong.
    static func insert(_ one: Submission, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_submissions (id, student_id, assignment_id, attempt, text, link, handed_in_at)
            VALUES (\(one.id), \(one.studentId), \(one.assignmentId), \(one.attempt), \(one.text), \(one.link),
                \(one.handedInAt))
            """)
        try sql.execute(
            """
            UPDATE coursework_files SET submission_id = \(one.id)
            WHERE assignment_id = \(one.assignmentId) AND student_id = \(one.studentId) AND submission_id IS NULL
            """)
        try sql.execute(
            """
            DELETE FROM coursework_drafts
            WHERE assignment_id = \(one.assignmentId) AND student_id = \(one.studentId)
            """)
    }

    // MARK: - Drafts

    static func draft(of assignmentId: UUID, by studentId: UUID, in sql: any SQLReading) throws -> SubmissionDraft {
        let row = try sql.row(
            """
            SELECT text, link FROM coursework_drafts
            WHERE assignment_id = \(assignmentId) AND student_id = \(studentId)
            """)
        return SubmissionDraft(
            assignmentId: assignmentId, studentId: studentId, text: try row?.optional("text"),
            link: try row?.optional("link"),
            files: try files(of: assignmentId, by: studentId, in: sql).filter { $0.submissionId == nil }.map(\.file)
        )
    }

    /// The assignments for which a student has begun work.
    static func drafts(of studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows("SELECT assignment_id FROM coursework_drafts WHERE student_id = \(studentId)").map {
                try $0.get("assignment_id")
            })
    }

    static func save(_ draft: SubmissionDraft, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_drafts (student_id, assignment_id, text, link, changed_at)
            VALUES (\(draft.studentId), \(draft.assignmentId), \(draft.text), \(draft.link), \(now))
            ON CONFLICT (student_id, assignment_id) DO UPDATE
                SET text = excluded.text, link = excluded.link, changed_at = excluded.changed_at
            """)
    }

    // MARK: - Files

    static func files(
        of assignmentId: UUID, by studentId: UUID? = nil, in sql: any SQLReading
    ) throws -> [WorkFile] {
        let only: SQL = studentId.map { "AND student_id = \($0)" } ?? ""
        return try sql.rows(
            "SELECT * FROM coursework_files WHERE assignment_id = \(assignmentId) \(only) ORDER BY added_at, id"
        ).map(file)
    }

    /// All files of a student, the latest first.
    static func files(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [WorkFile] {
        try sql.rows(
            "SELECT * FROM coursework_files WHERE student_id = \(studentId) ORDER BY added_at DESC, id"
        ).map(file)
    }

    static func file(_ id: UUID, in sql: any SQLReading) throws -> WorkFile? {
        try sql.row("SELECT * FROM coursework_files WHERE id = \(id)").map(file)
    }

    /// Adds a file to a student's draft.
    static func insert(
        _ stored: StoredFile, id: UUID, to assignmentId: UUID, of studentId: UUID, at now: Date,
        in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO coursework_files
                (id, student_id, assignment_id, name, size, sha256, preview_sha256, width, height, added_at)
            VALUES (\(id), \(studentId), \(assignmentId), \(stored.name), \(stored.size), \(stored.hash),
                \(stored.preview?.hash), \(stored.preview?.width), \(stored.preview?.height), \(now))
            """)
    }

    static func deleteFile(_ id: UUID, in sql: any SQLWriting) throws {
        try ShareRepository.deleteAll(ofFile: id, in: sql)
        try sql.execute("DELETE FROM coursework_files WHERE id = \(id)")
    }

    /// The preview in the row of a file; `nil` without one.
    static func preview(_ row: SQLRow) throws -> StoredFile.Preview? {
        guard let hash: BlobHash = try row.optional("preview_sha256") else { return nil }
        return try StoredFile.Preview(hash: hash, width: row.get("width"), height: row.get("height"))
    }

    private static func file(_ row: SQLRow) throws -> WorkFile {
        try WorkFile(
            file: SubmittedFile(id: row.get("id"), name: row.get("name"), size: row.get("size")),
            assignmentId: row.get("assignment_id"), studentId: row.get("student_id"),
            submissionId: row.optional("submission_id"), hash: row.get("sha256"), preview: preview(row),
            addedAt: row.get("added_at"))
    }
}
