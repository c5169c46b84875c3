import ClassroomInterface
import Domain
import FeatureKit
import Integrations
import OrganizationInterface
import Residence

extension Wirings {
    static let residence: BlockWiring? = BlockWiring("Residence", needs: ["Organization"]) { services in
        let register = try services.require((any SchoolRegister).self)
        return try ResidenceFeature.make(
            people: services.require(), roles: services.require(), families: services.require(),
            printer: PangoPrinter(), contacts: services.find((any ClassRecord).self),
            school: { id in try await register.schools().first { $0.id == id } })
    }
}
