public import ClassroomInterface
public import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// Practice: a spelling bee, a math quiz and a typing tutor for children, with word lists of courses and of one's own.
public enum PracticeFeature {
    /// Builds the Practice feature block.
    ///
    /// - Parameters:
    ///   - people: the names of people.
    ///   - courses: the courses and their people; `nil` in a server without them.
    ///   - classrooms: the classrooms of guides; `nil` in a server without them.
    ///   - students: the students of classrooms; `nil` in a server without them.
    public static func make(
        people: any PeopleService, courses: (any CourseTieService)?,
        classrooms: (any ClassroomService)?, students: (any StudentService)?
    ) throws -> Feature {
        let access = PracticeAccess(
            people: people, courses: courses, classrooms: classrooms, students: students)
        let lists = WordListHandlers(access: access)
        let recordings = WordRecordings(access: access)
        let rounds = RoundHandlers(access: access)
        let listScreens = WordListScreens(access: access)
        var feature = Feature("Practice", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.practice]
        feature.access.titles = [.practice: "right.practice.use"]
        feature.access.audiences = [
            AudienceSource { membership, sql in
                guard Permission.practice.isGiven(to: membership.roles), let courses else { return [] }
                return Set(try courses.courseIds(of: membership, in: sql).map(Audience.practicing))
            }
        ]
        feature.storage.schoolMigrations = [WordListRepository.migration, RoundRepository.migration]
        feature.storage.records = PracticeRecordStore.kinds
        feature.endpoints.queries = lists.queries + rounds.queries
        feature.endpoints.commands = lists.commands + recordings.commands + rounds.commands
        feature.endpoints.downloads = [recordings.download]
        feature.pages.screens =
            ToolScreens(access: access).routes + listScreens.routes + ProgressScreens(access: access).routes
        feature.pages.islands = [
            PracticeTool.island: Bundle.module.bundleURL.appending(path: "Resources/island")
        ]
        feature.pages.navigation =
            PracticeTool.allCases.map(\.navigation) + [
                NavigationEntry(
                    .tools, "practice.progress", icon: .chart, path: ProgressScreens.home, order: 68,
                    permission: .practice)
            ]
        feature.pages.sections = [
            PageSection(
                .course, order: 17, permission: .practice,
                topics: { [CourseTopic.course($0), PracticeTopic.lists] }
            ) { try await listScreens.section(of: $0, $1) }
        ]
        feature.pages.deepLinks =
            PracticeTool.allCases.map { .place($0.rawValue, $0.path) } + [
                .place("practice", ProgressScreens.home),
                DeepLink("wordlists") { id, _ in id.map(WordListScreens.practice) ?? WordListScreens.home },
            ]
        feature.pages.searchSources = [WordListSearch.source]
        feature.audit.title = "audit.group.practice"
        feature.audit.names = [
            NameSource("wordList") { ids, sql in
                try WordListRepository.lists(ids, in: sql).reduce(into: [:]) { $0[$1.id] = $1.name }
            }
        ]
        feature.audit.kinds =
            ["listCreated", "listChanged", "listMoved", "listDeleted", "wordRecorded", "recordingDeleted"].map {
                AuditKind("practice.\($0)", "audit.practice.\($0)", .name("list", of: "wordList"))
            }
            + ["finished", "seen"].map {
                AuditKind("practice.\($0)", "audit.practice.\($0)", .name("student", of: "person"))
            }
        return feature
    }
}
