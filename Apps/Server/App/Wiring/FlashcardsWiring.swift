import CoursesInterface
import FeatureKit
import Flashcards
import OrganizationInterface

extension Wirings {
    static let flashcards: BlockWiring? = BlockWiring("Flashcards", needs: ["Organization", "Courses"]) {
        services in
        try FlashcardsFeature.make(
            courses: services.require(), roster: services.find((any CourseRoster).self) ?? EmptyCourses(),
            people: services.require(), images: services.ports.images)
    }
}
