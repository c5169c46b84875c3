public import Foundation

/// The port that sends push notifications to devices.
public protocol PushSender: Sendable {
    /// The public key that browsers subscribe with (RFC 8292 section 4.2): an uncompressed P-256 point in Base64url.
    /// - Throws: an error if the server's own key cannot be read.
    var applicationServerKey: String { get throws }
    /// Whether this server can send push notifications to devices of a kind.
    func reaches(_ kind: PushAddress.Kind) -> Bool
    /// Whether an address is acceptable. Addresses come from clients and must not lead into this server's own
    /// network.
    ///
    /// Checks the form only; a host name that resolves to the own network is refused when a message is sent.
    func accepts(_ address: PushAddress) -> Bool
    /// Sends a message once and returns the result. Sending the same `id` again shows no second notification.
    func send(_ message: PushMessage, to address: PushAddress) async -> PushOutcome
}

/// The address to which push notifications for one device are sent.
public struct PushAddress: Sendable, Hashable {
    /// The kinds of devices that receive push notifications.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, SQLConvertible {
        /// An app on an Apple device, reached through Apple's push service.
        case apns
        /// A subscription of a browser (Push API), reached through the browser's push service.
        case web
    }
    public let kind: Kind
    /// A browser's endpoint, an `https` address; or an app's device token in hexadecimal.
    public let target: String
    /// A browser's public key `p256dh` in Base64url (RFC 8291 section 2); empty for an app.
    public let key: String
    /// A browser's secret `auth` in Base64url (RFC 8291 section 2); empty for an app.
    public let secret: String

    public init(kind: Kind, target: String, key: String = "", secret: String = "") {
        self.kind = kind
        self.target = target
        self.key = key
        self.secret = secret
    }
}

/// One push notification for one device.
public struct PushMessage: Sendable, Hashable {
    /// The id of the notification, the same for each try: a device shows two messages with one id once. At most 64
    /// letters, digits, `-`, `.`.
    public let id: String
    public let title: String
    public let body: String
    /// The path of the page that a tap on the notification opens.
    public let path: String
    /// The number of unread notifications, shown on the app's icon.
    public let badge: Int
    /// The account that the notification is for. A device on which another account is signed in shows nothing.
    public let accountId: UUID
    /// The time at which the notification becomes outdated and is no longer sent.
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

/// The result of sending a push message. It says nothing about the person, so that it may be logged.
public enum PushOutcome: Sendable, Hashable {
    case delivered
    /// The device has unsubscribed. The address will never work again.
    case gone
    /// The service is overloaded. The value is the seconds until the next try, if the service named them.
    case busy(retryAfter: Int?)
    /// The service could not be reached, took too long, or failed.
    case unreachable
    /// The service refused this message and would refuse it again.
    case refused
}
