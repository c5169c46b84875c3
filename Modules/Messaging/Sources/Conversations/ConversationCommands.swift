import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface

/// Lists the caller's conversations.
struct ListConversations: Query {
    static let contract = Contract(
        "messages.conversations", "/api/v1/conversations", access: .member(.exchangeMessages),
        summary: "The caller's conversations, the one with the latest message first.")
    typealias Result = Page<Conversation>

    let after: Int64
    let limit: Int

    init(_ fields: inout FieldReader) {
        after = fields.optionalText("after", max: 20).flatMap { Int64($0) } ?? .max
        limit = fields.integer("limit", in: 1...100, default: MessagingLimits.listSize)
    }
}

/// Lists the people to whom the caller may write.
struct ListCorrespondents: Query {
    /// A person to whom the caller may write.
    struct Item: Codable, Sendable, Hashable, Identifiable {
        let id: UUID
        let name: String
        let roles: [Role]
    }

    static let contract = Contract(
        "messages.correspondents", "/api/v1/conversations/people", access: .member(.exchangeMessages),
        summary: "The people to whom the caller may write, by name.")
    typealias Result = Page<Item>

    let query: String

    init(_ fields: inout FieldReader) { query = fields.optionalText("q", max: 100) ?? "" }
}

/// Opens a direct conversation or starts a group.
struct StartConversation: Command {
    static let contract = Contract(
        "messages.start", "/api/v1/conversations", access: .member(.exchangeMessages), isCreation: true,
        summary: "Opens the conversation with one person, or starts a group of several.")
    typealias Result = Conversation

    let personIds: [UUID]
    let title: String?

    init(_ fields: inout FieldReader) {
        personIds = fields.ids("personIds", max: MessagingLimits.groupSize)
        title = fields.optionalText("title", max: MessagingLimits.titleLength)
        fields.refuse("personIds", "messages.nobody", unless: !personIds.isEmpty)
        fields.refuse("title", "required", unless: personIds.count < 2 || title != nil)
    }
}

/// Opens a classroom's channel.
struct OpenChannel: Command {
    static let contract = Contract(
        "messages.openChannel", "/api/v1/classrooms/{classroomId}/channel", access: .member(.exchangeMessages),
        summary: "Opens the channel of a classroom. Creates it if the caller is staff.")
    typealias Result = Conversation

    let classroomId: UUID

    init(_ fields: inout FieldReader) { classroomId = fields.id("classroomId") }
}

/// Leaves a group.
struct LeaveConversation: Command {
    static let contract = Contract(
        "messages.leave", "/api/v1/conversations/{conversationId}/leave", access: .member(.exchangeMessages),
        summary: "Removes the caller from a group.")
    typealias Result = Done

    let conversationId: UUID

    init(_ fields: inout FieldReader) { conversationId = fields.id("conversationId") }
}

/// Mutes a conversation, or unmutes it.
struct MuteConversation: Command {
    static let contract = Contract(
        "messages.mute", "/api/v1/conversations/{conversationId}/mute", access: .member(.exchangeMessages),
        summary: "Mutes a conversation for the caller, or unmutes it. Mentions still notify.")
    typealias Result = Done

    let conversationId: UUID
    let isMuted: Bool

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        isMuted = fields.flag("isMuted")
    }
}

/// Closes a conversation, or opens it again.
struct CloseConversation: Command {
    static let contract = Contract(
        "messages.close", "/api/v1/conversations/{conversationId}/close", access: .member(.exchangeMessages),
        summary: "Closes a conversation, so that only its staff write in it, or opens it again. Only staff may.")
    typealias Result = Done

    let conversationId: UUID
    let isClosed: Bool

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        isClosed = fields.flag("isClosed")
    }
}

extension Permission {
    /// Exchanging messages. Students need their school's consent as well.
    static let exchangeMessages = Permission("messages.exchange", Set(Role.allCases))
}

/// The endpoints of conversations.
struct ConversationHandlers: Sendable {
    let service: ConversationService

    var queries: [QueryRegistration] {
        [
            .handle(ListConversations.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let found = try service.conversations(
                        service.access(of: membership, in: sql), before: query.after, limit: query.limit,
                        context.words, in: sql)
                    return Page(items: found.items, next: found.next.map(String.init))
                }
            },
            .handle(ListCorrespondents.self) { query, context in
                let membership = try context.membership
                try await context.school.read { _ = try service.access(of: membership, in: $0) }
                let found = try await service.correspondents.reachable(matching: query.query, context)
                return Page(
                    items: found.prefix(200).map {
                        .init(
                            id: $0.id, name: $0.person.name.display,
                            roles: $0.roles.sorted { $0.rawValue < $1.rawValue })
                    }, next: nil)
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                StartConversation.self,
                prepare: { command, context in
                    try await service.correspondents.roles.roles(
                        of: command.personIds, in: context.membership.organization.id)
                }, run: start),
            .handle(OpenChannel.self) { command, context in try open(command, &context) },
            .handle(LeaveConversation.self) { command, context in
                let access = try service.access(of: context.membership, in: context.sql)
                let stored = try service.storedConversation(command.conversationId, access, in: context.sql)
                guard stored.kind == .group else { throw Problem(409, "messages.onlyGroups") }
                let change = Change(
                    "conversation.left", topics: Topics.of(stored.id),
                    audience: try service.audience(of: stored, in: context.sql),
                    payload: ["conversation": stored.id.text])
                try ConversationRepository.remove([access.caller.id], from: stored.id, in: context.sql)
                context.record(change)
                context.destination = MessagesScreens.path
                context.feedback = Feedback(.toast, context.words("messages.left"))
                return Done()
            },
            .handle(MuteConversation.self) { command, context in
                let access = try service.access(of: context.membership, in: context.sql)
                let stored = try service.storedConversation(command.conversationId, access, in: context.sql)
                try ConversationRepository.mute(
                    command.isMuted, stored.id, by: access.caller.id, in: context.sql)
                // The person's other devices update.
                context.record(
                    Change(
                        "conversation.muted", topics: Topics.of(stored.id), audience: [.person(access.caller.id)],
                        payload: ["conversation": stored.id.text, "isMuted": command.isMuted ? "yes" : "no"]))
                context.feedback = Feedback(
                    .toast, context.words(command.isMuted ? "messages.muted" : "messages.unmuted"))
                return Done()
            },
            .handle(CloseConversation.self) { command, context in
                let access = try service.access(of: context.membership, in: context.sql)
                let stored = try service.storedConversation(command.conversationId, access, in: context.sql)
                guard service.mayClose(stored, access) else { throw Problem(403, "messages.onlyStaffCloses") }
                try ConversationRepository.close(command.isClosed, stored.id, in: context.sql)
                context.record(
                    Change(
                        "conversation.closed", topics: Topics.of(stored.id),
                        audience: try service.audience(of: stored, in: context.sql),
                        payload: ["conversation": stored.id.text, "isClosed": command.isClosed ? "yes" : "no"]))
                context.feedback = Feedback(
                    .toast, context.words(command.isClosed ? "messages.nowClosed" : "messages.nowOpen"))
                return Done()
            },
        ]
    }

    private func start(
        _ command: StartConversation, _ roles: [UUID: Set<Role>], _ context: inout CommandContext
    ) throws -> Conversation {
        let access = try service.access(of: context.membership, in: context.sql)
        let others = command.personIds.filter { $0 != access.caller.id }
        let people = try service.correspondents.correspondents(others, roles, in: context.sql)
        // An unknown person and one who may not be written to look the same to the caller.
        guard !people.isEmpty,
            people.allSatisfy({ Correspondence.mayWrite(access.caller, to: $0, under: access.policy) })
        else { throw Problem.notFound }
        if people.count == 1 {
            let known = try ConversationRepository.direct(access.caller.id, people[0].id, in: context.sql)
            return try opened(known ?? begin(.direct, others, nil, access, &context), access, &context)
        }
        for (index, one) in people.enumerated() {
            for other in people[(index + 1)...] {
                guard Correspondence.mayMeet(one, other, under: access.policy) else {
                    throw Problem(409, "messages.mayNotMeet")
                }
            }
        }
        return try opened(begin(.group, others, command.title, access, &context), access, &context)
    }

    /// Creates a conversation and returns its id.
    private func begin(
        _ kind: Conversation.Kind, _ others: [UUID], _ title: String?, _ access: ConversationService.Access,
        _ context: inout CommandContext
    ) throws -> UUID {
        let id = context.newId()
        let members = [access.caller.id] + others
        try ConversationRepository.insert(
            id, kind, title: title, members: members, by: access.caller.id, at: context.now, in: context.sql)
        context.record(
            Change(
                "conversation.started", topics: Topics.of(id), audience: members.map(Audience.person),
                payload: ["conversation": id.text, "kind": kind.rawValue]))
        return id
    }

    private func open(_ command: OpenChannel, _ context: inout CommandContext) throws -> Conversation {
        let access = try service.access(of: context.membership, in: context.sql)
        let classroomId = command.classroomId
        guard Correspondence.mayRead(access.caller, channelOf: classroomId, under: access.policy),
            try !service.correspondents.ties.classrooms([classroomId], in: context.sql).isEmpty
        else { throw Problem.notFound }
        if let known = try ConversationRepository.channel(of: classroomId, in: context.sql) {
            return try opened(known, access, &context)
        }
        guard access.caller.isStaff else { throw Problem.notFound }
        let id = context.newId()
        try ConversationRepository.insert(
            id, .channel, classroomId: classroomId, members: [], by: access.caller.id, at: context.now,
            in: context.sql)
        _ = try ConversationRepository.read(id, through: 0, by: access.caller.id, in: context.sql)
        context.record(
            Change(
                "conversation.started", topics: Topics.of(id),
                audience: [.channel(of: classroomId)] + Audience.roles([.superAdmin, .admin]),
                payload: ["conversation": id.text, "kind": Conversation.Kind.channel.rawValue]))
        return try opened(id, access, &context)
    }

    private func opened(
        _ id: UUID, _ access: ConversationService.Access, _ context: inout CommandContext
    ) throws -> Conversation {
        context.destination = ThreadScreen.path(id)
        return try service.conversation(
            service.storedConversation(id, access, in: context.sql), access, context.words, in: context.sql)
    }
}

/// The topics of pages about conversations.
enum Topics {
    /// The topic of pages that list conversations. Only members receive the changes.
    static let all = "conversations"

    static func one(_ id: UUID) -> String { "conversation:\(id.text)" }
    /// The topic of typing signals, for which pages do not reload.
    static func typing(_ id: UUID) -> String { "typing:\(id.text)" }
    static func of(_ id: UUID) -> [String] { [one(id), all] }
}
