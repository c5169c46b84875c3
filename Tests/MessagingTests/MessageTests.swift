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

@Suite("Messages")
struct MessageTests {
    @Test("messages are in the order of the server and come in pages")
    func orders() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        for number in 1...90 {
            fixture.school.clock.advance(by: number.isMultiple(of: 2) ? -60 : 30)
            try await fixture.send(
                "No. \(number)", in: talk, as: number.isMultiple(of: 3) ? fixture.sofia : fixture.ruth)
        }
        let latest = try await fixture.messages(talk, as: fixture.sofia)
        #expect(latest.map(\.seq) == Array(51...90))
        let before = try await fixture.messages(talk, as: fixture.sofia, before: 51)
        #expect(before.map(\.text) == (11...50).map { "No. \($0)" })
        #expect(try await fixture.messages(talk, as: fixture.sofia, before: 11).count == 10)
        #expect(latest.allSatisfy { $0.conversationId == talk.id })
    }

    @Test(
        "a message has its conversation, sender, text and time, and is unread at first", .requirement("PG-3.09.b")
    )
    func storesMessage() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let id = fixture.school.ids.id(at: fixture.school.clock.now)
        try await fixture.send("Good morning", in: talk, as: fixture.ruth, id: id)
        let sentAt = fixture.school.clock.now
        fixture.school.clock.advance(by: 60)
        let message = try #require(try await fixture.messages(talk, as: fixture.sofia).first)
        #expect(message.id == id && message.conversationId == talk.id)
        #expect(message.senderId == MessagingFixture.id(fixture.ruth) && message.text == "Good morning")
        #expect(message.timestamp == sentAt && !message.isRead)
        try await fixture.read(talk, as: fixture.sofia)
        #expect(try await fixture.messages(talk, as: fixture.sofia).first?.isRead == true)
    }

    @Test(
        "only members find a message by its words and its sender", .requirement("WW-14.03.c"))
    func search() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let message = try await fixture.send("Bring the red rods", in: talk, as: fixture.ruth)
        let source = try #require(fixture.feature.pages.searchSources.first { $0.category == "messages" })
        let schoolId = fixture.school.organization.id
        let documents = try await fixture.school.database.read { sql in
            try source.documents(source.ids(nil, 50, sql), schoolId, sql)
        }
        #expect(documents.map(\.id) == [message.id])
        let document = try #require(documents.first)
        #expect(document.text == "Bring the red rods" && document.subtitle == "Ruth Adler")
        #expect(document.path == "/messages/\(talk.id.text)")
        #expect(
            Set(document.readers) == Set([fixture.ruth, fixture.sofia].map { .person(MessagingFixture.id($0)) }))
    }

    @Test(
        "people of each role can start a conversation, write, read and reply", .requirement("WW-2.08.d"),
        arguments: Role.allCases)
    func everyRole(_ role: Role) async throws {
        let fixture = try await MessagingFixture()
        try await fixture.allow(students: true)
        let someone = try await fixture.circle.person(role, "Sam One", in: fixture.school) {
            if role == .student { $0.learnsIn = [fixture.maple] }
        }
        let partner = role == .admin ? fixture.ruth : fixture.admin
        let talk = try await fixture.start(someone, with: partner)
        try await fixture.send("Good morning", in: talk, as: someone)
        try await fixture.send("And to you", in: talk, as: partner)
        #expect(try await fixture.list(someone).map(\.id) == [talk.id])
        #expect(try await fixture.list(someone).map(\.unread) == [1])
        let list = try await fixture.outline("/messages", as: someone)
        #expect(list.contains("And to you"), "\(list)")
        let page = try await fixture.outline("/messages/\(talk.id.text)", as: someone)
        #expect(page.contains("me: Good morning") && page.contains("And to you"), "\(page)")
        #expect(page.contains("<Message>"), "\(page)")
        try await fixture.read(talk, as: someone)
        #expect(try await fixture.list(someone).map(\.unread) == [0])
    }

    @Test("the same message is stored once, by its id and by its idempotency key", .requirement("WW-2.06.d"))
    func takesOnce() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let id = fixture.school.ids.id(at: fixture.school.clock.now)
        let first = try await fixture.send("Good morning", in: talk, as: fixture.ruth, id: id, key: id.text)
        let again = try await fixture.send("Good morning", in: talk, as: fixture.ruth, id: id, key: id.text)
        // From another device, without the key.
        let third = try await fixture.send("Good morning", in: talk, as: fixture.ruth, id: id)
        #expect(first == again && third.id == id && third.seq == first.seq)
        #expect(try await fixture.messages(talk, as: fixture.sofia).count == 1)
        #expect(try await fixture.list(fixture.sofia).map(\.unread) == [1])
        #expect(try await fixture.changes("message.sent").count == 1)
        await #expect(throws: Problem(409, "messages.idTaken")) {
            try await fixture.send("Mine", in: talk, as: fixture.sofia, id: id)
        }
    }

    @Test("thirty messages at a time are all stored with numbers of their own")
    func manyAtOnce() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                let sender = number.isMultiple(of: 2) ? fixture.ruth : fixture.sofia
                group.addTask { try await fixture.send("\(number)", in: talk, as: sender) }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.messages(talk, as: fixture.ruth).map(\.seq) == Array(1...30))
    }

    @Test("a message can have 64 KB, and one byte more is refused with a sentence")
    func limitsLength() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let whole = String(repeating: "é", count: 32 * 1024)
        #expect(try await fixture.send(whole, in: talk, as: fixture.ruth).text == whole)
        let refused = await #expect(throws: Problem.self) {
            try await fixture.send(whole + "!", in: talk, as: fixture.ruth)
        }
        let words = try fixture.school.environment.words()
        #expect(refused?.faults.first?.sentence(words).contains("64 KB") == true)
        for blank in ["", "   ", "\u{200B}", "\u{7}"] {
            let problem = await #expect(throws: Problem.self) {
                try await fixture.send(blank, in: talk, as: fixture.ruth)
            }
            #expect(problem?.faults.map(\.code) == ["required"])
        }
        #expect(try await fixture.messages(talk, as: fixture.sofia).count == 1)
    }

    @Test("a person above the message limit is refused for a minute, and others are not affected")
    func limitsFlood() async throws {
        let fixture = try await MessagingFixture(messagesPerMinute: 3)
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        for number in 1...3 { try await fixture.send("\(number)", in: talk, as: fixture.ruth) }
        let problem = await #expect(throws: Problem.self) {
            try await fixture.send("4", in: talk, as: fixture.ruth)
        }
        #expect(problem?.status == 429 && problem?.code == "messages.flood" && problem?.retryAfter == 60)
        let said = try problem?.sentence(fixture.school.environment.words()) ?? ""
        #expect(said.hasPrefix("You have sent many messages") && said.contains("1 minute"))
        try await fixture.send("I listen", in: talk, as: fixture.sofia)
        fixture.school.clock.advance(by: 61)
        try await fixture.send("4", in: talk, as: fixture.ruth)
        #expect(
            try await fixture.messages(talk, as: fixture.sofia).map(\.text) == ["1", "2", "3", "I listen", "4"])
    }

    @Test("a person who loses access cannot write the next message")
    func asksAgain() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let group = try await fixture.start(fixture.ruth, with: fixture.sofia, fixture.omar, title: "Noah")
        try await fixture.send("Hello", in: talk, as: fixture.sofia)
        // Noah changes classes, and Ruth is no longer his guide.
        fixture.circle.untie(fixture.sofia)
        for sender in [fixture.sofia, fixture.ruth] {
            await #expect(throws: Problem(403, "messages.notReachable")) {
                try await fixture.send("Still there?", in: talk, as: sender)
            }
        }
        await #expect(throws: Problem(403, "messages.notReachable")) {
            try await fixture.send("And here?", in: group, as: fixture.sofia)
        }
        // In a group with staff, she is removed and the others continue.
        try await fixture.send("Omar and I", in: group, as: fixture.ruth)
        #expect(try await fixture.list(fixture.sofia).map(\.id) == [talk.id])
        let page = try await fixture.outline("/messages/\(talk.id.text)", as: fixture.sofia)
        #expect(page.contains("You can no longer write to this person") && !page.contains("<Message>"))
        // Earlier messages can still be read.
        #expect(page.contains("me: Hello"))
        // Omar leaves the school.
        fixture.circle.set([], of: fixture.omar)
        await #expect(throws: Problem(403, "messages.notReachable")) {
            try await fixture.send("Anybody?", in: group, as: fixture.ruth)
        }
    }

    @Test("people outside of a conversation can neither read it nor write or signal in it")
    func refusesOutsiders() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        for stranger in [fixture.omar, fixture.admin, fixture.olga] {
            await #expect(throws: Problem.notFound) { try await fixture.messages(talk, as: stranger) }
            await #expect(throws: Problem.notFound) { try await fixture.send("Hm", in: talk, as: stranger) }
            await #expect(throws: Problem.notFound) { try await fixture.read(talk, as: stranger) }
            await #expect(throws: Problem.notFound) {
                try await fixture.school.execute(
                    SignalTyping.self, ["conversationId": .id(talk.id)], as: stranger)
            }
            await #expect(throws: Problem.notFound) {
                try await fixture.outline("/messages/\(talk.id.text)", as: stranger)
            }
        }
    }

    @Test(
        "opening a conversation marks it as read, and the other person is notified",
        .requirement("WW-2.04.a", "WW-2.04.b", "PG-3.06.a"))
    func marksRead() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        for text in ["One", "Two", "Three"] { try await fixture.send(text, in: talk, as: fixture.ruth) }
        #expect(try await fixture.list(fixture.sofia).map(\.unread) == [3])
        #expect(try await fixture.messages(talk, as: fixture.ruth).map(\.isRead) == [false, false, false])
        // A message that came after the page was loaded stays unread.
        try await fixture.read(talk, as: fixture.sofia, through: 2)
        #expect(try await fixture.list(fixture.sofia).map(\.unread) == [1])
        #expect(try await fixture.messages(talk, as: fixture.ruth).map(\.isRead) == [true, true, false])
        try await fixture.read(talk, as: fixture.sofia)
        try await fixture.read(talk, as: fixture.sofia)
        #expect(try await fixture.messages(talk, as: fixture.sofia).allSatisfy { $0.isRead })
        let notified = try await fixture.changes("message.read")
        #expect(notified.count == 2)
        // Another device sends an earlier position later.
        try await fixture.read(talk, as: fixture.sofia, through: 1)
        #expect(try await fixture.list(fixture.sofia).map(\.unread) == [0])
        #expect(notified.last?.change.audience.contains(.person(MessagingFixture.id(fixture.ruth))) == true)
        #expect(try await fixture.outline("/messages/\(talk.id.text)", as: fixture.ruth).contains("Read"))
    }

    @Test("a reply marks the earlier messages as read")
    func answersAreReads() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        try await fixture.send("One", in: talk, as: fixture.ruth)
        try await fixture.send("Answer", in: talk, as: fixture.sofia)
        #expect(try await fixture.list(fixture.sofia).map(\.unread) == [0])
        #expect(try await fixture.list(fixture.ruth).map(\.unread) == [1])
    }

    @Test("members learn of a sent message without its text", .requirement("WW-2.01.b"))
    func recordsWithoutText() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        try await fixture.send("A secret", in: talk, as: fixture.ruth)
        let logged = try #require(try await fixture.changes("message.sent").first)
        #expect(
            Set(logged.change.audience)
                == Set([fixture.ruth, fixture.sofia].map { .person(MessagingFixture.id($0)) }))
        #expect(logged.change.topics == ["conversation:\(talk.id.text)", "conversations"])
        #expect(logged.change.payload["conversation"] == talk.id.text)
        #expect(!logged.change.payload.values.contains { $0.contains("secret") })
    }

    @Test("typing is signaled to the other members and not stored", .requirement("WW-2.03.b"))
    func signalsTyping() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let before = try await fixture.school.changes().count
        var heard = fixture.school.environment.hub.signals(of: fixture.school.organization.id).makeAsyncIterator()
        try await fixture.school.execute(
            SignalTyping.self, ["conversationId": .id(talk.id)], as: fixture.sofia, key: "typing-now")
        let signal = try #require(await heard.next())
        #expect(signal.kind == "message.typing" && signal.topics == ["typing:\(talk.id.text)"])
        #expect(signal.senderId == MessagingFixture.id(fixture.sofia))
        #expect(
            Set(signal.audience) == Set([fixture.ruth, fixture.sofia].map { .person(MessagingFixture.id($0)) }))
        #expect(signal.payload["name"] == "Sofia Tremblay")
        #expect(try await fixture.school.changes().count == before)
    }

    @Test(
        "members are notified of messages once until they read, and never the sender or former members",
        .requirement("WW-9.02.a", "WW-9.02.b"))
    func notifies() async throws {
        let fixture = try await MessagingFixture()
        let group = try await fixture.start(fixture.ruth, with: fixture.sofia, fixture.omar, title: "Noah")
        func notified() async throws -> [Set<Audience>] {
            try await fixture.changes("message.news").map { Set($0.change.audience) }
        }
        func audience(_ callers: Caller...) -> Set<Audience> {
            Set(callers.map { .person(MessagingFixture.id($0)) })
        }
        try await fixture.send("One", in: group, as: fixture.ruth)
        try await fixture.send("Two", in: group, as: fixture.ruth)
        #expect(try await notified() == [audience(fixture.sofia, fixture.omar)])
        try await fixture.read(group, as: fixture.sofia)
        try await fixture.send("Three", in: group, as: fixture.ruth)
        #expect(try await notified().last == audience(fixture.sofia))
        try await fixture.send("Four", in: group, as: fixture.omar)
        #expect(try await notified().last == audience(fixture.ruth))
        let kind = try #require(
            fixture.school.environment.features.flatMap(\.notifications.kinds).first { $0.kind == "message.news" })
        let last = try #require(try await fixture.changes("message.news").last)
        let shown = try await kind.show(last, fixture.school.context(of: fixture.ruth))
        #expect(shown.text == "Omar Haddad wrote in Noah" && shown.path == "/messages/\(group.id.text)")
    }

    @Test("a channel notifies the class of the first message, and of later ones those who have read")
    func notifiesChannels() async throws {
        let fixture = try await MessagingFixture()
        let channel = try await fixture.channel(fixture.maple, as: fixture.ruth)
        try await fixture.send("Forest walk", in: channel, as: fixture.ruth)
        let families = Set(
            [fixture.sofia, fixture.omar, fixture.ines].map { Audience.person(MessagingFixture.id($0)) })
        #expect(Set(try await fixture.changes("message.news")[0].change.audience) == families)
        try await fixture.read(channel, as: fixture.ines)
        try await fixture.send("On Friday", in: channel, as: fixture.ruth)
        #expect(
            try await fixture.changes("message.news").last?.change.audience
                == [.person(MessagingFixture.id(fixture.ines))])
    }

    @Test("an erased person's messages have no text")
    func erases() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        try await fixture.send("My words", in: talk, as: fixture.sofia)
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: MessagingFixture.id(fixture.sofia), accountId: nil,
            placeholder: "Former member")
        let tables = MessagingRecordStore.kinds.flatMap(\.tables)
        let about = try await fixture.school.database.read { sql in
            try tables.compactMap(\.about).flatMap { try sql.rows($0(subject)) }.count
        }
        #expect(about == 2)
        let texts = try await fixture.school.database.read { try freeTexts(of: MessagingRecordStore.kinds, in: $0) }
        #expect(
            texts.isSuperset(of: ["My words", "my words"]), "names are replaced in both, also in what is searched")
        try await fixture.school.database.write { sql in
            for table in tables { if let erase = table.erase { try sql.execute(erase(subject)) } }
        }
        #expect(try await fixture.messages(talk, as: fixture.ruth).map(\.text) == [""])
        #expect(try await fixture.outline("/messages", as: fixture.ruth).contains("This message was erased"))
        for table in tables {
            if let export = table.export {
                _ = try await fixture.school.database.read { try $0.rows(export(subject.schoolId)) }
            }
        }
    }
}
