import Domain
import FeatureKit
import Foundation
import MessagingModel

struct EditMessage: Command {
    static let contract = Contract(
        "messages.edit", "/api/v1/messages/{messageId}/edit", access: .member(.exchangeMessages),
        bodyLimit: 512 * 1024, summary: "Changes the text of a message, by its author and for a while.")
    typealias Result = ChatMessage

    let messageId: UUID
    let text: String

    init(_ fields: inout FieldReader) {
        messageId = fields.id("messageId")
        text = MessageText.read(&fields)
    }
}

struct DeleteMessage: Command {
    static let contract = Contract(
        "messages.delete", "/api/v1/messages/{messageId}/delete", access: .member(.exchangeMessages),
        summary: "Takes a message back, by its author and for a while; its place stays.")
    typealias Result = Done

    let messageId: UUID

    init(_ fields: inout FieldReader) { messageId = fields.id("messageId") }
}

/// What an author may still do with a message.
struct ChangeHandlers: Sendable {
    let service: ConversationService
    let flood: FloodLimit

    var commands: [CommandRegistration] {
        [
            .handle(
                EditMessage.self,
                prepare: { _, context in
                    // Everybody's page reads itself again after it, as after a new one.
                    try flood.take(context.membership.personId, at: context.now)
                },
                run: { command, _, context in
                    let standing = try service.standing(context.membership, in: context.sql)
                    let (message, kept) = try own(command.messageId, standing, context)
                    if message.text != command.text {
                        try MessageRepository.edit(message.id, command.text, at: context.now, in: context.sql)
                        try record("message.edited", message, kept, &context)
                    }
                    context.destination = ThreadScreen.path(kept.id)
                    let changed = try service.message(message.id, standing, in: context.sql).message
                    return try service.messages([changed], kept, [], standing, in: context.sql)[0]
                }),
            .handle(DeleteMessage.self) { command, context in
                let standing = try service.standing(context.membership, in: context.sql)
                let (message, kept) = try own(command.messageId, standing, context)
                try MessageRepository.delete(message.id, at: context.now, in: context.sql)
                try record("message.deleted", message, kept, &context)
                context.destination = ThreadScreen.path(kept.id)
                context.feedback = Feedback(.toast, context.words("messages.deleted"))
                return Done()
            },
        ]
    }

    /// A message that the caller wrote a short while ago.
    private func own(
        _ id: UUID, _ standing: ConversationService.Standing, _ context: CommandContext
    ) throws -> (message: MessageRepository.Kept, kept: KeptConversation) {
        let found = try service.message(id, standing, in: context.sql)
        guard found.message.senderId == standing.caller.id else { throw Problem(403, "messages.notYours") }
        guard !found.message.isDeleted else { throw Problem(409, "messages.isDeleted") }
        guard Self.isOpen(found.message, at: context.now) else {
            throw Problem(409, "messages.tooLate", [.number(Int(MessagingLimits.changeWindow / 60))])
        }
        return found
    }

    /// Whether the message was sent so lately that its author may change it; by the server's clock alone.
    static func isOpen(_ message: MessageRepository.Kept, at instant: Date) -> Bool {
        !message.isDeleted && instant.timeIntervalSince(message.sentAt) <= MessagingLimits.changeWindow
    }

    private func record(
        _ kind: String, _ message: MessageRepository.Kept, _ kept: KeptConversation, _ context: inout CommandContext
    ) throws {
        context.record(
            Change(
                kind, topics: Topics.of(kept.id), audience: try service.audience(of: kept, in: context.sql),
                payload: ["conversation": kept.id.text, "message": message.id.text]))
    }
}
