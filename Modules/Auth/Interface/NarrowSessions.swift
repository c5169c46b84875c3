public import FeatureKit
public import Foundation

/// Sessions of a person's devices that may do a part only of what the person may, because they are in somebody
/// else's hands: a child's tablet. They stand in the person's list of devices and are signed out there.
public protocol NarrowSessions: Sendable {
    /// Starts a session on the device that asks, in the directory's transaction. The browser keeps its secrets.
    func start(_ session: NarrowSession, in context: inout CommandContext) throws
    /// Takes all but `scopes` off the caller's present session.
    func narrow(to scopes: Set<TokenScope>, in context: CommandContext) throws
    /// Opens more to the caller's narrowed session for a while, an hour at most; a session that is not narrowed stays as
    /// it is.
    func open(_ scopes: Set<TokenScope>, until instant: Date, in context: CommandContext) throws
    /// Ends what was opened.
    func close(in context: CommandContext) throws
}

/// What a device will be, before it has a session.
public struct NarrowSession: Sendable, Hashable {
    public let accountId: UUID
    public let deviceId: UUID
    public let organizationId: UUID
    public let scopes: Set<TokenScope>
    /// Whether the session is as good as one that showed a second factor: so was the one that allowed it.
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
