import FeatureKit
import OrganizationInterface
import Wellness

extension Wirings {
    static let wellness: BlockWiring? = BlockWiring("Wellness", needs: ["Organization"]) { services in
        try WellnessFeature.make(
            roles: services.require(), people: services.require(), families: services.require())
    }
}
