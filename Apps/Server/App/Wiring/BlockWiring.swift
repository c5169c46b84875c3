import FeatureKit

/// How the server builds one block: the services that it offers to others, and its feature.
///
/// Each block has one file in this folder, which adds its wiring to `Wirings`. The manifest compiles the files of the
/// selected blocks.
struct BlockWiring: Sendable {
    /// The block's module name.
    let id: String
    /// The blocks without which this one cannot be built.
    let needs: [String]
    /// Registers the services that other blocks and the server may ask for. They are made when somebody asks.
    let offer: @Sendable (ServiceRegistry) throws -> Void
    /// Builds the block's feature out of the services of all blocks.
    let build: Build

    /// In which of the two phases the feature is built.
    enum Build: Sendable {
        case first(@Sendable (ServiceRegistry) throws -> Feature)
        /// After the others, whose features it reads: for search, notifications and the audit trail.
        case second(@Sendable (ServiceRegistry, _ others: [Feature]) throws -> Feature)
    }

    init(
        _ id: String, needs: [String] = [], offer: @escaping @Sendable (ServiceRegistry) throws -> Void = { _ in },
        build: @escaping @Sendable (ServiceRegistry) throws -> Feature
    ) {
        (self.id, self.needs, self.offer, self.build) = (id, needs, offer, .first(build))
    }

    init(
        _ id: String, needs: [String] = [],
        buildAfterOthers build: @escaping @Sendable (ServiceRegistry, _ others: [Feature]) throws -> Feature
    ) {
        (self.id, self.needs, self.offer, self.build) = (id, needs, { _ in }, .second(build))
    }
}

/// The wirings of all blocks, by the block's name with a small first letter. A block that was not compiled is `nil`.
@dynamicMemberLookup
enum Wirings {
    static subscript(dynamicMember name: String) -> BlockWiring? { nil }

    /// The wirings that are compiled in. Within a phase, features are built and shown in this order.
    static var compiled: [BlockWiring] {
        let all: [BlockWiring?] = [
            Wirings.auth,
            Wirings.organization,
            Wirings.classroom,
            Wirings.preferences,
            Wirings.shell,
            Wirings.curriculum,
            Wirings.insights,
            Wirings.reports,
            Wirings.quest,
            Wirings.messaging,
            Wirings.courses,
            Wirings.enrollment,
            Wirings.grading,
            Wirings.progress,
            Wirings.roster,
            Wirings.records,
            // tower:new inserts above this line
            Wirings.search,
            Wirings.notifications,
            Wirings.audit,
        ]
        return all.compactMap(\.self)
    }
}
