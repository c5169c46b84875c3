public import ClassroomInterface
public import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// The Enrollment feature block: students enroll in courses and drop them, and teachers and administrators approve
/// requests and add students.
public enum EnrollmentFeature {
    /// Builds the Enrollment feature block.
    ///
    /// - Parameters:
    ///   - service: The service that other blocks use too.
    ///   - people: Finds names.
    ///   - roles: Finds the people with the student role.
    ///   - records: Blocks with records of students who have left a course.
    public static func make(
        service: EnrollmentService, courses: any CourseService, people: any PeopleService,
        classrooms: (any ClassroomService)?, students: (any StudentService)?, roles: any RoleDirectory,
        records: [any CourseRecords] = []
    ) throws -> Feature {
        let handlers = EnrollmentHandlers(
            courses: courses, service: service, classrooms: classrooms, students: students, roles: roles,
            records: records)
        let chooser = StudentChooser(families: service.families)
        let catalog = CatalogScreens(
            courses: courses, cache: CatalogCache(courses: courses), people: people, chooser: chooser)
        let roster = PeopleScreens(
            courses: courses, people: people, classrooms: classrooms, students: students, roles: roles)
        let section = CourseSection(courses: courses, handlers: handlers, chooser: chooser)
        var feature = Feature(
            "Enrollment", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.enroll]
        feature.access.titles = [.enroll: "right.enrollment.enroll"]
        feature.storage.schoolMigrations = EnrollmentMigrations.school
        feature.storage.records = EnrollmentRecordStore.kinds
        feature.endpoints.commands = handlers.commands
        feature.endpoints.queries = catalog.queries + roster.queries
        feature.pages.screens = [catalog.route] + roster.routes
        feature.pages.navigation = [
            NavigationEntry(
                .courses, "catalog.title", icon: .search, path: CatalogScreens.path, order: 10,
                permission: .viewCourses)
        ]
        feature.pages.sections = [
            PageSection(.course, order: 10, permission: .viewCourses) { try await section.section(of: $0, $1) },
            PageSection(.home, order: 20, permission: .teachCourses, topics: { _ in [CourseTopic.list] }) {
                try await EnrollmentHome(courses: courses).section($0, $1)
            },
        ]
        feature.notifications.kinds = [
            ("enrollment.requested", "notification.requested"), ("enrollment.approved", "notification.approved"),
            ("enrollment.denied", "notification.denied"), ("enrollment.promoted", "notification.promoted"),
            ("enrollment.enrolled", "notification.enrolled"), ("enrollment.removed", "notification.removed"),
            ("enrollment.lapsed", "notification.lapsed"), ("enrollment.dropAsked", "notification.dropAsked"),
            ("enrollment.dropAgreed", "notification.dropAgreed"),
            ("enrollment.dropRefused", "notification.dropRefused"),
            ("enrollment.dropWithdrawn", "notification.dropWithdrawn"),
        ].map { notification($0.0, $0.1, courses, people) }
        feature.audit.title = "audit.group.enrollment"
        feature.audit.kinds = auditKinds
        return feature
    }

    /// A notification of a student and a course. For leaders it links to the people of the course.
    private static func notification(
        _ kind: String, _ key: String, _ courses: any CourseService, _ people: any PeopleService
    ) -> NotificationKind {
        NotificationKind(kind, icon: .book) { logged, context in
            let (membership, payload) = (try context.membership, logged.change.payload)
            let courseId = payload["course"].flatMap(UUID.init(text:))
            let studentId = payload["student"].flatMap(UUID.init(text:))
            return try await context.school.read { sql in
                let course = try courseId.flatMap { try courses.courses([$0], in: sql)[$0] }
                let student = try studentId.flatMap {
                    try people.people([$0], of: membership.organization.id, in: sql)[$0]?.name.display
                }
                let words = context.words
                let path = course.map { course in
                    logged.change.audience.contains(.teachers(of: course.id))
                        ? PeopleScreens.path(course.id) : "/courses/\(course.id.text)"
                }
                return (
                    words(
                        key, student ?? words("enrollment.someone"), course?.name ?? words("enrollment.someCourse")
                    ),
                    path
                )
            }
        }
    }

    private static let auditKinds =
        [
            "enrolled", "requested", "waitlisted", "promoted", "approved", "denied", "dropped", "dropAsked",
            "dropAgreed", "dropRefused", "dropWithdrawn", "removed", "lapsed",
        ].map {
            AuditKind(
                "enrollment.\($0)", "audit.enrollment.\($0)", .name("student", of: "person"),
                .name("course", of: "course"))
        } + [AuditKind("enrollment.seats", "audit.enrollment.seats", .name("course", of: "course"))]
}
