import FeatureKit
import Residence

extension Wirings {
    static let residence: BlockWiring? = BlockWiring("Residence") { _ in try ResidenceFeature.make() }
}
