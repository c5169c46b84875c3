import CalendarFeedInterface
import Domain
import Foundation

/// An event as lines of an iCalendar file, without those that say which version it is.
struct WrittenEvent {
    let id: String
    /// The content of the event, by which a change is noticed.
    let content: ContentLines
    /// The beginning for a cancellation, which needs no time zone: a property with its value.
    let start: String
    /// The last day of the event, in the school's time zone.
    let lastDay: Day
}

/// Writes the events of a feed as VEVENT components (RFC 5545 section 3.6.1).
struct EventWriter {
    let timeZone: TimeZone
    /// The address of this server, for links to pages.
    let publicURL: String

    func write(_ event: CalendarEvent) -> WrittenEvent {
        var lines = ContentLines()
        let (start, lastDay) = write(event.time, to: &lines)
        lines.add("SUMMARY", text: event.title)
        if let place = event.place { lines.add("LOCATION", text: place) }
        if let path = event.path { lines.add("URL", publicURL + path) }
        lines.add("CLASS", "PRIVATE")
        lines.add("TRANSP", event.isBusy ? "OPAQUE" : "TRANSPARENT")
        return WrittenEvent(id: event.id, content: lines, start: start, lastDay: lastDay)
    }

    private func write(_ time: CalendarEvent.Time, to lines: inout ContentLines) -> (start: String, lastDay: Day) {
        switch time {
        case .days(let days):
            let start = CalendarTime.date(days.lowerBound)
            lines.add("DTSTART;VALUE=DATE", start)
            // The end is the first day after the event.
            lines.add("DTEND;VALUE=DATE", CalendarTime.date(days.upperBound.adding(days: 1)))
            return ("DTSTART;VALUE=DATE:\(start)", days.upperBound)
        case .span(let span):
            // In UTC, because an hour that the clocks repeat has no other name.
            let start = CalendarTime.utc(span.lowerBound)
            lines.add("DTSTART", start)
            if !span.isEmpty { lines.add("DTEND", CalendarTime.utc(span.upperBound)) }
            return ("DTSTART:\(start)", Day(span.upperBound, in: timeZone))
        case .weekly(let weekly):
            let zone = "TZID=\(timeZone.identifier)"
            lines.add("DTSTART;\(zone)", CalendarTime.local(weekly.first, minutes: weekly.minutes.lowerBound))
            lines.add("DTEND;\(zone)", CalendarTime.local(weekly.first, minutes: weekly.minutes.upperBound))
            if weekly.first != weekly.last {
                // The end of the last day, in UTC as section 3.3.10 demands.
                let end = CalendarTime.instant(weekly.last, seconds: 86_399, in: timeZone)
                lines.add("RRULE", "FREQ=WEEKLY;UNTIL=\(CalendarTime.utc(end))")
            }
            if !weekly.except.isEmpty {
                lines.add(
                    "EXDATE;\(zone)",
                    weekly.except.map { CalendarTime.local($0, minutes: weekly.minutes.lowerBound) }
                        .joined(separator: ","))
            }
            let start = CalendarTime.instant(
                weekly.first, seconds: weekly.minutes.lowerBound * 60, in: timeZone)
            return ("DTSTART:\(CalendarTime.utc(start))", weekly.last)
        }
    }
}
