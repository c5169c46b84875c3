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
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        try await fixture.send("Good morning", in: talk, as: fixture.sofia)
        fixture.school.clock.advance(by: 86_400)
        try await fixture.send("Did she find her bag?", in: talk, as: fixture.sofia)
        fixture.school.clock.advance(by: 60)
        try await fixture.send("Look at https://maple.example/bag", in: talk, as: fixture.ruth)
        try await fixture.read(talk, as: fixture.sofia)
        let page = try await fixture.outline("/messages/\(talk.id.text)", as: fixture.ruth)
        let lines = page.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("-- Yesterday") && lines.contains("-- Today"))
        #expect(lines.contains { $0.hasPrefix("them: Good morning") })
        #expect(lines.contains { $0.hasPrefix("me: Look at https://maple.example/bag") && $0.contains("Read") })
        #expect(page.contains("<Message> -> /api/v1/conversations/\(talk.id.text)/messages"))
        let french = try await fixture.outline("/messages/\(talk.id.text)", as: fixture.sofia, language: .french)
        #expect(french.contains("-- Hier") && !french.contains("«"))
    }

    @Test("what is unread asks to be marked, and what was read does not")
    func offersReceipt() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        try await fixture.send("Hello", in: talk, as: fixture.ruth)
        #expect(try await fixture.outline("/messages/\(talk.id.text)", as: fixture.sofia).contains("Mark as read"))
        #expect(try await fixture.outline("/messages", as: fixture.sofia).contains("1 unread message"))
        try await fixture.read(talk, as: fixture.sofia)
        #expect(try await !fixture.outline("/messages/\(talk.id.text)", as: fixture.sofia).contains("Mark as read"))
        #expect(try await !fixture.outline("/messages", as: fixture.sofia).contains("unread"))
    }

    @Test("a long thread is read page by page, and only its end is written on")
    func pages() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        for number in 1...95 { try await fixture.send("No. \(number)", in: talk, as: fixture.ruth) }
        let path = "/messages/\(talk.id.text)"
        let latest = try await fixture.outline(path, as: fixture.ruth)
        #expect(latest.contains("No. 56") && !latest.contains("No. 55\n") && latest.contains("?before=56"))
        #expect(!latest.contains("Latest messages"))
        let earlier = try await fixture.outline(path, as: fixture.ruth, query: ["before": "56"])
        #expect(earlier.contains("No. 16") && earlier.contains("No. 55") && !earlier.contains("<Message>"))
        #expect(earlier.contains("Latest messages"))
    }

    @Test("The drop of a refused message from its field, with the reason was declined")
    func keepsRefusedText() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let action = "/api/v1/conversations/\(talk.id.text)/messages"
        let page = try await fixture.school.environment.outline(
            "/messages/\(talk.id.text)", as: fixture.ruth,
            refused: RefusedForm(
                command: action, typed: ["text": "far too long"],
                problem: .invalid("text", "message.tooLong")))
        #expect(page.description.contains("<Message = far too long>") && page.description.contains("64 KB"))
    }

    @Test("the way in says how many conversations are unread, and is not shown to students")
    func tellsTheTab() async throws {
        let fixture = try await MessagingFixture()
        let feature = try #require(fixture.school.environment.features.first { $0.id == "Messaging" })
        let state = try #require(feature.pages.entryStates["/messages"])
        func of(_ caller: Caller) async throws -> EntryState {
            let context = try await fixture.school.context(of: caller)
            return try await context.school.read { try state(context, $0) }
        }
        #expect(try await of(fixture.sofia) == EntryState())
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        for text in ["One", "Two"] { try await fixture.send(text, in: talk, as: fixture.ruth) }
        #expect(try await of(fixture.sofia) == EntryState(unread: 1))
        try await fixture.read(talk, as: fixture.sofia)
        #expect(try await of(fixture.sofia) == EntryState())
        #expect(try await of(fixture.noah) == EntryState(isShown: false))
    }

    @Test("a thread of many thousand messages opens with the same few reads as a short one")
    func opensLongThreads() async throws {
        let fixture = try await MessagingFixture()
        let talk = try await fixture.start(fixture.ruth, with: fixture.sofia)
        let sender = MessagingFixture.id(fixture.sofia)
        try await fixture.school.database.write { sql in
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
        #expect(try await fixture.list(fixture.ruth).map(\.unread) == [20_000])
        let latest = try await fixture.messages(talk, as: fixture.ruth)
        #expect(latest.last?.text == "No. 20000" && latest.count == 40)
        #expect(try await fixture.messages(talk, as: fixture.ruth, before: 10_000).last?.seq == 9_999)
    }
}
