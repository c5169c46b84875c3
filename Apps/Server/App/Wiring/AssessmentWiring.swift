import Assessment
import CalendarFeedInterface
import CoursesInterface
import FeatureKit
import GradingInterface
import Integrations
import OrganizationInterface
import RemindersInterface

extension Wirings {
    static let assessment: BlockWiring? = BlockWiring(
        "Assessment", needs: ["Organization", "Courses", "Grading"]
    ) { services in
        services.offer((any GradedItemSource).self) { GradedQuizzes() }
        services.offer((any DueWorkSource).self) {
            QuizReminders(
                courses: try services.require(),
                roster: try services.find((any CourseRoster).self) ?? EmptyCourses())
        }
        services.offer((any CalendarSource).self) {
            QuizCalendar(
                courses: try services.require(),
                roster: try services.find((any CourseRoster).self) ?? EmptyCourses(),
                families: try services.require())
        }
    } build: { services in
        try AssessmentFeature.make(
            courses: services.require(), roster: services.find((any CourseRoster).self) ?? EmptyCourses(),
            people: services.require(), markdown: CMarkReader(), images: services.ports.images,
            unpacker: Unzip(), packer: Zip())
    }
}
