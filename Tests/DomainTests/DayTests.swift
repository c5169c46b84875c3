import Domain
import Foundation
import TestKit
import Testing

@Suite("Days")
struct DayTests {
    @Test(
        "a day is read and written in one format",
        arguments: ["2026-11-21", "0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29"])
    func spelling(_ text: String) throws {
        #expect(try #require(Day(text)).description == text)
    }

    @Test(
        "a text that is not a day is refused",
        arguments: [
            "", "2026-02-29", "1900-02-29", "2026-02-30", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00",
            "0000-01-01", "2026-1-1", "2026/01/01", "20260101", " 2026-01-01", "2026-01-01 ",
            "2026-01-01T00:00:00Z",
            "+026-01-01", "-026-01-01", "२०२६-०१-०१", "2026-01-0a", "2026–01–01", "2026-01-011",
        ])
    func refused(_ text: String) { #expect(Day(text) == nil) }

    @Test(
        "leap years are recognized",
        arguments: [(2024, true), (2025, false), (2000, true), (1900, false), (2100, false), (2400, true)])
    func leap(_ year: Int, _ isLeap: Bool) {
        #expect((Day(year: year, month: 2, day: 29) != nil) == isLeap)
    }

    @Test("the day of an instant depends on the school's time zone")
    func timeZones() throws {
        // 2026-11-21 23:30 in Toronto.
        let instant = try Date("2026-11-22T04:30:00Z", strategy: .iso8601)
        func day(_ zone: String) throws -> String {
            Day(instant, in: try #require(TimeZone(identifier: zone))).description
        }
        #expect(try day("America/Toronto") == "2026-11-21")
        #expect(try day("UTC") == "2026-11-22")
        #expect(try day("Pacific/Kiritimati") == "2026-11-22")
        #expect(try day("Pacific/Pago_Pago") == "2026-11-21")
        #expect(try day("Asia/Kathmandu") == "2026-11-22")
    }

    @Test(
        "the day of an instant agrees with the system's calendar, also around midnight and when a day was skipped",
        arguments: [
            "GMT", "Europe/Zurich", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo",
            "Australia/Lord_Howe", "Africa/Casablanca",
        ])
    func calendar(_ zone: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        var chance = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            // Between 1900 and 2100.
            let some = Date(
                timeIntervalSince1970: Double(Int.random(in: -2_200_000_000...4_100_000_000, using: &chance)))
            let midnight = calendar.startOfDay(for: some)
            for instant in [
                some, midnight, midnight.addingTimeInterval(-0.001), midnight.addingTimeInterval(0.999),
            ] {
                let known = calendar.dateComponents([.year, .month, .day], from: instant)
                let day = Day(instant, in: timeZone)
                #expect(
                    day.year == known.year && day.month == known.month && day.day == known.day,
                    "\(instant.timeIntervalSince1970)")
            }
        }
    }

    @Test(
        "midday is on its own day, also when clocks change or midnight does not exist",
        arguments: [
            ("America/Toronto", "2026-03-08"), ("America/Toronto", "2026-11-01"), ("Europe/Paris", "2026-03-29"),
            ("America/Sao_Paulo", "2018-11-04"), ("Asia/Beirut", "2026-03-29"),
            ("Australia/Lord_Howe", "2026-04-05"),
        ])
    func clockChange(_ zone: String, _ text: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        let day = try #require(Day(text))
        #expect(Day(day.midday(in: timeZone), in: timeZone) == day)
        #expect(day.adding(days: 1).adding(days: -1) == day)
        #expect(day.adding(days: 1) > day)
    }

    @Test("adding days crosses months, years and clock changes")
    func adding() throws {
        let day = try #require(Day("2026-12-31"))
        #expect(day.adding(days: 1).description == "2027-01-01")
        #expect(day.adding(days: -365).description == "2025-12-31")
        #expect(try #require(Day("2024-02-28")).adding(days: 1).description == "2024-02-29")
        #expect(try #require(Day("2026-03-01")).adding(days: 244).description == "2026-10-31")
        #expect(day.adding(days: 0) == day)
        #expect(Day(number: 0).description == "1970-01-01" && Day(number: 0).daysSinceMonday == 3)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for number in stride(from: -800_000, through: 800_000, by: 997) {
            let instant = Date(timeIntervalSince1970: Double(number) * 86_400)
            let known = calendar.dateComponents([.year, .month, .day, .weekday, .era], from: instant)
            guard known.era == 1, (1583...3000).contains(known.year ?? 0) else { continue }
            let day = Day(number: number)
            #expect(day.year == known.year && day.month == known.month && day.day == known.day)
            #expect(day.number == number && (day.daysSinceMonday + 1) % 7 + 1 == known.weekday)
        }
    }

    @Test("a day is text in JSON, and an invalid one is named in the error")
    func json() throws {
        let day = try #require(Day("2026-11-21"))
        #expect(String(decoding: try JSONEncoder().encode([day]), as: UTF8.self) == #"["2026-11-21"]"#)
        #expect(try JSONDecoder().decode([Day].self, from: Data(#"["2026-11-21"]"#.utf8)) == [day])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Day].self, from: Data(#"["2026-02-30"]"#.utf8))
        }
    }

    @Test("days are sorted by the calendar")
    func order() throws {
        let days = try ["2026-01-31", "2026-02-01", "2025-12-31", "0999-05-05"].map { try #require(Day($0)) }
        #expect(days.sorted().map(\.description) == ["0999-05-05", "2025-12-31", "2026-01-31", "2026-02-01"])
    }
}
