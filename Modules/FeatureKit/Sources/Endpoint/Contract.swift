public import Domain
import Foundation

/// What the outside may know of an endpoint; the OpenAPI document is made of these.
public struct Contract: Sendable, Hashable {
    /// Stable and unique: `attendance.mark`.
    public let name: String
    /// With named parts in braces: `/api/v1/classrooms/{classroomId}/attendance`.
    public let path: String
    public let access: Access
    public let store: Store
    /// One English sentence for developers.
    public let summary: String
    public let isCreation: Bool
    /// Whether a client may queue it while offline.
    public let isOfflineCapable: Bool
    public let replay: Replay
    /// Largest body in bytes.
    public let bodyLimit: Int
    /// The one of most commands: a long text with all around it, no file.
    public static let commonBodyLimit = 256 * 1024
    /// Whether the form of another site's page may run it. It then runs for nobody, whoever is signed in, and must
    /// check the ticket with which this browser left (`Departure`).
    public let acceptsCrossSitePost: Bool
    /// What a query's answer shows of people, for the audit trail.
    public let seen: Seen?
    /// The name under which a browser keeps a query's answer, where that is a file and not JSON.
    public let fileName: String?

    public init(
        _ name: String, _ path: String, access: Access, store: Store = .school, isCreation: Bool = false,
        isOfflineCapable: Bool = false, replay: Replay = .stored, bodyLimit: Int = Contract.commonBodyLimit,
        acceptsCrossSitePost: Bool = false, seen: Seen? = nil, fileName: String? = nil, summary: String
    ) {
        self.acceptsCrossSitePost = acceptsCrossSitePost
        self.seen = seen
        self.fileName = fileName
        self.name = name
        self.path = path
        self.access = access
        self.store = store
        self.summary = summary
        self.isCreation = isCreation
        self.isOfflineCapable = isOfflineCapable
        self.replay = replay
        self.bodyLimit = bodyLimit
    }

    /// What it belongs to, for the scopes of API tokens: `attendance` of `attendance.mark`.
    public var area: String { String(name.prefix { $0 != "." }) }

    /// Who may call. Everything finer (this classroom, this child) is the handler's to check.
    public enum Access: Sendable, Hashable {
        case anyone
        case account
        case member(Permission)
    }

    /// Where the endpoint's transaction runs.
    public enum Store: Sendable, Hashable { case directory, school }

    /// How a command stays single when it is sent twice.
    public enum Replay: Sendable, Hashable {
        /// The first answer is kept with the idempotency key and given again.
        case stored
        /// The command means the same however often it runs; its answer holds secrets that are not kept.
        case natural
    }
}

/// What queries and commands share: a contract, an input declared once, a result.
public protocol Endpoint: Sendable {
    associatedtype Result: Codable & Sendable
    static var contract: Contract { get }
    init(_ fields: inout FieldReader)
}

/// A typed read: `GET`, JSON out.
public protocol Query: Endpoint {}

/// A typed mutation: `POST`. JSON, form and multipart bodies decode to the same value.
public protocol Command: Endpoint {}

/// The result of a command that has nothing to tell.
public struct Done: Codable, Sendable, Hashable {
    public let done: Bool
    public init() { done = true }
}

/// A query's answer that is a file; its contract has the `fileName`.
public struct FileBody: Codable, Sendable, Hashable {
    public let bytes: [UInt8]
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// As Base64, for whoever describes or keeps it; a client gets the bytes themselves.
    public init(from decoder: any Decoder) throws {
        bytes = Array(Data(base64Encoded: try decoder.singleValueContainer().decode(String.self)) ?? Data())
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}

/// One page of a list.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    public let items: [Item]
    /// Give it as `after` to read on; absent on the last page.
    public let next: String?

    public init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}
