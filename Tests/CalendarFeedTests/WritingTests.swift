import CalendarFeedInterface
import Domain
import Foundation
import TestKit
import Testing

@testable import CalendarFeed

@Suite("Writing iCalendar files")
struct WritingTests {
    private func lines(_ name: String, _ text: String) -> String {
        var lines = ContentLines()
        lines.add(name, text: text)
        return String(decoding: lines.bytes, as: UTF8.self)
    }

    @Test(
        "a line is folded at 75 octets, and no character is cut",
        arguments: [
            String(repeating: "a", count: 300), String(repeating: "é", count: 120),
            String(repeating: "数学", count: 60),
            String(repeating: "👩‍🏫", count: 30), "x" + String(repeating: "مرحبا ", count: 40),
            String(repeating: "a", count: 67), String(repeating: "a", count: 68),
        ])
    func folding(text: String) throws {
        let written = lines("SUMMARY", text)
        #expect(written.hasSuffix("\r\n"))
        let parts = written.dropLast().components(separatedBy: "\r\n").dropLast()
        for part in written.components(separatedBy: "\r\n") {
            #expect(part.utf8.count <= 75)
            #expect(String(validating: Array(part.utf8), as: UTF8.self) != nil, "a character was cut")
        }
        #expect(parts.dropFirst().allSatisfy { $0.utf8.first == UInt8(ascii: " ") })
        let unfolded = written.replacingOccurrences(of: "\r\n ", with: "")
        #expect(unfolded == "SUMMARY:\(text)\r\n")
    }

    @Test("line breaks and characters with a meaning are escaped, and control characters are left out")
    func escaping() {
        #expect(
            lines("SUMMARY", "a\\b; c, d\r\ne\nf\rg\u{7}h\ti: \"j\"")
                == "SUMMARY:a\\\\b\\; c\\, d\\ne\\nf\\ngh\ti: \"j\"\r\n")
    }

    @Test("an event of whole days has dates, and its end is the day after it")
    func wholeDays() throws {
        let day = try #require(Day("2026-12-31"))
        let event = CalendarEvent(id: "work-1", title: "Beads", time: .days(day...day), path: "/students/1")
        let written = String(decoding: writer().write(event).content.bytes, as: UTF8.self)
        #expect(written.hasPrefix("DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\nSUMMARY:Beads\r\n"))
        #expect(written.contains("URL:https://school.example/students/1\r\n"))
        #expect(written.contains("TRANSP:TRANSPARENT\r\n"))
    }

    @Test("a moment has a beginning alone, and a span its end as well, in UTC")
    func spans() {
        let start = Date(timeIntervalSince1970: 1_764_115_200)
        func written(_ end: Date) -> String {
            let event = CalendarEvent(id: "due-1", title: "Essay", time: .span(start..<end))
            return String(decoding: writer().write(event).content.bytes, as: UTF8.self)
        }
        #expect(written(start).hasPrefix("DTSTART:20251126T000000Z\r\nSUMMARY"))
        #expect(
            written(start.addingTimeInterval(90)).hasPrefix("DTSTART:20251126T000000Z\r\nDTEND:20251126T000130Z"))
    }

    @Test("a weekly event ends with its last day and leaves out days off")
    func weekly() throws {
        let (first, last) = (try #require(Day("2026-09-01")), try #require(Day("2026-12-18")))
        let off: Set<Day> = [
            try #require(Day("2026-09-01")), try #require(Day("2026-10-27")), try #require(Day("2026-12-15")),
        ]
        let time = try #require(
            WeeklyTime(weekday: 1, minutes: 540..<615, from: first, through: last, isOff: off.contains))
        #expect(time.first == Day("2026-09-08"))
        #expect(time.last == Day("2026-12-08"))
        #expect(time.except == [try #require(Day("2026-10-27"))])
        let event = CalendarEvent(id: "course-1", title: "Algebra", time: .weekly(time), isBusy: true)
        let written = String(decoding: writer().write(event).content.bytes, as: UTF8.self)
        #expect(
            written.hasPrefix(
                """
                DTSTART;TZID=Europe/Paris:20260908T090000\r
                DTEND;TZID=Europe/Paris:20260908T101500\r
                RRULE:FREQ=WEEKLY;UNTIL=20261208T225959Z\r
                EXDATE;TZID=Europe/Paris:20261027T090000\r

                """))
        #expect(writer().write(event).start == "DTSTART:20260908T070000Z")
        #expect(WeeklyTime(weekday: 1, minutes: 0..<60, from: first, through: first, isOff: off.contains) == nil)
    }

    @Test(
        "the changes of the clocks are those of the zone",
        arguments: [
            ("Europe/Paris", ["20261025T030000 +0200 +0100", "20270328T020000 +0100 +0200"]),
            ("America/Toronto", ["20261101T020000 -0400 -0500", "20270314T020000 -0500 -0400"]),
            ("Australia/Lord_Howe", ["20261004T020000 +1030 +1100", "20270404T020000 +1100 +1030"]),
            ("Asia/Tokyo", []), ("GMT", []),
        ])
    func zones(name: String, expected: [String]) throws {
        let timeZone = try #require(TimeZone(identifier: name))
        let days = try #require(Day("2026-08-01"))...(try #require(Day("2027-07-31")))
        let found = ZoneWriter.transitions(of: timeZone, on: days).map {
            "\(CalendarTime.local($0.at, offset: $0.before)) \(CalendarTime.offset($0.before)) \(CalendarTime.offset($0.after))"
        }
        #expect(found == expected)
        let written = String(decoding: ZoneWriter.lines(timeZone, on: days).bytes, as: UTF8.self)
        #expect(written.hasPrefix("BEGIN:VTIMEZONE\r\nTZID:\(timeZone.identifier)\r\n"))
        #expect(written.components(separatedBy: "TZOFFSETTO").count == expected.count + 2)
    }

    @Test("an offset with seconds keeps them")
    func secondsOfOffsets() {
        #expect(CalendarTime.offset(-3600 - 1800 - 7) == "-013007")
        #expect(CalendarTime.offset(0) == "+0000")
    }

    private func writer() -> EventWriter {
        EventWriter(
            timeZone: TimeZone(identifier: "Europe/Paris") ?? .gmt, publicURL: "https://school.example")
    }
}

@Suite("Versions of events")
struct EventVersionTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let today = Day(now, in: .gmt)

    private func event(_ id: String, on day: Day = today.adding(days: 3)) -> WrittenEvent {
        WrittenEvent(id: id, content: ContentLines(), start: "DTSTART;VALUE=DATE:20261001", lastDay: day)
    }

    private func versions(
        _ events: [(WrittenEvent, String)], _ read: [EventVersion], after days: Int = 0
    ) -> EventVersions {
        EventVersions(
            events.map(\.0), fingerprints: events.map(\.1), read: read, today: Self.today.adding(days: days),
            at: Self.now.addingTimeInterval(Double(days) * 86_400))
    }

    @Test("an event is new once, and the same again later")
    func same() {
        let first = versions([(event("a"), "1")], [])
        #expect(first.changed.map(\.sequence) == [0])
        let again = versions([(event("a"), "1")], first.changed, after: 1)
        #expect(again.changed.isEmpty && again.over.isEmpty)
        #expect(again.current["a"]?.changedAt == Self.now)
    }

    @Test("a changed event has the next number, and one that comes back too")
    func changes() {
        let first = versions([(event("a"), "1")], []).changed
        let second = versions([(event("a"), "2")], first, after: 1).changed
        #expect(second.map(\.sequence) == [1])
        let gone = versions([], second, after: 2)
        #expect(gone.canceled.map(\.sequence) == [2])
        #expect(gone.canceled.first?.canceledAt != nil)
        let back = versions([(event("a"), "2")], gone.changed, after: 3)
        #expect(back.changed.map(\.sequence) == [3])
        #expect(back.canceled.isEmpty && back.changed.first?.canceledAt == nil)
    }

    @Test("a cancellation stays for 60 days and is not noted again")
    func cancellation() {
        let read = versions([(event("a"), "1")], []).changed
        let gone = versions([], read)
        let later = versions([], gone.changed, after: 59)
        #expect(later.canceled.map(\.id) == ["a"] && later.changed.isEmpty && later.over.isEmpty)
        let after = versions([], gone.changed, after: 61)
        #expect(after.canceled.isEmpty && after.over == ["a"])
    }

    @Test("an event that is over is not canceled when it leaves the feed")
    func over() {
        let read = versions([(event("a"), "1")], []).changed
        let later = versions([], read, after: 4)
        #expect(later.canceled.isEmpty && later.over == ["a"])
    }

    @Test("the days of a feed are whole months: three before this one, and twelve after it")
    func window() throws {
        #expect(
            FeedWindow.days(around: try #require(Day("2026-02-28")))
                == (try #require(Day("2025-11-01")))...(try #require(Day("2027-02-28"))))
        #expect(
            FeedWindow.days(around: try #require(Day("2026-12-31")))
                == (try #require(Day("2026-09-01")))...(try #require(Day("2027-12-31"))))
    }
}
