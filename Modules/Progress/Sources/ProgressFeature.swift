public import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import GradingInterface
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// The Progress feature block: sections with a student's progress on the home page and on the pages of courses, and the
/// leaderboard.
public enum ProgressFeature {
    /// Builds the Progress feature block.
    ///
    /// - Parameters:
    ///   - courses: the courses.
    ///   - roster: the students of the courses.
    ///   - lessons: the lessons that students did.
    ///   - grades: the released grades.
    ///   - work: the amount of graded work.
    ///   - families: the parents of students.
    ///   - people: the names of people.
    ///   - calendar: the days with school, for streaks.
    public static func make(
        courses: any CourseService, roster: any CourseRoster, lessons: any LessonRecord, grades: any GradeService,
        work: any WorkRecord, families: any FamilyLinks, people: any PeopleService, calendar: any SchoolCalendar
    ) throws -> Feature {
        let sections = ProgressSections(
            service: ProgressService(
                courses: courses, roster: roster, lessons: lessons, grades: grades, work: work,
                calendar: calendar),
            families: families)
        let leaderboard = LeaderboardService(
            courses: courses, roster: roster, lessons: lessons, work: work, people: people)
        let (handlers, screens) = (
            LeaderboardHandlers(service: leaderboard), LeaderboardScreens(service: leaderboard)
        )
        var feature = Feature(
            "Progress",
            catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.viewLeaderboard, .joinLeaderboard, .manageLeaderboard]
        feature.access.titles = [
            .viewLeaderboard: "right.leaderboard.view", .joinLeaderboard: "right.leaderboard.join",
            .manageLeaderboard: "right.leaderboard.manage",
        ]
        feature.storage.schoolMigrations = ProgressMigrations.school
        feature.storage.records = ProgressRecordStore.kinds
        feature.endpoints.queries = handlers.queries
        feature.endpoints.commands = handlers.commands
        feature.pages.screens = screens.routes
        feature.pages.navigation = [
            NavigationEntry(
                .courses, "leaderboard.title", icon: .star, path: LeaderboardScreens.path, order: 40,
                permission: .viewLeaderboard),
            NavigationEntry(
                .school, "leaderboard.title", icon: .star, path: LeaderboardScreens.settingsPath, order: 76,
                permission: .manageLeaderboard),
        ]
        feature.pages.entryStates = [LeaderboardScreens.path: { try screens.state($0, in: $1) }]
        feature.pages.sections = [
            PageSection(
                .home, order: 10, permission: .viewCourses,
                topics: {
                    [CourseTopic.list, GradeTopic.student($0), GradeTopic.scale, CourseTopic.lessons(of: $0)]
                }
            ) { try await sections.home($1) },
            PageSection(.course, order: 5, permission: .viewCourses, topics: { [GradeTopic.student($0)] }) {
                try await sections.course($0, $1)
            },
        ]
        feature.audit.title = "audit.group.progress"
        feature.audit.kinds = [
            AuditKind("leaderboard.policyChanged", "audit.leaderboard.policyChanged"),
            AuditKind("leaderboard.left", "audit.leaderboard.left", .name("person", of: "person")),
            AuditKind("leaderboard.joined", "audit.leaderboard.joined", .name("person", of: "person")),
        ]
        return feature
    }
}
