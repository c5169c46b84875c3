import Domain
public import FeatureKit
import Foundation

/// Progress: say in one sentence what it does, and for whom.
public enum ProgressFeature {
    /// What the composition root switches on.
    public static func make() throws -> Feature {
        var feature = Feature("Progress", catalog: try StringCatalog(in: .module))
        feature.queries = [
            .handle(ReadProgressWelcome.self) { _, context in
                .init(title: context.words("progress.welcome"))
            }
        ]
        return feature
    }
}
