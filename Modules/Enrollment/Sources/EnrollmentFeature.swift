import Domain
public import FeatureKit
import Foundation

/// Enrollment: say in one sentence what it does, and for whom.
public enum EnrollmentFeature {
    /// What the composition root switches on.
    public static func make() throws -> Feature {
        var feature = Feature("Enrollment", catalog: try StringCatalog(in: .module))
        feature.queries = [
            .handle(ReadEnrollmentWelcome.self) { _, context in
                .init(title: context.words("enrollment.welcome"))
            }
        ]
        return feature
    }
}
