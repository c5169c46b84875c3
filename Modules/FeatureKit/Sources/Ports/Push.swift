public import Foundation

/// Brings a notification to a device whose owner looks at something else.
public protocol PushSender: Sendable {
    /// The public key that browsers subscribe with (RFC 8292 section 4.2): an uncompressed P-256 point, Base64url.
    /// Throws where the server's own key cannot be read.
    var applicationServerKey: String { get throws }
    /// Whether this server can reach devices of that kind at all.
    func reaches(_ kind: PushAddress.Kind) -> Bool
    /// Whether the address may be asked: a client names it, and must not make this server knock at its own network.
    /// Looks at its form alone; a name that leads into the own network is refused when it is sent to.
    func accepts(_ address: PushAddress) -> Bool
    /// Sends once and says what became of it. Whoever sends the same `id` again makes no second notification.
    func send(_ message: PushMessage, to address: PushAddress) async -> PushOutcome
}

/// How one device is reached.
public struct PushAddress: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, SQLConvertible {
        /// An app on a device of Apple's.
        case apns
        /// A browser's subscription (Push API).
        case web
    }
    public let kind: Kind
    /// A browser's endpoint, an `https` address; or an app's device token in hexadecimal.
    public let target: String
    /// A browser's public key `p256dh` and its secret `auth` (RFC 8291 section 2), Base64url; empty for an app.
    public let key: String
    public let secret: String

    public init(kind: Kind, target: String, key: String = "", secret: String = "") {
        self.kind = kind
        self.target = target
        self.key = key
        self.secret = secret
    }
}

/// One notification on its way to one device.
public struct PushMessage: Sendable, Hashable {
    /// The same each time that this is sent: two of one id are one on the device. At most 64 letters, digits, `-`, `.`.
    public let id: String
    public let title: String
    public let body: String
    /// The page that a tap opens.
    public let path: String
    /// How many things wait unread.
    public let badge: Int
    /// Whom it is for; a device on which somebody else is signed in shows nothing.
    public let accountId: UUID
    /// After this nobody wants it any more.
    public let expiresAt: Date

    public init(
        id: String, title: String, body: String, path: String, badge: Int, accountId: UUID, expiresAt: Date
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.path = path
        self.badge = badge
        self.accountId = accountId
        self.expiresAt = expiresAt
    }
}

/// What became of a push. Says nothing about the person, so that it may be logged.
public enum PushOutcome: Sendable, Hashable {
    case delivered
    /// The device has taken its address back; nothing will reach it there again.
    case gone
    /// Too much to do; seconds until it may be tried again, where it was said.
    case busy(retryAfter: Int?)
    /// It could not be reached, took too long, or failed by itself.
    case unreachable
    /// This one is refused and would be again.
    case refused
}
