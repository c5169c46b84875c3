import ClassroomInterface
import CoursesInterface
import Enrollment
import EnrollmentInterface
import FeatureKit
import OrganizationInterface

extension Wirings {
    static let enrollment: BlockWiring? = BlockWiring(
        "Enrollment", needs: ["Organization", "Courses"]
    ) { services in
        services.offer(EnrollmentService.self) { EnrollmentService(families: try services.require()) }
        services.offer((any CourseRoster).self) { try services.require(EnrollmentService.self) }
        services.offer((any CoursePlaceImporting).self) { SQLCoursePlaceImport(courses: try services.require()) }
    } build: { services in
        try EnrollmentFeature.make(
            service: services.require(), courses: services.require(), people: services.require(),
            classrooms: services.find((any ClassroomService).self),
            students: services.find((any StudentService).self),
            roles: services.require(),
            records: services.all())
    }
}
