import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationTesting
import ShellInterface
import TestKit
import Testing

@testable import Messaging

@Suite("Conversations")
struct ConversationTests {
    @Test(
        "two people have one conversation, no matter who opens it and how often", .requirement("PG-3.09.a"))
    func opensDirectOnce() async throws {
        let fixture = try await MessagingFixture()
        let first = try await fixture.start(fixture.ruth, with: fixture.sofia)
        #expect(first.kind == .direct && first.title == "Sofia Tremblay" && first.lastMessage == nil)
        let second = try await fixture.start(fixture.sofia, with: fixture.ruth)
        #expect(second.id == first.id && second.title == "Ruth Adler")
        #expect(Set(first.memberIds) == Set([fixture.ruth, fixture.sofia].map(MessagingFixture.id)))
        #expect(try await fixture.changes("conversation.started").count == 1)
    }

    @Test("a conversation without messages is listed only for the person who started it")
    func hidesEmptyOnes() async throws {
        let fixture = try await MessagingFixture()
        let made = try await fixture.start(fixture.ruth, with: fixture.sofia)
        #expect(try await fixture.list(fixture.ruth).map(\.id) == [made.id])
        #expect(try await fixture.list(fixture.sofia).isEmpty)
    }

    @Test("people who may not be written to and unknown people are not found")
    func refusesStrangers() async throws {
        let fixture = try await MessagingFixture()
        for stranger in [fixture.olga, fixture.ines, fixture.noah] {
            await #expect(throws: Problem.notFound) { try await fixture.start(fixture.sofia, with: stranger) }
        }
        await #expect(throws: Problem.notFound) {
            try await fixture.school.execute(
                StartConversation.self, ["personIds": .ids([UUID()])], as: fixture.ruth)
        }
        await #expect(throws: Problem.notFound) { try await fixture.start(fixture.ruth, with: fixture.ruth) }
    }

    @Test("a group needs a title and people who may meet")
    func beginsGroups() async throws {
        let fixture = try await MessagingFixture()
        let group = try await fixture.start(
            fixture.ruth, with: fixture.sofia, fixture.omar, fixture.admin,
            title: "Noah's plan")
        #expect(group.kind == .group && group.title == "Noah's plan" && group.memberIds.count == 4)
        await #expect(throws: Problem(409, "messages.mayNotMeet")) {
            try await fixture.start(fixture.ruth, with: fixture.sofia, fixture.ines, title: "Two families")
        }
        let nameless = await #expect(throws: Problem.self) {
            try await fixture.start(fixture.ruth, with: fixture.sofia, fixture.omar)
        }
        #expect(nameless?.faults.map(\.field) == ["title"])
    }

    @Test("a person who leaves a group can no longer read it", .requirement("WW-2.07.a"))
    func leaves() async throws {
        let fixture = try await MessagingFixture()
        let group = try await fixture.start(fixture.ruth, with: fixture.sofia, fixture.omar, title: "Noah's plan")
        try await fixture.send("Tuesday?", in: group, as: fixture.ruth)
        try await fixture.school.execute(
            LeaveConversation.self, ["conversationId": .id(group.id)], as: fixture.sofia)
        #expect(try await fixture.list(fixture.sofia).isEmpty)
        await #expect(throws: Problem.notFound) { try await fixture.messages(group, as: fixture.sofia) }
        try await fixture.send("Wednesday", in: group, as: fixture.omar)
        let audience = try await fixture.changes("message.sent").last?.change.audience ?? []
        #expect(!audience.contains(.person(MessagingFixture.id(fixture.sofia))))
    }

    @Test("a direct conversation cannot be left")
    func keepsDirect() async throws {
        let fixture = try await MessagingFixture()
        let made = try await fixture.start(fixture.ruth, with: fixture.sofia)
        await #expect(throws: Problem(409, "messages.onlyGroups")) {
            try await fixture.school.execute(
                LeaveConversation.self, ["conversationId": .id(made.id)], as: fixture.ruth)
        }
    }

    @Test(
        "the list shows the latest conversation first, with its last message and unread count",
        .requirement("WW-2.02.a", "WW-2.02.b", "WW-2.08.a"))
    func ordersTheList() async throws {
        let fixture = try await MessagingFixture()
        let sofia = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let omar = try await fixture.start(fixture.ruth, with: fixture.omar)
        try await fixture.send("First", in: sofia, as: fixture.sofia)
        try await fixture.send("Second", in: omar, as: fixture.omar)
        #expect(try await fixture.list(fixture.ruth).map(\.id) == [omar.id, sofia.id])
        // The order does not depend on the clock.
        fixture.school.clock.advance(by: -86_400)
        try await fixture.send("Third", in: sofia, as: fixture.sofia)
        let list = try await fixture.list(fixture.ruth)
        #expect(list.map(\.id) == [sofia.id, omar.id])
        #expect(list.map { $0.lastMessage?.text } == ["Third", "Second"])
        #expect(list.map(\.unread) == [2, 1])
        #expect(try await fixture.list(fixture.sofia).map(\.unread) == [0])
    }

    @Test(
        "a person's widgets count conversations with unread messages, and none for a person without conversations")
    func countsForWidgets() async throws {
        let fixture = try await MessagingFixture()
        let counter = MessagingFeature.makeUnreadCounter(
            roles: fixture.circle, ties: fixture.circle, people: TestPeople())
        func unread(_ caller: Caller) async throws -> Int {
            let context = try await fixture.school.context(of: caller)
            return try await context.school.read { try counter.unread(for: context, in: $0) }
        }
        let conversation = try await fixture.start(fixture.ruth, with: fixture.sofia)
        #expect(try await unread(fixture.ruth) == 0)
        try await fixture.send("First", in: conversation, as: fixture.sofia)
        try await fixture.send("Second", in: conversation, as: fixture.sofia)
        #expect(try await unread(fixture.ruth) == 1)
        #expect(try await unread(fixture.sofia) == 0)
        #expect(try await unread(fixture.noah) == 0)
    }

    @Test("the list continues on further pages")
    func pagesTheList() async throws {
        let fixture = try await MessagingFixture()
        for name in (0..<5).map({ "Colleague \($0)" }) {
            let other = try await fixture.circle.person(.guide, name, in: fixture.school)
            let made = try await fixture.start(fixture.ruth, with: other)
            try await fixture.send("Hello", in: made, as: fixture.ruth)
        }
        let first = try await fixture.school.answer(ListConversations.self, ["limit": "2"], as: fixture.ruth)
        let next = try #require(first.next)
        let second = try await fixture.school.answer(
            ListConversations.self, ["limit": "2", "after": .text(next)], as: fixture.ruth)
        #expect((first.items + second.items).map(\.title) == (1...4).reversed().map { "Colleague \($0)" })
    }

    @Test("the list can be searched by the titles of conversations and the texts of their messages")
    func search() async throws {
        let fixture = try await MessagingFixture()
        let (talk, other) = (
            try await fixture.start(fixture.ruth, with: fixture.sofia),
            try await fixture.start(fixture.admin, with: fixture.sofia)
        )
        let message = try await fixture.send("The bag is in the hall", in: talk, as: fixture.sofia)
        try await fixture.send("Another bag", in: other, as: fixture.sofia)
        func found(_ query: String, _ language: Language = .english) async throws -> String {
            try await fixture.outline("/messages", as: fixture.ruth, query: ["q": query], language: language)
        }
        #expect(try await fixture.outline("/messages", as: fixture.ruth).contains("<search Search messages"))
        let named = try await found("tremblay sof")
        #expect(named.contains("## Conversations") && named.contains("Sofia Tremblay"))
        let said = try await found("BAG the")
        #expect(said.contains("## Messages") && !said.contains("## Conversations"))
        #expect(said.contains("-> /messages/\(talk.id.text)?at=1#m-\(message.id.text)"))
        #expect(!said.contains("Another bag"), "she is not in that conversation")
        try await fixture.delete(message, as: fixture.sofia)
        let nothing = try await found("bag", .french)
        #expect(nothing.contains("Aucun résultat") && nothing.contains("Toutes les conversations"))
        #expect(nothing.contains("= bag> -> /messages"))
        #expect(try await found("  ").contains("Sofia Tremblay"), "spaces are no search")
        #expect(
            try await fixture.outline("/messages", as: fixture.noah, query: ["q": "bag"])
                .contains("has turned off messages"))
    }

    @Test("students have no messages until their school allows it")
    func closedToStudents() async throws {
        let fixture = try await MessagingFixture()
        await #expect(throws: Problem(403, "messages.notForStudents")) { try await fixture.list(fixture.noah) }
        await #expect(throws: Problem.notFound) { try await fixture.start(fixture.ruth, with: fixture.noah) }
        #expect(
            try await fixture.outline("/messages", as: fixture.noah).contains("Your school has turned off messages")
        )
        try await fixture.allow(students: true)
        let made = try await fixture.start(fixture.noah, with: fixture.ruth)
        try await fixture.send("Is there school tomorrow?", in: made, as: fixture.noah)
        #expect(try await fixture.list(fixture.ruth).map(\.title) == ["Noah Tremblay"])
        // Withdrawing the permission ends messages on both sides at once.
        try await fixture.allow(students: false)
        await #expect(throws: Problem(403, "messages.notForStudents")) {
            try await fixture.send("Hello?", in: made, as: fixture.noah)
        }
        await #expect(throws: Problem(403, "messages.notReachable")) {
            try await fixture.send("Yes", in: made, as: fixture.ruth)
        }
    }

    @Test("a class channel is for the people of the class and follows changes")
    func channels() async throws {
        let fixture = try await MessagingFixture()
        await #expect(throws: Problem.notFound) { try await fixture.channel(fixture.maple, as: fixture.sofia) }
        let made = try await fixture.channel(fixture.maple, as: fixture.ruth)
        #expect(made.kind == .channel && made.title == "Maple room: everyone")
        #expect(try await fixture.channel(fixture.maple, as: fixture.sofia).id == made.id)
        try await fixture.send("The forest walk is on Friday", in: made, as: fixture.ruth)
        #expect(try await fixture.list(fixture.sofia).map(\.unread) == [1])
        await #expect(throws: Problem(403, "messages.readOnly")) {
            try await fixture.send("Thank you", in: made, as: fixture.sofia)
        }
        for stranger in [fixture.olga, fixture.noah] {
            await #expect(throws: Problem.self) { try await fixture.messages(made, as: stranger) }
        }
        try await fixture.allow(channels: .writing)
        try await fixture.send("Thank you", in: made, as: fixture.sofia)
        // The child has left the class, and so its mother loses access.
        fixture.circle.untie(fixture.sofia)
        #expect(try await fixture.list(fixture.sofia).isEmpty)
        await #expect(throws: Problem.notFound) { try await fixture.send("?", in: made, as: fixture.sofia) }
        try await fixture.allow(channels: .staff)
        await #expect(throws: Problem.notFound) { try await fixture.messages(made, as: fixture.omar) }
    }

    @Test("an admin can read any channel, and has it in the list from then on")
    func adminsLookIn() async throws {
        let fixture = try await MessagingFixture()
        let made = try await fixture.channel(fixture.maple, as: fixture.ruth)
        try await fixture.send("Hello", in: made, as: fixture.ruth)
        #expect(try await fixture.list(fixture.admin).isEmpty)
        #expect(try await fixture.messages(made, as: fixture.admin).count == 1)
        try await fixture.read(made, as: fixture.admin)
        #expect(try await fixture.list(fixture.admin).map(\.id) == [made.id])
    }

    @Test("the picker offers people who may be written to and finds them by the beginnings of their names")
    func picks() async throws {
        let fixture = try await MessagingFixture()
        func names(_ caller: Caller, _ query: String = "") async throws -> [String] {
            try await fixture.school.answer(ListCorrespondents.self, ["q": .text(query)], as: caller).items.map(
                \.name)
        }
        #expect(try await names(fixture.sofia) == ["Ada Admin", "Ruth Adler"])
        #expect(try await names(fixture.olga) == ["Ada Admin", "Ruth Adler"])
        #expect(
            try await names(fixture.ruth)
                == ["Ada Admin", "Ines Pereira", "Olga Other", "Omar Haddad", "Sofia Tremblay"])
        #expect(try await names(fixture.ruth, "tré so") == ["Sofia Tremblay"])
        let page = try await fixture.outline("/messages/new", as: fixture.sofia)
        #expect(page.contains("Ruth Adler") && !page.contains("Ines") && !page.contains("Olga"))
        let french = try await fixture.outline("/messages/new", as: fixture.ruth, language: .french)
        #expect(french.contains("Familles") && french.contains("Personnel") && !french.contains("«"))
    }

    @Test("the frequent queries use indexes")
    func usesIndexes() async throws {
        let fixture = try await MessagingFixture()
        let reader = ConversationRepository.Reader(
            personId: MessagingFixture.id(fixture.ruth), channels: [fixture.maple], seesAllChannels: false)
        try await fixture.school.expectIndexed(ConversationRepository.listQuery(reader, limit: 40))
        try await fixture.school.expectIndexed(
            MessageRepository.searchQuery(["bag"], in: [reader.personId], limit: 50))
        try await fixture.school.expectIndexed(ConversationRepository.unreadQuery(reader))
        try await fixture.school.expectIndexed(ConversationRepository.query(fixture.maple, reader.personId))
        try await fixture.school.expectIndexed(MessageRepository.pageQuery(fixture.maple, before: 7, limit: 40))
    }
}
