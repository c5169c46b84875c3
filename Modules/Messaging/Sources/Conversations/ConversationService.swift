import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import MessagingModel

/// What a person sees of conversations and may do in them. All of it inside the caller's own transaction.
struct ConversationService: Sendable {
    let correspondents: CorrespondentService

    /// The caller, what the school allows, and which conversations follow from both.
    struct Standing: Sendable {
        let caller: Correspondent
        let policy: MessagingPolicy
        let reader: ConversationRepository.Reader
        let membership: ActiveMembership
    }

    // MARK: - Who asks

    /// Throws where the school has no messages for the caller.
    func standing(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Standing {
        guard let standing = try standingIfAllowed(membership, in: sql) else {
            throw Problem(403, "messages.notForStudents")
        }
        return standing
    }

    /// `nil` where the school has no messages for the caller: students, unless it allows it.
    func standingIfAllowed(_ membership: ActiveMembership, in sql: any SQLReading) throws -> Standing? {
        let policy = try PolicyRepository.policy(in: sql)
        guard policy.students || membership.roles != [.student] else { return nil }
        let caller = try correspondents.caller(membership, in: sql)
        return Standing(
            caller: caller, policy: policy,
            reader: .init(
                personId: caller.id, channels: Correspondence.channels(of: caller, under: policy),
                seesAllChannels: caller.isAdmin), membership: membership)
    }

    // MARK: - Reading

    func conversations(
        _ standing: Standing, before activity: Int64 = .max, limit: Int, _ words: Words, in sql: any SQLReading
    ) throws -> (items: [Conversation], next: Int64?) {
        let query = ConversationRepository.listQuery(standing.reader, before: activity, limit: limit + 1)
        let found = try ConversationRepository.list(query, in: sql)
        let shown = Array(found.prefix(limit))
        return (
            try conversations(shown, standing, words, in: sql), found.count > limit ? shown.last?.0.activity : nil
        )
    }

    private func conversations(
        _ found: [(KeptConversation, ChatMessage?)], _ standing: Standing, _ words: Words, in sql: any SQLReading
    ) throws -> [Conversation] {
        let names = try Names(found.map(\.0), standing, correspondents, words, in: sql)
        // Of those that say nothing, whether files do.
        let wordless = found.compactMap(\.1).filter { $0.text.isEmpty && !$0.isDeleted }.map(\.id)
        let files = try MessageFileRepository.files(of: wordless, in: sql)
        return found.map { kept, message in
            names.conversation(kept, lastMessage: message?.with(message.flatMap { files[$0.id] } ?? []))
        }
    }

    /// What is found of a text in the caller's conversations.
    struct Hits: Sendable {
        /// Those in whose title every word occurs, the latest first.
        let conversations: [Conversation]
        /// The messages in which every word occurs, the latest first, each with the title of its conversation.
        let messages: [(message: MessageRepository.Kept, title: String)]
    }

    /// Searches the latest `MessagingLimits.searched` conversations.
    func search(_ text: String, _ standing: Standing, _ words: Words, in sql: any SQLReading) throws -> Hits {
        let wanted = Self.folded(text)
        guard !wanted.isEmpty else { return Hits(conversations: [], messages: []) }
        let query = ConversationRepository.listQuery(standing.reader, limit: MessagingLimits.searched)
        let all = try conversations(ConversationRepository.list(query, in: sql), standing, words, in: sql)
        let titles = Dictionary(all.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
        let named = all.filter { conversation in
            let title = NameFolding.fold(conversation.title)
            return wanted.allSatisfy { title.contains($0) }
        }
        let messages = try MessageRepository.search(
            wanted, in: all.map(\.id), limit: MessagingLimits.hits, in: sql)
        return Hits(
            conversations: Array(named.prefix(MessagingLimits.listSize)),
            messages: messages.map { ($0, titles[$0.conversationId] ?? "") })
    }

    private static func folded(_ text: String) -> [String] {
        NameFolding.fold(String(text.prefix(100))).split(separator: " ").map(String.init)
    }

    /// Throws `Problem.notFound` for a conversation that the caller is not in.
    func kept(_ id: UUID, _ standing: Standing, in sql: any SQLReading) throws -> KeptConversation {
        guard let kept = try ConversationRepository.conversation(id, for: standing.reader, in: sql) else {
            throw Problem.notFound
        }
        return kept
    }

    func conversation(
        _ kept: KeptConversation, _ standing: Standing, _ words: Words, in sql: any SQLReading
    ) throws -> Conversation {
        let last = try MessageRepository.messages(of: kept.id, before: kept.lastSeq + 1, limit: 1, in: sql).first
        return try Names([kept], standing, correspondents, words, in: sql).conversation(
            kept,
            lastMessage: try last.flatMap { try messages([$0], kept, [], standing, in: sql).first })
    }

    /// One page of a thread, the oldest message first, and how far the others have read.
    func thread(
        _ kept: KeptConversation, before seq: Int, limit: Int, _ standing: Standing, in sql: any SQLReading
    ) throws -> (messages: [ChatMessage], members: [ConversationMember], hasEarlier: Bool) {
        let members = kept.kind == .channel ? [] : try ConversationRepository.members(of: kept.id, in: sql)
        let found = try MessageRepository.messages(of: kept.id, before: seq, limit: limit + 1, in: sql)
        let shown = try messages(Array(found.suffix(limit)), kept, members, standing, in: sql)
        return (shown, members, found.count > limit)
    }

    /// The messages in which all words of a text occur, the latest first.
    func search(
        _ text: String, in kept: KeptConversation, _ standing: Standing, in sql: any SQLReading
    ) throws -> [ChatMessage] {
        let words = Self.folded(text)
        guard !words.isEmpty else { return [] }
        let found = try MessageRepository.search(words, in: kept.id, limit: MessagingLimits.hits, in: sql)
        return try messages(found, kept, [], standing, in: sql)
    }

    /// Messages as the caller sees them, with their files.
    func messages(
        _ messages: [MessageRepository.Kept], _ kept: KeptConversation, _ members: [ConversationMember],
        _ standing: Standing, in sql: any SQLReading
    ) throws -> [ChatMessage] {
        let files = try MessageFileRepository.files(of: messages.filter(\.hasFiles).map(\.id), in: sql)
        let reads = members.filter { $0.personId != standing.caller.id }.map(\.lastRead)
        return messages.map { message in
            let isOwn = message.senderId == standing.caller.id
            let isRead =
                isOwn ? !reads.isEmpty && reads.allSatisfy { $0 >= message.seq } : kept.lastRead >= message.seq
            return ChatMessage(message, isRead: isRead, files: files[message.id] ?? [])
        }
    }

    /// A message of a conversation that the caller is in; throws `Problem.notFound` for every other.
    func message(
        _ id: UUID, _ standing: Standing, in sql: any SQLReading
    ) throws -> (message: MessageRepository.Kept, kept: KeptConversation) {
        guard let message = try MessageRepository.message(id, in: sql) else { throw Problem.notFound }
        return (message, try kept(message.conversationId, standing, in: sql))
    }

    /// Whether the caller may keep others than staff from writing there.
    func mayClose(_ kept: KeptConversation, _ standing: Standing) -> Bool {
        guard standing.caller.isStaff else { return false }
        guard let classroomId = kept.classroomId else { return true }
        return standing.caller.isAdmin || standing.caller.ties.guided.contains(classroomId)
    }

    // MARK: - Writing

    /// Asks anew whether the caller may write there.
    /// - Parameter roles: of the others, as the directory has them now.
    /// - Returns: those in a group whom its staff cannot reach any more; they are to leave it.
    func checkWriting(
        _ kept: KeptConversation, _ roles: [UUID: Set<Role>], _ standing: Standing, in sql: any SQLReading
    ) throws -> [UUID] {
        guard !kept.isClosed || mayClose(kept, standing) else { throw Problem(403, "messages.closed") }
        if let classroomId = kept.classroomId {
            guard Correspondence.mayWrite(standing.caller, inChannelOf: classroomId, under: standing.policy) else {
                throw Problem(403, "messages.readOnly")
            }
            return []
        }
        let others = try ConversationRepository.members(of: kept.id, in: sql).map(\.personId)
            .filter { $0 != standing.caller.id }
        let people = try correspondents.correspondents(others, roles, in: sql)
        if kept.kind == .direct {
            guard let other = people.first,
                Correspondence.mayWrite(standing.caller, to: other, under: standing.policy)
            else { throw Problem(403, "messages.notReachable") }
            return []
        }
        let unreachable = people.filter { !Correspondence.mayMeet(standing.caller, $0, under: standing.policy) }
        guard unreachable.count < people.count,
            standing.caller.isStaff || unreachable.allSatisfy(\.roles.isEmpty)
        else { throw Problem(403, "messages.notReachable") }
        return unreachable.map(\.id)
    }

    /// Whether the caller may write there now.
    func mayWrite(
        _ kept: KeptConversation, _ roles: [UUID: Set<Role>], _ standing: Standing, in sql: any SQLReading
    ) throws -> Bool {
        do {
            _ = try checkWriting(kept, roles, standing, in: sql)
            return true
        } catch let problem as Problem where problem.status == 403 {
            return false
        }
    }

    /// Who learns of what happens in a conversation.
    func audience(of kept: KeptConversation, in sql: any SQLReading) throws -> [Audience] {
        try audience(of: kept.id, channelOf: kept.classroomId, in: sql)
    }

    /// The same for somebody who is not in it, as whoever settles a report.
    func audience(of id: UUID, channelOf classroomId: UUID?, in sql: any SQLReading) throws -> [Audience] {
        if let classroomId { return [.channel(of: classroomId)] + Audience.roles([.superAdmin, .admin]) }
        return try ConversationRepository.members(of: id, in: sql).map { .person($0.personId) }
    }

    /// The others who read a conversation.
    func others(_ kept: KeptConversation, _ standing: Standing, in sql: any SQLReading) throws -> Set<UUID> {
        guard let classroomId = kept.classroomId else {
            return Set(try ConversationRepository.members(of: kept.id, in: sql).map(\.personId))
                .subtracting([standing.caller.id])
        }
        let circle = try correspondents.ties.circle(of: classroomId, in: sql)
        let families = standing.policy.channels == .staff ? [] : circle.guardians
        let students = standing.policy.students && standing.policy.channels != .staff ? circle.students : []
        return circle.guides.union(families).union(students).subtracting([standing.caller.id])
    }

    /// The others who had read everything and want news: they are told once, and again after they have read.
    func toTell(
        _ kept: KeptConversation, _ standing: Standing, in sql: any SQLReading
    ) throws -> [UUID] {
        let members = try ConversationRepository.members(of: kept.id, in: sql)
        let waiting = Set(members.filter { $0.isMuted || $0.lastRead < kept.lastSeq }.map(\.personId))
        var everybody = try others(kept, standing, in: sql)
        // Whoever never opened a channel has read nothing of what is there, and was told of the first.
        if kept.kind == .channel, kept.lastSeq > 0 { everybody.formIntersection(members.map(\.personId)) }
        return everybody.subtracting(waiting).sorted { $0.text < $1.text }
    }
}

/// How conversations are called, looked up at once for a whole list.
struct Names: Sendable {
    private let people: [UUID: Person]
    private let classrooms: [UUID: ClassroomSummary]
    private let memberIds: [UUID: [UUID]]
    private let readerId: UUID
    private let words: Words

    init(
        _ kept: [KeptConversation], _ standing: ConversationService.Standing, _ service: CorrespondentService,
        _ words: Words, senders: [UUID] = [], in sql: any SQLReading
    ) throws {
        let ids = kept.filter { $0.kind != .channel }.map(\.id)
        let members = ids.isEmpty ? [:] : try ConversationRepository.memberIds(of: ids, in: sql)
        let direct = kept.filter { $0.kind == .direct }.flatMap { members[$0.id] ?? [] }
        memberIds = members
        people = try service.people(direct + senders, standing.membership, in: sql)
        classrooms = Dictionary(
            try service.ties.classrooms(Set(kept.compactMap(\.classroomId)), in: sql).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        readerId = standing.caller.id
        self.words = words
    }

    func conversation(_ kept: KeptConversation, lastMessage: ChatMessage?) -> Conversation {
        Conversation(
            id: kept.id, kind: kept.kind, title: title(kept), classroomId: kept.classroomId,
            memberIds: memberIds[kept.id] ?? [], unread: kept.unread, isMuted: kept.isMuted,
            isClosed: kept.isClosed, lastMessage: lastMessage)
    }

    private func title(_ kept: KeptConversation) -> String {
        switch kept.kind {
        case .direct:
            let other = (memberIds[kept.id] ?? []).first { $0 != readerId }
            return other.flatMap { people[$0]?.name.display } ?? words("messages.formerMember")
        case .group: return kept.title ?? words("messages.group")
        case .channel:
            return words(
                "messages.channelOf",
                kept.classroomId.flatMap { classrooms[$0]?.name } ?? words("messages.closedClassroom"))
        }
    }
}

extension Audience {
    /// Those around a classroom who read its channel.
    static func channel(of classroomId: UUID) -> Audience { Audience("channel:\(classroomId.text)") }
}
