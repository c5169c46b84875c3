import Domain
public import Foundation
public import MessagingModel
public import Observation

/// The store of conversations and messages.
///
/// The state is what the server sent, with the unsent changes applied in order.
@MainActor @Observable
public final class ChatStore: Store {
    public private(set) var state = ChatStoreState()

    /// The messages of one request.
    nonisolated static let pageSize = 50
    /// The conversations of one request.
    nonisolated static let listSize = 50

    @ObservationIgnored private let engine: SyncEngine
    @ObservationIgnored private var records: ChatRecords
    @ObservationIgnored var order = LoadOrder()
    /// The conversations with loaded messages, the latest opened last.
    @ObservationIgnored private var opened: [UUID]
    /// The text with which the list of conversations continues.
    @ObservationIgnored private var nextConversations: String?

    init(_ engine: SyncEngine, _ stored: StoredState) {
        self.engine = engine
        records = stored.chat
        opened = Array(stored.chat.messagesByConversation.keys)
        state.lastSyncTime = stored.chatSync
        engine.register(self)
        showAll()
    }

    public func clear() {
        records = ChatRecords()
        opened = []
        nextConversations = nil
        state = ChatStoreState()
        engine.feed.publish()
    }

    /// The state of a message on its way to the server.
    public func syncState(of id: UUID) -> RecordSyncState { engine.state(of: id) }

    private var api: any APIManager { engine.api }

    // MARK: - Loading

    public func refresh() async {
        guard let pgId = engine.auth.currentPgId else { return }
        state.syncInProgress = true
        engine.feed.publish()
        // The error is in the state.
        do { try await loadConversations(pgId: pgId) } catch {}
        state.syncInProgress = false
        engine.feed.publish()
    }

    /// Loads the latest conversations of the school. The residence makes no difference.
    public func loadConversations(pgId: UUID) async throws {
        try await loading {
            let account = try self.engine.owner()
            let page = try await self.current(.conversations) {
                try await self.api.getConversations(after: nil, limit: Self.listSize, for: account)
            }
            self.nextConversations = page.next
            var update = ChatRecords.Update()
            update.conversations = self.changed(page.items)
            let listed = Set(page.items.map(\.id))
            // A short list is whole: what it lacks, the person has left. A long one continues with what is known.
            let rest = page.next == nil ? [] : self.records.conversationIds.filter { !listed.contains($0) }
            update.order = page.items.map(\.id) + rest
            for gone in Set(self.records.conversationIds).subtracting(update.order ?? []) {
                update.drop(gone, self.records)
            }
            update.syncTime = self.engine.now
            try self.take(update)
        }
    }

    /// Loads the next conversations of the list, if there are more.
    public func loadMoreConversations() async throws {
        guard let after = nextConversations else { return }
        try await loading {
            let account = try self.engine.owner()
            let page = try await self.api.getConversations(after: after, limit: Self.listSize, for: account)
            self.nextConversations = page.next
            var update = ChatRecords.Update()
            update.conversations = self.changed(page.items)
            let known = Set(self.records.conversationIds)
            update.order = self.records.conversationIds + page.items.map(\.id).filter { !known.contains($0) }
            try self.take(update)
        }
    }

    private func changed(_ items: [Conversation]) -> [UUID: Conversation?] {
        items.reduce(into: [:]) { if records.conversations[$1.id] != $1 { $0[$1.id] = .some($1) } }
    }

    /// Loads the latest messages of a conversation.
    public func loadMessages(conversationId: UUID) async throws {
        try await loading { try await self.loadPage(of: conversationId) }
    }

    private func loadPage(of conversationId: UUID) async throws {
        let account = try engine.owner()
        let page = try await current(.messages(conversationId: conversationId)) {
            try await self.api.getMessages(
                conversationId: conversationId, before: nil, limit: Self.pageSize, for: account)
        }
        opened.removeAll { $0 == conversationId }
        opened.append(conversationId)
        var update = ChatRecords.Update()
        update.replace(page.items, of: conversationId, in: records)
        if page.next == nil {
            state.hasEarlier.remove(conversationId)
        } else {
            state.hasEarlier.insert(conversationId)
        }
        try take(update)
    }

    /// Loads the messages before the earliest one that is known.
    public func loadEarlierMessages(conversationId: UUID) async throws {
        guard state.hasEarlier.contains(conversationId),
            let first = records.messagesByConversation[conversationId]?.first.flatMap({ records.messages[$0] })
        else { return }
        try await loading {
            let account = try self.engine.owner()
            let page = try await self.api.getMessages(
                conversationId: conversationId, before: String(first.seq), limit: Self.pageSize, for: account)
            var update = ChatRecords.Update()
            for message in page.items { update.messages[message.id] = .some(message) }
            let known = self.records.messagesByConversation[conversationId] ?? []
            let earlier = page.items.map(\.id).filter { !known.contains($0) }
            update.messagesByConversation[conversationId] = earlier + known
            if page.next == nil { self.state.hasEarlier.remove(conversationId) }
            try self.take(update)
        }
    }

    private func loading(_ load: @MainActor () async throws -> Void) async throws {
        state.loading = true
        state.error = nil
        engine.feed.publish()
        do {
            try await load()
            state.loading = false
            engine.feed.publish()
        } catch {
            state.loading = false
            state.error = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    private func take(_ update: ChatRecords.Update) throws {
        try engine.database.commit { try update.store(in: $0) }
        records.apply(update)
        if let time = update.syncTime { state.lastSyncTime = time }
        try evict()
        showAll()
        engine.feed.publish()
    }

    /// Removes the messages of the conversations that were not opened for longest.
    private func evict() throws {
        while records.messages.count > engine.environment.bounds.messages, opened.count > 1,
            let oldest = opened.first
        {
            var update = ChatRecords.Update()
            update.dropMessages(of: oldest, records)
            try engine.database.commit { try update.store(in: $0) }
            records.apply(update)
            opened.removeFirst()
        }
    }

    // MARK: - Operations

    /// Sends a message. It shows at once with the id that it keeps.
    ///
    /// Without a connection it stays in the queue. A refused message is taken back and its text is in a notice.
    @discardableResult
    public func sendMessage(
        conversationId: UUID, text: String, replyTo: UUID? = nil
    ) async throws -> ChatMessage {
        let account = try engine.owner()
        state.error = nil
        // Other members know the sender by the id of the person in the school.
        let sender = engine.auth.profileId ?? account
        let message = OutgoingMessage(
            id: engine.environment.newId(engine.now), conversationId: conversationId, senderId: sender, text: text,
            replyTo: replyTo, at: engine.now)
        let answer = try await perform(.sendMessage(message))
        if case .message(let stored) = answer { return stored }
        return Self.shown(message)
    }

    /// Marks all messages of a conversation as read.
    public func markAsRead(conversationId: UUID) async throws {
        state.error = nil
        let last = records.conversations[conversationId]?.lastMessage?.seq ?? 0
        let known = (records.messagesByConversation[conversationId] ?? []).compactMap { records.messages[$0]?.seq }
        let through = max(last, known.max() ?? 0)
        _ = try await perform(
            .readConversation(ConversationReading(conversationId: conversationId, through: through)))
    }

    /// Deletes a message. One that was not sent yet is taken out of the queue.
    public func deleteMessage(_ messageId: UUID) async throws {
        let id = engine.real(messageId)
        guard let message = state.messages[id] else { throw StoreError.messageNotFound }
        state.error = nil
        let unsent = engine.entries.first { entry in
            if case .sendMessage(let sent) = entry.change { sent.id == id } else { false }
        }
        if let unsent, try engine.cancel(unsent.id) { return }
        _ = try await perform(
            .deleteMessage(
                MessageDeletion(conversationId: message.conversationId, messageId: id, text: message.text)))
    }

    private func perform(_ change: PendingChange) async throws -> ChangeAnswer? {
        try await engine.perform(change) { apply($0.change) }
    }

    private static func shown(_ message: OutgoingMessage) -> ChatMessage {
        ChatMessage(
            id: message.id, conversationId: message.conversationId, seq: 0, senderId: message.senderId,
            text: message.text, timestamp: message.at, isRead: false, replyTo: message.replyTo, isDeleted: false,
            files: [])
    }
}

extension ChatStore: ChangeHandler, PartLoader {
    func handles(_ change: PendingChange) -> Bool {
        switch change {
        case .sendMessage, .readConversation, .deleteMessage: true
        default: false
        }
    }

    func send(_ entry: OutboxEntry) async throws -> ChangeAnswer {
        let account = try engine.sender()
        switch entry.change {
        case .sendMessage(let message):
            return .message(try await api.sendMessage(message, key: entry.id, for: account))
        case .readConversation(let reading):
            try await api.markConversationAsRead(reading, key: entry.id, for: account)
        case .deleteMessage(let deletion):
            try await api.deleteMessage(deletion, key: entry.id, for: account)
        default: break
        }
        return .done
    }

    func store(_ answer: ChangeAnswer, to change: PendingChange, in transaction: ClientTransaction) throws {
        try update(for: answer, to: change).store(in: transaction)
    }

    func settle(_ change: PendingChange, _ answer: ChangeAnswer?) {
        if let answer {
            order.changes += 1
            records.apply(update(for: answer, to: change))
        }
        showAll()
    }

    func show(_ error: StoreError, of change: PendingChange) { state.error = error }

    private func update(for answer: ChangeAnswer, to change: PendingChange) -> ChatRecords.Update {
        var update = ChatRecords.Update()
        switch (change, answer) {
        case (.sendMessage(let sent), .message(let message)):
            update.messages[message.id] = .some(message)
            var ids = records.messagesByConversation[sent.conversationId] ?? []
            if !ids.contains(message.id) { ids.append(message.id) }
            update.messagesByConversation[sent.conversationId] = ids
        case (.readConversation(let reading), _):
            if let known = records.conversations[reading.conversationId] {
                update.conversations[known.id] = .some(known.read())
            }
            for id in records.messagesByConversation[reading.conversationId] ?? [] {
                if let message = records.messages[id], message.isUnread(by: me) {
                    update.messages[id] = .some(message.read())
                }
            }
        case (.deleteMessage(let deletion), _):
            update.messages[deletion.messageId] = .some(nil)
            update.messagesByConversation[deletion.conversationId] =
                (records.messagesByConversation[deletion.conversationId] ?? []).filter { $0 != deletion.messageId }
        default: break
        }
        return update
    }

    private var me: UUID? { engine.auth.profileId ?? engine.account }

    /// Shows what the server sent, with all unsent changes. The bound on messages keeps this quick.
    private func showAll() {
        state.conversations = records.conversations
        state.conversationIds = records.conversationIds
        state.messages = records.messages
        state.messagesByConversation = records.messagesByConversation
        state.unreadCounts = records.conversations.mapValues(\.unread)
        for entry in engine.entries where handles(entry.change) { apply(entry.change) }
    }

    private func apply(_ change: PendingChange) {
        switch change {
        case .sendMessage(let message):
            // An attempt whose answer was lost may be in the list already.
            guard state.messages[message.id] == nil else { break }
            state.messages[message.id] = Self.shown(message)
            state.messagesByConversation[message.conversationId, default: []].append(message.id)
        case .readConversation(let reading):
            // Messages that arrived after the reading are unread.
            let ids = state.messagesByConversation[reading.conversationId] ?? []
            for id in ids {
                guard let message = state.messages[id], message.seq <= reading.through, message.isUnread(by: me)
                else { continue }
                state.messages[id] = message.read()
            }
            guard let known = records.conversations[reading.conversationId] else { break }
            let later = max(0, (known.lastMessage?.seq ?? 0) - reading.through)
            let unread = min(later, known.unread)
            state.unreadCounts[reading.conversationId] = unread
            state.conversations[reading.conversationId] = known.read(but: unread)
        case .deleteMessage(let deletion):
            state.messages[deletion.messageId] = nil
            state.messagesByConversation[deletion.conversationId]?.removeAll { $0 == deletion.messageId }
        default: break
        }
    }

    func load(_ stale: Set<Stale>) async throws {
        if stale.contains(.everything) {
            if !records.conversationIds.isEmpty { try await tolerate { try await self.loadList() } }
            for id in opened {
                try await tolerate { try await self.loadPage(of: id) }
            }
            return
        }
        if stale.contains(.conversations), state.lastSyncTime != nil {
            try await tolerate { try await self.loadList() }
        }
        for part in stale {
            guard case .messages(let id) = part, opened.contains(id) else { continue }
            try await tolerate { try await self.loadPage(of: id) }
        }
    }

    private func loadList() async throws {
        // All residences of a school share its conversations.
        try await loadConversations(pgId: engine.auth.currentPgId ?? engine.owner())
    }

    /// A refusal is in the state and stops nothing.
    private func tolerate(_ load: @MainActor () async throws -> Void) async throws {
        do {
            try await load()
        } catch APIError.refused(let refusal) where !refusal.isTransient { return }
    }
}
