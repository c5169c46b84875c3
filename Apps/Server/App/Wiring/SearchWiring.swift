import FeatureKit
import Search

extension Wirings {
    static let search: BlockWiring? = BlockWiring("Search") { services, others in
        try SearchFeature.make(
            sources: others.flatMap(\.searchSources), audiences: others.flatMap(\.audiences),
            links: others.flatMap(\.deepLinks), indexes: services.ports.searches,
            allSchools: services.ports.allSchools)
    }
}
