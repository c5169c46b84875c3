public import DesignSystem
public import Domain
public import FeatureKit
public import Foundation

/// A feature block's section on another block's page. The page has checked that the reader may see its subject.
public struct PageSection: Sendable {
    /// The subject of the page that shows the section. `make` receives its id.
    public let subject: PageSubject
    /// The position of the section: sections are sorted by it, smallest first. Blocks leave gaps.
    public let order: Int
    /// The permission that a reader needs to see the section.
    public let permission: Permission
    /// Returns the topics of changes after which the section is refreshed.
    public let topics: @Sendable (UUID) -> [String]
    /// Returns the components of the section; none if there is nothing to show.
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
