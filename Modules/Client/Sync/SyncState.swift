public import Foundation

/// The state of a record's changes on their way to the server.
public enum RecordSyncState: Sendable, Hashable {
    /// The server has everything.
    case synced
    case waiting
    case sending
    /// An attempt failed; the change stays in the queue and is sent again.
    case failed
}

/// The state of all changes, for one line of the app.
public struct SyncSummary: Sendable, Hashable {
    /// The changes that the server has not confirmed.
    public var unsent = 0
    /// The unsent changes of which an attempt failed.
    public var failing = 0
    /// Whether the server was not reached at the last attempt.
    public var isOffline = false
    /// Whether changes wait for the person to sign in again.
    public var needsSignIn = false
    /// The notices that the person has not dismissed.
    public var notices = 0

    public init() {}
}

/// A message to the person about a change that was not applied, or that met another person's change.
public struct SyncNotice: Codable, Sendable, Hashable, Identifiable {
    /// The event that the notice is about.
    public enum Kind: String, Codable, Sendable, Hashable {
        /// The server refused the change; its own version stays.
        case notApplied
        /// The change depends on one that the server refused.
        case notPossible
        /// Another person had changed the same field meanwhile. The later write counts.
        case mergedOver
    }
    public let id: UUID
    public let kind: Kind
    public let at: Date
    /// The record that the change was about.
    public let recordId: UUID
    /// The server's code of a refusal.
    public let code: String?
    /// The server's sentence about a refusal, in the person's language.
    public let sentence: String?
    /// The person's own input by field, to be copied or tried again.
    public let localText: [String: String]
    /// The values of the other person by field.
    public let otherText: [String: String]
}
