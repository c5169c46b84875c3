import AuthInterface
import FeatureKit
import Integrations
import Quest

extension Wirings {
    static let quest: BlockWiring? = BlockWiring("Quest", needs: ["Auth"]) { services in
        // Without Organization, the server belongs to one family.
        if !services.isOn("Organization") {
            services.offer((any MembershipResolver).self) { HomeMemberships(schools: services.ports.schools) }
        }
    } build: { services in
        let ports = services.ports
        return try QuestFeature.make(
            codes: services.require(), sessions: services.require(), hasher: ports.hasher, ids: ports.ids,
            qr: LibQRCode(), publicURL: ports.publicURL)
    }
}
