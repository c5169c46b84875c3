public import Domain
public import Foundation

/// The services and values that queries, screens and the preparation of commands may use.
public struct RequestContext: Sendable {
    public let caller: Caller
    public let now: Date
    public let ids: any IDGenerator
    public let words: Words
    /// The network address of the caller, for rate limits only. It is never logged or stored.
    public let remoteAddress: String
    /// The browser or device that sent the request; `nil` if it is new.
    public let deviceId: UUID?
    /// The program of the caller, without versions: `Firefox · Android`. For the list of a person's own devices only.
    public let client: String?
    /// The secret cookie that this browser got before it left for another site, such as Apple's sign-in (`Departure`);
    /// `nil` without one.
    public let ticket: String?
    /// The language and appearance of this browser while nobody is signed in.
    public let display: DisplayPreferences
    /// The number of the active school's latest change. Cached values are valid until it grows.
    public let latestChange: Int64?
    /// The database of accounts, organizations and memberships.
    public let directory: any Database
    private let database: (any Database)?
    private let blobs: (any BlobStore)?

    public init(
        caller: Caller, now: Date, ids: any IDGenerator, words: Words, remoteAddress: String,
        deviceId: UUID? = nil, client: String? = nil, ticket: String? = nil,
        display: DisplayPreferences = DisplayPreferences(), latestChange: Int64? = nil, school: (any Database)?,
        files: (any BlobStore)?, directory: any Database
    ) {
        self.caller = caller
        self.now = now
        self.ids = ids
        self.words = words
        self.remoteAddress = remoteAddress
        self.deviceId = deviceId
        self.client = client
        self.ticket = ticket
        self.display = display
        self.latestChange = latestChange
        self.directory = directory
        database = school
        blobs = files
    }

    /// The caller's membership in the active school.
    /// - Throws: `Problem.notFound` without an active school, `Problem.secondFactorNeeded` if the school requires
    ///   one.
    public var membership: ActiveMembership {
        get throws {
            guard let membership = caller.membership else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return membership
        }
    }

    /// The caller's account. Throws `Problem.signInNeeded` if nobody is signed in.
    public var account: SignedInAccount {
        get throws {
            guard let account = caller.account else { throw Problem.signInNeeded }
            return account
        }
    }

    /// The database of the caller's active school. Throws `Problem.notFound` without an active school, and
    /// `Problem.secondFactorNeeded` if the school requires one that is missing.
    public var school: any Database {
        get throws {
            guard let database else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return database
        }
    }

    /// The files of the caller's active school. Throws `Problem.notFound` without an active school, and
    /// `Problem.secondFactorNeeded` if the school requires one that is missing.
    public var files: any BlobStore {
        get throws {
            guard let blobs else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return blobs
        }
    }

    /// The current day in the active school.
    public var today: Day { Day(now, in: caller.timeZone) }
}

/// The services and values that a command's transaction may use. Valid as long as the transaction.
public struct CommandContext {
    public let caller: Caller
    public let now: Date
    public let ids: any IDGenerator
    public let words: Words
    /// The browser or device that sent the request; `nil` if it is new.
    public var deviceId: UUID?
    /// The program of the caller, without versions: `Firefox · Android`. For the list of a person's own devices
    /// only.
    public let client: String?
    public let sql: any SQLWriting
    /// The message that the person sees after the command succeeded; `nil` for none.
    public var feedback: Feedback?
    /// The path of the page that a browser opens after the command, unless the form names another; `nil` for the page
    /// with the form.
    public var destination: String?
    /// The path that a browser must open first after the command, instead of the path that the form names. It receives the form's
    /// destination as `next`.
    public var detour: String?
    /// The change that the command makes to the browser's session; `nil` for none.
    public var session: SessionChange?
    /// The choices of language and appearance that this browser stores; `nil` to leave them as they are.
    public var display: DisplayPreferences?
    /// The changes that the command has recorded so far, in order.
    public private(set) var changes: [Change] = []
    /// The signals that the command has sent so far, in order.
    public private(set) var signals: [Signal] = []
    /// The school whose change log gets the command's changes; `nil` for the caller's active school.
    public var changedSchool: UUID?
    /// The id of the caller's person in `changedSchool`, as the author of the changes; a person's id belongs to one
    /// school only.
    public var changedBy: UUID?

    public init(
        caller: Caller, now: Date, ids: any IDGenerator, words: Words, deviceId: UUID? = nil,
        client: String? = nil, sql: any SQLWriting
    ) {
        self.deviceId = deviceId
        self.client = client
        self.caller = caller
        self.now = now
        self.ids = ids
        self.words = words
        self.sql = sql
    }

    /// The caller's membership in the active school. Throws `Problem.notFound` without an active school, and
    /// `Problem.secondFactorNeeded` if the school requires one that is missing.
    public var membership: ActiveMembership {
        get throws {
            guard let membership = caller.membership else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return membership
        }
    }

    /// The caller's account. Throws `Problem.signInNeeded` if nobody is signed in.
    public var account: SignedInAccount {
        get throws {
            guard let account = caller.account else { throw Problem.signInNeeded }
            return account
        }
    }

    /// The current day in the active school.
    public var today: Day { Day(now, in: caller.timeZone) }

    /// Returns a new id for an entity that the command creates.
    public func newId() -> UUID { ids.id(at: now) }

    /// Throws `Problem.notAllowed` if the caller lacks a permission.
    public func require(_ permission: Permission) throws {
        guard caller.may(permission) else { throw Problem.notAllowed }
    }

    /// Adds a change to the school's change log: in this transaction, or right after it if it is one of the server's
    /// directory database.
    public mutating func record(_ change: Change) { changes.append(change) }

    /// Sends a live signal to the people who are online when the transaction is done. Nothing of it is stored.
    public mutating func send(_ signal: Signal) { signals.append(signal) }
}

/// The message that a person sees after a command succeeded.
public struct Feedback: Sendable, Hashable, Codable {
    /// The form in which a message is shown; `burst` adds a small animation.
    public enum Style: String, Sendable, Hashable, Codable { case toast, burst }
    public let style: Style
    public let text: String

    public init(_ style: Style, _ text: String) {
        self.style = style
        self.text = text
    }
}

/// The change that a command makes to the browser's session: starting a new one, or ending it.
public enum SessionChange: Sendable, Hashable {
    case start(SessionTokens)
    case end
}
