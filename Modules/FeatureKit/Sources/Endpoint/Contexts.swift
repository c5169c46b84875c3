public import Domain
public import Foundation

/// What a query, a screen and a command's preparation may use.
public struct RequestContext: Sendable {
    public let caller: Caller
    public let now: Date
    public let ids: any IDGenerator
    public let words: Words
    /// Address of the caller's network end, for rate limits only; never logged or stored.
    public let remoteAddress: String
    /// The browser or device, where it is known from before.
    public let deviceId: UUID?
    /// What the caller uses, coarsely: `Firefox · Android`. For the list of their own devices only.
    public let client: String?
    /// What this browser took along when it left for another site (`Departure`).
    public let ticket: String?
    /// How this browser looks while nobody is signed in.
    public let display: DisplayPreferences
    /// The number of the active school's latest change; whatever is kept in memory is good until it grows.
    public let latestChange: Int64?
    /// Accounts, organizations and memberships; not of one school.
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

    /// The caller's place in the active school; without one the answer is "not found".
    public var membership: ActiveMembership {
        get throws {
            guard let membership = caller.membership else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return membership
        }
    }

    public var account: SignedInAccount {
        get throws {
            guard let account = caller.account else { throw Problem.signInNeeded }
            return account
        }
    }

    /// The database of the caller's active school, the only one within reach.
    public var school: any Database {
        get throws {
            guard let database else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return database
        }
    }

    /// The files of the caller's active school, the only ones within reach.
    public var files: any BlobStore {
        get throws {
            guard let blobs else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return blobs
        }
    }

    /// The day it is in the active school.
    public var today: Day { Day(now, in: caller.membership?.timeZone ?? .gmt) }
}

/// What a command's transaction may use. Lives as long as the transaction.
public struct CommandContext {
    public let caller: Caller
    public let now: Date
    public let ids: any IDGenerator
    public let words: Words
    /// The browser or device, where it is known from before.
    public var deviceId: UUID?
    /// What the caller uses, coarsely.
    public let client: String?
    public let sql: any SQLWriting
    /// What a person sees of the success.
    public var feedback: Feedback?
    /// Where a browser goes afterwards, unless the form says otherwise.
    public var destination: String?
    /// Where a browser must go first, whatever the form says; it learns where to go on as `next`.
    public var detour: String?
    public var session: SessionChange?
    /// A new look and language for this browser.
    public var display: DisplayPreferences?
    public private(set) var changes: [Change] = []
    public private(set) var signals: [Signal] = []
    /// The school in whose log the changes belong, where that is not the caller's active one.
    public var changedSchool: UUID?
    /// Who the caller is in that school; a person's id is of one school only.
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

    public var membership: ActiveMembership {
        get throws {
            guard let membership = caller.membership else { throw Problem.notFound }
            guard !caller.needsSecondFactor else { throw Problem.secondFactorNeeded }
            return membership
        }
    }

    public var account: SignedInAccount {
        get throws {
            guard let account = caller.account else { throw Problem.signInNeeded }
            return account
        }
    }

    public var today: Day { Day(now, in: caller.membership?.timeZone ?? .gmt) }

    public func newId() -> UUID { ids.id(at: now) }

    /// Refuses whoever lacks the permission.
    public func require(_ permission: Permission) throws {
        guard caller.may(permission) else { throw Problem.notAllowed }
    }

    /// Adds to the school's change log: in this transaction, or, where the transaction is the
    /// directory's, right after it.
    public mutating func record(_ change: Change) { changes.append(change) }

    /// Tells whoever looks at the school just now, once the transaction is done; nothing of it is kept.
    public mutating func send(_ signal: Signal) { signals.append(signal) }
}

/// What a person sees of a success.
public struct Feedback: Sendable, Hashable, Codable {
    public enum Style: String, Sendable, Hashable, Codable { case toast, burst }
    public let style: Style
    public let text: String

    public init(_ style: Style, _ text: String) {
        self.style = style
        self.text = text
    }
}

/// What a command does to the browser's session.
public enum SessionChange: Sendable, Hashable {
    case start(SessionTokens)
    case end
}
