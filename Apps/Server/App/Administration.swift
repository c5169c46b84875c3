import Domain
import FeatureKit
import Foundation

/// What the server itself asks of accounts, at its start and on its command line.
protocol AccountAdministration: Sendable {
    /// Whether anybody has an account here yet.
    func hasAccounts() async throws -> Bool
    /// The address of the account that runs the server; `nil` where nobody is named.
    func operatorAddress() async throws -> String?
    /// Names the account that runs the server.
    /// - Returns: whether there is an account with that address.
    func nameOperator(email: String) async throws -> Bool
    /// Takes the second steps of sign-in off an account.
    /// - Returns: whether there is an account with that address.
    func removeSecondFactors(email: String) async throws -> Bool
    /// Loads the sessions into memory, so that the first requests need not.
    func fillSessionCache() async throws
    /// Empties that memory: another process has changed the directory.
    func clearSessionCache()
}

/// What the server itself asks of its schools, at its start and on its command line.
protocol SchoolAdministration: Sendable {
    /// Every school, the oldest first.
    func schools() async throws -> [Organization]
    /// Gives schools whose files the directory does not know their organization.
    func adopt(_ files: () async throws -> [UUID]) async throws
    /// Deletes a school for good.
    /// - Returns: whether nothing of it is left on the disk.
    func remove(_ id: UUID) async throws -> Bool
    /// Throws the refusal of a school that is closed. Reads the directory.
    func refuseClosed(_ id: UUID, in sql: any SQLReading) throws
    /// Empties the memory of who belongs where: another process has changed the directory.
    func forgetMemberships()
}

/// The command line's tasks about a school as a file.
protocol SchoolFileTasks: Sendable {
    /// - Returns: the lines to print.
    func run(_ task: SchoolFileTask, in composition: ServerComposition, _ settings: ServerSettings) async throws
        -> [String]
}

/// The command line's tasks about imports of people.
protocol RosterTasks: Sendable {
    /// Imports files; the lines to print.
    func run(
        _ path: URL, into school: Organization, dryRun: Bool, isConfirmed: Bool, in composition: ServerComposition
    ) async throws -> [String]
    /// Takes an import back; the lines to print.
    /// - Parameter id: `nil` is the latest that is not undone.
    func undo(_ id: UUID?, of school: Organization, dryRun: Bool, in composition: ServerComposition) async throws
        -> [String]
    /// The imports on record, the latest first, as lines to print.
    func past(of school: Organization, in composition: ServerComposition) async throws -> [String]
}
