import ClassroomInterface
import CurriculumInterface
import FeatureKit
import Integrations
import Reports

extension Wirings {
    static let reports: BlockWiring? = BlockWiring("Reports", needs: ["Classroom"]) { services in
        try ReportsFeature.make(
            classrooms: services.require(), students: services.require(), record: services.require(),
            history: services.require(), materials: services.find((any MaterialRecord).self),
            printer: PangoPrinter(), qr: LibQRCode(),
            publicURL: services.ports.publicURL)
    }
}
