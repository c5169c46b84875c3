import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// A file of a student with where it belongs.
struct OwnFile: Codable, Sendable, Hashable, Identifiable {
    let id: UUID
    let name: String
    /// The kind of the file, by the extension of its name.
    let kind: PTFileKind
    /// The size of the file in bytes.
    let size: Int
    let assignmentId: UUID
    let addedAt: Date
    /// Whether the file was handed in, so that it can no longer be deleted.
    let isHandedIn: Bool
}

/// Lists the caller's files.
struct ListFiles: Query {
    static let contract = Contract(
        "coursework.files", "/api/v1/my-files", access: .member(.handIn),
        summary: "The files that the caller uploaded for assignments, the latest first.")
    typealias Result = Page<OwnFile>

    init(_ fields: inout FieldReader) {}
}

/// `FileManagerView`: a student's uploads by course and assignment.
struct FileScreens: Sendable {
    static let path = "/my-files"

    let access: CourseworkAccess
    let parts: SubmissionParts
    let shared: SharedFiles

    var queries: [QueryRegistration] {
        [
            .handle(ListFiles.self) { _, context in
                let personId = try context.membership.personId
                return try await context.school.read { sql in
                    Page(
                        items: try SubmissionRepository.files(ofStudent: personId, in: sql).map { one in
                            OwnFile(
                                id: one.file.id, name: one.file.name, kind: PTFileKind(fileName: one.file.name),
                                size: one.file.size, assignmentId: one.assignmentId, addedAt: one.addedAt,
                                isHandedIn: one.submissionId != nil)
                        }, next: nil)
                }
            }
        ]
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.handIn), tab: "/courses") { .screen(try await files($0)) },
            ScreenRoute("\(Self.path)/{fileId}", access: .member(.handIn), tab: "/courses") {
                .screen(try await file($0))
            },
        ]
    }

    private func files(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: request.context.now)
        let (files, assignments, courses, own, all) = try await request.context.school.read { sql in
            let files = try SubmissionRepository.files(ofStudent: membership.personId, in: sql)
            let assignments = try AssignmentRepository.assignments(Array(Set(files.map(\.assignmentId))), in: sql)
            return (
                files, assignments, try access.courses.courses(Set(assignments.map(\.courseId)), in: sql),
                try StorageRepository.use(by: membership.personId, in: sql), try StorageRepository.use(in: sql)
            )
        }
        let byAssignment = Dictionary(grouping: files, by: \.assignmentId)
        let sorted = assignments.sorted { left, right in
            (courses[left.courseId]?.name ?? "", left.title, left.id.text)
                < (courses[right.courseId]?.name ?? "", right.title, right.id.text)
        }
        var body: [Component] = sorted.map { one in
            .section(
                PTSection(
                    title: one.title, detail: courses[one.courseId]?.name,
                    body: [
                        .list(
                            PTList(
                                cells: (byAssignment[one.id] ?? []).map { cell($0, text, request) },
                                label: one.title))
                    ]))
        }
        if let total = text.files(files.map(\.file)) {
            body.insert(.greeting(text.storage(own, eyebrow: total)), at: 0)
        } else {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .file, title: words("coursework.noOwnFiles"),
                        message: words("coursework.noOwnFilesTip"))))
        }
        if let banner = text.storageBanner(person: own, school: all) { body.insert(banner, at: 0) }
        return Screen(
            title: words("coursework.ownFiles"), back: AssignmentScreens.home,
            live: [CourseworkChanges.topic(ofStudent: membership.personId)], body: body)
    }

    /// One file with its preview, its facts, and what its owner can do with it.
    private func file(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, id) = (request.words, try request.context.membership, try request.id("fileId"))
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: request.context.now)
        let (file, assignment, course) = try await request.context.school.read { sql in
            guard let file = try SubmissionRepository.file(id, in: sql), file.studentId == membership.personId,
                let assignment = try AssignmentRepository.assignment(file.assignmentId, in: sql)
            else { throw Problem.notFound }
            let courses = try access.courses.courses([assignment.courseId], in: sql)
            return (file, assignment, courses[assignment.courseId])
        }
        let facts: [(String, String?)] = [
            ("coursework.fact.assignment", assignment.title), ("coursework.course", course?.name),
            ("coursework.fact.size", text.size(file.file.size)), ("coursework.fact.added", text.when(file.addedAt)),
        ]
        var body: [Component] = [
            .section(
                PTSection(
                    title: words("coursework.preview"),
                    body: try await parts.components(of: file, file.assignmentId, .none, text, request))),
            .section(
                PTSection(
                    title: words("coursework.details"),
                    body: [
                        .definitionList(
                            PTDefinitionList(
                                items: facts.compactMap { key, value in
                                    value.map { .init(term: words(key), value: $0) }
                                }))
                    ])),
        ]
        if let section = try await shared.section(file, request) { body.append(section) }
        if file.submissionId == nil {
            body.append(
                .buttons(
                    PTButtonGroup(buttons: [
                        PTButton(
                            title: words("coursework.fileDelete"), role: .quiet,
                            action: .perform(delete(file, request, to: Self.path)))
                    ])))
        }
        return Screen(
            title: file.file.name, subtitle: assignment.title, back: Self.path,
            live: [CourseworkChanges.topic(ofStudent: membership.personId)], body: body, listPath: Self.path)
    }

    private func delete(_ one: WorkFile, _ request: ScreenRequest, to path: String? = nil) -> PTCommandCall {
        let words = request.words
        return request.call(
            DeleteWorkFile.self, ["assignmentId": one.assignmentId.text, "fileId": one.file.id.text],
            confirmation: PTConfirmation(
                title: words("coursework.fileDelete.title", one.file.name), confirm: words("coursework.fileDelete")),
            to: path)
    }

    private func cell(_ one: WorkFile, _ text: WorkWords, _ request: ScreenRequest) -> PTListCell {
        let words = text.words
        let delete = PTMenuItem(
            title: words("coursework.fileDelete"), icon: .trash, role: .destructive,
            action: .perform(delete(one, request)))
        return PTListCell(
            id: one.file.id.text, leading: .file(PTFileKind(fileName: one.file.name)), title: one.file.name,
            subtitle: "\(text.size(one.file.size)) · \(text.when(one.addedAt))",
            trailing: one.submissionId == nil
                ? [.badge(PTTag(text: words("coursework.status.draft"))), .menu]
                : [.badge(PTTag(text: words("coursework.status.handedIn"), tone: .good))],
            action: .open("\(Self.path)/\(one.file.id.text)"),
            menu: one.submissionId == nil ? [delete] : [])
    }
}
