public import FeatureKit
public import Foundation

/// Narrowed sessions: sessions with a part of a person's rights, for devices that others use, such as a child's
/// tablet.
///
/// They appear in the person's list of devices and can be ended there.
public protocol NarrowSessions: Sendable {
    /// Starts a narrowed session, one with a part of the person's rights, on the calling device. Works in the
    /// transaction of the server's directory database. The browser stores its tokens.
    func start(_ session: NarrowSession, in context: inout CommandContext) throws
    /// Removes all rights except `scopes` from the caller's session.
    func narrow(to scopes: Set<TokenScope>, in context: CommandContext) throws
    /// Adds rights to the caller's narrowed session for at most an hour. Other sessions do not change.
    func open(_ scopes: Set<TokenScope>, until instant: Date, in context: CommandContext) throws
    /// Removes the rights that `open` added to the caller's narrowed session.
    func close(in context: CommandContext) throws
}

/// The rights of a narrowed session that is about to start.
public struct NarrowSession: Sendable, Hashable {
    public let accountId: UUID
    public let deviceId: UUID
    public let organizationId: UUID
    public let scopes: Set<TokenScope>
    /// Whether the session counts as one with a second factor, because the session that started it does.
    public let hasSecondFactor: Bool

    public init(
        accountId: UUID, deviceId: UUID, organizationId: UUID, scopes: Set<TokenScope>, hasSecondFactor: Bool
    ) {
        self.accountId = accountId
        self.deviceId = deviceId
        self.organizationId = organizationId
        self.scopes = scopes
        self.hasSecondFactor = hasSecondFactor
    }
}
