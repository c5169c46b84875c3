public import ClassroomInterface
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface

/// The block: classrooms, students, attendance.
public enum ClassroomFeature {
    public static func make(
        classrooms: any ClassroomService, students: any StudentService, guides: any GuideService,
        roles: any RoleAssigning
    ) throws -> Feature {
        let classroomHandlers = ClassroomHandlers(classrooms: classrooms)
        let studentHandlers = StudentHandlers(students: students, roles: roles)
        var feature = Feature("Classroom", needs: ["Organization"], catalog: try StringCatalog(in: .module))
        feature.permissions = [.viewClassrooms, .manageClassrooms, .manageStudents, .markAttendance]
        feature.schoolMigrations = ClassroomMigrations.school
        feature.records = ClassroomRecordStore.kinds
        feature.commands = classroomHandlers.commands + studentHandlers.commands + AttendanceHandlers.commands
        feature.queries = classroomHandlers.queries + studentHandlers.queries + AttendanceHandlers.queries
        feature.screens =
            ClassroomScreens(classrooms: classrooms, guides: guides).routes
            + StudentsScreens(classrooms: classrooms, students: students).routes
            + [MyDayScreen(classrooms: classrooms).route]
        feature.navigation = [
            NavigationEntry(
                .tabs, "classrooms.tab", icon: "home", path: "/homeroom", order: 10, permission: .viewClassrooms),
            NavigationEntry(
                .tabs, "myDay.title", icon: "sun", path: "/my-day", order: 20, permission: .viewClassrooms),
            NavigationEntry(
                .school, "classrooms.title", icon: "door", path: "/classrooms", order: 10,
                permission: .manageClassrooms),
            NavigationEntry(
                .school, "students.all", icon: "people", path: "/settings/students", order: 20,
                permission: .manageStudents),
        ]
        feature.audiences = [
            AudienceSource { membership, sql in
                // Admins hear of every classroom through their role; guides through each of theirs.
                guard membership.limitedTo != nil else { return [] }
                return Set(
                    try classrooms.classrooms(visibleTo: membership, in: sql).map { Audience.classroom($0.id) })
            }
        ]
        feature.searchSources = [
            SearchSource(category: "people") { query, limit, context in
                let membership = try context.membership
                guard context.caller.may(.viewClassrooms) else { return [] }
                let found = try await context.school.read { sql in
                    try StudentRepository.students(
                        matching: query.split(separator: " ").map(String.init), ofGuide: membership.limitedTo,
                        limit: limit, orgId: membership.organization.id, in: sql)
                }
                return found.map {
                    SearchHit(
                        id: $0.id, title: $0.displayName, subtitle: context.words("students.one"),
                        category: "people",
                        path: "/students/\($0.id.text)", tint: $0.avatarTint)
                }
            }
        ]
        feature.notificationKinds = [
            NotificationKind("classroom.guidesAssigned", icon: "door") { logged, context in
                let id = logged.change.payload["classroom"].flatMap(UUID.init(text:))
                let membership = try context.membership
                let name = try await context.school.read { sql in
                    try id.flatMap {
                        try ClassroomRepository.classroom($0, orgId: membership.organization.id, in: sql)?.name
                    }
                }
                return (
                    context.words("notification.guidesAssigned", name ?? context.words("classrooms.one")),
                    id.map { "/classrooms/\($0.text)" }
                )
            }
        ]
        return feature
    }
}
