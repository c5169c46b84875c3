import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import MessagingModel

/// Checks access to conversations and reads them for a member, within the caller's database transaction.
struct ConversationService: Sendable {
    let correspondents: CorrespondentService

    /// The caller with the school's policy and the conversations that they may read.
    struct Access: Sendable {
        let caller: Correspondent
        let policy: MessagingPolicy
        let reader: ConversationRepository.Reader
        let membership: ActiveMembership
    }

    // MARK: - Access

    /// Returns the caller's access. Throws `messages.notForStudents` if the school has no messages for the caller.
    func access(of membership: ActiveMembership, in sql: any SQLReading) throws -> Access {
        guard let access = try accessIfAllowed(of: membership, in: sql) else {
            throw Problem(403, "messages.notForStudents")
        }
        return access
    }

    /// Returns the caller's access; `nil` for students of a school that does not allow them messages.
    func accessIfAllowed(of membership: ActiveMembership, in sql: any SQLReading) throws -> Access? {
        let policy = try PolicyRepository.policy(in: sql)
        guard policy.students || membership.roles != [.student] else { return nil }
        let caller = try correspondents.caller(membership, in: sql)
        return Access(
            caller: caller, policy: policy,
            reader: .init(
                personId: caller.id, channels: Correspondence.channels(of: caller, under: policy),
                seesAllChannels: caller.isAdmin), membership: membership)
    }

    // MARK: - Reading

    /// Returns one page of the caller's conversations, the latest first.
    ///
    /// `next` is the position of the following page; `nil` at the end.
    func conversations(
        _ access: Access, before activity: Int64 = .max, limit: Int, _ words: Words, in sql: any SQLReading
    ) throws -> (items: [Conversation], next: Int64?) {
        let query = ConversationRepository.listQuery(access.reader, before: activity, limit: limit + 1)
        let found = try ConversationRepository.list(query, in: sql)
        let shown = Array(found.prefix(limit))
        return (
            try conversations(shown, access, words, in: sql), found.count > limit ? shown.last?.0.activity : nil
        )
    }

    private func conversations(
        _ found: [(StoredConversation, ChatMessage?)], _ access: Access, _ words: Words, in sql: any SQLReading
    ) throws -> [Conversation] {
        let names = try Names(found.map(\.0), access, correspondents, words, in: sql)
        // Files only matter for messages without text.
        let wordless = found.compactMap(\.1).filter { $0.text.isEmpty && !$0.isDeleted }.map(\.id)
        let files = try MessageFileRepository.files(of: wordless, in: sql)
        return found.map { stored, message in
            names.conversation(stored, lastMessage: message?.with(message.flatMap { files[$0.id] } ?? []))
        }
    }

    /// The results of a search in the caller's conversations.
    struct Hits: Sendable {
        /// The conversations whose title contains every word, the latest first.
        let conversations: [Conversation]
        /// The messages that contain every word, the latest first, each with the title of its conversation.
        let messages: [(message: MessageRepository.StoredMessage, title: String)]
    }

    /// Searches the latest `MessagingLimits.searched` conversations.
    func search(_ text: String, _ access: Access, _ words: Words, in sql: any SQLReading) throws -> Hits {
        let wanted = Self.folded(text)
        guard !wanted.isEmpty else { return Hits(conversations: [], messages: []) }
        let query = ConversationRepository.listQuery(access.reader, limit: MessagingLimits.searched)
        let all = try conversations(ConversationRepository.list(query, in: sql), access, words, in: sql)
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

    /// Returns a stored conversation. Throws `Problem.notFound` if the caller is not in it.
    func storedConversation(_ id: UUID, _ access: Access, in sql: any SQLReading) throws -> StoredConversation {
        guard let stored = try ConversationRepository.conversation(id, for: access.reader, in: sql) else {
            throw Problem.notFound
        }
        return stored
    }

    func conversation(
        _ stored: StoredConversation, _ access: Access, _ words: Words, in sql: any SQLReading
    ) throws -> Conversation {
        let last = try MessageRepository.messages(of: stored.id, before: stored.lastSeq + 1, limit: 1, in: sql)
            .first
        return try Names([stored], access, correspondents, words, in: sql).conversation(
            stored,
            lastMessage: try last.flatMap { try messages([$0], stored, [], access, in: sql).first })
    }

    /// Returns one page of a conversation, the oldest message first, and how far the other members have read.
    func thread(
        _ stored: StoredConversation, before seq: Int, limit: Int, _ access: Access, in sql: any SQLReading
    ) throws -> (messages: [ChatMessage], members: [ConversationMember], hasEarlier: Bool) {
        let members = stored.kind == .channel ? [] : try ConversationRepository.members(of: stored.id, in: sql)
        let found = try MessageRepository.messages(of: stored.id, before: seq, limit: limit + 1, in: sql)
        let shown = try messages(Array(found.suffix(limit)), stored, members, access, in: sql)
        return (shown, members, found.count > limit)
    }

    /// The messages that contain all words of a text, the latest first.
    func search(
        _ text: String, in stored: StoredConversation, _ access: Access, in sql: any SQLReading
    ) throws -> [ChatMessage] {
        let words = Self.folded(text)
        guard !words.isEmpty else { return [] }
        let found = try MessageRepository.search(words, in: stored.id, limit: MessagingLimits.hits, in: sql)
        return try messages(found, stored, [], access, in: sql)
    }

    /// Messages as the caller sees them, with their files.
    func messages(
        _ messages: [MessageRepository.StoredMessage], _ stored: StoredConversation,
        _ members: [ConversationMember],
        _ access: Access, in sql: any SQLReading
    ) throws -> [ChatMessage] {
        let files = try MessageFileRepository.files(of: messages.filter(\.hasFiles).map(\.id), in: sql)
        let reads = members.filter { $0.personId != access.caller.id }.map(\.lastRead)
        return messages.map { message in
            let isOwn = message.senderId == access.caller.id
            let isRead =
                isOwn ? !reads.isEmpty && reads.allSatisfy { $0 >= message.seq } : stored.lastRead >= message.seq
            return ChatMessage(message, isRead: isRead, files: files[message.id] ?? [])
        }
    }

    /// Returns a message of a conversation that the caller is in. Throws `Problem.notFound` otherwise.
    func message(
        _ id: UUID, _ access: Access, in sql: any SQLReading
    ) throws -> (message: MessageRepository.StoredMessage, stored: StoredConversation) {
        guard let message = try MessageRepository.message(id, in: sql) else { throw Problem.notFound }
        return (message, try storedConversation(message.conversationId, access, in: sql))
    }

    /// Whether the caller may close the conversation for all but staff.
    func mayClose(_ stored: StoredConversation, _ access: Access) -> Bool {
        guard access.caller.isStaff else { return false }
        guard let classroomId = stored.classroomId else { return true }
        return access.caller.isAdmin || access.caller.ties.guided.contains(classroomId)
    }

    // MARK: - Writing

    /// Checks whether the caller may write, with the present roles. Throws a problem with status 403 if not.
    ///
    /// - Parameter roles: the other members' present roles.
    /// - Returns: the members of a group who may not be written to any more, and who must be removed from it.
    func checkWriting(
        _ stored: StoredConversation, _ roles: [UUID: Set<Role>], _ access: Access, in sql: any SQLReading
    ) throws -> [UUID] {
        guard !stored.isClosed || mayClose(stored, access) else { throw Problem(403, "messages.closed") }
        if let classroomId = stored.classroomId {
            guard Correspondence.mayWrite(access.caller, inChannelOf: classroomId, under: access.policy) else {
                throw Problem(403, "messages.readOnly")
            }
            return []
        }
        let others = try ConversationRepository.members(of: stored.id, in: sql).map(\.personId)
            .filter { $0 != access.caller.id }
        let people = try correspondents.correspondents(others, roles, in: sql)
        if stored.kind == .direct {
            guard let other = people.first,
                Correspondence.mayWrite(access.caller, to: other, under: access.policy)
            else { throw Problem(403, "messages.notReachable") }
            return []
        }
        let unreachable = people.filter { !Correspondence.mayMeet(access.caller, $0, under: access.policy) }
        guard unreachable.count < people.count,
            access.caller.isStaff || unreachable.allSatisfy(\.roles.isEmpty)
        else { throw Problem(403, "messages.notReachable") }
        return unreachable.map(\.id)
    }

    /// Whether the caller may write.
    func mayWrite(
        _ stored: StoredConversation, _ roles: [UUID: Set<Role>], _ access: Access, in sql: any SQLReading
    ) throws -> Bool {
        do {
            _ = try checkWriting(stored, roles, access, in: sql)
            return true
        } catch let problem as Problem where problem.status == 403 {
            return false
        }
    }

    /// The audience of a conversation's changes.
    func audience(of stored: StoredConversation, in sql: any SQLReading) throws -> [Audience] {
        try audience(of: stored.id, channelOf: stored.classroomId, in: sql)
    }

    /// The audience of a conversation that the caller may not be in, for example when settling a report.
    func audience(of id: UUID, channelOf classroomId: UUID?, in sql: any SQLReading) throws -> [Audience] {
        if let classroomId { return [.channel(of: classroomId)] + Audience.roles([.superAdmin, .admin]) }
        return try ConversationRepository.members(of: id, in: sql).map { .person($0.personId) }
    }

    /// The other people who read a conversation.
    func others(_ stored: StoredConversation, _ access: Access, in sql: any SQLReading) throws -> Set<UUID> {
        guard let classroomId = stored.classroomId else {
            return Set(try ConversationRepository.members(of: stored.id, in: sql).map(\.personId))
                .subtracting([access.caller.id])
        }
        let circle = try correspondents.ties.circle(of: classroomId, in: sql)
        let families = access.policy.channels == .staff ? [] : circle.guardians
        let students = access.policy.students && access.policy.channels != .staff ? circle.students : []
        return circle.guides.union(families).union(students).subtracting([access.caller.id])
    }

    /// The other people to notify of a new message: those who had read all and have not muted the conversation.
    func recipients(
        of stored: StoredConversation, _ access: Access, in sql: any SQLReading
    ) throws -> [UUID] {
        let members = try ConversationRepository.members(of: stored.id, in: sql)
        let waiting = Set(members.filter { $0.isMuted || $0.lastRead < stored.lastSeq }.map(\.personId))
        var recipients = try others(stored, access, in: sql)
        // A person who never opened a channel was notified of its first message only.
        if stored.kind == .channel, stored.lastSeq > 0 { recipients.formIntersection(members.map(\.personId)) }
        return recipients.subtracting(waiting).sorted()
    }
}

/// The titles of conversations, looked up for a whole list at once.
struct Names: Sendable {
    private let people: [UUID: Person]
    private let classrooms: [UUID: ClassroomSummary]
    private let memberIds: [UUID: [UUID]]
    private let readerId: UUID
    private let words: Words

    init(
        _ stored: [StoredConversation], _ access: ConversationService.Access, _ service: CorrespondentService,
        _ words: Words, senders: [UUID] = [], in sql: any SQLReading
    ) throws {
        let ids = stored.filter { $0.kind != .channel }.map(\.id)
        let members = ids.isEmpty ? [:] : try ConversationRepository.memberIds(of: ids, in: sql)
        let direct = stored.filter { $0.kind == .direct }.flatMap { members[$0.id] ?? [] }
        memberIds = members
        people = try service.people(direct + senders, access.membership, in: sql)
        classrooms = Dictionary(
            try service.ties.classrooms(Set(stored.compactMap(\.classroomId)), in: sql).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        readerId = access.caller.id
        self.words = words
    }

    func conversation(_ stored: StoredConversation, lastMessage: ChatMessage?) -> Conversation {
        Conversation(
            id: stored.id, kind: stored.kind, title: title(stored), classroomId: stored.classroomId,
            memberIds: memberIds[stored.id] ?? [], unread: stored.unread, isMuted: stored.isMuted,
            isClosed: stored.isClosed, lastMessage: lastMessage)
    }

    private func title(_ stored: StoredConversation) -> String {
        switch stored.kind {
        case .direct:
            let other = (memberIds[stored.id] ?? []).first { $0 != readerId }
            return other.flatMap { people[$0]?.name.display } ?? words("messages.formerMember")
        case .group: return stored.title ?? words("messages.group")
        case .channel:
            return words(
                "messages.channelOf",
                stored.classroomId.flatMap { classrooms[$0]?.name } ?? words("messages.closedClassroom"))
        }
    }
}

extension Audience {
    /// The people who read a classroom's channel.
    static func channel(of classroomId: UUID) -> Audience { Audience("channel:\(classroomId.text)") }
}
