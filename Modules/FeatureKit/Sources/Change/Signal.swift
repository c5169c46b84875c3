public import Foundation

/// A message to the people who are online now that is not stored, such as "Ana is typing". It may be lost.
public struct Signal: Sendable, Hashable {
    /// The kind of signal, named like a kind of change: `message.typing`.
    public let kind: String
    /// The topics of the pages that are refreshed by the signal.
    public let topics: [String]
    /// The audiences of the signal: the groups of people who may receive it.
    public let audience: [Audience]
    /// The ids and values that the receiving pages need to show the signal.
    public let payload: [String: String]
    /// The person whose action caused the signal and who does not receive it; `nil` if all of the audience receives it.
    ///
    /// Without a sender, a person's other devices receive it as well.
    public let senderId: UUID?

    public init(
        _ kind: String, topics: [String], audience: [Audience], payload: [String: String] = [:],
        from senderId: UUID?
    ) {
        self.kind = kind
        self.topics = topics
        self.audience = audience
        self.payload = payload
        self.senderId = senderId
    }
}
