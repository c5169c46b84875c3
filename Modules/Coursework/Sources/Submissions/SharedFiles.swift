import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// A file that a student shares with the teachers of a course.
struct FileShare: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let fileId: UUID
    let studentId: UUID
    let courseId: UUID
    let sharedAt: Date
}

/// A shared file as its receivers see it.
struct SharedFile: Codable, Sendable, Hashable, Identifiable {
    /// The id of the share.
    let id: UUID
    let name: String
    /// The size of the file in bytes.
    let size: Int
    let studentId: UUID
    let courseId: UUID
    let sharedAt: Date
}

/// Shares a file with the teachers of a course.
struct ShareFile: Command {
    static let contract = Contract(
        "coursework.share", "/api/v1/my-files/{fileId}/shares", access: .member(.handIn), isCreation: true,
        summary:
            "Shares a file of the caller with the teachers of one of the caller's courses, until it is revoked.")
    typealias Result = FileShare

    let fileId: UUID
    let courseId: UUID

    init(_ fields: inout FieldReader) {
        fileId = fields.id("fileId")
        courseId = fields.id("courseId")
    }
}

/// Stops sharing a file.
struct StopSharingFile: Command {
    static let contract = Contract(
        "coursework.stopSharing", "/api/v1/my-files/{fileId}/shares/stop", access: .member(.handIn),
        summary: "Stops sharing a file of the caller with the teachers of a course.")
    typealias Result = Done

    let fileId: UUID
    let courseId: UUID

    init(_ fields: inout FieldReader) {
        fileId = fields.id("fileId")
        courseId = fields.id("courseId")
    }
}

/// Lists the files that students share with the caller.
struct ListSharedFiles: Query {
    static let contract = Contract(
        "coursework.sharedFiles", "/api/v1/shared-files", access: .member(.teachCourses),
        summary: "The files that students share with the teachers of the caller's courses, the latest first.")
    typealias Result = Page<SharedFile>

    init(_ fields: inout FieldReader) {}
}

/// Files that students share with the teachers of a course. A share ends when the student revokes it, deletes the file, or
/// leaves the course.
struct SharedFiles: Sendable {
    static let path = "/shared-files"
    private static let changed = "coursework.shared"
    private static let stopped = "coursework.sharingStopped"

    let access: CourseworkAccess
    let parts: SubmissionParts
    let files: SubmissionFiles

    static let auditKinds = [changed, stopped].map {
        AuditKind($0, "audit.\($0)", .name("student", of: "person"), .name("course", of: "course"))
    }
    static let navigation = NavigationEntry(
        .courses, "coursework.sharedFiles", icon: .file, path: path, order: 16, permission: .teachCourses)

    private static func topic(_ courseId: UUID) -> String { "shared-files:\(courseId.text)" }

    // MARK: - Commands

    var queries: [QueryRegistration] {
        [
            .handle(ListSharedFiles.self) { _, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    Page(
                        items: try received(by: membership, in: sql).map { share, file in
                            SharedFile(
                                id: share.id, name: file.name, size: file.size, studentId: share.studentId,
                                courseId: share.courseId, sharedAt: share.sharedAt)
                        }, next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(ShareFile.self) { command, context in
                let personId = try own(command.fileId, context)
                guard try access.roster.courseIds(ofStudent: personId, in: context.sql).contains(command.courseId),
                    let course = try access.courses.courses([command.courseId], in: context.sql)[command.courseId]
                else { throw Problem.invalid("courseId", "coursework.shareCourse") }
                context.feedback = Feedback(.toast, context.words("coursework.said.shared", course.name))
                if let share = try ShareRepository.share(command.fileId, with: course.id, in: context.sql) {
                    return share
                }
                let share = FileShare(
                    id: context.newId(), fileId: command.fileId, studentId: personId, courseId: course.id,
                    sharedAt: context.now)
                try ShareRepository.insert(share, in: context.sql)
                context.record(change(Self.changed, share))
                return share
            },
            .handle(StopSharingFile.self) { command, context in
                _ = try own(command.fileId, context)
                context.feedback = Feedback(.toast, context.words("coursework.said.sharingStopped"))
                guard
                    let share = try ShareRepository.share(command.fileId, with: command.courseId, in: context.sql)
                else { return Done() }
                try ShareRepository.delete(share.id, in: context.sql)
                context.record(change(Self.stopped, share))
                return Done()
            },
        ]
    }

    /// Returns the caller's person id. Throws `Problem.notFound` unless the file is the caller's.
    private func own(_ fileId: UUID, _ context: CommandContext) throws -> UUID {
        let personId = try context.membership.personId
        guard let file = try SubmissionRepository.file(fileId, in: context.sql), file.studentId == personId else {
            throw Problem.notFound
        }
        return personId
    }

    private func change(_ kind: String, _ share: FileShare) -> Change {
        Change(
            kind, topics: [CourseworkChanges.topic(ofStudent: share.studentId), Self.topic(share.courseId)],
            audience: [.person(share.studentId), .teachers(of: share.courseId)],
            payload: ["student": share.studentId.text, "course": share.courseId.text])
    }

    // MARK: - What teachers see

    /// The shares with the courses that a member teaches, with their files, the latest first. Those of students who left
    /// the course are left out.
    private func received(
        by membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [(share: FileShare, file: StoredFile)] {
        let courses = try access.courses.courses(taughtBy: membership.personId, in: sql).map(\.id)
        return try ShareRepository.shares(with: courses, in: sql).filter { share, _ in
            try access.roster.courseIds(ofStudent: share.studentId, in: sql).contains(share.courseId)
        }
    }

    /// Returns a share with its file. Throws `Problem.notFound` unless the caller receives it.
    private func received(_ id: UUID?, _ context: RequestContext) async throws -> (
        share: FileShare, file: StoredFile
    ) {
        let membership = try context.membership
        return try await context.school.read { sql in
            guard let one = try received(by: membership, in: sql).first(where: { $0.share.id == id }) else {
                throw Problem.notFound
            }
            return one
        }
    }

    /// The file of an address. Throws `Problem.notFound` unless the caller receives it.
    @Sendable
    private func file(_ parameters: [String: String], _ context: RequestContext) async throws -> StoredFile {
        try await received(parameters["shareId"].flatMap(UUID.init(text:)), context).file
    }

    var downloads: [DownloadRoute] {
        files.downloads(at: "\(Self.path)/{shareId}/file", access: .member(.teachCourses), file)
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.teachCourses), tab: "/courses") { .screen(try await list($0)) },
            ScreenRoute("\(Self.path)/{shareId}", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await one($0))
            },
        ]
    }

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let text = WorkWords(of: request.context)
        let (shares, taught, people) = try await request.context.school.read { sql in
            let shares = try received(by: membership, in: sql)
            return (
                shares, try access.courses.courses(taughtBy: membership.personId, in: sql),
                try access.people.people(
                    Array(Set(shares.map(\.share.studentId))), of: membership.organization.id, in: sql)
            )
        }
        let names = Dictionary(taught.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let cells = shares.map { share, file in
            PTListCell(
                id: share.id.text, leading: .file(PTFileKind(fileName: file.name)), title: file.name,
                subtitle: [
                    people[share.studentId]?.name.display, names[share.courseId], text.size(file.size),
                    text.when(share.sharedAt),
                ].compactMap(\.self).joined(separator: " · "),
                trailing: [.chevron], action: .open("\(Self.path)/\(share.id.text)"))
        }
        let title = words("coursework.sharedFiles")
        return Screen(
            title: title, back: "/courses", live: taught.map { Self.topic($0.id) },
            body: [
                cells.isEmpty
                    ? .empty(
                        PTEmptyState(
                            icon: .file, title: words("coursework.sharedFiles.none"),
                            message: words("coursework.sharedFiles.noneTip")))
                    : .list(PTList(cells: cells, label: title))
            ])
    }

    private func one(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let text = WorkWords(of: request.context)
        let (share, file) = try await received(request.id("shareId"), request.context)
        let (course, person) = try await request.context.school.read { sql in
            (
                try access.courses.courses([share.courseId], in: sql)[share.courseId],
                try access.people.people([share.studentId], of: membership.organization.id, in: sql)[
                    share.studentId]
            )
        }
        let path = "\(Self.path)/\(share.id.text)/file"
        return Screen(
            title: file.name,
            subtitle: [person?.name.display, course?.name].compactMap(\.self).joined(separator: " · "),
            back: Self.path, live: [Self.topic(share.courseId)],
            body: [
                .file(PTFileTile(name: file.name, detail: text.size(file.size), action: .external(path)))
            ] + (try await parts.previews(of: file, at: path, words, request.context)), listPath: Self.path)
    }

    // MARK: - What the student sees

    /// The courses of a file's owner, with whether the file is shared with their teachers.
    func section(_ file: WorkFile, _ request: ScreenRequest) async throws -> Component? {
        let words = request.words
        let (courses, shared) = try await request.context.school.read { sql in
            let ids = try access.roster.courseIds(ofStudent: file.studentId, in: sql)
            return (
                try access.courses.courses(ids, in: sql).values.sorted {
                    ($0.name, $0.id) < ($1.name, $1.id)
                },
                try ShareRepository.courseIds(of: file.file.id, in: sql)
            )
        }
        guard !courses.isEmpty else { return nil }
        let place = "\(FileScreens.path)/\(file.file.id.text)"
        let ids = ["fileId": file.file.id.text]
        let cells = courses.map { course in
            let isShared = shared.contains(course.id)
            let call =
                isShared
                ? request.call(StopSharingFile.self, ids, fields: ["courseId": course.id.text], to: place)
                : request.call(ShareFile.self, ids, fields: ["courseId": course.id.text], to: place)
            return PTListCell(
                id: course.id.text, leading: .icon(.book, tint: course.tint), title: course.name,
                subtitle: isShared ? words("coursework.share.on") : nil,
                trailing: [
                    .button(
                        PTButton(
                            title: words(isShared ? "coursework.share.stop" : "coursework.share"), role: .quiet,
                            action: .perform(call)))
                ])
        }
        return .section(
            PTSection(
                title: words("coursework.share.title"),
                body: [.list(PTList(cells: cells, label: words("coursework.share.title")))]))
    }
}

/// Reads and writes which files are shared with which courses, in the school's database.
enum ShareRepository {
    static let migration = Migration(
        "010-shares",
        """
        CREATE TABLE coursework_shares (
            id TEXT PRIMARY KEY NOT NULL,
            file_id TEXT NOT NULL,
            student_id TEXT NOT NULL,
            course_id TEXT NOT NULL,
            shared_at BIGINT NOT NULL
        );
        CREATE UNIQUE INDEX coursework_shares_file ON coursework_shares (file_id, course_id);
        CREATE INDEX coursework_shares_course ON coursework_shares (course_id);
        CREATE INDEX coursework_shares_student ON coursework_shares (student_id);
        """)

    static let records = RecordKind(
        "coursework.shares", "coursework.records.shares", personal: [.files], erasure: .withPerson,
        tables: [
            RecordTable(
                "coursework_shares",
                export: { _ in
                    "SELECT id, file_id, student_id, course_id, shared_at FROM coursework_shares ORDER BY id"
                },
                about: { subject in
                    """
                    SELECT f.name, s.course_id, s.shared_at FROM coursework_shares s
                    JOIN coursework_files f ON f.id = s.file_id
                    WHERE s.student_id = \(subject.personId) ORDER BY s.shared_at, s.id
                    """
                },
                erase: { "DELETE FROM coursework_shares WHERE student_id = \($0.personId)" })
        ])

    static func share(_ fileId: UUID, with courseId: UUID, in sql: any SQLReading) throws -> FileShare? {
        try sql.row("SELECT * FROM coursework_shares WHERE file_id = \(fileId) AND course_id = \(courseId)")
            .map(share)
    }

    /// The shares with courses, with their files, the latest first. Shares of files that are gone are left out.
    static func shares(with courseIds: [UUID], in sql: any SQLReading) throws -> [(
        share: FileShare, file: StoredFile
    )] {
        try sql.rows(
            """
            SELECT s.id, s.file_id, s.student_id, s.course_id, s.shared_at, f.name, f.size, f.sha256, f.preview_sha256,
                f.width, f.height
            FROM coursework_shares s JOIN coursework_files f ON f.id = s.file_id
            WHERE s.course_id IN \(list: courseIds) ORDER BY s.shared_at DESC, s.id
            """
        ).map { row in
            let file = try StoredFile(
                name: row.get("name"), size: row.get("size"), hash: row.get("sha256"),
                preview: SubmissionRepository.preview(row))
            return (try share(row), file)
        }
    }

    /// The courses with whose teachers a file is shared.
    static func courseIds(of fileId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows("SELECT course_id FROM coursework_shares WHERE file_id = \(fileId)").map {
                try $0.get("course_id")
            })
    }

    static func insert(_ one: FileShare, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO coursework_shares (id, file_id, student_id, course_id, shared_at)
            VALUES (\(one.id), \(one.fileId), \(one.studentId), \(one.courseId), \(one.sharedAt))
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_shares WHERE id = \(id)")
    }

    /// Deletes the shares of a file.
    static func deleteAll(ofFile fileId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM coursework_shares WHERE file_id = \(fileId)")
    }

    /// Deletes the shares of all files of an assignment.
    static func deleteAll(of assignmentId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM coursework_shares
            WHERE file_id IN (SELECT id FROM coursework_files WHERE assignment_id = \(assignmentId))
            """)
    }

    private static func share(_ row: SQLRow) throws -> FileShare {
        try FileShare(
            id: row.get("id"), fileId: row.get("file_id"), studentId: row.get("student_id"),
            courseId: row.get("course_id"), sharedAt: row.get("shared_at"))
    }
}
