import ClassroomInterface
import CoursesInterface
import Enrollment
import FeatureKit
import OrganizationInterface

extension Wirings {
    static let enrollment: BlockWiring? = BlockWiring(
        "Enrollment", needs: ["Organization", "Classroom", "Courses"]
    ) { services in
        services.offer(EnrollmentService.self) { EnrollmentService(families: try services.require()) }
        services.offer((any CourseRoster).self) { try services.require(EnrollmentService.self) }
        services.offer((any CoursePlaceImporting).self) { SQLCoursePlaceImport(courses: try services.require()) }
    } build: { services in
        try EnrollmentFeature.make(
            service: services.require(), courses: services.require(), people: services.require(),
            classrooms: services.require(), students: services.require(), roles: services.require(),
            records: services.all())
    }
}
