import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ScreenKit

/// The blocks of a server: their features, and the services that the server itself uses.
struct Blocks: Sendable {
    let features: FeatureSet
    let authenticator: any Authenticator
    let memberships: any MembershipResolver
    let preferences: any PreferenceSource
    /// `nil` without Auth.
    let accounts: (any AccountAdministration)?
    /// `nil` without Organization.
    let schools: (any SchoolAdministration)?
    /// `nil` without Records.
    let schoolFiles: (any SchoolFileTasks)?
    /// `nil` without Roster.
    let imports: (any RosterTasks)?

    /// - Parameters:
    ///   - wirings: of the blocks that are compiled in.
    ///   - wanted: the blocks that are switched on; `nil` is all of them.
    /// - Throws: `ServerSettings.Malformed` for names that are no blocks, `FeatureSet.Misfit` with every block that is
    ///   needed and missing.
    init(_ ports: ServerPorts, wirings: [BlockWiring] = Wirings.compiled, wanted: [String]?) throws {
        let compiled = Set(wirings.map(\.id))
        try Self.refuseUnknown(wanted ?? [], compiled)
        let wirings = wirings.filter { wanted?.contains($0.id) ?? true }
        let on = Set(wirings.map(\.id))
        try Self.refuseMissing(wirings, on)

        let services = ServiceRegistry(ports, blocks: on)
        for wiring in wirings { try wiring.offer(services) }
        var features: [Feature] = []
        for wiring in wirings {
            if case .first(let build) = wiring.build { features.append(try build(services)) }
        }
        let screens = features.flatMap(\.pages.screens)
        if !screens.contains(where: { $0.path == "/" }) {
            features.append(try StartPage.feature(beside: screens))
        }
        for wiring in wirings {
            if case .second(let build) = wiring.build { features.append(try build(services, features)) }
        }
        services.allFeatures.set(features)

        self.features = try FeatureSet(features)
        authenticator = try services.find((any Authenticator).self) ?? Nobody()
        memberships = try services.find((any MembershipResolver).self) ?? Nobody()
        preferences = try services.find((any PreferenceSource).self) ?? Nobody()
        accounts = try services.find((any AccountAdministration).self)
        schools = try services.find((any SchoolAdministration).self)
        schoolFiles = try services.find((any SchoolFileTasks).self)
        imports = try services.find((any RosterTasks).self)
    }

    private static func refuseUnknown(_ wanted: [String], _ compiled: Set<String>) throws {
        let unknown = wanted.filter { !compiled.contains($0) }
        guard unknown.isEmpty else {
            throw ServerSettings.Malformed(
                faults: unknown.map {
                    """
                    features names \($0), which is not a block of this program. Its blocks are \
                    \(compiled.sorted().joined(separator: ", ")). Leave features out to switch on all of them.
                    """
                })
        }
    }

    private static func refuseMissing(_ wirings: [BlockWiring], _ on: Set<String>) throws {
        let faults = wirings.flatMap { wiring in
            wiring.needs.filter { !on.contains($0) }.map { need in
                "\(wiring.id) needs \(need), which is not switched on: add \(need) to `features`, or take \(wiring.id) out."
            }
        }
        guard faults.isEmpty else { throw FeatureSet.Misfit(faults: faults.sorted()) }
    }

    /// Forgets what is remembered of the directory: another process has changed it.
    func forget() {
        schools?.forgetMemberships()
        accounts?.clearSessionCache()
    }
}

/// Stands in where no block gives sign-in, schools or preferences: nobody is ever signed in.
struct Nobody: Authenticator, MembershipResolver, PreferenceSource {
    func account(accessToken: String) async throws -> SignedInAccount? { nil }
    func isValid(sessionId: UUID) async throws -> Bool { false }
    func accounts(ofSessions ids: [UUID]) async throws -> [UUID: SignedInAccount] { [:] }
    func refresh(refreshToken: String) async throws -> SessionTokens? { nil }
    func activeMembership(of account: SignedInAccount) async throws -> ActiveMembership? { nil }
    func preferences(of accountId: UUID) async throws -> DisplayPreferences { DisplayPreferences() }
}
