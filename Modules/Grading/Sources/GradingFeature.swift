import Domain
public import FeatureKit
import Foundation

/// Grading: say in one sentence what it does, and for whom.
public enum GradingFeature {
    /// What the composition root switches on.
    public static func make() throws -> Feature {
        var feature = Feature("Grading", catalog: try StringCatalog(in: .module))
        feature.queries = [
            .handle(ReadGradingWelcome.self) { _, context in
                .init(title: context.words("grading.welcome"))
            }
        ]
        return feature
    }
}
