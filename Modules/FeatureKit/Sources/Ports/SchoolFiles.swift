public import Foundation

/// Schools as files: what backup, restore, move and delete are made of. Works while the server runs.
public protocol SchoolFiles: Sendable {
    /// The ids of all schools that have a database here, in the order in which they were made.
    func all() async throws -> [UUID]
    /// Writes one unchanging state of a school's database to a new file, in small steps.
    func copy(_ id: UUID, to file: URL) async throws
    /// Looks whether the file is a sound database of a school that this program can use, brings it up to date
    /// and makes `change` in it. Its tables must be those that the migrations make, column by column, and its change
    /// log must be chained without a gap; missing indexes and triggers are made again. Throws `SchoolFileFault`, or
    /// `DatabaseFault` where the disk is full.
    /// - Parameter isTrusted: whether tables of blocks that this program does not run are taken over unchecked.
    func prepare(
        _ file: URL, isTrusted: Bool, _ change: @escaping @Sendable (any SQLWriting) throws -> Void
    ) async throws
    /// Gives a school the content of a prepared file: all of it or, where anything fails, none. A school that
    /// does not exist is made. Readers see the old state until the end, and nobody writes meanwhile. A closed school
    /// stays closed.
    /// - Parameter work: runs once the content is in place but for its last page. Where it throws, the school
    ///   keeps its old content. Where `put` throws although `work` has run, the old content is kept as well.
    func put(_ file: URL, as id: UUID, _ work: @escaping @Sendable () async throws -> Void) async throws
    /// Takes a school's database off the disk. Doing it again changes nothing.
    func remove(_ id: UUID) async throws
    /// Decides whether the school's file takes writes. The mark is part of the file: once `false` was set, no
    /// process can commit another write to it, and each gets `DatabaseFault.closed`.
    func setWritable(_ isWritable: Bool, _ id: UUID) async throws
    /// What the school's file holds, counted within one snapshot.
    /// - Parameter seq: the last entry of the change log that counts; `nil` counts all.
    func contents(of id: UUID, upTo seq: Int64?) async throws -> SchoolContents
}

extension SchoolFiles {
    /// The same without further work.
    public func put(_ file: URL, as id: UUID) async throws { try await put(file, as: id) {} }
}

/// What a school's file holds, so that a copy can be compared with its original.
public struct SchoolContents: Sendable, Hashable {
    /// How many rows each table has, the change log up to the entry that was asked for.
    public let rows: [String: Int]
    /// The last entry that counts; `nil` where the log has none.
    public let seal: LogSeal?
    /// Whether the file takes writes.
    public let isWritable: Bool

    public init(rows: [String: Int], seal: LogSeal?, isWritable: Bool) {
        self.rows = rows
        self.seal = seal
        self.isWritable = isWritable
    }

    /// Whether a copy has the same rows and the same last entry; whether it is closed does not count.
    public func isEqual(to copy: SchoolContents) -> Bool { rows == copy.rows && seal == copy.seal }
}

/// Why a file cannot become a school.
public enum SchoolFileFault: Error, Sendable, Equatable {
    /// It is a database that does not hold together.
    case damaged
    /// A newer program has made it.
    case newer
    /// It is no database of a school.
    case foreign
    /// It has tables of blocks that this program does not run, so that they cannot be checked.
    case unknownBlocks([String])
}

/// Files as one: the container of a backup, and a zip of open files.
public protocol Archiving: Sendable {
    /// Writes one file with its manifest, sealed to a passphrase where one is given. It has its name only when
    /// it is complete and on disk; where it fails nothing is left. Throws `ArchiveFault`.
    func pack(_ parts: [ArchivePart], about: ArchiveSubject, into file: URL, passphrase: String?) async throws
    /// Reads such a file into an empty folder and checks every byte of it. Throws `ArchiveFault`.
    func unpack(_ file: URL, into folder: URL, passphrase: String?) async throws -> ArchiveManifest
    /// Writes a zip that every system opens. Throws `ArchiveFault`.
    func zip(_ parts: [ArchivePart], into file: URL) async throws
}

/// One file within an archive.
public struct ArchivePart: Sendable {
    public enum Content: Sendable {
        case bytes(Data)
        case file(URL)
    }
    /// Relative, ASCII, at most 100 bytes: `directory.json`.
    public let name: String
    public let content: Content

    public init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }
}

/// What an archive is of.
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

/// The first thing in an archive: what it is and what must be in it.
public struct ArchiveManifest: Sendable, Hashable, Codable {
    public struct Part: Sendable, Hashable, Codable {
        public let name: String
        public let bytes: Int
        /// Lower-case hexadecimal.
        public let sha256: String

        public init(name: String, bytes: Int, sha256: String) {
            self.name = name
            self.bytes = bytes
            self.sha256 = sha256
        }
    }
    /// The version that this program writes; it reads this and all earlier ones. 2 brought the school's files.
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

/// Why an archive cannot be written or read.
public enum ArchiveFault: Error, Sendable, Equatable {
    /// The disk is full or cannot be written; nothing was left on it.
    case cannotWrite
    /// There is a file of that name.
    case exists
    /// It is no archive of ours.
    case foreign
    /// It was cut short or altered.
    case damaged
    /// A newer program has made it.
    case newer
    case passphraseNeeded
    case passphraseWrong
}
