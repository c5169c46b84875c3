import AuthInterface
import CalendarFeedInterface
import ClassroomInterface
import Domain
import FeatureKit
import Integrations
import OrganizationInterface
import Residence

extension Wirings {
    static let residence: BlockWiring? = BlockWiring("Residence", needs: ["Auth", "Organization"]) { services in
        services.offer((any CalendarSource).self) { LeaveCalendar(families: try services.require()) }
    } build: { services in
        let ports = services.ports
        let register = try services.require((any SchoolRegister).self)
        return try ResidenceFeature.make(
            people: services.require(), roles: services.require(), families: services.require(),
            printer: PangoPrinter(),
            gates: GatePorts(
                sessions: services.require(), hasher: ports.hasher, ids: ports.ids, qr: LibQRCode(),
                codes: ZBarCodes(), publicURL: ports.publicURL),
            contacts: services.find((any ClassRecord).self),
            school: { id in try await register.schools().first { $0.id == id } })
    }
}
