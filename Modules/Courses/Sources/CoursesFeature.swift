import Domain
public import FeatureKit
import Foundation

/// Courses: say in one sentence what it does, and for whom.
public enum CoursesFeature {
    /// What the composition root switches on.
    public static func make() throws -> Feature {
        var feature = Feature("Courses", catalog: try StringCatalog(in: .module))
        feature.queries = [
            .handle(ReadCoursesWelcome.self) { _, context in
                .init(title: context.words("courses.welcome"))
            }
        ]
        return feature
    }
}
