import ClassroomInterface
import CoursesInterface
import FeatureKit
import Grading
import GradingInterface
import Integrations

extension Wirings {
    static let grading: BlockWiring? = BlockWiring(
        "Grading", needs: ["Organization", "Courses"]
    ) { services in
        services.offer(SQLGradeService.self) {
            try SQLGradeService(
                courses: services.require(), roster: services.find((any CourseRoster).self) ?? EmptyCourses(),
                sources: services.all())
        }
        services.offer((any GradeService).self) { try services.require(SQLGradeService.self) }
        services.offer((any WorkRecord).self) { try services.require(SQLGradeService.self) }
        services.offer((any CourseResults).self) { try services.require(SQLGradeService.self) }
        services.offer((any CourseRecords).self) { try services.require(SQLGradeService.self) }
    } build: { services in
        try GradingFeature.make(
            courses: services.require(), roster: services.find((any CourseRoster).self) ?? EmptyCourses(),
            people: services.require(),
            families: services.require(), printer: PangoPrinter(), sources: services.all())
    }
}
