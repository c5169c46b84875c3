import Domain
public import Foundation

/// The databases of all schools. The one place from which a school's handle comes; only the request
/// pipeline, the composition root and the block that founds schools hold it.
public protocol SchoolDatabases: Sendable {
    /// The handle of an existing school; throws `DatabaseFault.missing` for an unknown id.
    func school(_ id: UUID) async throws -> any Database

    /// Makes the database of a new school, migrated and empty. Calling it again changes nothing.
    func create(_ id: UUID) async throws -> any Database
}

/// Makes ids and secrets; tests pass one that counts.
public protocol IDGenerator: Sendable {
    /// A version 7 UUID for an entity made at `instant`.
    func id(at instant: Date) -> UUID
    /// `count` random bytes from the system's secure source.
    func randomBytes(_ count: Int) -> [UInt8]
}

extension IDGenerator {
    /// A secret for a cookie or a link: 32 random bytes in the URL-safe Base64 alphabet (RFC 4648
    /// section 5) without padding.
    public func token() -> String {
        Data(randomBytes(32)).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

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

/// Hashes secrets. Passwords get a slow salted hash (scrypt), tokens a fast one.
public protocol SecretHasher: Sendable {
    /// A self-describing hash, different on each call. Takes about a tenth of a second on purpose.
    func hash(password: String) async throws -> String
    /// Whether `password` made `hash`; the time it takes does not depend on the answer.
    func verify(password: String, against hash: String) async throws -> Bool
    /// SHA-256 in lower-case hexadecimal, for tokens that are random already.
    func fingerprint(_ token: String) -> String
}

/// Draws a QR code (ISO/IEC 18004).
public protocol QRCodeEncoder: Sendable {
    /// The modules row by row, `true` is dark, without the quiet zone; throws where `text` is too long.
    func modules(of text: String) throws -> [[Bool]]
}

/// A mail to one person, as plain text.
public struct Mail: Sendable, Hashable {
    /// A valid address; nothing else of it is checked again.
    public let to: String
    public let subject: String
    public let text: String
    /// The school on whose behalf it is sent, and the person of that school whom it goes to or names: when one of them is
    /// deleted, a mail that was not sent goes too. `nil` for an account's own mails.
    public let schoolId: UUID?
    public let personId: UUID?

    public init(to: String, subject: String, text: String, schoolId: UUID? = nil, personId: UUID? = nil) {
        self.schoolId = schoolId
        self.personId = personId
        self.to = to
        self.subject = subject
        self.text = text
    }
}

/// Sends mail.
public protocol Mailer: Sendable {
    /// Takes the mail at once and sends it later. It never fails its caller and takes the same time for every
    /// address: whether one is known must not show in how long an answer takes.
    func post(_ mail: Mail)
}

/// What was not sent, for whoever runs the server.
public protocol MailOutbox: Sendable {
    /// The newest first, at most 200.
    func mails() async throws -> [OutboxMail]
    /// `nil` for an id that is not there, any more.
    func mail(_ id: String) async throws -> (OutboxMail, Mail)?
    /// Takes away, unsent, the mails that nobody should get or read any more.
    func remove(where isOver: @escaping @Sendable (OutboxMail) -> Bool) async throws
}

/// A mail that waits, was given up, or is kept because this server sends none.
public struct OutboxMail: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case kept
        case waiting(tries: Int)
        case failed
    }
    public let id: String
    public let to: String
    public let subject: String
    /// When it was written, or tried last.
    public let at: Date
    public let state: State
    /// See `Mail`.
    public let schoolId: UUID?
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
