public import Domain
public import FeatureKit
public import Foundation
import NIOSSL

/// Sends notifications to browsers with Web Push and, if configured, to apps with APNs.
public struct DevicePush: PushSender {
    private let web: WebPush
    private let apple: ApplePush?
    private let clock: any WallClock

    /// Creates a sender of push notifications.
    ///
    /// - Parameters:
    ///   - identification: The server's key for push services.
    ///   - apple: The settings of APNs, if the school's server has an app.
    ///   - timeout: Seconds for one attempt.
    ///   - allowsLoopback: Whether browsers' push services may be on this machine without TLS, for tests only.
    /// - Throws: `AppleIdentity.MalformedKey`.
    public init(
        _ identification: ServerIdentification, apple: ApplePushSettings? = nil, clock: any WallClock,
        timeout: TimeInterval = 10, allowsLoopback: Bool = false
    ) throws {
        try self.init(
            identification, apple: apple, clock: clock, timeout: timeout, allowsLoopback: allowsLoopback,
            trusting: nil)
    }

    init(
        _ identification: ServerIdentification, apple: ApplePushSettings?, clock: any WallClock,
        timeout: TimeInterval, allowsLoopback: Bool, trusting root: NIOSSLCertificate?
    ) throws {
        let http = BoundedHTTP(timeout: timeout, trusting: root)
        web = WebPush(
            identification: identification, network: PublicNetwork(allowsLoopback: allowsLoopback), http: http)
        self.apple = try apple.map { try ApplePush($0, http: http) }
        self.clock = clock
    }

    public var applicationServerKey: String { get throws { try web.identification.publicKey } }

    public func reaches(_ kind: PushAddress.Kind) -> Bool { kind == .web || apple != nil }

    public func accepts(_ address: PushAddress) -> Bool {
        switch address.kind {
        case .web: web.accepts(address)
        case .apns: apple?.accepts(address) ?? false
        }
    }

    public func send(_ message: PushMessage, to address: PushAddress) async -> PushOutcome {
        switch address.kind {
        case .web: await web.send(message, to: address, at: clock.now)
        case .apns: await apple?.send(message, to: address, at: clock.now) ?? .refused
        }
    }
}
