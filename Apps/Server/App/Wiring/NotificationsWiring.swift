import FeatureKit
import Notifications
import NotificationsInterface
import ScreenKit

extension Wirings {
    static let notifications: BlockWiring? = BlockWiring("Notifications") { services in
        services.offer((any QuietTimes).self) { ChosenQuietTimes() }
        services.offer((any MutedCategories).self) { ChosenMutedCategories() }
    } buildAfterOthers: { services, others in
        try NotificationsFeature.make(
            kinds: others.flatMap(\.notifications.kinds), audiences: others.flatMap(\.access.audiences),
            catalogs: others.map(\.catalog),
            push: PushPorts(
                sender: services.ports.push, sessions: services.find((any Authenticator).self) ?? Nobody(),
                memberships: services.find((any MembershipResolver).self) ?? Nobody(),
                preferences: services.find((any PreferenceSource).self) ?? Nobody(),
                opensLinks: services.isOn("Search"),
                report: services.ports.report))
    }
}
