import Domain
import FeatureKit
import NotificationsInterface
import OrganizationInterface
import Reminders
import RemindersInterface

extension Wirings {
    static let reminders: BlockWiring? = BlockWiring("Reminders", needs: ["Organization"]) { services in
        let register = try services.require((any SchoolRegister).self)
        return try RemindersFeature.make(
            sources: services.all(), quiet: services.find((any QuietTimes).self),
            muted: services.find((any MutedCategories).self),
            school: { id in try await register.schools().first { $0.id == id } })
    }
}
