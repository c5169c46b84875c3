import FeatureKit
import Integrations
import Materials

extension Wirings {
    static let materials: BlockWiring? = BlockWiring("Materials") { services in
        try MaterialsFeature.make(qr: LibQRCode(), publicURL: services.ports.publicURL)
    }
}
