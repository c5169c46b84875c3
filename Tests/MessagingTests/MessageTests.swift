import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import MessagingModel
import ScreenKit
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, messages")
struct MessageTests {
    @Test("messages are in the server's order and come page by page")
    func orders() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        for number in 1...90 {
            house.school.clock.advance(by: number.isMultiple(of: 2) ? -60 : 30)
            try await house.send("No. \(number)", in: talk, as: number.isMultiple(of: 3) ? house.sofia : house.ruth)
        }
        let latest = try await house.messages(talk, as: house.sofia)
        #expect(latest.map(\.seq) == Array(51...90))
        let before = try await house.messages(talk, as: house.sofia, before: 51)
        #expect(before.map(\.text) == (11...50).map { "No. \($0)" })
        #expect(try await house.messages(talk, as: house.sofia, before: 11).count == 10)
        #expect(latest.allSatisfy { $0.conversationId == talk.id })
    }

    @Test(
        "a message keeps its conversation, sender, text and time, and is unread at first", .requirement("PG-3.09.b")
    )
    func kept() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let id = house.school.ids.id(at: house.school.clock.now)
        try await house.send("Good morning", in: talk, as: house.ruth, id: id)
        let sentAt = house.school.clock.now
        house.school.clock.advance(by: 60)
        let message = try #require(try await house.messages(talk, as: house.sofia).first)
        #expect(message.id == id && message.conversationId == talk.id)
        #expect(message.senderId == MessagingHouse.id(house.ruth) && message.text == "Good morning")
        #expect(message.timestamp == sentAt && !message.isRead)
        try await house.read(talk, as: house.sofia)
        #expect(try await house.messages(talk, as: house.sofia).first?.isRead == true)
    }

    @Test(
        "a message is found by its words and its sender, by those in the conversation", .requirement("WW-14.03.c"))
    func search() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let message = try await house.send("Bring the red rods", in: talk, as: house.ruth)
        let source = try #require(house.feature.pages.searchSources.first { $0.category == "messages" })
        let schoolId = house.school.organization.id
        let documents = try await house.school.database.read { sql in
            try source.documents(source.ids(nil, 50, sql), schoolId, sql)
        }
        #expect(documents.map(\.id) == [message.id])
        let document = try #require(documents.first)
        #expect(document.text == "Bring the red rods" && document.subtitle == "Ruth Adler")
        #expect(document.path == "/messages/\(talk.id.text)")
        #expect(
            Set(document.readers) == Set([house.ruth, house.sofia].map { .person(MessagingHouse.id($0)) }))
    }

    @Test(
        "people of every role start a conversation, write, read and answer", .requirement("WW-2.08.d"),
        arguments: Role.allCases)
    func everyRole(_ role: Role) async throws {
        let house = try await MessagingHouse()
        try await house.allow(students: true)
        let someone = try await house.circle.person(role, "Sam One", in: house.school) {
            if role == .student { $0.learnsIn = [house.maple] }
        }
        let partner = role == .admin ? house.ruth : house.admin
        let talk = try await house.start(someone, with: partner)
        try await house.send("Good morning", in: talk, as: someone)
        try await house.send("And to you", in: talk, as: partner)
        #expect(try await house.list(someone).map(\.id) == [talk.id])
        #expect(try await house.list(someone).map(\.unread) == [1])
        let list = try await house.outline("/messages", as: someone)
        #expect(list.contains("And to you"), "\(list)")
        let page = try await house.outline("/messages/\(talk.id.text)", as: someone)
        #expect(page.contains("me: Good morning") && page.contains("And to you"), "\(page)")
        #expect(page.contains("<Message>"), "\(page)")
        try await house.read(talk, as: someone)
        #expect(try await house.list(someone).map(\.unread) == [0])
    }

    @Test("the same message is taken once, by its id and by its key", .requirement("WW-2.06.d"))
    func takesOnce() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let id = house.school.ids.id(at: house.school.clock.now)
        let first = try await house.send("Good morning", in: talk, as: house.ruth, id: id, key: id.text)
        let again = try await house.send("Good morning", in: talk, as: house.ruth, id: id, key: id.text)
        // From another device, without the key.
        let third = try await house.send("Good morning", in: talk, as: house.ruth, id: id)
        #expect(first == again && third.id == id && third.seq == first.seq)
        #expect(try await house.messages(talk, as: house.sofia).count == 1)
        #expect(try await house.list(house.sofia).map(\.unread) == [1])
        #expect(try await house.changes("message.sent").count == 1)
        await #expect(throws: Problem(409, "messages.idTaken")) {
            try await house.send("Mine", in: talk, as: house.sofia, id: id)
        }
    }

    @Test("thirty at once are all there, each with a place of its own")
    func manyAtOnce() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                let sender = number.isMultiple(of: 2) ? house.ruth : house.sofia
                group.addTask { try await house.send("\(number)", in: talk, as: sender) }
            }
            try await group.waitForAll()
        }
        #expect(try await house.messages(talk, as: house.ruth).map(\.seq) == Array(1...30))
    }

    @Test("64 KB are a message, and a byte more is refused with a sentence")
    func limitsLength() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let whole = String(repeating: "é", count: 32 * 1024)
        #expect(try await house.send(whole, in: talk, as: house.ruth).text == whole)
        let refused = await #expect(throws: Problem.self) {
            try await house.send(whole + "!", in: talk, as: house.ruth)
        }
        let words = try house.school.house.words()
        #expect(refused?.faults.first?.sentence(words).contains("64 KB") == true)
        for blank in ["", "   ", "\u{200B}", "\u{7}"] {
            let problem = await #expect(throws: Problem.self) {
                try await house.send(blank, in: talk, as: house.ruth)
            }
            #expect(problem?.faults.map(\.code) == ["required"])
        }
        #expect(try await house.messages(talk, as: house.sofia).count == 1)
    }

    @Test("a flood ends with a sentence and goes on after a minute; others are not held up")
    func limitsFlood() async throws {
        let house = try await MessagingHouse(messagesPerMinute: 3)
        let talk = try await house.start(house.ruth, with: house.sofia)
        for number in 1...3 { try await house.send("\(number)", in: talk, as: house.ruth) }
        let problem = await #expect(throws: Problem.self) { try await house.send("4", in: talk, as: house.ruth) }
        #expect(problem?.status == 429 && problem?.code == "messages.flood" && problem?.retryAfter == 60)
        let said = try problem?.sentence(house.school.house.words()) ?? ""
        #expect(said.hasPrefix("You have sent many messages") && said.contains("1 minute"))
        try await house.send("I listen", in: talk, as: house.sofia)
        house.school.clock.advance(by: 61)
        try await house.send("4", in: talk, as: house.ruth)
        #expect(try await house.messages(talk, as: house.sofia).map(\.text) == ["1", "2", "3", "I listen", "4"])
    }

    @Test("a right that was lost ends writing with the next message")
    func asksAgain() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let group = try await house.start(house.ruth, with: house.sofia, house.omar, title: "Noah")
        try await house.send("Hello", in: talk, as: house.sofia)
        // Noah goes to another class: Ruth is not his guide any more.
        house.circle.untie(house.sofia)
        for sender in [house.sofia, house.ruth] {
            await #expect(throws: Problem(403, "messages.notReachable")) {
                try await house.send("Still there?", in: talk, as: sender)
            }
        }
        await #expect(throws: Problem(403, "messages.notReachable")) {
            try await house.send("And here?", in: group, as: house.sofia)
        }
        // In a group that staff runs, she falls out; the others go on.
        try await house.send("Omar and I", in: group, as: house.ruth)
        #expect(try await house.list(house.sofia).map(\.id) == [talk.id])
        let page = try await house.outline("/messages/\(talk.id.text)", as: house.sofia)
        #expect(page.contains("You cannot write to this person any more") && !page.contains("<Message>"))
        // What was said stays to be read.
        #expect(page.contains("me: Hello"))
        // Somebody who has left the school.
        house.circle.set([], of: house.omar)
        await #expect(throws: Problem(403, "messages.notReachable")) {
            try await house.send("Anybody?", in: group, as: house.ruth)
        }
    }

    @Test("nobody outside a conversation reads it, writes in it, or tells it anything")
    func wallsOff() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        for stranger in [house.omar, house.admin, house.olga] {
            await #expect(throws: Problem.notFound) { try await house.messages(talk, as: stranger) }
            await #expect(throws: Problem.notFound) { try await house.send("Hm", in: talk, as: stranger) }
            await #expect(throws: Problem.notFound) { try await house.read(talk, as: stranger) }
            await #expect(throws: Problem.notFound) {
                try await house.school.execute(
                    TellTyping.self, ["conversationId": .id(talk.id)], as: stranger)
            }
            await #expect(throws: Problem.notFound) {
                try await house.outline("/messages/\(talk.id.text)", as: stranger)
            }
        }
    }

    @Test(
        "opening a conversation marks all of it read, and the other side is told",
        .requirement("WW-2.04.a", "WW-2.04.b", "PG-3.06.a"))
    func marksRead() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        for text in ["One", "Two", "Three"] { try await house.send(text, in: talk, as: house.ruth) }
        #expect(try await house.list(house.sofia).map(\.unread) == [3])
        #expect(try await house.messages(talk, as: house.ruth).map(\.isRead) == [false, false, false])
        // A message that came after the page was made stays new.
        try await house.read(talk, as: house.sofia, through: 2)
        #expect(try await house.list(house.sofia).map(\.unread) == [1])
        #expect(try await house.messages(talk, as: house.ruth).map(\.isRead) == [true, true, false])
        try await house.read(talk, as: house.sofia)
        try await house.read(talk, as: house.sofia)
        #expect(try await house.messages(talk, as: house.sofia).allSatisfy { $0.isRead })
        let told = try await house.changes("message.read")
        #expect(told.count == 2)
        // A device that sends late what was read there earlier.
        try await house.read(talk, as: house.sofia, through: 1)
        #expect(try await house.list(house.sofia).map(\.unread) == [0])
        #expect(told.last?.change.audience.contains(.person(MessagingHouse.id(house.ruth))) == true)
        #expect(try await house.outline("/messages/\(talk.id.text)", as: house.ruth).contains("Read"))
    }

    @Test("an answer takes what was there as read")
    func answersAreReads() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await house.send("One", in: talk, as: house.ruth)
        try await house.send("Answer", in: talk, as: house.sofia)
        #expect(try await house.list(house.sofia).map(\.unread) == [0])
        #expect(try await house.list(house.ruth).map(\.unread) == [1])
    }

    @Test("what is sent is told to those in the conversation, without a word of it", .requirement("WW-2.01.b"))
    func tellsMembers() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await house.send("A secret", in: talk, as: house.ruth)
        let logged = try #require(try await house.changes("message.sent").first)
        #expect(
            Set(logged.change.audience) == Set([house.ruth, house.sofia].map { .person(MessagingHouse.id($0)) }))
        #expect(logged.change.topics == ["conversation:\(talk.id.text)", "conversations"])
        #expect(logged.change.payload["conversation"] == talk.id.text)
        #expect(!logged.change.payload.values.contains { $0.contains("secret") })
    }

    @Test("who types is told to the others who look, and stands nowhere", .requirement("WW-2.03.b"))
    func tellsTyping() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let before = try await house.school.changes().count
        var heard = house.school.house.hub.signals(of: house.school.organization.id).makeAsyncIterator()
        try await house.school.execute(
            TellTyping.self, ["conversationId": .id(talk.id)], as: house.sofia, key: "typing-now")
        let signal = try #require(await heard.next())
        #expect(signal.kind == "message.typing" && signal.topics == ["typing:\(talk.id.text)"])
        #expect(signal.senderId == MessagingHouse.id(house.sofia))
        #expect(Set(signal.audience) == Set([house.ruth, house.sofia].map { .person(MessagingHouse.id($0)) }))
        #expect(signal.payload["name"] == "Sofia Tremblay")
        #expect(try await house.school.changes().count == before)
    }

    @Test(
        "members are told of a message once until they have read, its sender and whoever has left never",
        .requirement("WW-9.02.a", "WW-9.02.b"))
    func notifies() async throws {
        let house = try await MessagingHouse()
        let group = try await house.start(house.ruth, with: house.sofia, house.omar, title: "Noah")
        func told() async throws -> [Set<Audience>] {
            try await house.changes("message.news").map { Set($0.change.audience) }
        }
        func audience(_ callers: Caller...) -> Set<Audience> { Set(callers.map { .person(MessagingHouse.id($0)) }) }
        try await house.send("One", in: group, as: house.ruth)
        try await house.send("Two", in: group, as: house.ruth)
        #expect(try await told() == [audience(house.sofia, house.omar)])
        try await house.read(group, as: house.sofia)
        try await house.send("Three", in: group, as: house.ruth)
        #expect(try await told().last == audience(house.sofia))
        try await house.send("Four", in: group, as: house.omar)
        #expect(try await told().last == audience(house.ruth))
        let kind = try #require(
            house.school.house.features.flatMap(\.notifications.kinds).first { $0.kind == "message.news" })
        let last = try #require(try await house.changes("message.news").last)
        let shown = try await kind.show(last, house.school.context(of: house.ruth))
        #expect(shown.text == "Omar Haddad wrote in Noah" && shown.path == "/messages/\(group.id.text)")
    }

    @Test("a channel tells the class of the first message, and of a later one those who read")
    func notifiesChannels() async throws {
        let house = try await MessagingHouse()
        let channel = try await house.channel(house.maple, as: house.ruth)
        try await house.send("Forest walk", in: channel, as: house.ruth)
        let families = Set([house.sofia, house.omar, house.ines].map { Audience.person(MessagingHouse.id($0)) })
        #expect(Set(try await house.changes("message.news")[0].change.audience) == families)
        try await house.read(channel, as: house.ines)
        try await house.send("On Friday", in: channel, as: house.ruth)
        #expect(
            try await house.changes("message.news").last?.change.audience
                == [.person(MessagingHouse.id(house.ines))])
    }

    @Test("a deleted person's messages have no words left")
    func erases() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await house.send("My words", in: talk, as: house.sofia)
        let subject = RecordSubject(
            schoolId: house.school.organization.id, personId: MessagingHouse.id(house.sofia), accountId: nil,
            placeholder: "Former member")
        let tables = MessagingRecordStore.kinds.flatMap(\.tables)
        let about = try await house.school.database.read { sql in
            try tables.compactMap(\.about).flatMap { try sql.rows($0(subject)) }.count
        }
        #expect(about == 2)
        let texts = try await house.school.database.read { try freeTexts(of: MessagingRecordStore.kinds, in: $0) }
        #expect(
            texts.isSuperset(of: ["My words", "my words"]), "names are replaced in both, also in what is searched")
        try await house.school.database.write { sql in
            for table in tables { if let erase = table.erase { try sql.execute(erase(subject)) } }
        }
        #expect(try await house.messages(talk, as: house.ruth).map(\.text) == [""])
        #expect(try await house.outline("/messages", as: house.ruth).contains("This message was erased"))
        for table in tables {
            if let export = table.export {
                _ = try await house.school.database.read { try $0.rows(export(subject.schoolId)) }
            }
        }
    }
}
