public import Foundation

/// A message that a reader has reported to the school, with its text at that time.
public struct Report: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let messageId: UUID
    public let conversationId: UUID
    public let senderId: UUID
    public let reporterId: UUID
    public let reason: String
    /// The text of the message when it was reported. Its author may have changed it since.
    public let text: String
    public let reportedAt: Date

    public init(
        id: UUID, messageId: UUID, conversationId: UUID, senderId: UUID, reporterId: UUID, reason: String,
        text: String, reportedAt: Date
    ) {
        self.id = id
        self.messageId = messageId
        self.conversationId = conversationId
        self.senderId = senderId
        self.reporterId = reporterId
        self.reason = reason
        self.text = text
        self.reportedAt = reportedAt
    }
}
