import Domain
import FeatureKit
import Foundation

/// The tasks of the server about accounts, for its start and its command line.
protocol AccountAdministration: Sendable {
    /// Whether there is any account.
    func hasAccounts() async throws -> Bool
    /// Returns the email address of the server's operator; `nil` if none is named.
    func operatorAddress() async throws -> String?
    /// Names the account of the server's operator.
    /// - Returns: whether there is an account with that address.
    func nameOperator(email: String) async throws -> Bool
    /// Removes all second factors from an account.
    /// - Returns: whether there is an account with that address.
    func removeSecondFactors(email: String) async throws -> Bool
    /// Fills the cache of sessions, so that the first requests are fast.
    func fillSessionCache() async throws
    /// Clears the cache of sessions, because another process has changed the directory.
    func clearSessionCache()
}

/// The tasks of the server about its schools, for its start and its command line.
protocol SchoolAdministration: Sendable {
    /// Returns every school, oldest first.
    func schools() async throws -> [Organization]
    /// Adds schools to the directory whose files exist and that it does not know.
    func adopt(_ files: () async throws -> [UUID]) async throws
    /// Deletes a school permanently.
    /// - Returns: whether nothing of it is left on the disk.
    func remove(_ id: UUID) async throws -> Bool
    /// Throws a refusal if a school is closed. Reads the directory.
    func refuseClosed(_ id: UUID, in sql: any SQLReading) throws
    /// Clears the cache of memberships, because another process has changed the directory.
    func clearMembershipCache()
}

/// The tasks of the command line about the files of schools.
protocol SchoolFileTasks: Sendable {
    /// - Returns: the lines to print.
    func run(_ task: SchoolFileTask, in composition: ServerComposition, _ settings: ServerSettings) async throws
        -> [String]
}

/// The tasks of the command line about imports of people.
protocol RosterTasks: Sendable {
    /// Imports files and returns the lines to print.
    func run(
        _ path: URL, into school: Organization, dryRun: Bool, isConfirmed: Bool, in composition: ServerComposition
    ) async throws -> [String]
    /// Undoes an import and returns the lines to print.
    /// - Parameter id: the id of the import; `nil` for the latest that is not undone.
    func undo(_ id: UUID?, of school: Organization, dryRun: Bool, in composition: ServerComposition) async throws
        -> [String]
    /// Returns the recorded imports, latest first, as lines to print.
    func past(of school: Organization, in composition: ServerComposition) async throws -> [String]
}
