public import DesignSystem
public import Domain
public import FeatureKit
public import Foundation

/// A block's part of another block's page. The page has made sure that the reader may see what it is about.
public struct PageSection: Sendable {
    /// What the page is about; `make` is given its id.
    public let subject: PageSubject
    /// Smaller stands first; blocks leave gaps.
    public let order: Int
    /// Who sees it.
    public let permission: Permission
    /// The topics after whose changes the part says something else.
    public let topics: @Sendable (UUID) -> [String]
    /// The components; none where there is nothing to say.
    public let make: @Sendable (UUID, ScreenRequest) async throws -> [Component]

    public init(
        _ subject: PageSubject, order: Int, permission: Permission,
        topics: @escaping @Sendable (UUID) -> [String] = { _ in [] },
        _ make: @escaping @Sendable (UUID, ScreenRequest) async throws -> [Component]
    ) {
        self.subject = subject
        self.order = order
        self.permission = permission
        self.topics = topics
        self.make = make
    }
}
