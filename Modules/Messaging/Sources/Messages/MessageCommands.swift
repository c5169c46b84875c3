import Domain
import FeatureKit
import Foundation
import OrganizationInterface

struct ListMessages: Query {
    static let contract = Contract(
        "messages.list", "/api/v1/conversations/{conversationId}/messages", access: .member(.exchangeMessages),
        summary: "The messages of a conversation before a place in it, the oldest of the page first.")
    typealias Result = Page<ChatMessage>

    let conversationId: UUID
    /// The number of a message; without it the latest are answered.
    let before: Int
    let limit: Int

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        before = fields.integer("before", in: 1...Int(Int32.max), default: Int(Int32.max))
        limit = fields.integer("limit", in: 1...200, default: MessagingLimits.pageSize)
    }
}

struct SendMessage: Command {
    static let contract = Contract(
        "messages.send", "/api/v1/conversations/{conversationId}/messages", access: .member(.exchangeMessages),
        isCreation: true, isOfflineCapable: true, bodyLimit: 512 * 1024,
        summary: "Sends a message, once for its id however often it comes.")
    typealias Result = ChatMessage

    let conversationId: UUID
    /// The sender's name for the message; a new one where it is left out.
    let id: UUID?
    let text: String

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        id = fields.optionalId("id")
        text = MessageText.cleaned(fields.writing("text", max: MessageText.byteLimit))
        if MessageText.isBlank(text) { fields.refuse("text", "required", unless: false) }
        fields.refuse("text", "message.tooLong", unless: text.utf8.count <= MessageText.byteLimit)
    }
}

struct MarkConversationRead: Command {
    static let contract = Contract(
        "messages.read", "/api/v1/conversations/{conversationId}/read", access: .member(.exchangeMessages),
        replay: .natural, summary: "Takes the messages of a conversation as read by the caller, up to one of them.")
    typealias Result = Done

    let conversationId: UUID
    let through: Int

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        through = fields.integer("through", in: 0...Int(Int32.max), default: Int(Int32.max))
    }
}

struct TellTyping: Command {
    static let contract = Contract(
        "messages.typing", "/api/v1/conversations/{conversationId}/typing", access: .member(.exchangeMessages),
        replay: .natural, summary: "Tells the others who look just now that the caller types; kept nowhere.")
    typealias Result = Done

    let conversationId: UUID

    init(_ fields: inout FieldReader) { conversationId = fields.id("conversationId") }
}

/// The handlers of messages.
struct MessageHandlers: Sendable {
    let service: ConversationService
    let flood: FloodLimit

    var queries: [QueryRegistration] {
        [
            .handle(ListMessages.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let standing = try service.standing(membership, in: sql)
                    let kept = try service.kept(query.conversationId, standing, in: sql)
                    let page = try service.thread(
                        kept, before: query.before, limit: query.limit, standing, in: sql)
                    return Page(
                        items: page.messages, next: page.hasEarlier ? page.messages.first.map { "\($0.seq)" } : nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(SendMessage.self, prepare: prepare, run: send),
            .handle(MarkConversationRead.self) { command, context in
                let standing = try service.standing(context.membership, in: context.sql)
                let kept = try service.kept(command.conversationId, standing, in: context.sql)
                let through = min(command.through, kept.lastSeq)
                if through > kept.lastRead,
                    try ConversationRepository.read(
                        kept.id, through: through, by: standing.caller.id, in: context.sql)
                {
                    // In a channel nobody sees who has read what.
                    context.record(
                        Change(
                            "message.read", topics: Topics.of(kept.id),
                            audience: kept.kind == .channel
                                ? [.person(standing.caller.id)] : try service.audience(of: kept, in: context.sql),
                            payload: ["conversation": kept.id.text, "through": String(through)]))
                }
                return Done()
            },
            .handle(TellTyping.self) { command, context in
                let standing = try service.standing(context.membership, in: context.sql)
                let kept = try service.kept(command.conversationId, standing, in: context.sql)
                let me = standing.caller.id
                let people = try service.correspondents.people([me], standing.membership, in: context.sql)
                context.tell(
                    Signal(
                        "message.typing", topics: [Topics.one(kept.id)],
                        audience: try service.audience(of: kept, in: context.sql),
                        payload: [
                            "conversation": kept.id.text, "person": me.text,
                            "name": people[me]?.name.display ?? "",
                        ], from: me))
                return Done()
            },
        ]
    }

    /// Counts the message in and looks up what the others are in the school now.
    @Sendable
    private func prepare(_ command: SendMessage, _ context: RequestContext) async throws -> [UUID: Set<Role>] {
        let membership = try context.membership
        try flood.take(membership.personId, at: context.now)
        let others = try await context.school.read { sql in
            try ConversationRepository.members(of: command.conversationId, in: sql).map(\.personId)
        }
        return try await service.correspondents.roles.roles(of: others, in: membership.organization.id)
    }

    @Sendable
    private func send(
        _ command: SendMessage, _ roles: [UUID: Set<Role>], _ context: inout CommandContext
    ) throws -> ChatMessage {
        let standing = try service.standing(context.membership, in: context.sql)
        let kept = try service.kept(command.conversationId, standing, in: context.sql)
        let me = standing.caller.id
        if let id = command.id, let known = try MessageRepository.message(id, in: context.sql) {
            guard known.senderId == me, known.conversationId == kept.id else {
                throw Problem(409, "messages.idTaken")
            }
            return ChatMessage(known)
        }
        let gone = try service.checkWriting(kept, roles, standing, in: context.sql)
        try ConversationRepository.remove(gone, from: kept.id, in: context.sql)
        let message = MessageRepository.Kept(
            id: command.id ?? context.newId(), conversationId: kept.id, seq: kept.lastSeq + 1, senderId: me,
            text: command.text, sentAt: context.now)
        try MessageRepository.insert(message, in: context.sql)
        try ConversationRepository.advance(kept.id, to: message.seq, in: context.sql)
        let payload = ["conversation": kept.id.text, "message": message.id.text]
        let told = try service.toTell(kept, standing, in: context.sql)
        // Whoever answers has seen what was there.
        _ = try ConversationRepository.read(kept.id, through: message.seq, by: me, in: context.sql)
        if !told.isEmpty {
            context.record(
                Change("message.news", topics: [], audience: told.map(Audience.person), payload: payload))
        }
        context.record(
            Change(
                "message.sent", topics: Topics.of(kept.id),
                audience: try service.audience(of: kept, in: context.sql) + gone.map(Audience.person),
                payload: payload))
        return ChatMessage(message)
    }
}

extension ChatMessage {
    /// A message that was just sent: nobody else has read it.
    init(_ kept: MessageRepository.Kept) {
        self.init(
            id: kept.id, conversationId: kept.conversationId, seq: kept.seq, senderId: kept.senderId,
            text: kept.text, timestamp: kept.sentAt, isRead: false)
    }
}

/// How many messages one person may send in a while, so that nobody drowns the others.
struct FloodLimit: Sendable {
    private let limiter: RateLimiter

    /// - Parameter perMinute: how many messages a minute takes from one person.
    init(perMinute: Int) { limiter = RateLimiter(limit: perMinute, period: 60) }

    func take(_ personId: UUID, at instant: Date) throws {
        do {
            try limiter.take([personId.text], at: instant)
        } catch let problem as Problem {
            let seconds = problem.retryAfter ?? 60
            throw Problem(429, "messages.flood", [.wait(seconds)], retryAfter: seconds)
        }
    }
}
