public import Domain
public import FeatureKit
public import Foundation

/// Imports a OneRoster 1.2 CSV bundle or a list of people into a school, and undoes imports.
///
/// For the command line; browsers and API clients use the commands.
public protocol RosterImporting: Sendable {
    /// Compares files with the school and, unless it is a dry run, updates the school in one transaction.
    ///
    /// Files with a fault change nothing; the report lists the faults.
    /// - Parameters:
    ///   - school: the database of the school `orgId`.
    ///   - personId: the person in the change log; `nil` for the system.
    ///   - isConfirmed: whether to import although the report has questions (`RosterReport.questions`).
    ///   - words: the language of the report, and of dates in a list of people.
    func run(
        _ files: [RosterFile], into school: any Database, of orgId: UUID, in timeZone: TimeZone,
        by personId: UUID?, dryRun: Bool, isConfirmed: Bool, words: Words
    ) async throws -> RosterReport

    /// Returns the recorded imports of the school, latest first.
    func pastImports(in school: any Database, of orgId: UUID) async throws -> [PastImport]

    /// Undoes an import, except for what was changed since; a dry run only reports.
    /// - Parameters:
    ///   - importId: the id of the import; `nil` for the latest that is not undone.
    ///   - directory: the server's directory database, whose changes to people count too.
    /// - Throws: `Problem` if there is no such import.
    func undo(
        _ importId: UUID?, in school: any Database, directory: any Database, of orgId: UUID, by personId: UUID?,
        dryRun: Bool, words: Words
    ) async throws -> RosterUndo
}

/// A file to import. Of its name, only the part after the last slash counts.
public struct RosterFile: Sendable, Hashable {
    public let name: String
    public let bytes: [UInt8]

    /// The largest size of a file in bytes. A larger one is reported as such and need not be read.
    public static let sizeLimit = 25 * 1024 * 1024

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
