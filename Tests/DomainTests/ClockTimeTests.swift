import Domain
import Foundation
import Testing

@Suite("A time of day")
struct ClockTimeTests {
    /// Paris changes its clocks on 29 March 2026 at 2:00 and on 25 October 2026 at 3:00.
    @Test(
        "a time is found across changes of clocks: the end of a gap, and the first of two equal times",
        arguments: [
            ("2026-03-29", "23:59", "2026-03-29T21:59:00Z"), ("2026-10-25", "23:59", "2026-10-25T22:59:00Z"),
            ("2026-03-29", "02:30", "2026-03-29T01:00:00Z"), ("2026-10-25", "02:30", "2026-10-25T00:30:00Z"),
            ("2026-03-29", "00:00", "2026-03-28T23:00:00Z"), ("2026-11-12", "18:42", "2026-11-12T17:42:00Z"),
        ])
    func instant(day: String, time: String, is expected: String) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Paris"))
        let instant = try #require(ClockTime(time)).instant(on: #require(Day(day)), in: zone)
        #expect(instant == (try Date(expected, strategy: .iso8601)))
    }

    @Test(
        "a time of day is read as people write it",
        arguments: [
            ("20:00", "20:00"), ("8:05", "08:05"), ("8h05", "08:05"), ("0:00", "00:00"), ("23:59", "23:59"),
            ("24:00", nil), ("12:60", nil), ("8:5", nil), ("7", nil), ("a:00", nil), ("", nil), ("٨:٠٥", nil),
            ("-1:00", nil), ("12:00:00", nil),
        ] as [(String, String?)])
    func text(text: String, is expected: String?) {
        #expect(ClockTime(text)?.description == expected)
    }
}
