import Domain
public import FeatureKit
public import Foundation
public import ScreenKit

/// The features of a running server, checked for contradictions between them.
public struct FeatureSet: Sendable {
    public let features: [Feature]
    /// The kinds of record that the feature blocks and the kernel (the modules under all blocks) store.
    public let records: [RecordKind]

    /// The error for features that contradict each other. Its message lists all contradictions.
    public struct Misfit: Error, CustomStringConvertible {
        public let faults: [String]
        public var description: String { faults.joined(separator: "\n") }

        public init(faults: [String]) { self.faults = faults }
    }

    /// Combines features. Throws `Misfit` if two of them declare the same name.
    public init(_ features: [Feature]) throws {
        var faults: [String] = []
        func refuseDoubles(_ what: String, _ names: [String]) {
            for (name, count) in Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +) where count > 1 {
                faults.append("Two blocks declare the \(what) \(name).")
            }
        }
        refuseDoubles(
            "endpoint",
            features.flatMap {
                $0.endpoints.queries.map(\.contract.name) + $0.endpoints.commands.map(\.contract.name)
            })
        refuseDoubles("query path", features.flatMap { $0.endpoints.queries.map(\.contract.path) })
        refuseDoubles("command path", features.flatMap { $0.endpoints.commands.map(\.contract.path) })
        refuseDoubles(
            "screen", features.flatMap { $0.pages.screens.map(\.path) + $0.endpoints.downloads.map(\.path) })
        refuseDoubles("island", features.flatMap(\.pages.islands.keys))
        refuseDoubles("deep link", features.flatMap { $0.pages.deepLinks.map(\.name) })
        refuseDoubles("job", features.flatMap { $0.jobs.map(\.id) })
        refuseDoubles("store of copies", features.flatMap { $0.storage.stores.map(\.id) })
        let records = KernelRecordStore.kinds + features.flatMap(\.storage.records)
        refuseDoubles("kind of record", records.map(\.id))
        guard faults.isEmpty else { throw Misfit(faults: faults.sorted()) }
        self.features = features
        self.records = records
    }

    /// The migrations of the server's directory database, those of the kernel first.
    public var directoryMigrations: [MigrationSet] {
        KernelMigrations.directory
            + features.map { MigrationSet(owner: $0.id, migrations: $0.storage.directoryMigrations) }
    }

    /// The migrations of a school's database, those of the kernel first.
    public var schoolMigrations: [MigrationSet] {
        KernelMigrations.school
            + features.map { MigrationSet(owner: $0.id, migrations: $0.storage.schoolMigrations) }
    }

    /// Returns the page at a path and the values of the path's parameters. A literal part takes precedence over a
    /// parameter.
    public func screen(at path: String) -> (route: ScreenRoute, parameters: [String: String])? {
        features.flatMap(\.pages.screens).compactMap { route in route.parameters(of: path).map { (route, $0) } }
            .min { $0.1.count < $1.1.count }
    }

    /// Returns the path of the first page that a device narrowed for a child may open; `nil` for any other session.
    public func home(of caller: Caller) -> String? {
        guard let narrowed = caller.account?.token, narrowed.isDevice else { return nil }
        return features.flatMap(\.pages.screens).first { narrowed.covers(pageOf: $0.area) }?.path
    }

    /// The folders with the scripts and styles of all islands (custom elements), by the islands' names.
    public var islands: [String: URL] {
        features.reduce(into: [:]) { $0.merge($1.pages.islands) { first, _ in first } }
    }

    /// The names of the deep links that this server opens. Empty if no feature block provides the page that opens them.
    public var openedLinks: Set<String> {
        guard features.contains(where: { $0.pages.screens.contains { $0.path == DeepLink.opener } }) else {
            return []
        }
        return Set(features.flatMap(\.pages.deepLinks).map(\.name))
    }

    /// Returns the sections that feature blocks add to other blocks' pages and that the caller may see, sorted by their
    /// `order`.
    public func sections(for caller: Caller) -> [PageSection] {
        features.flatMap(\.pages.sections).filter { caller.may($0.permission) }.sorted { $0.order < $1.order }
    }

    /// Returns the sources of events for the home page's agenda that the caller may see.
    public func agenda(for caller: Caller) -> [AgendaSource] {
        features.flatMap(\.pages.agenda).filter { caller.may($0.permission) }
    }

    /// Returns the navigation entries that the caller may use, sorted, each at the placement (tab, menu) that fits the
    /// caller's roles.
    public func navigation(for caller: Caller) -> [NavigationEntry] {
        let narrowed = caller.account?.token
        let roles = caller.membership?.roles ?? []
        let entries = features.flatMap(\.pages.navigation)
            .filter { $0.permission.map(caller.may) ?? true }
            .filter { entry in narrowed?.covers(pageOf: screen(at: entry.path)?.route.area) ?? true }
        let hasOwnTab = entries.contains {
            $0.placement == .tabs && $0.order < NavigationEntry.sharedTabOrder
        }
        // Staff have the pages of learning in menus, beside the tabs of their work. In a school with courses only, these
        // pages are their work.
        let hasMenus = roles.contains(where: \.isStaff) && hasOwnTab
        return entries.map { entry in
            var placed = entry
            switch entry.placement {
            case .family: placed.placement = roles == [.parent] ? .tabs : .account
            case .learning: placed.placement = hasMenus ? .account : .tabs
            case .beside: placed.placement = hasMenus ? .beside : .tabs
            default: break
            }
            return placed
        }
        .sorted { ($0.order, $0.path) < ($1.order, $1.path) }
    }
}
