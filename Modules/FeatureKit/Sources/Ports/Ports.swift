import Domain
public import Foundation

/// Gives access to the databases of all schools.
///
/// Only the request pipeline, the code that assembles the server, and the feature block that founds schools have it.
/// All other code gets the database of one school.
public protocol SchoolDatabases: Sendable {
    /// Returns the database of an existing school. Throws `DatabaseFault.missing` for an unknown id.
    func school(_ id: UUID) async throws -> any Database

    /// Creates the database of a new school, migrated and empty. Safe to repeat.
    func create(_ id: UUID) async throws -> any Database
}

/// Makes ids and random bytes. Tests pass a generator with predictable results.
public protocol IDGenerator: Sendable {
    /// Returns a version 7 UUID for an entity created at an instant.
    func id(at instant: Date) -> UUID
    /// Returns random bytes from the system's secure source.
    func randomBytes(_ count: Int) -> [UInt8]
}

extension IDGenerator {
    /// Returns a secret for a cookie or a link: 32 random bytes in URL-safe Base64 (RFC 4648 section 5) without
    /// padding.
    public func token() -> String {
        Data(randomBytes(32)).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

/// The generator of ids and random bytes that servers use.
public struct SystemIDGenerator: IDGenerator {
    public init() {}

    public func id(at instant: Date) -> UUID {
        var random = SystemRandomNumberGenerator()
        return .v7(at: instant, using: &random)
    }

    public func randomBytes(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

/// Hashes secrets: passwords slowly and with a salt (scrypt), random tokens quickly.
public protocol SecretHasher: Sendable {
    /// Returns a hash that includes its parameters and differs on each call. It takes about a tenth of a second on
    /// purpose.
    func hash(password: String) async throws -> String
    /// Whether a hash was made of a password. The time it takes does not depend on the answer.
    func verify(password: String, against hash: String) async throws -> Bool
    /// Returns the SHA-256 in lower-case hexadecimal, for tokens that are random already.
    func fingerprint(_ token: String) -> String
}

/// The port that makes QR codes (ISO/IEC 18004).
public protocol QRCodeEncoder: Sendable {
    /// Returns the modules row by row, `true` for dark, without the quiet zone. Throws if the text is too long.
    func modules(of text: String) throws -> [[Bool]]
}

/// The port that reads QR codes (ISO/IEC 18004) in pictures.
public protocol QRCodeDecoder: Sendable {
    /// Returns the texts of the QR codes in a JPEG, PNG or WebP picture; none if it shows no code that can be read.
    func texts(in picture: FileContent) async throws(ImageFault) -> [String]
}

/// A plain-text mail to one person.
public struct Mail: Sendable, Hashable {
    /// The recipient's address, which must be valid.
    public let to: String
    public let subject: String
    public let text: String
    /// The school on whose behalf the mail is sent; `nil` for mails about an account.
    public let schoolId: UUID?
    /// The person of the school who receives the mail or is named in it. An unsent mail is deleted together with its
    /// school or person.
    public let personId: UUID?
    /// A file that the mail carries; `nil` for none.
    public let attachment: MailAttachment?

    public init(
        to: String, subject: String, text: String, schoolId: UUID? = nil, personId: UUID? = nil,
        attachment: MailAttachment? = nil
    ) {
        self.attachment = attachment
        self.schoolId = schoolId
        self.personId = personId
        self.to = to
        self.subject = subject
        self.text = text
    }
}

/// A file that a mail carries.
public struct MailAttachment: Sendable, Hashable {
    /// The name of the attached file, in any script.
    public let name: String
    public let contentType: String
    public let bytes: [UInt8]

    public init(name: String, contentType: String, bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// The port that sends mails to people.
public protocol Mailer: Sendable {
    /// Queues a mail and returns at once.
    ///
    /// It never fails, and takes the same time for every address: the time of an answer must not reveal which
    /// addresses are known.
    func post(_ mail: Mail)
}

/// The unsent mails, for the person who operates the server.
public protocol MailOutbox: Sendable {
    /// Returns the unsent mails, newest first, at most 200.
    func mails() async throws -> [OutboxMail]
    /// Returns an unsent mail; `nil` for an unknown id.
    func mail(_ id: String) async throws -> (OutboxMail, Mail)?
    /// Deletes unsent mails that must no longer be sent.
    func remove(where isOver: @escaping @Sendable (OutboxMail) -> Bool) async throws
}

/// A mail that waits to be sent, could not be sent, or stays here because this server sends no mail.
public struct OutboxMail: Sendable, Hashable {
    /// The reason why a mail is in the outbox, the folder of unsent mails.
    public enum State: Sendable, Hashable {
        /// The mail stays here because this server sends no mail.
        case stored
        /// The mail will be tried again; `tries` is the number of tries so far.
        case waiting(tries: Int)
        /// The server has given up sending the mail after several attempts.
        case failed
    }
    public let id: String
    public let to: String
    public let subject: String
    /// The time at which the mail was written, or last tried.
    public let at: Date
    public let state: State
    /// The school on whose behalf the mail is sent (`Mail.schoolId`).
    public let schoolId: UUID?
    /// The person who receives the mail or is named in it (`Mail.personId`).
    public let personId: UUID?

    public init(
        id: String, to: String, subject: String, at: Date, state: State, schoolId: UUID? = nil,
        personId: UUID? = nil
    ) {
        self.schoolId = schoolId
        self.personId = personId
        self.id = id
        self.to = to
        self.subject = subject
        self.at = at
        self.state = state
    }
}
