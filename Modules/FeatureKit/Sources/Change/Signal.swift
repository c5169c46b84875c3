public import Foundation

/// Something that is told to whoever looks just now and written nowhere: somebody types. Whoever misses it has missed
/// nothing.
public struct Signal: Sendable, Hashable {
    /// As a change's: `message.typing`.
    public let kind: String
    /// As a change's: whatever page shows one of them is read again.
    public let topics: [String]
    /// Who may learn of it, without the one whose it is.
    public let audience: [Audience]
    public let payload: [String: String]
    /// The person whose it is; never told to them.
    public let senderId: UUID

    public init(
        _ kind: String, topics: [String], audience: [Audience], payload: [String: String] = [:], from senderId: UUID
    ) {
        self.kind = kind
        self.topics = topics
        self.audience = audience
        self.payload = payload
        self.senderId = senderId
    }
}
