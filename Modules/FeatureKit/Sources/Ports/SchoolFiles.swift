public import Foundation

/// Schools as files: what backup, restore, move and delete are made of. Works while the server runs.
public protocol SchoolFiles: Sendable {
    /// The ids of all schools that have a database here, in the order in which they were made.
    func all() async throws -> [UUID]
    /// Writes one unchanging state of a school's database to a new file, in small steps.
    func copy(_ id: UUID, to file: URL) async throws
    /// Looks whether the file is a sound database of a school that this program can use, brings it up to date
    /// and makes `change` in it. Throws `SchoolFileFault`, or `DatabaseFault` where the disk is full.
    func prepare(_ file: URL, _ change: @escaping @Sendable (any SQLWriting) throws -> Void) async throws
    /// Gives a school the content of a prepared file: all of it or, where anything fails, none. A school that
    /// does not exist is made. Whoever reads meanwhile sees the old state to the end.
    func put(_ file: URL, as id: UUID) async throws
    /// Takes a school's database off the disk. Doing it again changes nothing.
    func remove(_ id: UUID) async throws
}

/// Why a file cannot become a school.
public enum SchoolFileFault: Error, Sendable, Equatable {
    /// It is a database that does not hold together.
    case damaged
    /// A newer program has made it.
    case newer
    /// It is no database of a school.
    case foreign
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
