import Domain
import Foundation
import ResidenceModel
import Testing

/// Paris changes its clocks on 29 March 2026 at 2:00 and on 25 October 2026 at 3:00.
enum Paris {
    static let zone = TimeZone(identifier: "Europe/Paris") ?? .gmt
    static let calendar = ResidenceCalendar(timeZone: zone)

    /// The instant of a text such as `2026-11-12 18:42` in Paris.
    static func at(_ text: String) throws -> Date {
        let parts = text.split(separator: " ")
        let day = try #require(Day(String(parts[0])))
        return try #require(ClockTime(String(parts[1]))).instant(on: day, in: zone)
    }
}

@Suite("A residence's calendar")
struct CalendarTests {
    @Test(
        "a record between midnight and 05:30 belongs to the evening before",
        arguments: [
            ("2026-11-12 18:42", "2026-11-12"), ("2026-11-12 23:59", "2026-11-12"),
            ("2026-11-13 00:00", "2026-11-12"),
            ("2026-11-13 05:29", "2026-11-12"), ("2026-11-13 05:30", "2026-11-13"),
            // The nights in which clocks change.
            ("2026-03-29 05:29", "2026-03-28"), ("2026-03-29 05:30", "2026-03-29"),
            ("2026-10-25 05:29", "2026-10-24"), ("2026-10-25 05:30", "2026-10-25"),
            ("2027-01-01 01:00", "2026-12-31"),
        ])
    func day(at time: String, is day: String) throws {
        #expect(Paris.calendar.day(of: try Paris.at(time)).description == day)
    }

    @Test(
        "a day has 24 hours, 23 when clocks go forward and 25 when they go back",
        arguments: [("2026-11-12", 24), ("2026-03-28", 23), ("2026-10-24", 25)])
    func length(of text: String, is hours: Double) throws {
        let day = try #require(Day(text))
        #expect(Paris.calendar.end(of: day).timeIntervalSince(Paris.calendar.start(of: day)) == hours * 3600)
    }

    @Test("the curfew depends on the evening, and one after midnight belongs to the evening before")
    func curfew() throws {
        let residence = Residence(
            id: UUID(), name: "Birch", schoolNightCurfew: try #require(ClockTime("20:00")),
            weekendCurfew: try #require(ClockTime("0:30")))
        let thursday = try #require(Day("2026-11-12"))
        #expect(try Paris.calendar.curfew(of: residence, on: thursday) == Paris.at("2026-11-12 20:00"))
        #expect(
            try Paris.calendar.curfew(of: residence, on: thursday.adding(days: 1)) == Paris.at("2026-11-14 00:30"))
        #expect(
            try Paris.calendar.curfew(of: residence, on: thursday.adding(days: 3)) == Paris.at("2026-11-15 20:00"))
    }
}
