public import ClassroomInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The curriculum of a school, each child's progress with its learning materials, and suggestions of what comes next.
public enum CurriculumFeature {
    /// Builds the Curriculum feature block.
    ///
    /// - Parameter record: A child's observations and lessons, to cite in suggestions and to plan lessons.
    public static func make(
        taxonomy: SchoolTaxonomy, classrooms: any ClassroomService, students: any StudentService,
        record: any ChildRecord
    ) throws -> Feature {
        let lists = CurriculumHandlers(taxonomy: taxonomy)
        let progress = ProgressHandlers(taxonomy: taxonomy, classrooms: classrooms, students: students)
        let suggestions = SuggestionHandlers(taxonomy: taxonomy, students: students, record: record)
        let screens = ProgressScreens(
            taxonomy: taxonomy, classrooms: classrooms, students: students, suggestions: suggestions)
        var feature = Feature("Curriculum", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.manageCurriculum, .recordProgress]
        feature.access.titles = [
            .manageCurriculum: "right.curriculum.manage", .recordProgress: "right.curriculum.record",
        ]
        feature.storage.schoolMigrations = CurriculumMigrations.school
        feature.storage.records = CurriculumRecordStore.kinds
        feature.endpoints.commands = lists.commands + progress.commands + suggestions.commands
        feature.endpoints.queries = lists.queries + progress.queries + suggestions.queries
        feature.pages.screens = CurriculumScreens(taxonomy: taxonomy).routes + screens.routes
        feature.pages.navigation = [
            NavigationEntry(
                .school, "curriculum.title", icon: .book, path: "/settings/curriculum", order: 30,
                permission: .recordProgress),
            NavigationEntry(
                .classroom, "curriculum.progress", icon: .grid, path: "/classrooms/{classroomId}/progress",
                order: 10, permission: .recordProgress),
        ]
        feature.pages.sections = [
            PageSection(.student, order: 60, permission: .recordProgress) { try await screens.section(of: $0, $1) }
        ]
        feature.audit.title = "audit.group.curriculum"
        feature.audit.kinds = [
            AuditKind(
                "curriculum.recorded", "audit.curriculum.recorded", .name("student", of: "person"),
                .name("material", of: "material"), .word("state", prefix: "curriculum.state."), .value("day")),
            AuditKind(
                "curriculum.dismissed", "audit.curriculum.dismissed", .name("student", of: "person"),
                .name("material", of: "material")),
            AuditKind("curriculum.added", "audit.curriculum.added", .name("entry", of: "material")),
            AuditKind("curriculum.updated", "audit.curriculum.updated", .name("entry", of: "material")),
            AuditKind("curriculum.moved", "audit.curriculum.moved", .name("entry", of: "material")),
            AuditKind("curriculum.hidden", "audit.curriculum.hidden", .name("entry", of: "material")),
            AuditKind("curriculum.restored", "audit.curriculum.restored", .name("entry", of: "material")),
        ]
        feature.audit.names = [
            NameSource("material") { ids, sql in
                let curriculum = try taxonomy.curriculum(in: sql)
                return ids.reduce(into: [:]) { $0[$1] = curriculum[$1]?.name }
            }
        ]
        return feature
    }
}

extension Permission {
    /// Allows recording and seeing progress, and seeing the curriculum.
    static let recordProgress = Permission("curriculum.record", Set(Role.guideRoles))
    /// Allows changing the curriculum.
    static let manageCurriculum = Permission("curriculum.manage", [.superAdmin, .admin])
}
