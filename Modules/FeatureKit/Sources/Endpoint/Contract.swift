public import Domain
import Foundation

/// The public description of an endpoint. The OpenAPI document is made of these.
public struct Contract: Sendable, Hashable {
    /// The name of the endpoint, stable and unique: `attendance.mark`.
    public let name: String
    /// The path of the endpoint, with parameters in braces: `/api/v1/classrooms/{classroomId}/attendance`.
    public let path: String
    public let access: Access
    public let store: Store
    /// The purpose of the endpoint, as one English sentence for the API documentation.
    public let summary: String
    /// Whether a success of the endpoint is answered with HTTP status 201.
    public let isCreation: Bool
    /// Whether a client that is offline may store the command and send it later.
    public let isOfflineCapable: Bool
    public let replay: Replay
    /// The largest request body that the endpoint accepts, in bytes.
    public let bodyLimit: Int
    /// The body limit of most commands: enough for a long text, without files.
    public static let commonBodyLimit = 256 * 1024
    /// Whether a form on another site's page may run the command. It then runs without an account and must check the
    /// secret cookie with which this browser left (`Departure`).
    public let acceptsCrossSitePost: Bool
    /// The entry of the audit log that is made when the query's answer shows data about people; `nil` for none.
    public let seen: Seen?
    /// The file name under which a browser saves a query's answer, if the answer is a file and not JSON. The name of the
    /// school and the day are added.
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

    /// The area of the endpoint, the part of its name before the dot, which API tokens name in their scopes:
    /// `attendance`.
    public var area: String { String(name.prefix { $0 != "." }) }

    /// The callers whom an endpoint accepts. Handlers check finer rules, such as one classroom or child.
    public enum Access: Sendable, Hashable {
        /// Everyone may call, without signing in.
        case anyone
        /// Every account may call.
        case account
        /// Members of the active school who have the permission may call.
        case member(Permission)
    }

    /// The database in which the endpoint's transaction runs: the school's or the server's directory database.
    public enum Store: Sendable, Hashable { case directory, school }

    /// The way to let a command take effect once although it is sent twice.
    public enum Replay: Sendable, Hashable {
        /// The first answer is stored with the idempotency key and returned again.
        case stored
        /// The command has the same effect however often it runs. Its answer holds secrets, which are not stored.
        case natural
    }
}

/// The common part of queries and commands: a contract, the reading of their input, and a result.
public protocol Endpoint: Sendable {
    /// The type of the endpoint's answer.
    associatedtype Result: Codable & Sendable
    static var contract: Contract { get }
    /// Reads the endpoint's input from the fields of a request. Must read every field on every path
    /// (`FieldReader`).
    init(_ fields: inout FieldReader)
}

/// A typed read over `GET`, answered with JSON.
public protocol Query: Endpoint {}

/// A typed change over `POST`. JSON, form and multipart bodies decode to the same value.
public protocol Command: Endpoint {}

/// The result of a command that has nothing to return but its success.
public struct Done: Codable, Sendable, Hashable {
    public let done: Bool
    public init() { done = true }
}

/// A query's answer that is a file and not JSON. The query's contract has its `fileName`.
public struct FileBody: Codable, Sendable, Hashable {
    public let bytes: [UInt8]
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Decodes Base64, for the OpenAPI document. Clients get the bytes themselves.
    public init(from decoder: any Decoder) throws {
        bytes = Array(Data(base64Encoded: try decoder.singleValueContainer().decode(String.self)) ?? Data())
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}

/// One page of a long list, with the value that leads to the next page.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    public let items: [Item]
    /// The value to pass as `after` for the next page; `nil` on the last page.
    public let next: String?

    public init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }
}
