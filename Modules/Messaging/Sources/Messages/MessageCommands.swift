import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface

struct ListMessages: Query {
    static let contract = Contract(
        "messages.list", "/api/v1/conversations/{conversationId}/messages", access: .member(.exchangeMessages),
        summary:
            "The messages of a conversation before a place in it, the oldest of the page first; or the latest in "
            + "which some words occur.")
    typealias Result = Page<ChatMessage>

    let conversationId: UUID
    /// The number of a message; without it the latest are answered.
    let before: Int
    let limit: Int
    /// Words that a message must have, the latest such messages first.
    let query: String?

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        query = fields.optionalText("q", max: 100)
        before = fields.integer("before", in: 1...Int(Int32.max), default: Int(Int32.max))
        limit = fields.integer("limit", in: 1...200, default: MessagingLimits.pageSize)
    }
}

struct SendMessage: Command {
    static let contract = Contract(
        "messages.send", "/api/v1/conversations/{conversationId}/messages", access: .member(.exchangeMessages),
        isCreation: true, isOfflineCapable: true, bodyLimit: MessageFileIntake.bodyLimit,
        summary: "Sends a message, with files if there are any, once for its id however often it comes.")
    typealias Result = ChatMessage

    let conversationId: UUID
    /// The sender's name for the message; a new one where it is left out.
    let id: UUID?
    let text: String
    /// The message that this one answers, of the same conversation.
    let replyTo: UUID?
    let files: [UploadedFile]

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        id = fields.optionalId("id")
        replyTo = fields.optionalId("replyTo")
        files = fields.optionalFiles("files", max: MessagingLimits.files)
        // Whoever chose files that are refused wrote enough.
        let hasFiles = !files.isEmpty || fields.faults.contains { $0.field == "files" }
        text = MessageText.read(&fields, isRequired: !hasFiles)
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
    /// What is made ready for a message before it is kept.
    struct Prepared: Sendable {
        /// Of the others, as the directory has them now.
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
                    let standing = try service.standing(membership, in: sql)
                    let kept = try service.kept(query.conversationId, standing, in: sql)
                    if let words = query.query {
                        return Page(items: try service.search(words, in: kept, standing, in: sql), next: nil)
                    }
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
                context.send(
                    Signal(
                        "message.typing", topics: [Topics.typing(kept.id)],
                        audience: try service.audience(of: kept, in: context.sql),
                        payload: [
                            "conversation": kept.id.text, "person": me.text,
                            "name": people[me]?.name.display ?? "",
                        ], from: me))
                return Done()
            },
        ]
    }

    /// Counts the message in, looks up what the others are in the school now, and takes its files in.
    @Sendable
    private func prepare(_ command: SendMessage, _ context: RequestContext) async throws -> Prepared {
        let membership = try context.membership
        if !command.files.isEmpty {
            // Nobody leaves files in a conversation that is not theirs; of words the transaction says so itself.
            try await context.school.read { sql in
                _ = try service.kept(command.conversationId, service.standing(membership, in: sql), in: sql)
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
        let standing = try service.standing(context.membership, in: context.sql)
        let kept = try service.kept(command.conversationId, standing, in: context.sql)
        let me = standing.caller.id
        if let id = command.id, let known = try MessageRepository.message(id, in: context.sql) {
            guard known.senderId == me, known.conversationId == kept.id else {
                throw Problem(409, "messages.idTaken")
            }
            return try service.messages([known], kept, [], standing, in: context.sql)[0]
        }
        let gone = try service.checkWriting(kept, prepared.roles, standing, in: context.sql)
        try ConversationRepository.remove(gone, from: kept.id, in: context.sql)
        if let target = command.replyTo {
            // What was deleted in the meantime is answered all the same; what was never here is not.
            guard try MessageRepository.message(target, in: context.sql)?.conversationId == kept.id else {
                throw Problem.invalid("replyTo", "unknown")
            }
        }
        let message = MessageRepository.Kept(
            id: command.id ?? context.newId(), conversationId: kept.id, seq: kept.lastSeq + 1, senderId: me,
            text: command.text, replyTo: command.replyTo, sentAt: context.now)
        try MessageRepository.insert(message, in: context.sql)
        try MessageFileRepository.insert(prepared.files, of: message.id, in: context.sql)
        try ConversationRepository.advance(kept.id, to: message.seq, in: context.sql)
        try tell(message, kept, gone, standing, &context)
        return ChatMessage(message, isRead: false, files: prepared.files)
    }

    /// Says that a message came: to pages that show it, to those it calls by name, and to those who wait for news.
    private func tell(
        _ message: MessageRepository.Kept, _ kept: KeptConversation, _ gone: [UUID],
        _ standing: ConversationService.Standing, _ context: inout CommandContext
    ) throws {
        let payload = ["conversation": kept.id.text, "message": message.id.text]
        let called = try mentioned(message, kept, standing, in: context.sql)
        let told = try service.toTell(kept, standing, in: context.sql).filter { !called.contains($0) }
        // Whoever answers has seen what was there.
        _ = try ConversationRepository.read(kept.id, through: message.seq, by: message.senderId, in: context.sql)
        if !called.isEmpty {
            let audience = called.sorted { $0.text < $1.text }.map(Audience.person)
            context.record(Change("message.mention", topics: [], audience: audience, payload: payload))
        }
        if !told.isEmpty {
            context.record(
                Change("message.news", topics: [], audience: told.map(Audience.person), payload: payload))
        }
        context.record(
            Change(
                "message.sent", topics: Topics.of(kept.id),
                audience: try service.audience(of: kept, in: context.sql) + gone.map(Audience.person),
                payload: payload))
    }

    /// Those whom the text calls, where more than two read it: they are told also if they want no other news of it.
    private func mentioned(
        _ message: MessageRepository.Kept, _ kept: KeptConversation, _ standing: ConversationService.Standing,
        in sql: any SQLReading
    ) throws -> Set<UUID> {
        guard kept.kind != .direct, message.text.contains("@") else { return [] }
        let others = try service.others(kept, standing, in: sql)
        let people = try service.correspondents.people(others, standing.membership, in: sql)
        return Mentions.find(in: message.text, among: people.mapValues(\.name))
    }
}

extension ChatMessage {
    init(_ kept: MessageRepository.Kept, isRead: Bool, files: [MessageFile]) {
        self.init(
            id: kept.id, conversationId: kept.conversationId, seq: kept.seq, senderId: kept.senderId,
            text: kept.text, timestamp: kept.sentAt, isRead: isRead, replyTo: kept.replyTo,
            editedAt: kept.editedAt, isDeleted: kept.isDeleted, files: files)
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
