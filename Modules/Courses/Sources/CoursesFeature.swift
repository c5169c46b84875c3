import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
public import ScreenKit
import ShellInterface

/// Courses: the courses of a school, their lessons, and each student's progress.
public enum CoursesFeature {
    /// Builds the Courses feature block.
    ///
    /// - Parameters:
    ///   - courses: the service, which other blocks use as well.
    ///   - people: the names of people.
    ///   - guides: the people who may teach.
    ///   - roles: the roles of people in the school.
    ///   - markdown: reads the text of lessons.
    ///   - images: encodes the pictures of lessons again.
    ///   - preferences: stores positions in videos; without it each video starts at the beginning.
    public static func make(
        courses: SQLCourseService, people: any PeopleService, guides: any GuideService, roles: any RoleDirectory,
        markdown: any MarkdownReader, preferences: (any PersonalPreferences)?, images: any ImageShrinking
    ) throws -> Feature {
        let handlers = CourseHandlers(courses: courses, roles: roles)
        let video = LessonVideo(courses: courses, preferences: preferences)
        let files = LessonFiles(courses: courses, images: images, video: video)
        let lessons = LessonHandlers(courses: courses, video: video, files: files)
        let terms = TermHandlers()
        var feature = Feature(
            "Courses", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.viewCourses, .teachCourses, .manageCourses, .learn]
        feature.access.titles = [
            .viewCourses: "right.courses.view", .teachCourses: "right.courses.teach",
            .manageCourses: "right.courses.manage", .learn: "right.courses.learn",
        ]
        feature.storage.schoolMigrations = CoursesMigrations.school
        feature.storage.records = CoursesRecordStore.kinds
        feature.endpoints.queries = handlers.queries + lessons.queries + terms.queries
        feature.endpoints.commands =
            handlers.commands + lessons.commands + video.commands + files.commands + terms.commands
        feature.pages.screens =
            CourseScreens(handlers: handlers, people: people, guides: guides).routes
            + LessonScreens(courses: courses, markdown: markdown, video: video, files: files).routes + terms.routes
            + [ScheduleScreen(handlers: handlers).route]
        feature.pages.agenda = [ScheduleScreen(handlers: handlers).agenda]
        feature.endpoints.downloads = [files.route, files.mediaRoute]
        feature.pages.navigation = [
            NavigationEntry(
                .learning, "courses.title", icon: .book, path: CourseScreens.home, order: 15,
                permission: .viewCourses),
            NavigationEntry(
                .courses, "schedule.title", icon: .calendar, path: ScheduleScreen.path, order: 20,
                permission: .viewCourses),
            NavigationEntry(
                .school, "terms.title", icon: .calendar, path: TermHandlers.path, order: 40,
                permission: .manageCourses),
        ]
        feature.pages.sections = [
            PageSection(.home, order: 30, permission: .teachCourses, topics: { _ in [CourseTopic.list] }) {
                try await CourseHome(courses: courses).section($0, $1)
            }
        ]
        feature.pages.deepLinks = [
            .place("courses", CourseScreens.home), .place("schedule", ScheduleScreen.path),
            DeepLink("course") { id, _ in id.map(CourseScreens.path) },
            DeepLink("lesson") { id, context in
                guard let id else { return nil }
                return try await context.school.read { try LessonRepository.lesson(id, in: $0) }
                    .map(LessonScreens.path)
            },
        ]
        // The tab is hidden for families of a school without courses.
        feature.pages.entryStates = [
            CourseScreens.home: { context, sql in
                guard !context.caller.may(.teachCourses) else { return EntryState() }
                return EntryState(
                    isShown: try CourseRepository.isAnyOffered(on: context.today, in: sql)
                        || !handlers.mine(context.membership, in: sql).isEmpty)
            }
        ]
        feature.access.audiences = [
            AudienceSource { membership, sql in
                // A former teacher gets no events of courses that still name them.
                let taught =
                    Permission.teachCourses.isGiven(to: membership.roles)
                    ? try CourseRepository.courseIds(taughtBy: membership.personId, in: sql) : []
                var all = Set(taught.flatMap { [Audience.course($0), .teachers(of: $0)] })
                for learner in try courses.families.learners(of: membership, in: sql) {
                    all.formUnion(
                        try (courses.roster?.courseIds(ofStudent: learner, in: sql) ?? []).map(Audience.course))
                }
                return all
            }
        ]
        feature.pages.searchSources = CoursesSearch.sources(markdown)
        feature.audit.title = "audit.group.courses"
        feature.audit.kinds =
            ["created", "updated", "archived", "restored", "modulesChanged", "lessonSaved", "lessonDeleted"].map {
                AuditKind("courses.\($0)", "audit.courses.\($0)", .name("course", of: "course"))
            } + [
                AuditKind(
                    "courses.lessonDone", "audit.courses.lessonDone", .name("student", of: "person"),
                    .name("course", of: "course")),
                AuditKind(
                    "courses.lessonReopened", "audit.courses.lessonReopened", .name("student", of: "person"),
                    .name("course", of: "course")),
                AuditKind("courses.termSaved", "audit.courses.termSaved"),
            ]
        feature.audit.names = [
            NameSource("course") { ids, sql in try CourseRepository.courses(ids, in: sql).mapValues(\.name) }
        ]
        return feature
    }
}
