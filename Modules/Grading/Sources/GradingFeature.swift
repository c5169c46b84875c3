public import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import GradingInterface
import NotificationsInterface
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// Grading: teachers enter scores, students and families see those that teachers released, and the school sets its
/// scale.
public enum GradingFeature {
    /// Builds the Grading feature block.
    ///
    /// - Parameters:
    ///   - roster: the students of the courses.
    ///   - printer: prints report cards.
    ///   - sources: the other blocks whose grade items the gradebook includes, such as quizzes.
    public static func make(
        courses: any CourseService, roster: any CourseRoster, people: any PeopleService,
        families: any FamilyLinks, printer: any DocumentPrinting, sources: [any GradedItemSource] = []
    ) throws -> Feature {
        let service = SQLGradeService(courses: courses, roster: roster, sources: sources)
        let names = GradebookPeople(roster: roster, people: people)
        let items = ItemHandlers(courses: courses, notifications: GradeNotifications(families: families))
        let scores = ScoreHandlers(items: items, people: names, reader: service.reader)
        let book = GradebookScreens(courses: courses, people: names, reader: service.reader)
        let grades = GradesScreens(
            courses: courses, roster: roster, families: families, people: names, service: service, printer: printer)
        var feature = Feature(
            "Grading", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.viewGrades, .viewOwnGrades, .manageGradingScale]
        feature.access.titles = [
            .viewGrades: "right.grading.view", .viewOwnGrades: "right.grading.own",
            .manageGradingScale: "right.grading.scale",
        ]
        feature.storage.schoolMigrations = GradingMigrations.school
        feature.storage.records = GradingRecordStore.kinds
        feature.endpoints.commands =
            items.commands + scores.commands + scores.columnCommands + scores.importCommands + [
                WhatIfHandler(grades: grades).command
            ]
            + SettingsHandlers(courses: courses, roster: roster).commands
        feature.endpoints.queries = grades.queries + scores.queries
        feature.pages.screens =
            book.routes + book.importRoutes + grades.routes + [
                WhatIfHandler(grades: grades).route, ScaleScreen().route,
            ]
        feature.endpoints.downloads = book.downloads + [grades.reportDownload]
        feature.pages.islands = ["gradebook": Bundle.module.bundleURL.appending(path: "Resources/island")]
        feature.pages.navigation = [
            NavigationEntry(
                .learning, "grading.grades", icon: .chart, path: GradesScreens.path, order: 30,
                permission: .viewOwnGrades),
            NavigationEntry(
                .school, "grading.scale", icon: .chart, path: ScaleScreen.path, order: 60,
                permission: .manageGradingScale),
        ]
        // Without a block that has them, assignments and quizzes are the items of the gradebook.
        let item = { @Sendable (id: UUID?, context: RequestContext) async throws -> String? in
            guard let id else { return GradesScreens.path }
            return try await context.school.read { sql in
                guard let item = try GradingRepository.item(id, in: sql) else {
                    // An item of another block, such as a quiz, has a page of its own.
                    return try sources.lazy.compactMap { try $0.path(ofItem: id, in: sql) }.first
                }
                return context.caller.may(.teachCourses)
                    ? GradebookScreens.path(item) : GradesScreens.path(item.courseId)
            }
        }
        let elsewhere = sources.reduce(into: Set<String>()) { $0.formUnion($1.linkNames) }
        feature.pages.deepLinks = [
            .place("grades", GradesScreens.path), .place("assignments", GradesScreens.path),
            DeepLink("assignment", item), DeepLink("quiz", item),
        ].filter { !elsewhere.contains($0.name) }
        // The tab is hidden for families without courses.
        feature.pages.entryStates = [
            GradesScreens.path: { context, sql in
                EntryState(isShown: try grades.hasCourses(context.membership, sql))
            }
        ]
        let home = GradingHome(courses: courses, roster: roster, reader: service.reader)
        feature.pages.sections = [
            PageSection(.course, order: 20, permission: .viewGrades) { try await grades.section(of: $0, $1) },
            PageSection(.home, order: 15, permission: .teachCourses, topics: { _ in [CourseTopic.list] }) {
                try await home.section($0, $1)
            },
        ]
        feature.notifications.kinds = [
            NotificationKind("grades.released", icon: .chart, category: .grade) { logged, context in
                let payload = logged.change.payload
                guard let courseId = payload["course"].flatMap(UUID.init(text:)),
                    let itemId = payload["item"].flatMap(UUID.init(text:)),
                    let studentId = payload["student"].flatMap(UUID.init(text:))
                else { return (context.words("grading.notification.gone"), nil) }
                return try await context.school.read { sql in
                    // The notification names no score that was hidden again since.
                    guard let item = try GradingRepository.item(itemId, in: sql), item.releasedAt != nil,
                        let course = try courses.courses([courseId], in: sql)[courseId]
                    else { return (context.words("grading.notification.gone"), nil) }
                    return (
                        context.words("grading.notification.released", item.title, course.name),
                        "\(GradesScreens.path(courseId))?student=\(studentId.text)"
                    )
                }
            }
        ]
        feature.audit.names = [
            NameSource("gradebookItem") { ids, sql in
                try ids.reduce(into: [:]) { $0[$1] = try GradingRepository.item($1, in: sql)?.title }
            }
        ]
        feature.audit.title = "audit.group.grading"
        feature.audit.kinds = auditKinds
        return feature
    }

    private static let auditKinds =
        ["itemAdded", "itemChanged", "itemDeleted", "shown", "hidden"].map {
            AuditKind(
                "grades.\($0)", "audit.grades.\($0)", .name("item", of: "gradebookItem"),
                .name("course", of: "course"))
        }
        + ["marked", "changed", "released"].map {
            AuditKind(
                "grades.\($0)", "audit.grades.\($0)", .name("item", of: "gradebookItem"),
                .name("student", of: "person"))
        } + [
            AuditKind("grades.settingsChanged", "audit.grades.settingsChanged", .name("course", of: "course")),
            AuditKind("grades.scaleChanged", "audit.grades.scaleChanged"),
            AuditKind("grades.exported", "audit.grades.exported", .name("course", of: "course")),
            AuditKind("reportCard.exported", "audit.reportCard.exported", .name("student", of: "person")),
        ]
}
