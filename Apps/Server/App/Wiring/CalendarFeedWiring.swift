import CalendarFeed
import CalendarFeedInterface
import FeatureKit

extension Wirings {
    static let calendarFeed: BlockWiring? = BlockWiring("CalendarFeed") { services in
        try CalendarFeedFeature.make(
            sources: services.all(), directory: services.ports.directory,
            memberships: services.find((any MembershipResolver).self) ?? Nobody(), hasher: services.ports.hasher,
            ids: services.ports.ids, publicURL: services.ports.publicURL)
    }
}
