import ClassroomInterface
import FeatureKit
import OrganizationInterface
import Residence

extension Wirings {
    static let residence: BlockWiring? = BlockWiring("Residence", needs: ["Organization"]) { services in
        try ResidenceFeature.make(
            people: services.require(), roles: services.require(), families: services.require(),
            contacts: services.find((any ClassRecord).self))
    }
}
