public import Foundation

/// The database files of schools, for backup, restore, move and delete. Works while the server runs.
public protocol SchoolFiles: Sendable {
    /// Returns the ids of all schools with a database, in the order in which they were created.
    func all() async throws -> [UUID]
    /// Copies one snapshot of a school's database to a new file, in small steps.
    func copy(_ id: UUID, to file: URL) async throws
    /// Checks that a file is a sound database of a school, migrates it, and makes `change` in it.
    ///
    /// Its tables must be those that the migrations make, column by column, and its change log must have an intact hash
    /// chain without gaps. Missing indexes and triggers are created. Throws `SchoolFileFault`, or `DatabaseFault` if
    /// the disk is full.
    /// - Parameter isTrusted: whether tables of feature blocks that this program does not run are accepted unchecked.
    func prepare(
        _ file: URL, isTrusted: Bool, _ change: @escaping @Sendable (any SQLWriting) throws -> Void
    ) async throws
    /// Gives a school the content of a prepared file: all of it or, if anything fails, none.
    ///
    /// A school that does not exist is created. Readers see the old state until the end, and writes wait. A closed
    /// school stays closed.
    /// - Parameter work: runs when the content is in place except for its last page. If it throws, the school keeps
    ///   its old content. If `put` throws after `work` has run, the school keeps its old content too.
    func put(_ file: URL, as id: UUID, _ work: @escaping @Sendable () async throws -> Void) async throws
    /// Deletes a school's database. Safe to repeat.
    func remove(_ id: UUID) async throws
    /// Sets whether a school's database file accepts writes.
    ///
    /// The mark is part of the file: while it is `false`, every write by any process throws `DatabaseFault.closed`.
    func setWritable(_ isWritable: Bool, _ id: UUID) async throws
    /// Counts the rows of each table in a school's database file, within one snapshot.
    /// - Parameter seq: the last entry of the change log that counts; `nil` counts all.
    func contents(of id: UUID, upTo seq: Int64?) async throws -> SchoolContents
}

extension SchoolFiles {
    /// Gives a school the content of a prepared file, without further work.
    public func put(_ file: URL, as id: UUID) async throws { try await put(file, as: id) {} }
}

/// The content of a school's file, for comparing a copy with its original.
public struct SchoolContents: Sendable, Hashable {
    /// The number of rows of each table in the file; of the change log, those up to the requested entry.
    public let rows: [String: Int]
    /// The number and hash of the last entry of the change log that counts; `nil` if the log has none.
    public let seal: LogSeal?
    /// Whether the school's file accepts writes.
    public let isWritable: Bool

    public init(rows: [String: Int], seal: LogSeal?, isWritable: Bool) {
        self.rows = rows
        self.seal = seal
        self.isWritable = isWritable
    }

    /// Whether a copy has the same rows and the same last entry of the change log. Whether it takes writes does not
    /// matter.
    public func isEqual(to copy: SchoolContents) -> Bool { rows == copy.rows && seal == copy.seal }
}

/// The reason why a file cannot become a school.
public enum SchoolFileFault: Error, Sendable, Equatable {
    /// The database in the file is damaged.
    case damaged
    /// A newer version of this program made the file.
    case newer
    /// The file is not a database of a school.
    case foreign
    /// The file has tables of feature blocks that this program does not run, so that they cannot be checked.
    case unknownBlocks([String])
}

/// Packs files into archives: encrypted backups and ordinary ZIP files.
public protocol Archiving: Sendable {
    /// Writes an archive of files and a manifest, encrypted if there is a passphrase. Throws `ArchiveFault`.
    ///
    /// The file gets its name when it is complete and on disk; after a failure nothing is left.
    func pack(_ parts: [ArchivePart], about: ArchiveSubject, into file: URL, passphrase: String?) async throws
    /// Unpacks an archive into an empty folder and verifies every byte. Throws `ArchiveFault`.
    func unpack(_ file: URL, into folder: URL, passphrase: String?) async throws -> ArchiveManifest
    /// Writes an ordinary ZIP file. Throws `ArchiveFault`.
    func zip(_ parts: [ArchivePart], into file: URL) async throws
}

/// One file to be packed into an archive.
public struct ArchivePart: Sendable {
    /// The content of the file, in memory or on disk.
    public enum Content: Sendable {
        case bytes(Data)
        case file(URL)
    }
    /// The name of the file within the archive: relative, ASCII, at most 100 bytes: `directory.json`.
    public let name: String
    public let content: Content

    public init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }
}

/// The school whose data an archive holds, and when it was made.
public struct ArchiveSubject: Sendable, Hashable, Codable {
    public let schoolId: UUID
    public let schoolName: String
    public let madeAt: Date

    public init(schoolId: UUID, schoolName: String, madeAt: Date) {
        self.schoolId = schoolId
        self.schoolName = schoolName
        self.madeAt = madeAt
    }
}

/// The first part of an archive, which lists all others.
public struct ArchiveManifest: Sendable, Hashable, Codable {
    /// One file of an archive, as its manifest lists it.
    public struct Part: Sendable, Hashable, Codable {
        public let name: String
        /// The size of the archived file in bytes.
        public let bytes: Int
        /// The SHA-256 hash of the archived file in lower-case hexadecimal.
        public let sha256: String

        public init(name: String, bytes: Int, sha256: String) {
            self.name = name
            self.bytes = bytes
            self.sha256 = sha256
        }
    }
    /// The version of the archive format that this program writes; it also reads all earlier ones. Version 2 added
    /// the school's files.
    public static let version = 2
    public static let format = "pinktower-school"

    public let format: String
    public let version: Int
    public let subject: ArchiveSubject
    public let parts: [Part]

    public init(subject: ArchiveSubject, parts: [Part]) {
        format = Self.format
        version = Self.version
        self.subject = subject
        self.parts = parts
    }
}

/// The reason why an archive cannot be written or read.
public enum ArchiveFault: Error, Sendable, Equatable {
    /// The disk is full or cannot be written. The unfinished archive was removed from it.
    case cannotWrite
    /// A file with the archive's name exists already.
    case exists
    /// The file is not one of our archives.
    case foreign
    /// The archive was cut short or altered.
    case damaged
    /// A newer version of this program made the archive.
    case newer
    case passphraseNeeded
    case passphraseWrong
}
