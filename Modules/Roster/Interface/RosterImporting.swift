public import Domain
public import FeatureKit
public import Foundation

/// Reads a OneRoster 1.2 CSV bundle into a school. For the command line; browsers and API clients go through
/// the commands.
public protocol RosterImporting: Sendable {
    /// Compares the bundle with the school and, unless it is a dry run, brings the school up to it in one
    /// transaction. A bundle with a fault changes nothing; the report lists what is wrong.
    ///
    /// - Parameters:
    ///   - school: the database of the school `orgId`.
    ///   - personId: who the change log names; `nil` is the system.
    ///   - words: the language of the report.
    func run(
        _ files: [RosterFile], into school: any Database, of orgId: UUID, by personId: UUID?, dryRun: Bool,
        words: Words
    ) async throws -> RosterReport
}

/// A file of a bundle. Of the name only what follows the last slash counts.
public struct RosterFile: Sendable, Hashable {
    public let name: String
    public let bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
