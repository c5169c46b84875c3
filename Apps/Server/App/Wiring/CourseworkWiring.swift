import CalendarFeedInterface
import CoursesInterface
import Coursework
import Domain
import FeatureKit
import GradingInterface
import Integrations
import RemindersInterface

extension Wirings {
    static let coursework: BlockWiring? = BlockWiring(
        "Coursework", needs: ["Organization", "Courses", "Grading"]
    ) { services in
        let clock = services.ports.clock
        services.offer((any GradedItemSource).self) { CourseworkGrades(clock: clock) }
        services.offer((any DueWorkSource).self) {
            AssignmentReminders(
                courses: try services.require(),
                roster: try services.find((any CourseRoster).self) ?? EmptyCourses())
        }
        services.offer((any CalendarSource).self) {
            AssignmentCalendar(
                courses: try services.require(),
                roster: try services.find((any CourseRoster).self) ?? EmptyCourses(),
                families: try services.require(),
                clock: clock)
        }
    } build: { services in
        try CourseworkFeature.make(
            courses: services.require(), roster: services.find((any CourseRoster).self) ?? EmptyCourses(),
            people: services.require(), families: services.require(), markdown: CMarkReader(),
            images: services.ports.images,
            partialFiles: services.ports.partialFiles, zips: Zip(),
            pages: services.ports.pages)
    }
}
