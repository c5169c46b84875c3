import FeatureKit

/// The construction of one block in the server: the services that it offers to others, and its feature.
///
/// Each block has one file in this folder, which adds its wiring to `Wirings`. The manifest compiles the files of the
/// selected blocks.
struct BlockWiring: Sendable {
    /// The block's module name.
    let id: String
    /// The blocks without which this one cannot be built.
    let needs: [String]
    /// Registers the services of the block. They are made when they are first requested.
    let offer: @Sendable (ServiceRegistry) throws -> Void
    /// Builds the feature of the block from the services of all blocks.
    let build: Build

    /// The phase in which a feature is built.
    enum Build: Sendable {
        /// Built in the first phase.
        case first(@Sendable (ServiceRegistry) throws -> Feature)
        /// Built in the second phase, with the features of the first: for search, notifications and the audit log.
        case second(@Sendable (ServiceRegistry, _ others: [Feature]) throws -> Feature)
    }

    init(
        _ id: String, needs: [String] = [], offer: @escaping @Sendable (ServiceRegistry) throws -> Void = { _ in },
        build: @escaping @Sendable (ServiceRegistry) throws -> Feature
    ) {
        (self.id, self.needs, self.offer, self.build) = (id, needs, offer, .first(build))
    }

    init(
        _ id: String, needs: [String] = [], offer: @escaping @Sendable (ServiceRegistry) throws -> Void = { _ in },
        buildAfterOthers build: @escaping @Sendable (ServiceRegistry, _ others: [Feature]) throws -> Feature
    ) {
        (self.id, self.needs, self.offer, self.build) = (id, needs, offer, .second(build))
    }
}

/// The wirings of all blocks, by the block's name with a lower-case first letter. The wiring of a block that was not
/// compiled is `nil`.
@dynamicMemberLookup
enum Wirings {
    static subscript(dynamicMember name: String) -> BlockWiring? { nil }

    /// The wirings that are compiled in. Within a phase, this is the order of features and of their pages.
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
            Wirings.residence,
            Wirings.calendarFeed,
            Wirings.coursework,
            Wirings.assessment,
            Wirings.reminders,
            Wirings.wellness,
            Wirings.materials,
            Wirings.practice,
            Wirings.flashcards,
            // tower:new inserts above this line
            Wirings.search,
            Wirings.notifications,
            Wirings.audit,
        ]
        return all.compactMap(\.self)
    }
}
