import Client
import Domain
import Foundation
import MessagingModel
import TestKit
import Testing

private let talk = UUID()
private let messagesPath = "/api/v1/conversations/\(talk.text)/messages"

@MainActor
@Suite("ChatStore")
struct ChatStoreTests {
    let pgId = Device.pgId

    private func conversation(
        _ id: UUID = talk, _ title: String = "Ben", unread: Int = 0, last: ChatMessage? = nil
    ) -> Conversation {
        Conversation(
            id: id, kind: .direct, title: title, memberIds: [], unread: unread, isMuted: false, isClosed: false,
            lastMessage: last)
    }

    private func message(_ seq: Int, _ text: String = "Hello", id: UUID = UUID(), isRead: Bool = true)
        -> ChatMessage
    {
        ChatMessage(
            id: id, conversationId: talk, seq: seq, senderId: UUID(), text: text, timestamp: morning,
            isRead: isRead, isDeleted: false, files: [])
    }

    private func loaded(_ list: [ChatMessage], unread: Int = 0) async throws -> Device {
        let device = try await Device()
        device.api.on("GET /api/v1/conversations", page([conversation(unread: unread, last: list.last)]))
        device.api.on("GET \(messagesPath)", page(list))
        try await device.chat.loadConversations(pgId: pgId)
        try await device.chat.loadMessages(conversationId: talk)
        return device
    }

    private func shown(_ device: Device) -> [UUID] { device.chat.state.messagesByConversation[talk] ?? [] }

    @Test("a fresh state is empty", .requirement("PG-3.01"))
    func fresh() {
        let state = ChatStoreState()
        #expect(state.conversations == [UUID: Conversation]() && state.messages == [UUID: ChatMessage]())
        #expect(state.messagesByConversation == [UUID: [UUID]]() && state.unreadCounts == [UUID: Int]())
        #expect(!state.loading && state.error == nil && state.lastSyncTime == nil && !state.syncInProgress)
    }

    @Test("loading conversations merges them and stamps the time", .requirement("PG-3.02.a"))
    func conversations() async throws {
        let device = try await Device()
        let latch = Latch()
        let (ben, group) = (conversation(), conversation(UUID(), "Choir", unread: 3))
        device.api.on("GET /api/v1/conversations") { _ in
            await latch.wait()
            return try FakeAPI.json(page([group, ben]))
        }
        let load = Task { try await device.chat.loadConversations(pgId: pgId) }
        try await eventually { device.api.requests.count == 1 }
        #expect(device.chat.state.loading)
        latch.open()
        try await load.value
        #expect(device.chat.state.conversationIds == [group.id, ben.id])
        #expect(device.chat.state.unreadCounts == [group.id: 3, ben.id: 0] && device.chat.state.unread == 3)
        #expect(device.chat.state.lastSyncTime == device.clock.now && !device.chat.state.loading)
        device.api.on("GET /api/v1/conversations", failing: offline)
        await #expect(throws: offline) { try await device.chat.loadConversations(pgId: pgId) }
        #expect(device.chat.state.error == .unreachable && !device.chat.state.loading)
        #expect(device.chat.state.conversations.count == 2)
    }

    @Test("a long list of conversations is loaded a page at a time")
    func morePages() async throws {
        let device = try await Device()
        let all = (0..<70).map { conversation(UUID(), "\($0)") }
        device.api.on("GET /api/v1/conversations") { request in
            let start = request.query["after"].flatMap { Int($0) } ?? 0
            return try FakeAPI.json(
                page(Array(all[start..<min(start + 50, 70)]), next: start == 0 ? "50" : nil))
        }
        try await device.chat.loadConversations(pgId: pgId)
        #expect(device.chat.state.conversationIds == all.prefix(50).map(\.id))
        try await device.chat.loadMoreConversations()
        try await device.chat.loadMoreConversations()
        #expect(device.chat.state.conversationIds == all.map(\.id) && device.api.requests.count == 2)
    }

    @Test("loading messages stores them and replaces the conversation's order", .requirement("PG-3.03"))
    func messages() async throws {
        let (first, second, third) = (message(1), message(2), message(3))
        let device = try await loaded([first, second])
        #expect(shown(device) == [first.id, second.id])
        device.api.on("GET \(messagesPath)", page([second, third]))
        try await device.chat.loadMessages(conversationId: talk)
        #expect(shown(device) == [first.id, second.id, third.id])
        let gap = message(90)
        device.api.on("GET \(messagesPath)", page([gap], next: "90"))
        try await device.chat.loadMessages(conversationId: talk)
        #expect(shown(device) == [gap.id] && device.chat.state.messages.count == 1)
        device.api.on("GET \(messagesPath)", page([second, third]))
        try await device.chat.loadEarlierMessages(conversationId: talk)
        #expect(shown(device) == [second.id, third.id, gap.id])
        #expect(device.api.requests.last?.query["before"] == "90")
    }

    @Test("a sent message is appended at once, from this person and unread", .requirement("PG-3.04.a"))
    func appends() async throws {
        let known = message(1)
        let device = try await loaded([known])
        let latch = Latch()
        device.api.on("POST \(messagesPath)") { _ in
            await latch.wait()
            throw offline
        }
        let sending = Task { try await device.chat.sendMessage(conversationId: talk, text: "Pears") }
        try await eventually { shown(device).count == 2 }
        let sent = try #require(device.chat.state.messages(of: talk).last)
        #expect(sent.text == "Pears" && sent.senderId == device.auth.profileId && !sent.isRead)
        latch.open()
        _ = try await sending.value
    }

    @Test("the server's message takes the place of the temporary one", .requirement("PG-3.04.b"))
    func swaps() async throws {
        let device = try await loaded([message(1)])
        let latch = Latch()
        let real = message(2, "Pears")
        device.api.on("POST \(messagesPath)") { request in
            await latch.wait()
            return try FakeAPI.json(real)
        }
        let first = Task { try await device.chat.sendMessage(conversationId: talk, text: "Pears") }
        try await eventually { shown(device).count == 2 }
        let second = Task { try await device.chat.sendMessage(conversationId: talk, text: "Plums") }
        try await eventually { shown(device).count == 3 }
        let last = shown(device)[2]
        try await eventually { device.api.requests("POST \(messagesPath)").count == 1 }
        device.api.on("POST \(messagesPath)", failing: offline)
        latch.open()
        #expect(try await first.value == real)
        _ = try await second.value
        #expect(shown(device)[1] == real.id && shown(device)[2] == last && shown(device).count == 3)
        #expect(Set(device.chat.state.messages.keys) == Set(shown(device)))
    }

    @Test(
        "a refused message is taken back, and the error is set and thrown", .requirement("PG-3.05.a", "PG-3.05.b"))
    func refused() async throws {
        let known = message(1)
        let device = try await loaded([known])
        device.api.on("POST \(messagesPath)", failing: refusal(403, "messages.closed", "Only staff can write."))
        let error = StoreError.refused(
            Refusal(status: 403, code: "messages.closed", title: "Only staff can write."))
        await #expect(throws: error) {
            try await device.chat.sendMessage(conversationId: talk, text: "Pears")
        }
        #expect(shown(device) == [known.id] && device.chat.state.messages.count == 1)
        #expect(device.chat.state.error == error)
        #expect(device.store.notices.map(\.localText) == [["text": "Pears"]])
    }

    @Test("a message without a connection stays, marked failed, and is sent later", .requirement("PG-3.05.c"))
    func queued() async throws {
        let device = try await loaded([])
        device.api.on("POST \(messagesPath)", failing: offline)
        let sent = try await device.chat.sendMessage(conversationId: talk, text: "Pears")
        #expect(shown(device) == [sent.id] && device.chat.syncState(of: sent.id) == .failed)
        #expect(device.chat.state.error == nil)
        let real = message(1, "Pears", id: sent.id)
        device.api.on("POST \(messagesPath)", real)
        try await eventually { !device.sleep.waits.isEmpty }
        device.clock.advance(by: 2)
        device.sleep.fire()
        try await eventually { device.store.syncSummary.unsent == 0 }
        #expect(device.chat.state.messages[sent.id] == real && shown(device) == [sent.id])
        let keys = Set(device.api.requests("POST \(messagesPath)").map(\.idempotencyKey))
        #expect(keys.count == 1 && device.api.requests("POST \(messagesPath)").count == 2)
    }

    @Test("an attempt whose answer was lost shows its message once")
    func lostAnswer() async throws {
        let device = try await loaded([])
        device.api.on("POST \(messagesPath)", failing: offline)
        let sent = try await device.chat.sendMessage(conversationId: talk, text: "Pears")
        device.api.on("GET \(messagesPath)", page([message(1, "Pears", id: sent.id)]))
        try await device.chat.loadMessages(conversationId: talk)
        #expect(shown(device) == [sent.id])
    }

    @Test("reading a conversation clears its count and marks its messages read", .requirement("PG-3.06.a"))
    func reads() async throws {
        let device = try await loaded([message(1), message(2, isRead: false)], unread: 1)
        device.api.on("POST /api/v1/conversations/\(talk.text)/read", json: "{\"done\":true}")
        try await device.chat.markAsRead(conversationId: talk)
        #expect(device.chat.state.unreadCounts[talk] == 0)
        #expect(device.chat.state.conversations[talk]?.unread == 0)
        #expect(device.chat.state.messages.values.allSatisfy { $0.isRead })
    }

    @Test("reading shows before the server answers", .requirement("PG-3.06.b"))
    func readsAtOnce() async throws {
        let device = try await loaded([message(1, isRead: false)], unread: 1)
        let latch = Latch()
        device.api.on("POST /api/v1/conversations/\(talk.text)/read") { _ in
            await latch.wait()
            return Data("{}".utf8)
        }
        let reading = Task { try await device.chat.markAsRead(conversationId: talk) }
        try await eventually { device.api.requests.count == 3 }
        #expect(device.chat.state.unreadCounts[talk] == 0)
        latch.open()
        try await reading.value
    }

    @Test("a refused reading restores the counts and sets the error", .requirement("PG-3.06.c"))
    func readFails() async throws {
        let device = try await loaded([message(1), message(2, isRead: false)], unread: 1)
        device.api.on("POST /api/v1/conversations/\(talk.text)/read", failing: refusal(404, "notFound"))
        await #expect(throws: StoreError.self) { try await device.chat.markAsRead(conversationId: talk) }
        #expect(device.chat.state.unreadCounts[talk] == 1 && device.chat.state.error != nil)
        #expect(device.chat.state.messages.values.count { !$0.isRead } == 1)
    }

    @Test("deleting an unknown message throws", .requirement("PG-3.07.a"))
    func deletesUnknown() async throws {
        let device = try await loaded([])
        await #expect(throws: StoreError.messageNotFound) { try await device.chat.deleteMessage(UUID()) }
    }

    @Test("a deleted message is gone at once", .requirement("PG-3.07.b"))
    func deletes() async throws {
        let list = [message(1), message(2)]
        let device = try await loaded(list)
        let latch = Latch()
        device.api.on("POST /api/v1/messages/\(list[0].id.text)/delete") { _ in
            await latch.wait()
            return Data("{}".utf8)
        }
        let deletion = Task { try await device.chat.deleteMessage(list[0].id) }
        try await eventually { device.api.requests.count == 3 }
        #expect(shown(device) == [list[1].id] && device.chat.state.messages[list[0].id] == nil)
        latch.open()
        try await deletion.value
        #expect(shown(device) == [list[1].id])
    }

    @Test("a message that could not be deleted returns to its place", .requirement("PG-3.07.c"))
    func restores() async throws {
        let list = [message(1), message(2), message(3)]
        let device = try await loaded(list)
        device.api.on("POST /api/v1/messages/\(list[1].id.text)/delete", failing: refusal(409, "messages.tooLate"))
        await #expect(throws: StoreError.self) { try await device.chat.deleteMessage(list[1].id) }
        #expect(shown(device) == list.map(\.id) && device.chat.state.messages[list[1].id] == list[1])
    }

    @Test("refresh reloads the conversations, in progress meanwhile", .requirement("PG-3.08.a"))
    func refreshes() async throws {
        let device = try await Device()
        let latch = Latch()
        let found = conversation()
        device.api.on("GET /api/v1/conversations") { _ in
            await latch.wait()
            return try FakeAPI.json(page([found]))
        }
        let refresh = Task { await device.chat.refresh() }
        try await eventually { device.api.requests.count == 1 }
        #expect(device.chat.state.syncInProgress)
        latch.open()
        await refresh.value
        #expect(!device.chat.state.syncInProgress && device.chat.state.conversationIds == [found.id])
    }

    @Test("errors of a refresh stay in the state", .requirement("PG-3.08.b"))
    func refreshFails() async throws {
        let device = try await Device()
        device.api.on("GET /api/v1/conversations", failing: offline)
        await device.chat.refresh()
        #expect(device.chat.state.error == .unreachable && !device.chat.state.syncInProgress)
    }

    @Test("clear resets the store", .requirement("PG-2.22.b"))
    func clears() async throws {
        let device = try await loaded([message(1)])
        #expect(device.chat.state != ChatStoreState())
        device.chat.clear()
        #expect(device.chat.state == ChatStoreState())
    }

    @Test("messages leave the memory above its bound, those of long closed conversations first")
    func evicts() async throws {
        let device = try await Device(bounds: MemoryBounds(messages: 50))
        let talks = (0..<3).map { _ in UUID() }
        for one in talks {
            let list = (0..<20).map { seq in
                ChatMessage(
                    id: UUID(), conversationId: one, seq: seq, senderId: UUID(), text: "x", timestamp: morning,
                    isRead: true, isDeleted: false, files: [])
            }
            device.api.on("GET /api/v1/conversations/\(one.text)/messages", page(list))
            try await device.chat.loadMessages(conversationId: one)
        }
        #expect(device.chat.state.messages.count == 40)
        #expect(device.chat.state.messagesByConversation[talks[0]] == nil)
    }
}
