import ClassroomInterface
import CoursesInterface
import FeatureKit
import OrganizationInterface
import Practice

extension Wirings {
    static let practice: BlockWiring? = BlockWiring("Practice", needs: ["Organization"]) { services in
        try PracticeFeature.make(
            people: services.require(), courses: services.find((any CourseTieService).self),
            classrooms: services.find((any ClassroomService).self),
            students: services.find((any StudentService).self))
    }
}
