import Audit
import FeatureKit

extension Wirings {
    static let audit: BlockWiring? = BlockWiring("Audit") { _, others in try AuditFeature.make(others: others) }
}
