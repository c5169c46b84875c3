public import Domain
public import FeatureKit
public import Foundation

/// Reads a OneRoster 1.2 CSV bundle, or a plain list of people, into a school and takes it back. For the command
/// line; browsers and API clients go through the commands.
public protocol RosterImporting: Sendable {
    /// Compares the files with the school and, unless it is a dry run, brings the school up to them in one
    /// transaction. Files with a fault change nothing; the report lists what is wrong.
    ///
    /// - Parameters:
    ///   - school: the database of the school `orgId`.
    ///   - personId: who the change log names; `nil` is the system.
    ///   - isConfirmed: whether the import goes on where the report asks (`RosterReport.questions`).
    ///   - words: the language of the report, and of dates in a plain list.
    func run(
        _ files: [RosterFile], into school: any Database, of orgId: UUID, in timeZone: TimeZone,
        by personId: UUID?, dryRun: Bool, isConfirmed: Bool, words: Words
    ) async throws -> RosterReport

    /// The imports that are on record, the latest first.
    func pastImports(in school: any Database, of orgId: UUID) async throws -> [PastImport]

    /// Takes back what an import did, except for what was changed since; a dry run only tells.
    ///
    /// - Parameters:
    ///   - importId: `nil` is the latest that is not undone.
    ///   - directory: what it tells about people counts too.
    /// - Throws: `Problem` where there is no such import.
    func undo(
        _ importId: UUID?, in school: any Database, directory: any Database, of orgId: UUID, by personId: UUID?,
        dryRun: Bool, words: Words
    ) async throws -> RosterUndo
}

/// A file that was sent. Of the name only what follows the last slash counts.
public struct RosterFile: Sendable, Hashable {
    public let name: String
    public let bytes: [UInt8]

    /// How many bytes a file may have; a larger one has its sentence and need not be read.
    public static let sizeLimit = 25 * 1024 * 1024

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
