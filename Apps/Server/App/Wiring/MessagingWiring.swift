import ClassroomInterface
import FeatureKit
import Messaging
import OrganizationInterface

extension Wirings {
    static let messaging: BlockWiring? = BlockWiring("Messaging", needs: ["Organization", "Classroom"]) {
        services in
        try MessagingFeature.make(
            roles: services.require(), ties: services.require(), people: services.require(),
            courses: services.find((any CourseTieService).self), images: services.ports.images)
    }
}
