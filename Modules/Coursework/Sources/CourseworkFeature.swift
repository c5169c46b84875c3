public import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import GradingInterface
import NotificationsInterface
public import OrganizationInterface
public import ScreenKit
import ShellInterface

/// Coursework: teachers give assignments, students hand in work, and teachers mark it and return it.
public enum CourseworkFeature {
    /// Builds the Coursework feature block.
    ///
    /// - Parameters:
    ///   - courses: the courses.
    ///   - roster: the students of the courses.
    ///   - people: the names of people.
    ///   - families: the parents of students.
    ///   - markdown: reads the instructions of assignments.
    ///   - images: makes previews of pictures.
    ///   - partialFiles: the files that are being sent in parts.
    ///   - zips: makes the ZIP file of all submissions.
    ///   - pages: makes pictures of the pages of PDF documents.
    public static func make(
        courses: any CourseService, roster: any CourseRoster, people: any PeopleService,
        families: any FamilyLinks, markdown: any MarkdownReader, images: any ImageShrinking,
        partialFiles: any PartialFiles, zips: any ZipStreaming, pages: any DocumentPages
    ) throws -> Feature {
        let access = CourseworkAccess(courses: courses, roster: roster, families: families, people: people)
        let changes = CourseworkChanges(families: families)
        let files = SubmissionFiles(access: access, images: images, pages: pages)
        let attachments = AssignmentFiles(access: access, changes: changes, files: files)
        let assignments = AssignmentHandlers(access: access, changes: changes, files: attachments)
        let uploads = WorkUploads(files: partialFiles)
        let submissions = SubmissionHandlers(access: access, changes: changes, files: files, uploads: uploads)
        let rubrics = RubricHandlers(access: access, changes: changes)
        let marks = MarkHandlers(access: access, changes: changes)
        let notes = NoteHandlers(access: access, changes: changes, pages: pages)
        let spoken = SpokenComments(access: access, changes: changes)
        let reader = StudentWorkReader(access: access)
        let parts = SubmissionParts(pages: pages)
        let work = WorkScreens(access: access, reader: reader, parts: parts, markdown: markdown)
        let shared = SharedFiles(access: access, parts: parts, files: files)
        let ownFiles = FileScreens(access: access, parts: parts, shared: shared)
        let storage = StorageScreen(people: people)
        let sections = CourseworkSections(access: access, reader: reader, work: work)
        var feature = Feature("Coursework", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.handIn, .capture, .manageStorage]
        feature.access.titles = [
            .handIn: "right.coursework.handIn", .capture: "right.coursework.capture",
            .manageStorage: "right.coursework.storage",
        ]
        feature.storage.schoolMigrations =
            CourseworkMigrations.school + [
                RubricRepository.migration, CourseworkMigrations.fileKinds, StorageRepository.migration,
                AssignmentFileRepository.migration, ShareRepository.migration, NoteRepository.migration,
                SpokenCommentRepository.migration,
            ]
        feature.storage.records =
            CourseworkRecordStore.kinds + RubricRepository.records + [
                StorageRepository.records, AssignmentFileRepository.records, ShareRepository.records,
                NoteRepository.records, SpokenCommentRepository.records,
            ]
        feature.storage.stores = [partialFiles.store("coursework.uploads", in: "partial")]
        feature.endpoints.queries =
            assignments.queries + submissions.queries + reader.queries
            + ownFiles.queries + rubrics.queries + StorageHandlers.queries
            + attachments.queries + shared.queries + notes.queries
        feature.endpoints.commands =
            assignments.commands + submissions.commands + marks.commands
            + rubrics.commands + StorageHandlers.commands + attachments.commands + shared.commands
            + notes.commands + spoken.commands
        feature.endpoints.downloads =
            files.downloads + attachments.downloads + shared.downloads
            + [SubmissionsArchive(access: access, zips: zips).download, spoken.download]
        feature.endpoints.uploads = [uploads.route]
        feature.pages.screens =
            AssignmentScreens(access: access, work: work).routes + work.routes
            + MarkingScreens(access: access, parts: parts, spoken: spoken).routes + ownFiles.routes
            + RubricScreens(access: access).routes + [NoteScreens(notes: notes).route]
            + CaptureTool.allCases.map(\.route) + [storage.route] + shared.routes
        feature.pages.islands = [
            CaptureTool.island: Bundle.module.bundleURL.appending(path: "Resources/capture"),
            NotedFile.island: Bundle.module.bundleURL.appending(path: "Resources/notes"),
        ]
        feature.pages.navigation =
            [
                NavigationEntry(
                    .courses, "coursework.title", icon: .task, path: AssignmentScreens.home, order: 15,
                    permission: .viewCourses)
            ] + CaptureTool.allCases.map(\.navigation) + [storage.navigation, SharedFiles.navigation]
        feature.pages.sections = [
            PageSection(
                .home, order: 5, permission: .viewCourses,
                topics: { [CourseTopic.list, CourseworkChanges.topic(ofStudent: $0)] }
            ) { _, request in try await sections.due(request) },
            PageSection(.home, order: 14, permission: .teachCourses, topics: { _ in [CourseTopic.list] }) {
                try await sections.toMark($0, $1)
            },
            PageSection(.course, order: 15, permission: .viewCourses) { try await sections.course($0, $1) },
        ]
        // Grading declares `assignment`, which leads here too (`CourseworkGrades.path`).
        feature.pages.deepLinks = [.place("assignments", AssignmentScreens.home)]
        feature.pages.searchSources = [CourseworkSearch.source(courses, changes, markdown)]
        feature.jobs = [assignments.job, uploads.job]
        feature.notifications.kinds = ["published", "returned", "submitted"].map {
            notification($0, courses, people)
        }
        feature.audit.title = "audit.group.coursework"
        feature.audit.kinds = auditKinds
        feature.audit.names = [
            NameSource("assignment") { ids, sql in
                try AssignmentRepository.assignments(ids, in: sql).reduce(into: [:]) { $0[$1.id] = $1.title }
            }
        ]
        return feature
    }

    private static let auditKinds =
        ["added", "changed", "published", "scheduled", "hidden", "deleted", "rubricChanged", "filesChanged"].map {
            AuditKind(
                "coursework.\($0)", "audit.coursework.\($0)", .name("assignment", of: "assignment"),
                .name("course", of: "course"))
        }
        + [
            "extended", "timeChanged", "submitted", "marked", "returned", "scoreChanged", "noteAdded",
            "noteChanged",
            "noteDeleted", "notesChanged", "commentRecorded", "commentDeleted",
        ].map {
            AuditKind(
                "coursework.\($0)", "audit.coursework.\($0)", .name("assignment", of: "assignment"),
                .name("student", of: "person"))
        }
        + [
            AuditKind("coursework.exported", "audit.coursework.exported", .name("assignment", of: "assignment")),
            AuditKind(StorageHandlers.changed, "audit.coursework.limitsChanged"),
        ] + SharedFiles.auditKinds

    /// A notification about an assignment. It names nothing that the reader may no longer see.
    private static func notification(
        _ kind: String, _ courses: any CourseService, _ people: any PeopleService
    ) -> NotificationKind {
        NotificationKind("coursework.\(kind)", icon: .task, category: kind == "returned" ? .grade : .assignment) {
            logged, context in
            let (membership, payload, now) = (try context.membership, logged.change.payload, context.now)
            let assignmentId = payload["assignment"].flatMap(UUID.init(text:))
            let studentId = payload["student"].flatMap(UUID.init(text:))
            return try await context.school.read { sql in
                let words = context.words
                guard let one = try assignmentId.flatMap({ try AssignmentRepository.assignment($0, in: sql) }),
                    let course = try courses.courses([one.courseId], in: sql)[one.courseId]
                else { return (words("coursework.notification.gone"), nil) }
                let leads = course.isLed(by: membership)
                guard leads || one.isVisible(at: now) else { return (words("coursework.notification.gone"), nil) }
                let path = AssignmentScreens.path(one.id)
                let student = try studentId.flatMap {
                    try people.people([$0], of: membership.organization.id, in: sql)[$0]?.name.display
                }
                let query = studentId.map { $0 == membership.personId ? "" : "?student=\($0.text)" } ?? ""
                switch kind {
                case "submitted":
                    return (
                        words(
                            "coursework.notification.submitted", student ?? words("coursework.someone"), one.title),
                        leads ? studentId.map { AssignmentScreens.marking(one.id, $0) } : path + query
                    )
                case "returned":
                    return (words("coursework.notification.returned", one.title, course.name), path + query)
                default: return (words("coursework.notification.published", one.title, course.name), path)
                }
            }
        }
    }
}
