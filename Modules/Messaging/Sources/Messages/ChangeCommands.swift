import Domain
import FeatureKit
import Foundation
import MessagingModel

/// Edits a message.
struct EditMessage: Command {
    static let contract = Contract(
        "messages.edit", "/api/v1/messages/{messageId}/edit", access: .member(.exchangeMessages),
        bodyLimit: 512 * 1024, summary: "Changes the text of a message. Its author may, for 15 minutes.")
    typealias Result = ChatMessage

    let messageId: UUID
    let text: String

    init(_ fields: inout FieldReader) {
        messageId = fields.id("messageId")
        text = MessageText.read(&fields)
    }
}

/// Deletes a message.
struct DeleteMessage: Command {
    static let contract = Contract(
        "messages.delete", "/api/v1/messages/{messageId}/delete", access: .member(.exchangeMessages),
        summary: "Deletes a message and leaves an empty place. Its author may, for 15 minutes.")
    typealias Result = Done

    let messageId: UUID

    init(_ fields: inout FieldReader) { messageId = fields.id("messageId") }
}

/// The commands with which authors change their messages.
struct ChangeHandlers: Sendable {
    let service: ConversationService
    let flood: FloodLimit

    var commands: [CommandRegistration] {
        [
            .handle(
                EditMessage.self,
                prepare: { _, context in
                    // An edit reloads all open pages, like a new message.
                    try flood.take(context.membership.personId, at: context.now)
                },
                run: { command, _, context in
                    let access = try service.access(of: context.membership, in: context.sql)
                    let (message, stored) = try own(command.messageId, access, context)
                    if message.text != command.text {
                        try MessageRepository.edit(message.id, command.text, at: context.now, in: context.sql)
                        try record("message.edited", message, stored, &context)
                    }
                    context.destination = ThreadScreen.path(stored.id)
                    let changed = try service.message(message.id, access, in: context.sql).message
                    return try service.messages([changed], stored, [], access, in: context.sql)[0]
                }),
            .handle(DeleteMessage.self) { command, context in
                let access = try service.access(of: context.membership, in: context.sql)
                let (message, stored) = try own(command.messageId, access, context)
                try MessageRepository.delete(message.id, at: context.now, in: context.sql)
                try record("message.deleted", message, stored, &context)
                context.destination = ThreadScreen.path(stored.id)
                context.feedback = Feedback(.toast, context.words("messages.deleted"))
                return Done()
            },
        ]
    }

    /// Returns a message that the caller may still change. Throws otherwise.
    private func own(
        _ id: UUID, _ access: ConversationService.Access, _ context: CommandContext
    ) throws -> (message: MessageRepository.StoredMessage, stored: StoredConversation) {
        let found = try service.message(id, access, in: context.sql)
        guard found.message.senderId == access.caller.id else { throw Problem(403, "messages.notYours") }
        guard !found.message.isDeleted else { throw Problem(409, "messages.isDeleted") }
        guard Self.isOpen(found.message, at: context.now) else {
            throw Problem(409, "messages.tooLate", [.number(Int(MessagingLimits.changeWindow / 60))])
        }
        return found
    }

    /// Whether the author may still change the message, by the server's clock.
    static func isOpen(_ message: MessageRepository.StoredMessage, at instant: Date) -> Bool {
        !message.isDeleted && instant.timeIntervalSince(message.sentAt) <= MessagingLimits.changeWindow
    }

    private func record(
        _ kind: String, _ message: MessageRepository.StoredMessage, _ stored: StoredConversation,
        _ context: inout CommandContext
    ) throws {
        context.record(
            Change(
                kind, topics: Topics.of(stored.id), audience: try service.audience(of: stored, in: context.sql),
                payload: ["conversation": stored.id.text, "message": message.id.text]))
    }
}
