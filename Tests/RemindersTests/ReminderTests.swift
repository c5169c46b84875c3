import Domain
import FeatureKit
import Foundation
import RemindersInterface
import Synchronization
import TestKit
import Testing

@testable import Reminders

@Suite("Reminders that are sent")
struct ReminderTests {
    @Test(
        "24 hours before the due time a student is reminded of title and course, once", .requirement("WW-13.02.a"))
    func aDayBefore() async throws {
        let fixture = try await ReminderFixture(at: "2026-11-16T15:00:00Z")
        fixture.give("Essay", in: 25)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        fixture.school.clock.advance(by: 3600)
        for _ in 0..<3 { try await fixture.sweep() }
        #expect(try await fixture.texts(fixture.ana) == ["“Essay” (Algebra) is due Tue Nov 17, 11:00\u{202F}AM."])
        #expect(try await fixture.texts(fixture.ben).isEmpty)
    }

    @Test("one hour before the due time a student is reminded of the title, once", .requirement("WW-13.02.b"))
    func anHourBefore() async throws {
        let fixture = try await ReminderFixture(at: "2026-11-16T15:00:00Z")
        fixture.give("Essay", in: 2)
        try await fixture.choose([1], as: fixture.ana)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        fixture.school.clock.advance(by: 3600)
        for _ in 0..<3 { try await fixture.sweep() }
        #expect(try await fixture.texts(fixture.ana) == ["“Essay” is due soon: Mon Nov 16, 12:00\u{202F}PM."])
    }

    @Test(
        "a server that stops between two portions reminds each student once of each work",
        .requirement("WW-13.04.b"))
    func killed() async throws {
        struct Killed: Error {}
        let fixture = try await ReminderFixture()
        let school = fixture.school
        let students = (0..<60).map { _ in school.makeCaller(.student) }
        for number in 0..<20 { fixture.give("Work \(number)", in: 23.5, to: students) }
        let reader = ReminderReader(sources: [fixture.work], quiet: nil, muted: nil)
        let sweep = ReminderSweep(reader: reader, school: { _ in nil })
        let now = school.clock.now
        // The server stops before the second transaction, twice.
        for _ in 0..<2 {
            let count = Counter()
            await #expect(throws: Killed.self) {
                try await sweep.run(now, .gmt, school.ids, school.database) { work in
                    if count.next() == 1 { throw Killed() }
                    try await school.database.write { sql in
                        _ = try ChangeLog.append(work(sql), at: now, actor: nil, in: sql)
                    }
                }
            }
        }
        for _ in 0..<2 { try await fixture.sweep() }
        let rows = try await school.database.read { sql -> Int in
            try sql.value("SELECT COUNT(*) FROM reminders_sent") ?? 0
        }
        #expect(rows == 60 * 20)
        // Each row belongs to one change of the log, and each student is in the audience of the changes of their rows.
        let changes = try await school.changes()
        for student in students.prefix(5) {
            let audience = Audience.person(ReminderFixture.id(student))
            let batches = changes.filter { $0.change.audience.contains(audience) }.compactMap {
                $0.change.payload["batch"]
            }
            let stored = try await school.database.read { sql in
                try sql.rows(
                    """
                    SELECT batch_id, COUNT(*) AS works FROM reminders_sent
                    WHERE person_id = \(ReminderFixture.id(student)) GROUP BY batch_id
                    """
                ).map { try ($0.get("batch_id", as: String.self), $0.get("works", as: Int.self)) }
            }
            #expect(Set(batches) == Set(stored.map(\.0)) && batches.count == stored.count)
            #expect(stored.map(\.1).reduce(0, +) == 20)
        }
    }

    @Test("work that is handed in, withdrawn or over has no reminder", .requirement("WW-13.04.c"))
    func settled() async throws {
        let fixture = try await ReminderFixture()
        let (essay, map) = (fixture.give("Essay", in: 25), fixture.give("Map", in: 25))
        fixture.give("Past", in: -1)
        fixture.work.settle(essay, of: ReminderFixture.id(fixture.ana))
        fixture.work.withdraw(map)
        fixture.school.clock.advance(by: 2 * 3600)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        #expect(try await fixture.settings(fixture.ana).reminders.isEmpty)
    }

    @Test("work that is handed in while the reminder is being sent has none")
    func race() async throws {
        let fixture = try await ReminderFixture()
        let essay = fixture.give("Essay", in: 23.9, to: [fixture.ana, fixture.ben])
        let database = InterruptedDatabase(fixture.school.database)
        let ana = ReminderFixture.id(fixture.ana)
        database.afterNextRead { fixture.work.settle(essay, of: ana) }
        let sweep = ReminderSweep(
            reader: ReminderReader(sources: [fixture.work], quiet: nil, muted: nil), school: { _ in nil })
        let now = fixture.now
        try await sweep.run(now, .gmt, fixture.school.ids, database) { work in
            try await database.write { sql in _ = try ChangeLog.append(work(sql), at: now, actor: nil, in: sql) }
        }
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        #expect(try await fixture.texts(fixture.ben).count == 1)
    }

    @Test("a due time that moves takes its reminders with it", .requirement("WW-13.04.a"))
    func moved() async throws {
        let fixture = try await ReminderFixture()
        let ana = ReminderFixture.id(fixture.ana)
        let essay = fixture.give("Essay", in: 30)
        #expect(
            try await fixture.settings(fixture.ana).reminders.map(\.at) == [fixture.hours(6), fixture.hours(29)])
        fixture.work.give("Essay", essay, to: [ana], dueAt: fixture.hours(60))
        #expect(
            try await fixture.settings(fixture.ana).reminders.map(\.at) == [fixture.hours(36), fixture.hours(59)])
        fixture.school.clock.advance(by: 7 * 3600)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        fixture.school.clock.advance(by: 29 * 3600)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).count == 1)
        // The new due time of work of which she was reminded is news, earlier or later.
        fixture.work.give("Essay", essay, to: [ana], dueAt: fixture.hours(12))
        for _ in 0..<2 { try await fixture.sweep() }
        #expect(try await fixture.texts(fixture.ana).count == 2)
        fixture.work.give("Essay", essay, to: [ana], dueAt: fixture.hours(23))
        for _ in 0..<2 { try await fixture.sweep() }
        #expect(try await fixture.texts(fixture.ana).count == 3)
        // Back at a time of which she was reminded.
        fixture.work.give("Essay", essay, to: [ana], dueAt: fixture.hours(12))
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).count == 3)
    }

    @Test("after an outage one reminder of each work comes, and none of work that is over")
    func outage() async throws {
        let fixture = try await ReminderFixture()
        try await fixture.choose([24, 12, 6, 1], as: fixture.ana)
        fixture.give("Essay", in: 26)
        fixture.give("Map", in: 20)
        // The server is stopped for 21 hours.
        fixture.school.clock.advance(by: 21 * 3600)
        for _ in 0..<2 { try await fixture.sweep() }
        let texts = try await fixture.texts(fixture.ana)
        #expect(texts.count == 1 && texts[0].contains("Essay"))
        fixture.school.clock.advance(by: 4 * 3600)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).count == 2)
    }

    @Test("a clock that is set back sends nothing twice")
    func setBack() async throws {
        let fixture = try await ReminderFixture()
        fixture.give("Essay", in: 24)
        fixture.school.clock.advance(by: 60)
        try await fixture.sweep()
        for _ in 0..<5 {
            fixture.school.clock.advance(by: -3600)
            try await fixture.sweep()
            fixture.school.clock.advance(by: 3660)
            try await fixture.sweep()
        }
        #expect(try await fixture.texts(fixture.ana).count == 1)
    }

    @Test(
        "in the night in which the clocks change the reminder comes 24 hours before and says the time of the school",
        arguments: [
            // Toronto sets its clocks back on 1 November 2026 and forward on 14 March 2027.
            ("2026-11-02T04:59:00Z", "Sun Nov 1, 11:59\u{202F}PM"),
            ("2026-11-01T05:30:00Z", "Sun Nov 1, 1:30\u{202F}AM"),
            ("2026-11-01T06:30:00Z", "Sun Nov 1, 1:30\u{202F}AM"),
            ("2027-03-15T03:59:00Z", "Sun Mar 14, 11:59\u{202F}PM"),
        ])
    func clocks(_ due: String, _ said: String) async throws {
        let dueAt = try Date(due, strategy: .iso8601)
        let fixture = try await ReminderFixture()
        fixture.school.clock.set(dueAt - 86_400 - 60)
        fixture.work.give("Essay", UUID(), to: [ReminderFixture.id(fixture.ana)], dueAt: dueAt)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        fixture.school.clock.advance(by: 60)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana) == ["“Essay” (Algebra) is due \(said)."])
    }

    @Test("in quiet hours a reminder waits; it comes afterwards unless the work is handed in or over")
    func quiet() async throws {
        let fixture = try await ReminderFixture()
        fixture.quiet.set(ReminderFixture.id(fixture.ana))
        let essay = fixture.give("Essay", in: 24, to: [fixture.ana, fixture.ben])
        fixture.give("Map", in: 24)
        fixture.give("Quiz", in: 5)
        fixture.school.clock.advance(by: 60)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        #expect(try await fixture.texts(fixture.ben).count == 1)
        fixture.school.clock.advance(by: 8 * 3600)
        fixture.work.settle(essay, of: ReminderFixture.id(fixture.ana))
        fixture.quiet.set()
        for _ in 0..<2 { try await fixture.sweep() }
        let texts = try await fixture.texts(fixture.ana)
        #expect(texts.count == 1 && texts[0].contains("Map"))
    }

    @Test("work that is given within a day before it is due has no reminder of the past day")
    func givenLate() async throws {
        let fixture = try await ReminderFixture()
        fixture.give("Essay", in: 10, since: fixture.now)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        #expect(try await fixture.settings(fixture.ana).reminders.map(\.hours) == [1])
    }

    @Test("works that are due together come as one notification, which names three of them")
    func together() async throws {
        let fixture = try await ReminderFixture()
        for number in 1...5 { fixture.give("Work \(number)", in: 23.9) }
        try await fixture.sweep()
        let texts = try await fixture.texts(fixture.ana)
        #expect(texts.count == 1)
        #expect((1...3).allSatisfy { texts[0].contains("“Work \($0)” (Algebra)") })
        #expect(texts[0].hasSuffix("And 2 more."))
        #expect(try await fixture.texts(fixture.ana, in: .french)[0].hasSuffix("Et 2 autres."))
    }

    @Test("a reminder of work that is no longer there reads as a sentence without its title")
    func gone() async throws {
        let fixture = try await ReminderFixture()
        let essay = fixture.give("Essay", in: 23.9)
        try await fixture.sweep()
        fixture.work.withdraw(essay)
        #expect(try await fixture.texts(fixture.ana) == ["Work that was due is no longer available."])
    }

    @Test("looking for what was sent uses an index")
    func indexed() async throws {
        let fixture = try await ReminderFixture()
        try await fixture.school.expectIndexed(ReminderRepository.sent(dueAfter: fixture.now, ""))
    }
}

/// A number that grows with each call.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
