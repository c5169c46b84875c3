import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, the pages")
struct ThreadTests {
    @Test("a thread has days, runs, times and who has read")
    func showsThread() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await house.send("Good morning", in: talk, as: house.sofia)
        house.school.clock.advance(by: 86_400)
        try await house.send("Did she find her bag?", in: talk, as: house.sofia)
        house.school.clock.advance(by: 60)
        try await house.send("Look at https://maple.example/bag", in: talk, as: house.ruth)
        try await house.read(talk, as: house.sofia)
        let page = try await house.outline("/messages/\(talk.id.text)", as: house.ruth)
        let lines = page.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("-- Yesterday") && lines.contains("-- Today"))
        #expect(lines.contains { $0.hasPrefix("them: Good morning") })
        #expect(lines.contains { $0.hasPrefix("me: Look at https://maple.example/bag") && $0.contains("Read") })
        #expect(page.contains("<Message> -> /api/v1/conversations/\(talk.id.text)/messages"))
        let french = try await house.outline("/messages/\(talk.id.text)", as: house.sofia, language: .french)
        #expect(french.contains("-- Hier") && !french.contains("«"))
    }

    @Test("what is unread asks to be marked, and what was read does not")
    func offersReceipt() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        try await house.send("Hello", in: talk, as: house.ruth)
        #expect(try await house.outline("/messages/\(talk.id.text)", as: house.sofia).contains("Mark as read"))
        #expect(try await house.outline("/messages", as: house.sofia).contains("1 unread message"))
        try await house.read(talk, as: house.sofia)
        #expect(try await !house.outline("/messages/\(talk.id.text)", as: house.sofia).contains("Mark as read"))
        #expect(try await !house.outline("/messages", as: house.sofia).contains("unread"))
    }

    @Test("a long thread is read page by page, and only its end is written on")
    func pages() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        for number in 1...95 { try await house.send("No. \(number)", in: talk, as: house.ruth) }
        let path = "/messages/\(talk.id.text)"
        let latest = try await house.outline(path, as: house.ruth)
        #expect(latest.contains("No. 56") && !latest.contains("No. 55\n") && latest.contains("?before=56"))
        #expect(!latest.contains("Latest messages"))
        let earlier = try await house.outline(path, as: house.ruth, query: ["before": "56"])
        #expect(earlier.contains("No. 16") && earlier.contains("No. 55") && !earlier.contains("<Message>"))
        #expect(earlier.contains("Latest messages"))
    }

    @Test("a refused message stays in its field, with the reason")
    func keepsRefusedText() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let action = "/api/v1/conversations/\(talk.id.text)/messages"
        let page = try await house.school.house.outline(
            "/messages/\(talk.id.text)", as: house.ruth,
            refused: RefusedForm(
                command: action, typed: ["text": "far too long"],
                problem: .invalid("text", "message.tooLong")))
        #expect(page.description.contains("<Message = far too long>") && page.description.contains("64 KB"))
    }

    @Test("the way in says how many conversations are unread, and is not shown to students")
    func tellsTheTab() async throws {
        let house = try await MessagingHouse()
        let feature = try #require(house.school.house.features.first { $0.id == "Messaging" })
        let state = try #require(feature.pages.entryStates["/messages"])
        func of(_ caller: Caller) async throws -> EntryState {
            let context = try await house.school.context(of: caller)
            return try await context.school.read { try state(context, $0) }
        }
        #expect(try await of(house.sofia) == EntryState())
        let talk = try await house.start(house.ruth, with: house.sofia)
        for text in ["One", "Two"] { try await house.send(text, in: talk, as: house.ruth) }
        #expect(try await of(house.sofia) == EntryState(unread: 1))
        try await house.read(talk, as: house.sofia)
        #expect(try await of(house.sofia) == EntryState())
        #expect(try await of(house.noah) == EntryState(isShown: false))
    }

    @Test("a thread of many thousand messages opens with the same few reads as a short one")
    func opensLongThreads() async throws {
        let house = try await MessagingHouse()
        let talk = try await house.start(house.ruth, with: house.sofia)
        let sender = MessagingHouse.id(house.sofia)
        try await house.school.database.write { sql in
            // conformance: allow write - sets a test's scene
            try sql.execute(
                """
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
                INSERT INTO messages (conversation_id, seq, id, sender_id, text, search_text, sent_at)
                SELECT \(talk.id), n, 'filler-' || n, \(sender), 'No. ' || n, '', 1793000000000 + n FROM numbers
                """)
            // conformance: allow write - sets a test's scene
            try sql.execute(
                "UPDATE messages SET id = LOWER(HEX(RANDOMBLOB(4))) || '-0000-7000-8000-' || LOWER(HEX(RANDOMBLOB(6)))"
            )
            try ConversationRepository.advance(talk.id, to: 20_000, in: sql)
        }
        #expect(try await house.list(house.ruth).map(\.unread) == [20_000])
        let latest = try await house.messages(talk, as: house.ruth)
        #expect(latest.last?.text == "No. 20000" && latest.count == 40)
        #expect(try await house.messages(talk, as: house.ruth, before: 10_000).last?.seq == 9_999)
    }
}
