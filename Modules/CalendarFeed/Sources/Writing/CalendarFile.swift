import CalendarFeedInterface
import Domain
import Foundation

/// Writes the iCalendar file of a feed (RFC 5545 section 3.6).
struct CalendarFile {
    /// The name under which calendar apps list the feed.
    let title: String
    let schoolId: UUID
    let timeZone: TimeZone
    /// The days that the VTIMEZONE covers.
    let days: ClosedRange<Day>
    /// The title of an event that does not take place.
    let canceled: String

    /// Returns the bytes of the file. The same events at the same versions give the same bytes.
    func bytes(_ events: [(event: WrittenEvent, version: EventVersion)], canceled gone: [EventVersion]) -> [UInt8] {
        var lines = ContentLines()
        lines.add("BEGIN", "VCALENDAR")
        lines.add("VERSION", "2.0")
        lines.add("PRODID", "-//PinkTower//Calendar feed//EN")
        lines.add("CALSCALE", "GREGORIAN")
        // Section 5.1 of RFC 7986, and the names that apps read that do not know it.
        lines.add("NAME", text: title)
        lines.add("X-WR-CALNAME", text: title)
        lines.add("X-WR-TIMEZONE", timeZone.identifier)
        lines.add("REFRESH-INTERVAL;VALUE=DURATION", "PT4H")
        lines.add("X-PUBLISHED-TTL", "PT4H")
        lines.add(ZoneWriter.lines(timeZone, on: days))
        for (event, version) in events {
            begin(version, &lines)
            lines.add(event.content)
            lines.add("END", "VEVENT")
        }
        for version in gone {
            begin(version, &lines)
            let parts = version.start.split(separator: ":", maxSplits: 1).map(String.init)
            if parts.count == 2 { lines.add(parts[0], parts[1]) }
            lines.add("SUMMARY", text: canceled)
            lines.add("STATUS", "CANCELLED")
            lines.add("TRANSP", "TRANSPARENT")
            lines.add("END", "VEVENT")
        }
        lines.add("END", "VCALENDAR")
        return lines.bytes
    }

    private func begin(_ version: EventVersion, _ lines: inout ContentLines) {
        lines.add("BEGIN", "VEVENT")
        lines.add("UID", "\(version.id)@\(schoolId.text)")
        // Without a METHOD, the time of the last change (section 3.8.7.2).
        let changed = CalendarTime.utc(version.changedAt)
        lines.add("DTSTAMP", changed)
        lines.add("LAST-MODIFIED", changed)
        lines.add("SEQUENCE", "\(version.sequence)")
    }
}
