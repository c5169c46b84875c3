import FeatureKit
import ScreenKit
import Search

extension Wirings {
    static let search: BlockWiring? = BlockWiring("Search") { services, others in
        try SearchFeature.make(
            sources: others.flatMap(\.pages.searchSources), audiences: others.flatMap(\.access.audiences),
            links: others.flatMap(\.pages.deepLinks), indexes: services.ports.searches,
            allSchools: services.ports.allSchools)
    }
}
