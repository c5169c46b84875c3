import CoursesInterface
import FeatureKit
import Progress

extension Wirings {
    static let progress: BlockWiring? = BlockWiring(
        "Progress", needs: ["Organization", "Courses", "Grading"]
    ) { services in
        try ProgressFeature.make(
            courses: services.require(), roster: services.find((any CourseRoster).self) ?? EmptyCourses(),
            lessons: services.require(),
            grades: services.require(), work: services.require(), families: services.require(),
            people: services.require(), calendar: services.require())
    }
}
