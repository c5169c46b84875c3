import Domain
import Foundation

/// Writes the VTIMEZONE of a school's time zone (RFC 5545 section 3.6.5) for the days of a feed.
///
/// It lists each change of the clocks by itself, because a rule that repeats yearly would be wrong for zones that change
/// by decree.
enum ZoneWriter {
    /// A change of the clocks: the first instant after it and the offsets in seconds before and after it.
    struct Transition: Hashable {
        let at: Date
        let before: Int
        let after: Int
    }

    static func lines(_ timeZone: TimeZone, on days: ClosedRange<Day>) -> ContentLines {
        let start = days.lowerBound.start(in: .gmt)
        var lines = ContentLines()
        lines.add("BEGIN", "VTIMEZONE")
        lines.add("TZID", timeZone.identifier)
        let first = timeZone.secondsFromGMT(for: start)
        add(Transition(at: start, before: first, after: first), of: timeZone, to: &lines)
        for transition in transitions(of: timeZone, on: days) { add(transition, of: timeZone, to: &lines) }
        lines.add("END", "VTIMEZONE")
        return lines
    }

    private static func add(_ transition: Transition, of timeZone: TimeZone, to lines: inout ContentLines) {
        let part = timeZone.isDaylightSavingTime(for: transition.at) ? "DAYLIGHT" : "STANDARD"
        lines.add("BEGIN", part)
        lines.add("DTSTART", CalendarTime.local(transition.at, offset: transition.before))
        lines.add("TZOFFSETFROM", CalendarTime.offset(transition.before))
        lines.add("TZOFFSETTO", CalendarTime.offset(transition.after))
        lines.add("TZNAME", text: timeZone.abbreviation(for: transition.at) ?? timeZone.identifier)
        lines.add("END", part)
    }

    /// The changes of the clocks on some days, earliest first.
    ///
    /// Found by comparing the offsets of each week's ends, since `nextDaylightSavingTimeTransition` misses changes that
    /// have nothing to do with daylight saving.
    static func transitions(of timeZone: TimeZone, on days: ClosedRange<Day>) -> [Transition] {
        let (start, end) = (days.lowerBound.number * 86_400, (days.upperBound.number + 1) * 86_400)
        func offset(_ seconds: Int) -> Int {
            timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        }
        return stride(from: start, to: end, by: 7 * 86_400).compactMap { week in
            var (low, high) = (week, min(week + 7 * 86_400, end))
            let (before, after) = (offset(low), offset(high))
            guard before != after else { return nil }
            while high - low > 1 {
                let middle = (low + high) / 2
                if offset(middle) == before { low = middle } else { high = middle }
            }
            return Transition(at: Date(timeIntervalSince1970: Double(high)), before: before, after: after)
        }
    }
}
