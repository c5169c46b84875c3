import CalendarFeedInterface
import Courses
import CoursesInterface
import Domain
import FeatureKit
import Foundation
import Integrations
import OrganizationInterface

extension Wirings {
    static let courses: BlockWiring? = BlockWiring("Courses", needs: ["Organization"]) { services in
        services.offer(SQLCourseService.self) {
            try SQLCourseService(roster: services.find((any CourseRoster).self), families: services.require())
        }
        services.offer((any CourseService).self) { try services.require(SQLCourseService.self) }
        services.offer((any CourseTieService).self) { try services.require(SQLCourseService.self) }
        services.offer((any LessonRecord).self) { try services.require(SQLCourseService.self) }
        services.offer((any CourseImporting).self) { SQLCourseImport() }
        services.offer((any CalendarSource).self) {
            CourseCalendar(courses: try services.require(), calendar: try services.require())
        }
    } build: { services in
        try CoursesFeature.make(
            courses: services.require(), people: services.require(), guides: services.require(),
            roles: services.require(), markdown: CMarkReader(),
            preferences: services.find((any PersonalPreferences).self),
            images: services.ports.images)
    }
}

/// The roster of courses without a block that enrolls students: courses have none.
struct EmptyCourses: CourseRoster {
    func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID] { [] }
    func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> { [] }
    func fit(_ course: Course, in context: inout CommandContext) throws {}
}
