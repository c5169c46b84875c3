import Domain
public import FeatureKit
import Foundation

/// Residence: say in one sentence what it does, and for whom.
public enum ResidenceFeature {
    /// Builds the block's feature. Its wiring in `Apps/Server/App/Wiring` passes what this asks for.
    public static func make() throws -> Feature {
        var feature = Feature("Residence", catalog: try StringCatalog(in: .module))
        feature.endpoints.queries = [
            .handle(ReadResidenceWelcome.self) { _, context in
                .init(title: context.words("residence.welcome"))
            }
        ]
        return feature
    }
}
