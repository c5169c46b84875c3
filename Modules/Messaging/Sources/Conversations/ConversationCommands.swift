import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface

struct ListConversations: Query {
    static let contract = Contract(
        "messages.conversations", "/api/v1/conversations", access: .member(.exchangeMessages),
        summary: "The caller's conversations, those with the latest message first.")
    typealias Result = Page<Conversation>

    let after: Int64
    let limit: Int

    init(_ fields: inout FieldReader) {
        after = fields.optionalText("after", max: 20).flatMap { Int64($0) } ?? .max
        limit = fields.integer("limit", in: 1...100, default: MessagingLimits.listSize)
    }
}

struct ListCorrespondents: Query {
    /// Somebody to whom the caller may write.
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

struct StartConversation: Command {
    static let contract = Contract(
        "messages.start", "/api/v1/conversations", access: .member(.exchangeMessages), isCreation: true,
        summary: "Opens the conversation with one person, or begins a group of several.")
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

struct OpenChannel: Command {
    static let contract = Contract(
        "messages.openChannel", "/api/v1/classrooms/{classroomId}/channel", access: .member(.exchangeMessages),
        summary: "Opens the channel of a classroom; the first who writes there makes it.")
    typealias Result = Conversation

    let classroomId: UUID

    init(_ fields: inout FieldReader) { classroomId = fields.id("classroomId") }
}

struct LeaveConversation: Command {
    static let contract = Contract(
        "messages.leave", "/api/v1/conversations/{conversationId}/leave", access: .member(.exchangeMessages),
        summary: "Takes the caller out of a group.")
    typealias Result = Done

    let conversationId: UUID

    init(_ fields: inout FieldReader) { conversationId = fields.id("conversationId") }
}

struct MuteConversation: Command {
    static let contract = Contract(
        "messages.mute", "/api/v1/conversations/{conversationId}/mute", access: .member(.exchangeMessages),
        summary: "Says whether the caller wants news of a conversation; being called by name is told all the same.")
    typealias Result = Done

    let conversationId: UUID
    let isMuted: Bool

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        isMuted = fields.flag("isMuted")
    }
}

struct CloseConversation: Command {
    static let contract = Contract(
        "messages.close", "/api/v1/conversations/{conversationId}/close", access: .member(.exchangeMessages),
        summary: "Lets staff alone write in a conversation, or everybody again; by its staff.")
    typealias Result = Done

    let conversationId: UUID
    let isClosed: Bool

    init(_ fields: inout FieldReader) {
        conversationId = fields.id("conversationId")
        isClosed = fields.flag("isClosed")
    }
}

extension Permission {
    /// To write and read messages; students only where their school allows it.
    static let exchangeMessages = Permission("messages.exchange", Set(Role.allCases))
}

/// The handlers of conversations.
struct ConversationHandlers: Sendable {
    let service: ConversationService

    var queries: [QueryRegistration] {
        [
            .handle(ListConversations.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let found = try service.conversations(
                        service.standing(membership, in: sql), before: query.after, limit: query.limit,
                        context.words, in: sql)
                    return Page(items: found.items, next: found.next.map(String.init))
                }
            },
            .handle(ListCorrespondents.self) { query, context in
                let membership = try context.membership
                try await context.school.read { _ = try service.standing(membership, in: $0) }
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
                let standing = try service.standing(context.membership, in: context.sql)
                let kept = try service.kept(command.conversationId, standing, in: context.sql)
                guard kept.kind == .group else { throw Problem(409, "messages.onlyGroups") }
                let change = Change(
                    "conversation.left", topics: Topics.of(kept.id),
                    audience: try service.audience(of: kept, in: context.sql),
                    payload: ["conversation": kept.id.text])
                try ConversationRepository.remove([standing.caller.id], from: kept.id, in: context.sql)
                context.record(change)
                context.destination = MessagesScreens.path
                context.feedback = Feedback(.toast, context.words("messages.left"))
                return Done()
            },
            .handle(MuteConversation.self) { command, context in
                let standing = try service.standing(context.membership, in: context.sql)
                let kept = try service.kept(command.conversationId, standing, in: context.sql)
                try ConversationRepository.mute(
                    command.isMuted, kept.id, by: standing.caller.id, in: context.sql)
                // On the other devices of the same person.
                context.record(
                    Change(
                        "conversation.muted", topics: Topics.of(kept.id), audience: [.person(standing.caller.id)],
                        payload: ["conversation": kept.id.text, "isMuted": command.isMuted ? "yes" : "no"]))
                context.feedback = Feedback(
                    .toast, context.words(command.isMuted ? "messages.muted" : "messages.unmuted"))
                return Done()
            },
            .handle(CloseConversation.self) { command, context in
                let standing = try service.standing(context.membership, in: context.sql)
                let kept = try service.kept(command.conversationId, standing, in: context.sql)
                guard service.mayClose(kept, standing) else { throw Problem(403, "messages.onlyStaffCloses") }
                try ConversationRepository.close(command.isClosed, kept.id, in: context.sql)
                context.record(
                    Change(
                        "conversation.closed", topics: Topics.of(kept.id),
                        audience: try service.audience(of: kept, in: context.sql),
                        payload: ["conversation": kept.id.text, "isClosed": command.isClosed ? "yes" : "no"]))
                context.feedback = Feedback(
                    .toast, context.words(command.isClosed ? "messages.nowClosed" : "messages.nowOpen"))
                return Done()
            },
        ]
    }

    private func start(
        _ command: StartConversation, _ roles: [UUID: Set<Role>], _ context: inout CommandContext
    ) throws -> Conversation {
        let standing = try service.standing(context.membership, in: context.sql)
        let others = command.personIds.filter { $0 != standing.caller.id }
        let people = try service.correspondents.correspondents(others, roles, in: context.sql)
        // Somebody who is not there and somebody who may not be written to are the same to the caller.
        guard !people.isEmpty,
            people.allSatisfy({ Correspondence.mayWrite(standing.caller, to: $0, under: standing.policy) })
        else { throw Problem.notFound }
        if people.count == 1 {
            let known = try ConversationRepository.direct(standing.caller.id, people[0].id, in: context.sql)
            return try opened(known ?? begin(.direct, others, nil, standing, &context), standing, &context)
        }
        for (index, one) in people.enumerated() {
            for other in people[(index + 1)...] {
                guard Correspondence.mayMeet(one, other, under: standing.policy) else {
                    throw Problem(409, "messages.mayNotMeet")
                }
            }
        }
        return try opened(begin(.group, others, command.title, standing, &context), standing, &context)
    }

    private func begin(
        _ kind: Conversation.Kind, _ others: [UUID], _ title: String?, _ standing: ConversationService.Standing,
        _ context: inout CommandContext
    ) throws -> UUID {
        let id = context.newId()
        let members = [standing.caller.id] + others
        try ConversationRepository.insert(
            id, kind, title: title, members: members, by: standing.caller.id, at: context.now, in: context.sql)
        context.record(
            Change(
                "conversation.started", topics: Topics.of(id), audience: members.map(Audience.person),
                payload: ["conversation": id.text, "kind": kind.rawValue]))
        return id
    }

    private func open(_ command: OpenChannel, _ context: inout CommandContext) throws -> Conversation {
        let standing = try service.standing(context.membership, in: context.sql)
        let classroomId = command.classroomId
        guard Correspondence.mayRead(standing.caller, channelOf: classroomId, under: standing.policy),
            try !service.correspondents.ties.classrooms([classroomId], in: context.sql).isEmpty
        else { throw Problem.notFound }
        if let known = try ConversationRepository.channel(of: classroomId, in: context.sql) {
            return try opened(known, standing, &context)
        }
        guard standing.caller.isStaff else { throw Problem.notFound }
        let id = context.newId()
        try ConversationRepository.insert(
            id, .channel, classroomId: classroomId, members: [], by: standing.caller.id, at: context.now,
            in: context.sql)
        _ = try ConversationRepository.read(id, through: 0, by: standing.caller.id, in: context.sql)
        context.record(
            Change(
                "conversation.started", topics: Topics.of(id),
                audience: [.channel(of: classroomId)] + Audience.roles([.superAdmin, .admin]),
                payload: ["conversation": id.text, "kind": Conversation.Kind.channel.rawValue]))
        return try opened(id, standing, &context)
    }

    private func opened(
        _ id: UUID, _ standing: ConversationService.Standing, _ context: inout CommandContext
    ) throws -> Conversation {
        context.destination = ThreadScreen.path(id)
        return try service.conversation(
            service.kept(id, standing, in: context.sql), standing, context.words, in: context.sql)
    }
}

/// What makes pages about conversations stale.
enum Topics {
    /// Every page that lists conversations: whoever hears of a change is in its conversation.
    static let all = "conversations"

    static func one(_ id: UUID) -> String { "conversation:\(id.text)" }
    /// Of who types there, for which no page is read again.
    static func typing(_ id: UUID) -> String { "typing:\(id.text)" }
    static func of(_ id: UUID) -> [String] { [one(id), all] }
}
