import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface

/// Lists the messages of a conversation.
struct ListMessages: Query {
    static let contract = Contract(
        "messages.list", "/api/v1/conversations/{conversationId}/messages", access: .member(.exchangeMessages),
        summary:
            "The messages of a conversation before a given one, the oldest first; or the latest ones that contain "
            + "some words.")
    typealias Result = Page<ChatMessage>

    let conversationId: UUID
    /// The number of a message. The page ends before it; without it the page ends with the latest message.
    let before: Int
    let limit: Int
    /// Words that the messages must contain; the latest matching messages come first.
    let query: String?

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        query = fields.optionalText("q", max: 100)
        before = fields.integer("before", in: 1...Int(Int32.max), default: Int(Int32.max))
        limit = fields.integer("limit", in: 1...200, default: MessagingLimits.pageSize)
    }
}

/// Sends a message.
struct SendMessage: Command {
    static let contract = Contract(
        "messages.send", "/api/v1/conversations/{conversationId}/messages", access: .member(.exchangeMessages),
        isCreation: true, isOfflineCapable: true, bodyLimit: MessageFileIntake.bodyLimit,
        summary: "Sends a message with optional files. Sending the same id again has no effect.")
    typealias Result = ChatMessage

    let conversationId: UUID
    /// The id that the sender chose for the message; `nil` for a new one.
    let id: UUID?
    let text: String
    /// The message of the same conversation that this one replies to.
    let replyTo: UUID?
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        id = fields.optionalId("id")
        replyTo = fields.optionalId("replyTo")
        files = fields.optionalFiles("files", max: MessagingLimits.files)
        // A message with files needs no text, even if the files are refused.
        let hasFiles = !files.isEmpty || fields.faults.contains { $0.field == "files" }
        text = MessageText.read(&fields, isRequired: !hasFiles)
    }
}

/// Marks messages as read.
struct MarkConversationRead: Command {
    static let contract = Contract(
        "messages.read", "/api/v1/conversations/{conversationId}/read", access: .member(.exchangeMessages),
        replay: .natural, summary: "Marks the messages of a conversation up to a given one as read by the caller.")
    typealias Result = Done

    let conversationId: UUID
    /// The number of the last read message.
    let through: Int

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        through = fields.integer("through", in: 0...Int(Int32.max), default: Int(Int32.max))
    }
}

/// Signals that the caller is typing.
struct SignalTyping: Command {
    static let contract = Contract(
        "messages.typing", "/api/v1/conversations/{conversationId}/typing", access: .member(.exchangeMessages),
        replay: .natural,
        summary: "Signals to the others with an open page that the caller is typing. Nothing is stored.")
    typealias Result = Done

    let conversationId: UUID

    init(_ fields: inout FieldReader) { conversationId = fields.id("conversationId") }
}

/// The endpoints of messages.
struct MessageHandlers: Sendable {
    /// What is prepared for a message before its transaction.
    struct Prepared: Sendable {
        /// The other members' present roles.
        let roles: [UUID: Set<Role>]
        let files: [MessageFile]
    }

    let service: ConversationService
    let flood: FloodLimit
    let intake: MessageFileIntake

    var queries: [QueryRegistration] {
        [
            .handle(ListMessages.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let access = try service.access(of: membership, in: sql)
                    let stored = try service.storedConversation(query.conversationId, access, in: sql)
                    if let words = query.query {
                        return Page(items: try service.search(words, in: stored, access, in: sql), next: nil)
                    }
                    let page = try service.thread(
                        stored, before: query.before, limit: query.limit, access, in: sql)
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
                let access = try service.access(of: context.membership, in: context.sql)
                let stored = try service.storedConversation(command.conversationId, access, in: context.sql)
                let through = min(command.through, stored.lastSeq)
                if through > stored.lastRead,
                    try ConversationRepository.read(
                        stored.id, through: through, by: access.caller.id, in: context.sql)
                {
                    // In a channel, members do not see who has read.
                    context.record(
                        Change(
                            "message.read", topics: Topics.of(stored.id),
                            audience: stored.kind == .channel
                                ? [.person(access.caller.id)] : try service.audience(of: stored, in: context.sql),
                            payload: ["conversation": stored.id.text, "through": String(through)]))
                }
                return Done()
            },
            .handle(SignalTyping.self) { command, context in
                let access = try service.access(of: context.membership, in: context.sql)
                let stored = try service.storedConversation(command.conversationId, access, in: context.sql)
                let me = access.caller.id
                let people = try service.correspondents.people([me], access.membership, in: context.sql)
                context.send(
                    Signal(
                        "message.typing", topics: [Topics.typing(stored.id)],
                        audience: try service.audience(of: stored, in: context.sql),
                        payload: [
                            "conversation": stored.id.text, "person": me.text,
                            "name": people[me]?.name.display ?? "",
                        ], from: me))
                return Done()
            },
        ]
    }

    /// Counts the message against the limit, looks up the others' roles and stores the files.
    @Sendable
    private func prepare(_ command: SendMessage, _ context: RequestContext) async throws -> Prepared {
        let membership = try context.membership
        if !command.files.isEmpty {
            // Files are stored only for members of the conversation. Without files, the transaction checks that.
            try await context.school.read { sql in
                _ = try service.storedConversation(
                    command.conversationId, service.access(of: membership, in: sql), in: sql)
            }
        }
        let others = try await context.school.readInline { sql in
            try ConversationRepository.members(of: command.conversationId, in: sql).map(\.personId)
        }
        try flood.take(membership.personId, at: context.now)
        return try await Prepared(
            roles: service.correspondents.roles.roles(of: others, in: membership.organization.id),
            files: intake.put(command.files, field: "files", context))
    }

    @Sendable
    private func send(
        _ command: SendMessage, _ prepared: Prepared, _ context: inout CommandContext
    ) throws -> ChatMessage {
        let access = try service.access(of: context.membership, in: context.sql)
        let stored = try service.storedConversation(command.conversationId, access, in: context.sql)
        let me = access.caller.id
        if let id = command.id, let known = try MessageRepository.message(id, in: context.sql) {
            guard known.senderId == me, known.conversationId == stored.id else {
                throw Problem(409, "messages.idTaken")
            }
            return try service.messages([known], stored, [], access, in: context.sql)[0]
        }
        let gone = try service.checkWriting(stored, prepared.roles, access, in: context.sql)
        try ConversationRepository.remove(gone, from: stored.id, in: context.sql)
        if let target = command.replyTo {
            // A reply to a deleted message is allowed, one to a message of another conversation is not.
            guard try MessageRepository.message(target, in: context.sql)?.conversationId == stored.id else {
                throw Problem.invalid("replyTo", "unknown")
            }
        }
        let message = MessageRepository.StoredMessage(
            id: command.id ?? context.newId(), conversationId: stored.id, seq: stored.lastSeq + 1, senderId: me,
            text: command.text, replyTo: command.replyTo, sentAt: context.now)
        try MessageRepository.insert(message, in: context.sql)
        try MessageFileRepository.insert(prepared.files, of: message.id, in: context.sql)
        try ConversationRepository.advance(stored.id, to: message.seq, in: context.sql)
        try notify(message, stored, gone, access, &context)
        return ChatMessage(message, isRead: false, files: prepared.files)
    }

    /// Records the changes for open pages, for mentioned people, and for those to notify.
    private func notify(
        _ message: MessageRepository.StoredMessage, _ stored: StoredConversation, _ gone: [UUID],
        _ access: ConversationService.Access, _ context: inout CommandContext
    ) throws {
        let payload = ["conversation": stored.id.text, "message": message.id.text]
        let called = try mentioned(message, stored, access, in: context.sql)
        let recipients = try service.recipients(of: stored, access, in: context.sql).filter { !called.contains($0) }
        // The sender has seen the earlier messages.
        _ = try ConversationRepository.read(stored.id, through: message.seq, by: message.senderId, in: context.sql)
        if !called.isEmpty {
            let audience = called.sorted().map(Audience.person)
            context.record(Change("message.mention", topics: [], audience: audience, payload: payload))
        }
        if !recipients.isEmpty {
            context.record(
                Change("message.news", topics: [], audience: recipients.map(Audience.person), payload: payload))
        }
        context.record(
            Change(
                "message.sent", topics: Topics.of(stored.id),
                audience: try service.audience(of: stored, in: context.sql) + gone.map(Audience.person),
                payload: payload))
    }

    /// The people whom the text mentions. They are notified even if they muted the conversation.
    private func mentioned(
        _ message: MessageRepository.StoredMessage, _ stored: StoredConversation,
        _ access: ConversationService.Access,
        in sql: any SQLReading
    ) throws -> Set<UUID> {
        guard stored.kind != .direct, message.text.contains("@") else { return [] }
        let others = try service.others(stored, access, in: sql)
        let people = try service.correspondents.people(others, access.membership, in: sql)
        return Mentions.find(in: message.text, among: people.mapValues(\.name))
    }
}

extension ChatMessage {
    init(_ stored: MessageRepository.StoredMessage, isRead: Bool, files: [MessageFile]) {
        self.init(
            id: stored.id, conversationId: stored.conversationId, seq: stored.seq, senderId: stored.senderId,
            text: stored.text, timestamp: stored.sentAt, isRead: isRead, replyTo: stored.replyTo,
            editedAt: stored.editedAt, isDeleted: stored.isDeleted, files: files)
    }
}

/// Limits how many messages a person sends.
struct FloodLimit: Sendable {
    private let limiter: RateLimiter

    /// - Parameter perMinute: the most messages of a person in a minute.
    init(perMinute: Int) { limiter = RateLimiter(limit: perMinute, period: 60) }

    /// Counts a message. Throws `messages.flood` above the limit.
    func take(_ personId: UUID, at instant: Date) throws {
        do {
            try limiter.take([personId.text], at: instant)
        } catch let problem as Problem {
            let seconds = problem.retryAfter ?? 60
            throw Problem(429, "messages.flood", [.wait(seconds)], retryAfter: seconds)
        }
    }
}
