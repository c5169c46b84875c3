import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, conversations")
struct ConversationTests {
    @Test(
        "two people have one conversation, whoever opens it and however often", .requirement("PG-3.09.a"))
    func opensDirectOnce() async throws {
        let house = try await MessagingHouse()
        let first = try await house.start(house.ruth, with: house.sofia)
        #expect(first.kind == .direct && first.title == "Sofia Tremblay" && first.lastMessage == nil)
        let second = try await house.start(house.sofia, with: house.ruth)
        #expect(second.id == first.id && second.title == "Ruth Adler")
        #expect(Set(first.memberIds) == Set([house.ruth, house.sofia].map(MessagingHouse.id)))
        #expect(try await house.changes("conversation.started").count == 1)
    }

    @Test("an empty conversation stands in nobody's list but its starter's")
    func hidesEmptyOnes() async throws {
        let house = try await MessagingHouse()
        let made = try await house.start(house.ruth, with: house.sofia)
        #expect(try await house.list(house.ruth).map(\.id) == [made.id])
        #expect(try await house.list(house.sofia).isEmpty)
    }

    @Test("somebody who may not be written to, and somebody who is not there, are not found")
    func refusesStrangers() async throws {
        let house = try await MessagingHouse()
        for stranger in [house.olga, house.ines, house.noah] {
            await #expect(throws: Problem.notFound) { try await house.start(house.sofia, with: stranger) }
        }
        await #expect(throws: Problem.notFound) {
            try await house.school.execute(
                StartConversation.self, ["personIds": .ids([UUID()])], as: house.ruth)
        }
        await #expect(throws: Problem.notFound) { try await house.start(house.ruth, with: house.ruth) }
    }

    @Test("a group has a name, and only people who may meet")
    func beginsGroups() async throws {
        let house = try await MessagingHouse()
        let group = try await house.start(
            house.ruth, with: house.sofia, house.omar, house.admin,
            title: "Noah's plan")
        #expect(group.kind == .group && group.title == "Noah's plan" && group.memberIds.count == 4)
        await #expect(throws: Problem(409, "messages.mayNotMeet")) {
            try await house.start(house.ruth, with: house.sofia, house.ines, title: "Two families")
        }
        let nameless = await #expect(throws: Problem.self) {
            try await house.start(house.ruth, with: house.sofia, house.omar)
        }
        #expect(nameless?.faults.map(\.field) == ["title"])
    }

    @Test("whoever leaves a group reads nothing of it any more", .requirement("WW-2.07.a"))
    func leaves() async throws {
        let house = try await MessagingHouse()
        let group = try await house.start(house.ruth, with: house.sofia, house.omar, title: "Noah's plan")
        try await house.send("Tuesday?", in: group, as: house.ruth)
        try await house.school.execute(
            LeaveConversation.self, ["conversationId": .id(group.id)], as: house.sofia)
        #expect(try await house.list(house.sofia).isEmpty)
        await #expect(throws: Problem.notFound) { try await house.messages(group, as: house.sofia) }
        try await house.send("Wednesday", in: group, as: house.omar)
        let audience = try await house.changes("message.sent").last?.change.audience ?? []
        #expect(!audience.contains(.person(MessagingHouse.id(house.sofia))))
    }

    @Test("a direct conversation is not left")
    func keepsDirect() async throws {
        let house = try await MessagingHouse()
        let made = try await house.start(house.ruth, with: house.sofia)
        await #expect(throws: Problem(409, "messages.onlyGroups")) {
            try await house.school.execute(
                LeaveConversation.self, ["conversationId": .id(made.id)], as: house.ruth)
        }
    }

    @Test(
        "the list has the latest conversation first, with its last message and what is unread",
        .requirement("WW-2.02.a", "WW-2.02.b", "WW-2.08.a"))
    func ordersTheList() async throws {
        let house = try await MessagingHouse()
        let sofia = try await house.start(house.ruth, with: house.sofia)
        let omar = try await house.start(house.ruth, with: house.omar)
        try await house.send("First", in: sofia, as: house.sofia)
        try await house.send("Second", in: omar, as: house.omar)
        #expect(try await house.list(house.ruth).map(\.id) == [omar.id, sofia.id])
        // A clock that runs backwards orders nothing.
        house.school.clock.advance(by: -86_400)
        try await house.send("Third", in: sofia, as: house.sofia)
        let list = try await house.list(house.ruth)
        #expect(list.map(\.id) == [sofia.id, omar.id])
        #expect(list.map { $0.lastMessage?.text } == ["Third", "Second"])
        #expect(list.map(\.unread) == [2, 1])
        #expect(try await house.list(house.sofia).map(\.unread) == [0])
    }

    @Test("the list is read on from where it ended")
    func pagesTheList() async throws {
        let house = try await MessagingHouse()
        for name in (0..<5).map({ "Colleague \($0)" }) {
            let other = try await house.circle.person(.guide, name, in: house.school)
            let made = try await house.start(house.ruth, with: other)
            try await house.send("Hello", in: made, as: house.ruth)
        }
        let first = try await house.school.answer(ListConversations.self, ["limit": "2"], as: house.ruth)
        let next = try #require(first.next)
        let second = try await house.school.answer(
            ListConversations.self, ["limit": "2", "after": .text(next)], as: house.ruth)
        #expect((first.items + second.items).map(\.title) == (1...4).reversed().map { "Colleague \($0)" })
    }

    @Test("students have no messages until their school allows it")
    func closedToStudents() async throws {
        let house = try await MessagingHouse()
        await #expect(throws: Problem(403, "messages.notForStudents")) { try await house.list(house.noah) }
        await #expect(throws: Problem.notFound) { try await house.start(house.ruth, with: house.noah) }
        #expect(
            try await house.outline("/messages", as: house.noah).contains("Your school has not opened messages"))
        try await house.allow(students: true)
        let made = try await house.start(house.noah, with: house.ruth)
        try await house.send("Is there school tomorrow?", in: made, as: house.noah)
        #expect(try await house.list(house.ruth).map(\.title) == ["Noah Tremblay"])
        // Taken back, it ends at once, on both sides.
        try await house.allow(students: false)
        await #expect(throws: Problem(403, "messages.notForStudents")) {
            try await house.send("Hello?", in: made, as: house.noah)
        }
        await #expect(throws: Problem(403, "messages.notReachable")) {
            try await house.send("Yes", in: made, as: house.ruth)
        }
    }

    @Test("a class channel belongs to those around the class, and follows them")
    func channels() async throws {
        let house = try await MessagingHouse()
        await #expect(throws: Problem.notFound) { try await house.channel(house.maple, as: house.sofia) }
        let made = try await house.channel(house.maple, as: house.ruth)
        #expect(made.kind == .channel && made.title == "Maple room: everyone")
        #expect(try await house.channel(house.maple, as: house.sofia).id == made.id)
        try await house.send("The forest walk is on Friday", in: made, as: house.ruth)
        #expect(try await house.list(house.sofia).map(\.unread) == [1])
        await #expect(throws: Problem(403, "messages.readOnly")) {
            try await house.send("Thank you", in: made, as: house.sofia)
        }
        for stranger in [house.olga, house.noah] {
            await #expect(throws: Problem.self) { try await house.messages(made, as: stranger) }
        }
        try await house.allow(channels: .writing)
        try await house.send("Thank you", in: made, as: house.sofia)
        // The child has left the class: so has its mother.
        house.circle.untie(house.sofia)
        #expect(try await house.list(house.sofia).isEmpty)
        await #expect(throws: Problem.notFound) { try await house.send("?", in: made, as: house.sofia) }
        try await house.allow(channels: .staff)
        await #expect(throws: Problem.notFound) { try await house.messages(made, as: house.omar) }
    }

    @Test("an admin looks into a channel, and has it in the list from then on")
    func adminsLookIn() async throws {
        let house = try await MessagingHouse()
        let made = try await house.channel(house.maple, as: house.ruth)
        try await house.send("Hello", in: made, as: house.ruth)
        #expect(try await house.list(house.admin).isEmpty)
        #expect(try await house.messages(made, as: house.admin).count == 1)
        try await house.read(made, as: house.admin)
        #expect(try await house.list(house.admin).map(\.id) == [made.id])
    }

    @Test("the picker offers those who may be written to, and finds them by the beginnings of their names")
    func picks() async throws {
        let house = try await MessagingHouse()
        func names(_ caller: Caller, _ query: String = "") async throws -> [String] {
            try await house.school.answer(ListCorrespondents.self, ["q": .text(query)], as: caller).items.map(
                \.name)
        }
        #expect(try await names(house.sofia) == ["Ada Admin", "Ruth Adler"])
        #expect(try await names(house.olga) == ["Ada Admin", "Ruth Adler"])
        #expect(
            try await names(house.ruth)
                == ["Ada Admin", "Ines Pereira", "Olga Other", "Omar Haddad", "Sofia Tremblay"])
        #expect(try await names(house.ruth, "tré so") == ["Sofia Tremblay"])
        let page = try await house.outline("/messages/new", as: house.sofia)
        #expect(page.contains("Ruth Adler") && !page.contains("Ines") && !page.contains("Olga"))
        let french = try await house.outline("/messages/new", as: house.ruth, language: .french)
        #expect(french.contains("Familles") && french.contains("Personnel") && !french.contains("«"))
    }

    @Test("hot questions read no table in whole")
    func usesIndexes() async throws {
        let house = try await MessagingHouse()
        let reader = ConversationRepository.Reader(
            personId: MessagingHouse.id(house.ruth), channels: [house.maple], seesAllChannels: false)
        try await house.school.expectIndexed(ConversationRepository.listQuery(reader, limit: 40))
        try await house.school.expectIndexed(ConversationRepository.unreadQuery(reader))
        try await house.school.expectIndexed(ConversationRepository.query(house.maple, reader.personId))
        try await house.school.expectIndexed(MessageRepository.pageQuery(house.maple, before: 7, limit: 40))
    }
}
