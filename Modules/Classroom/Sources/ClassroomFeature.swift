public import ClassroomInterface
public import CurriculumInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import InsightsInterface
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// The Classroom feature block: classrooms, students and attendance.
public enum ClassroomFeature {
    public static func make(
        classrooms: any ClassroomService, students: any StudentService & StudentPlacing, guides: any GuideService,
        roles: any RoleAssigning, guardians: any GuardianService, taxonomy: (any Taxonomy)?,
        images: any ImageShrinking, transcriber: (any Transcriber)?, consents: (any ConsentNoting)?,
        calendar: any SchoolCalendar
    ) throws -> Feature {
        let photos = PhotoIntake(images: images)
        let pictures = ImageService(intake: photos, classrooms: classrooms, students: students)
        let classroomHandlers = ClassroomHandlers(classrooms: classrooms, pictures: pictures)
        let studentHandlers = StudentHandlers(students: students, roles: roles, pictures: pictures)
        let attendance = AttendanceHandlers(calendar: calendar)
        var feature = Feature("Classroom", catalog: try StringCatalog(in: .module))
        let observations = ObservationService(taxonomy: taxonomy)
        let observationHandlers = ObservationHandlers(service: observations, photos: photos)
        let guardianHandlers = GuardianHandlers(guardians: guardians)
        feature.access.permissions = [
            .viewClassrooms, .manageClassrooms, .manageStudents, .markAttendance, .keepRecords, .inviteFamilies,
        ]
        feature.storage.schoolMigrations = ClassroomMigrations.school
        feature.storage.records = ClassroomRecordStore.kinds
        feature.endpoints.commands = classroomHandlers.commands + studentHandlers.commands + attendance.commands
        feature.endpoints.queries = classroomHandlers.queries + studentHandlers.queries + attendance.queries
        feature.endpoints.commands += observationHandlers.commands + HabitService.commands + WorkService.commands
        feature.endpoints.commands +=
            CaptureHandlers(observations: observations, photos: photos).commands + ContactHandlers.commands
        feature.endpoints.queries += observationHandlers.queries + WorkService.queries + ContactHandlers.queries
        feature.endpoints.commands += guardianHandlers.commands
        feature.endpoints.queries += guardianHandlers.queries
        feature.endpoints.commands +=
            VoiceHandlers(
                observations: observations, photos: photos, transcriber: transcriber, consents: consents
            ).commands
        feature.endpoints.commands += pictures.commands
        feature.endpoints.downloads = [PhotoDownload.route, VoiceDownload.route] + pictures.downloads
        feature.pages.screens =
            ClassroomScreens(classrooms: classrooms, guides: guides).routes
            + StudentsScreens(classrooms: classrooms, students: students, calendar: calendar).routes
            + StudentPageScreens(
                classrooms: classrooms, students: students, guardians: guardians, taxonomy: taxonomy,
                transcriber: transcriber, calendar: calendar
            ).routes
            + [MyDayScreen(classrooms: classrooms, calendar: calendar).route]
        feature.pages.navigation = [
            NavigationEntry(
                .tabs, "classrooms.tab", icon: .door, path: "/homeroom", order: 10, permission: .viewClassrooms),
            NavigationEntry(
                .tabs, "myDay.title", icon: .sun, path: "/my-day", order: 20, permission: .viewClassrooms),
            NavigationEntry(
                .school, "classrooms.title", icon: .door, path: "/classrooms", order: 10,
                permission: .manageClassrooms),
            NavigationEntry(
                .school, "students.all", icon: .people, path: "/settings/students", order: 20,
                permission: .manageStudents),
        ]
        let home = ClassroomHome(classrooms: classrooms, calendar: calendar)
        feature.pages.sections = [
            PageSection(
                .home, order: 5, permission: .viewClassrooms, topics: { _ in ["classrooms", SchoolDays.topic] }
            ) { try await home.section($1) }
        ]
        feature.access.audiences = [
            AudienceSource { membership, sql in
                // Admins receive the changes of all classrooms through their role, guides those of their own.
                guard membership.limitedTo != nil else { return [] }
                return Set(
                    try classrooms.classrooms(visibleTo: membership, in: sql).map { Audience.classroom($0.id) })
            }
        ]
        feature.pages.searchSources = ClassroomSearch.sources
        feature.notifications.kinds = [
            NotificationKind("classroom.guidesAssigned", icon: .door) { logged, context in
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
        feature.access.titles = [
            .viewClassrooms: "right.classrooms.view", .manageClassrooms: "right.classrooms.manage",
            .manageStudents: "right.students.manage", .markAttendance: "right.attendance.mark",
            .keepRecords: "right.students.keepRecords", .inviteFamilies: "right.students.inviteFamilies",
        ]
        feature.audit.title = "audit.group.classroom"
        feature.audit.kinds = auditKinds
        feature.audit.names = [
            NameSource("classroom") { ids, sql in try ClassroomRepository.names(ids, in: sql) }
        ]
        return feature
    }

    private static let auditKinds = [
        AuditKind(
            "attendance.marked", "audit.attendance.marked", .name("student", of: "person"),
            .word("status", prefix: "attendance."), .value("day")),
        AuditKind(
            "attendance.cleared", "audit.attendance.cleared", .name("student", of: "person"), .value("day")),
        AuditKind(
            "attendance.restMarked", "audit.attendance.restMarked", .name("classroom", of: "classroom"),
            .value("day")),
        AuditKind("classroom.created", "audit.classroom.created", .name("classroom", of: "classroom")),
        AuditKind("classroom.updated", "audit.classroom.updated", .name("classroom", of: "classroom")),
        AuditKind("classroom.deleted", "audit.classroom.deleted", .name("classroom", of: "classroom")),
        AuditKind(
            "classroom.guidesAssigned", "audit.classroom.guidesAssigned", .name("classroom", of: "classroom")),
        AuditKind("student.created", "audit.student.created", .name("student", of: "person")),
        AuditKind("student.updated", "audit.student.updated", .name("student", of: "person")),
        AuditKind("student.deleted", "audit.student.deleted", .name("student", of: "person")),
        AuditKind(
            "student.enteredClass", "audit.student.enteredClass", .name("student", of: "person"),
            .name("classroom", of: "classroom")),
        AuditKind(
            "student.leftClass", "audit.student.leftClass", .name("student", of: "person"),
            .name("classroom", of: "classroom")),
        AuditKind(
            "student.stayChanged", "audit.student.stayChanged", .name("student", of: "person"),
            .name("classroom", of: "classroom")),
        AuditKind("observation.created", "audit.observation.created", .name("student", of: "person")),
        AuditKind("observation.updated", "audit.observation.updated", .name("student", of: "person")),
        AuditKind("observation.deleted", "audit.observation.deleted", .name("student", of: "person")),
        AuditKind("observation.tagged", "audit.observation.tagged", .name("student", of: "person")),
        AuditKind("voice.recorded", "audit.voice.recorded", .name("student", of: "person")),
        AuditKind("voice.writtenDown", "audit.voice.writtenDown", .name("student", of: "person")),
        AuditKind("voice.deleted", "audit.voice.deleted", .name("student", of: "person")),
        AuditKind("habit.created", "audit.habit.created", .name("student", of: "person")),
        AuditKind("habit.updated", "audit.habit.updated", .name("student", of: "person")),
        AuditKind("habit.deleted", "audit.habit.deleted", .name("student", of: "person")),
        AuditKind("habit.done", "audit.habit.done", .name("student", of: "person"), .value("day")),
        AuditKind("habit.reopened", "audit.habit.reopened", .name("student", of: "person"), .value("day")),
        AuditKind("lesson.created", "audit.lesson.created", .name("student", of: "person")),
        AuditKind("lesson.updated", "audit.lesson.updated", .name("student", of: "person")),
        AuditKind("lesson.completed", "audit.lesson.completed", .name("student", of: "person")),
        AuditKind("lesson.reopened", "audit.lesson.reopened", .name("student", of: "person")),
        AuditKind("lesson.deleted", "audit.lesson.deleted", .name("student", of: "person")),
        AuditKind("task.created", "audit.task.created", .name("student", of: "person")),
        AuditKind("task.updated", "audit.task.updated", .name("student", of: "person")),
        AuditKind("task.completed", "audit.task.completed", .name("student", of: "person")),
        AuditKind("task.reopened", "audit.task.reopened", .name("student", of: "person")),
        AuditKind("task.deleted", "audit.task.deleted", .name("student", of: "person")),
        AuditKind("contact.created", "audit.contact.created", .name("student", of: "person")),
        AuditKind("contact.updated", "audit.contact.updated", .name("student", of: "person")),
        AuditKind("contact.deleted", "audit.contact.deleted", .name("student", of: "person")),
        AuditKind(
            "guardian.removed", "audit.guardian.removed", .name("person", of: "person"),
            .name("student", of: "person")),
        AuditKind("student.seen", "audit.student.seen", .name("student", of: "person")),
        AuditKind("students.seen", "audit.students.seen"),
    ]
}
