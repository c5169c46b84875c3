import Domain
public import Foundation

/// A request to the server's API.
public struct APIRequest: Sendable, Hashable {
    /// The HTTP method of a request.
    public enum Method: String, Sendable, Hashable {
        case get = "GET"
        case head = "HEAD"
        case patch = "PATCH"
        case post = "POST"
    }
    public let method: Method
    /// The path with its leading slash: `/api/v1/conversations`.
    public let path: String
    public let query: [String: String]
    /// The JSON body of a command.
    public let body: Data?
    /// The file with the body, in the place of `body`: for bodies that do not belong in memory.
    public var bodyFile: URL?
    /// The key with which a command that is sent several times runs once.
    public let idempotencyKey: UUID?
    /// The account on whose behalf the request is made; `nil` for requests without a session.
    public let account: UUID?
    /// The media type of the answer; `nil` for the usual JSON.
    public var accept: String?
    /// The media type of the body; `nil` for JSON.
    public var contentType: String?
    /// Whether the request may arrive twice: it only reads, or has a key with which the server runs it once.
    public var mayRepeat: Bool
    /// Further headers of the request.
    public var headers: [String: String] = [:]

    public init(
        _ method: Method, _ path: String, query: [String: String] = [:], body: Data? = nil,
        idempotencyKey: UUID? = nil, account: UUID? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.idempotencyKey = idempotencyKey
        mayRepeat = method == .get || method == .head || idempotencyKey != nil
        self.account = account
    }
}

/// An answer of the server with what an app needs to know besides its content.
public struct APIAnswer: Sendable, Hashable {
    public let body: Data
    /// The address of the content on the server: another one than the request's after a redirect.
    public let address: String
    /// The headers of the answer, by their names in lowercase.
    public let headers: [String: String]

    public init(body: Data, address: String, headers: [String: String] = [:]) {
        self.body = body
        self.address = address
        self.headers = headers
    }
}

/// The server's refusal of a request, from its problem document (RFC 9457).
public struct Refusal: Codable, Sendable, Hashable {
    /// A fault in one field.
    public struct FieldFault: Codable, Sendable, Hashable {
        public let field: String
        public let code: String
        /// The sentence for the person, in their language.
        public let message: String

        public init(field: String, code: String, message: String) {
            self.field = field
            self.code = code
            self.message = message
        }
    }
    /// The HTTP status.
    public let status: Int
    /// The stable name of the problem, such as `residence.roomFull`.
    public let code: String
    /// The sentence for the person, in their language.
    public let title: String
    public let errors: [FieldFault]?
    /// The number of seconds after which the server accepts another request.
    public var retryAfter: Int?

    public init(
        status: Int, code: String, title: String, errors: [FieldFault]? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.errors = errors
        self.retryAfter = retryAfter
    }

    /// Whether the same request may succeed later: the server is overloaded, fails, or is being replaced.
    public var isTransient: Bool { status >= 500 || [408, 425, 429].contains(status) }
    /// Whether the request meets a state of the server that it did not know: deleted, full, moved.
    public var isConflict: Bool { [404, 409, 410].contains(status) }
}

/// The reasons for which a request has no usable answer.
public enum APIError: Error, Sendable, Hashable {
    /// No answer arrived. Whether the server received the request is unknown.
    case unreachable(String)
    case refused(Refusal)
    /// The session has ended, or another person is signed in.
    case signInNeeded
    /// The answer is not what the API promises, such as the page of a network that wants a sign-in.
    case malformed(String)
}

/// An item of the server's event stream.
public enum LiveItem: Sendable, Hashable {
    case opened
    case event(LiveEvent)
    /// The comment line that keeps a quiet stream open. Missed events arrive before the first one.
    case heartbeat
}

/// A change of the server's change log, or a signal that is not logged.
public struct LiveEvent: Codable, Sendable, Hashable {
    /// The place in the change log; `nil` for a signal.
    public let seq: Int64?
    public let kind: String
    public let topics: [String]
    public let payload: [String: String]

    public init(seq: Int64?, kind: String, topics: [String] = [], payload: [String: String] = [:]) {
        self.seq = seq
        self.kind = kind
        self.topics = topics
        self.payload = payload
    }

    /// Distinguishes the event from another one with the same number, as after a restored backup.
    var fingerprint: String {
        kind + payload.sorted { $0.key < $1.key }.map { "\n\($0.key)=\($0.value)" }.joined()
    }
}

/// The connection to a server's API. The operations of the stores are extensions of it.
public protocol APIManager: Sendable {
    /// Sends a request and returns the body of the answer. Throws `APIError`.
    func send(_ request: APIRequest) async throws -> Data
    /// Sends the request for a page, or a page's command, and returns the answer. Throws `APIError`.
    ///
    /// The path of the request may have a query, as addresses in links have. Redirects within the server are followed.
    func answer(_ request: APIRequest) async throws -> APIAnswer
    /// Reads a file of the server piece by piece into a file on the device. Throws `APIError`, or the error of the file.
    ///
    /// - Returns: The answer without its body.
    func download(_ request: APIRequest, to file: URL) async throws -> APIAnswer
    /// Returns a page for a web view, with the session of an account. Throws `APIError`.
    func webPage(at address: String, for account: UUID) async throws -> WebPage
    /// Opens the event stream after a place in the change log, or from now on.
    func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error>
}

extension APIManager {
    /// The answer without headers, for managers that have no pages.
    public func answer(_ request: APIRequest) async throws -> APIAnswer {
        APIAnswer(body: try await send(request), address: request.path)
    }

    /// No page, for managers without a network.
    public func webPage(at address: String, for account: UUID) async throws -> WebPage {
        throw APIError.unreachable("no web pages")
    }

    /// The file as a whole, for managers without a network.
    public func download(_ request: APIRequest, to file: URL) async throws -> APIAnswer {
        let found = try await answer(request)
        try found.body.write(to: file)
        return APIAnswer(body: Data(), address: found.address, headers: found.headers)
    }
}

/// The signed-in person, as the stores need to know them.
@MainActor
public protocol AuthManager: AnyObject, Sendable {
    var isAuthenticated: Bool { get }
    /// The id of the account.
    var userId: UUID? { get }
    /// The id of the person in the active school.
    var profileId: UUID? { get }
    /// The id of the residence that the person looks at.
    var currentPgId: UUID? { get }
    var userRole: [String] { get }
    /// Returns a valid access token of an account. Throws `APIError.signInNeeded` if another account is signed in.
    func accessToken(for account: UUID) async throws -> String
    /// Ends the session on this device and removes its tokens.
    func signOut() async
}
