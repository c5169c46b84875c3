import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// A comment that a teacher spoke about a student's work. The student hears it once the work is returned.
struct SpokenComment: Sendable, Hashable {
    /// The longest recording in seconds.
    static let longest = 300
    /// The largest recording in bytes: five minutes of sound as phones record it.
    static let bytes = 12 << 20
    static let bodyLimit = bytes + (1 << 16)

    let assignmentId: UUID
    let studentId: UUID
    let audio: BlobHash
    let media: MediaType
    let recordedBy: UUID
    let recordedAt: Date

    /// The address of the recording. It contains the hash, so that a new recording has a new address.
    var path: String {
        "\(AssignmentScreens.path(assignmentId))/comments/\(studentId.text)/\(audio.text)"
    }

    /// The recording with the controls of the browser.
    func component(_ words: Words) -> Component {
        .audio(PTAudio(url: path, label: words("coursework.spoken")))
    }
}

/// Stores a spoken comment, in the place of the one before.
struct RecordComment: Command {
    static let contract = Contract(
        "coursework.recordComment", "/api/v1/assignments/{assignmentId}/marks/{studentId}/recording",
        access: .member(.teachCourses), isCreation: true, bodyLimit: SpokenComment.bodyLimit,
        summary: """
            Stores a spoken comment about a student's work, at most five minutes, in the place of the one before. Hidden \
            from the student until the work is returned.
            """)
    typealias Result = Done

    let assignmentId: UUID
    let studentId: UUID
    let audio: UploadedFile?

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        studentId = fields.id("studentId")
        audio = fields.optionalFiles("audio", max: 1).first
        // Files that are chosen have no such field.
        _ = fields.integer("seconds", in: 1...SpokenComment.longest, default: 1)
    }
}

/// Deletes a spoken comment.
struct DeleteComment: Command {
    static let contract = Contract(
        "coursework.deleteComment", "/api/v1/assignments/{assignmentId}/marks/{studentId}/recording/delete",
        access: .member(.teachCourses), summary: "Deletes the spoken comment about a student's work.")
    typealias Result = Done

    let assignmentId: UUID
    let studentId: UUID

    init(_ fields: inout FieldReader) {
        assignmentId = fields.id("assignmentId")
        studentId = fields.id("studentId")
    }
}

/// The commands and the download of spoken comments, and their parts of the marking page.
struct SpokenComments: Sendable {
    let access: CourseworkAccess
    let changes: CourseworkChanges

    var commands: [CommandRegistration] {
        [
            .handle(
                RecordComment.self, prepare: store,
                run: { command, stored, context in
                    let one = try marked(command.assignmentId, command.studentId, context.membership, context.sql)
                    let comment = SpokenComment(
                        assignmentId: one.id, studentId: command.studentId, audio: stored.hash, media: stored.media,
                        recordedBy: try context.membership.personId, recordedAt: context.now)
                    try SpokenCommentRepository.put(comment, in: context.sql)
                    try record("coursework.commentRecorded", one, command.studentId, &context)
                    context.feedback = Feedback(.toast, context.words("coursework.said.commentRecorded"))
                    return Done()
                }),
            .handle(DeleteComment.self) { command, context in
                let one = try marked(command.assignmentId, command.studentId, context.membership, context.sql)
                guard
                    try SpokenCommentRepository.comment(of: one.id, for: command.studentId, in: context.sql) != nil
                else { throw Problem.notFound }
                try SpokenCommentRepository.delete(of: one.id, for: command.studentId, in: context.sql)
                try record("coursework.commentDeleted", one, command.studentId, &context)
                context.feedback = Feedback(.toast, context.words("coursework.said.commentDeleted"))
                return Done()
            },
        ]
    }

    private struct Sound: Sendable {
        let hash: BlobHash
        let media: MediaType
    }

    /// Stores the recording before the transaction, after a check that the caller may mark the work.
    @Sendable
    private func store(_ command: RecordComment, _ context: RequestContext) async throws -> Sound {
        let membership = try context.membership
        _ = try await context.school.read {
            try marked(command.assignmentId, command.studentId, membership, $0)
        }
        guard let sent = command.audio, let media = MediaType(try sent.content.head(MediaType.headBytes)),
            media.isSound
        else { throw Problem.invalid("audio", "coursework.notSound") }
        guard sent.size <= SpokenComment.bytes else {
            throw Problem.invalid("audio", "coursework.soundTooLarge", [.number(SpokenComment.bytes >> 20)])
        }
        return Sound(hash: try await context.files.put(sent.content), media: media)
    }

    /// Returns an assignment that the caller leads and that the student has, or has handed in.
    private func marked(
        _ assignmentId: UUID, _ studentId: UUID, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> Assignment {
        let (one, _) = try access.led(assignmentId, membership, in: sql)
        guard
            try access.isFor(studentId, one, in: sql)
                || !SubmissionRepository.submissions(of: one.id, by: studentId, in: sql).isEmpty
        else { throw Problem.notFound }
        return one
    }

    /// Records a change for the teachers, and for the family once the work is returned.
    private func record(
        _ kind: String, _ one: Assignment, _ studentId: UUID, _ context: inout CommandContext
    ) throws {
        context.record(changes.forLeaders(kind, one, studentId))
        guard one.publishedAt != nil,
            try MarkRepository.mark(of: one.id, for: studentId, in: context.sql)?.returnedAt != nil
        else { return }
        context.record(try changes.forFamily("coursework.notesChanged", one, studentId, in: context.sql))
    }

    /// The recording, for the course's teachers, and for the student and the parents once the work is returned.
    var download: DownloadRoute {
        DownloadRoute("/assignments/{assignmentId}/comments/{studentId}/{hash}", access: .member(.viewCourses)) {
            parameters, context in
            guard let assignmentId = parameters["assignmentId"].flatMap(UUID.init(text:)),
                let studentId = parameters["studentId"].flatMap(UUID.init(text:)),
                let hash = parameters["hash"].flatMap(BlobHash.init(_:))
            else { throw Problem.notFound }
            let (membership, now) = (try context.membership, context.now)
            let comment = try await context.school.read { sql in
                let seen = try access.seen(assignmentId, membership, at: now, in: sql)
                guard
                    let comment = try SpokenCommentRepository.comment(of: assignmentId, for: studentId, in: sql),
                    comment.audio == hash
                else { throw Problem.notFound }
                let isReturned =
                    try MarkRepository.mark(of: assignmentId, for: studentId, in: sql)?.returnedAt != nil
                guard seen.leads || (seen.learners.contains(studentId) && isReturned) else {
                    throw Problem.notFound
                }
                return comment
            }
            return try await DownloadedFile(comment.audio, comment.media, of: context.files)
        }
    }

    /// The spoken comment on the marking page: the recording, and the form that takes an audio file.
    func components(_ comment: SpokenComment?, _ one: Assignment, _ studentId: UUID, _ request: ScreenRequest)
        -> [Component]
    {
        let words = request.words
        let ids = ["assignmentId": one.id.text, "studentId": studentId.text]
        let path = AssignmentScreens.marking(one.id, studentId)
        var form = request.form(
            RecordComment.self, ids, id: "recording",
            fields: [
                PTField(
                    .file(accept: ["audio/*"]), name: "audio", label: words("coursework.spoken.file"),
                    hint: words("coursework.spoken.tip", SpokenComment.bytes >> 20),
                    isRequired: true)
            ],
            submit: SubmitButton(title: words("coursework.spoken.send"), role: .tonal), to: path)
        form.voice = PTVoiceInput(
            action: RecordComment.contract.path(filling: ids), canKeep: false, longest: SpokenComment.longest)
        let heard: [Component] =
            comment.map { comment in
                [
                    comment.component(words),
                    .button(
                        PTButton(
                            title: words("coursework.spoken.delete"), role: .quiet,
                            action: .perform(
                                request.call(
                                    DeleteComment.self, ids,
                                    confirmation: PTConfirmation(
                                        title: words("coursework.spoken.delete.title"),
                                        confirm: words("coursework.spoken.delete")), to: path)))),
                ]
            } ?? []
        let isOpen = request.refused?.command == form.action
        return heard + [
            .disclosure(
                PTDisclosure(
                    title: words(comment == nil ? "coursework.spoken.add" : "coursework.spoken.replace"),
                    body: [.form(form)], isOpen: isOpen))
        ]
    }
}

/// Reads and writes spoken comments in the school's database.
enum SpokenCommentRepository {
    static let migration = Migration(
        "012-spoken-comments",
        """
        CREATE TABLE coursework_spoken_comments (
            student_id TEXT NOT NULL,
            assignment_id TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            media TEXT NOT NULL,
            recorded_by TEXT NOT NULL,
            recorded_at BIGINT NOT NULL,
            PRIMARY KEY (student_id, assignment_id)
        );
        CREATE INDEX coursework_spoken_comments_assignment ON coursework_spoken_comments (assignment_id);
        """)

    static let records = RecordKind(
        "coursework.spokenComments", "coursework.records.spokenComments", personal: [.notes, .files],
        erasure: .withPerson,
        tables: [
            RecordTable(
                "coursework_spoken_comments",
                export: { _ in
                    """
                    SELECT student_id, assignment_id, sha256, media, recorded_by, recorded_at
                    FROM coursework_spoken_comments ORDER BY assignment_id, student_id
                    """
                },
                about: { subject in
                    """
                    SELECT a.title, c.recorded_at, c.sha256 FROM coursework_spoken_comments c
                    JOIN coursework_assignments a ON a.id = c.assignment_id
                    JOIN coursework_marks m ON m.student_id = c.student_id AND m.assignment_id = c.assignment_id
                    WHERE c.student_id = \(subject.personId) AND m.returned_at IS NOT NULL
                    ORDER BY c.recorded_at, a.id
                    """
                },
                erase: { "DELETE FROM coursework_spoken_comments WHERE student_id = \($0.personId)" },
                files: "SELECT sha256 FROM coursework_spoken_comments")
        ])

    static func comment(
        of assignmentId: UUID, for studentId: UUID, in sql: any SQLReading
    ) throws -> SpokenComment? {
        try sql.row(
            """
            SELECT * FROM coursework_spoken_comments
            WHERE student_id = \(studentId) AND assignment_id = \(assignmentId)
            """
        ).map { row in
            try SpokenComment(
                assignmentId: row.get("assignment_id"), studentId: row.get("student_id"), audio: row.get("sha256"),
                media: row.get("media"), recordedBy: row.get("recorded_by"), recordedAt: row.get("recorded_at"))
        }
    }

    static func put(_ comment: SpokenComment, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_spoken_comments
                (student_id, assignment_id, sha256, media, recorded_by, recorded_at)
            VALUES (\(comment.studentId), \(comment.assignmentId), \(comment.audio), \(comment.media),
                \(comment.recordedBy), \(comment.recordedAt))
            ON CONFLICT (student_id, assignment_id) DO UPDATE
                SET sha256 = excluded.sha256, media = excluded.media, recorded_by = excluded.recorded_by,
                    recorded_at = excluded.recorded_at
            """)
    }

    static func delete(of assignmentId: UUID, for studentId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM coursework_spoken_comments
            WHERE student_id = \(studentId) AND assignment_id = \(assignmentId)
            """)
    }

    static func deleteAll(of assignmentId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_spoken_comments WHERE assignment_id = \(assignmentId)")
    }
}
