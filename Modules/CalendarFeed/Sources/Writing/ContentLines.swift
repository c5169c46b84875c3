import Domain
import Foundation

/// The content lines of an iCalendar file (RFC 5545 section 3.1), folded and ended by CRLF.
struct ContentLines {
    /// The longest line in octets, without its end.
    static let longest = 75

    private(set) var bytes: [UInt8] = []

    /// Adds a line whose value needs no escaping, such as a date.
    mutating func add(_ name: String, _ value: String) {
        let start = begin(name)
        bytes.append(contentsOf: value.utf8)
        end(start)
    }

    /// Adds a line with a text that people wrote (section 3.3.11). Its line breaks and the characters that have a
    /// meaning are escaped; control characters other than the tab are not allowed and left out.
    mutating func add(_ name: String, text: String) {
        let start = begin(name)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): bytes += [UInt8(ascii: "\\"), byte]
            case 10 where previous == 13: break
            case 10, 13: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case 9, 32..<127, 128...: bytes.append(byte)
            default: break
            }
            previous = byte
        }
        end(start)
    }

    /// Adds lines that are folded already.
    mutating func add(_ lines: ContentLines) { bytes += lines.bytes }

    private mutating func begin(_ name: String) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ":"))
        return start
    }

    private mutating func end(_ start: Int) {
        if bytes.count - start > Self.longest { fold(from: start) }
        bytes += [13, 10]
    }

    /// Divides the line that begins at `start` into parts of at most 75 octets. Each part after the first begins with a
    /// space. A character in UTF-8 is never cut.
    private mutating func fold(from start: Int) {
        let line = Array(bytes[start...])
        bytes.removeSubrange(start...)
        var (start, room) = (0, Self.longest)
        while line.count - start > room {
            var end = start + room
            // 10xxxxxx continues a character (RFC 3629 section 3).
            while line[end] & 0xC0 == 0x80 { end -= 1 }
            bytes += line[start..<end]
            bytes += [13, 10, 32]
            start = end
            room = Self.longest - 1
        }
        bytes += line[start...]
    }
}

/// Dates and times as iCalendar writes them (RFC 5545 sections 3.3.4, 3.3.5 and 3.3.14).
enum CalendarTime {
    /// `20261126`
    static func date(_ day: Day) -> String { digits(day.year * 10_000 + day.month * 100 + day.day, 8) }

    /// A time of a school's clock without its zone: `20261126T090000`. Minutes beyond a day belong to the next one.
    static func local(_ day: Day, minutes: Int) -> String {
        let day = day.adding(days: minutes / 1440)
        return "\(date(day))T\(clock(minutes % 1440 * 60))"
    }

    /// `20261126T080000Z`
    static func utc(_ instant: Date) -> String {
        let seconds = Int(instant.timeIntervalSince1970.rounded(.down))
        let (day, rest) = dayAndRest(seconds)
        return "\(date(day))T\(clock(rest))Z"
    }

    /// The time of an instant with a distance from UTC in seconds, without its zone.
    static func local(_ instant: Date, offset: Int) -> String {
        String(utc(instant.addingTimeInterval(Double(offset))).dropLast())
    }

    /// The distance of a zone from UTC: `+0100`, with seconds only if there are any.
    static func offset(_ seconds: Int) -> String {
        let size = seconds.magnitude
        let text = clock(Int(size))
        return (seconds < 0 ? "-" : "+") + (size % 60 == 0 ? String(text.dropLast(2)) : text)
    }

    /// The instant at which a school's clock shows a time of a day.
    static func instant(_ day: Day, seconds: Int, in timeZone: TimeZone) -> Date {
        let asUTC = Date(timeIntervalSince1970: Double(day.number * 86_400 + seconds))
        // The offset is that of the instant, which is known but for the offset.
        let near = asUTC.addingTimeInterval(-Double(timeZone.secondsFromGMT(for: asUTC)))
        return asUTC.addingTimeInterval(-Double(timeZone.secondsFromGMT(for: near)))
    }

    private static func dayAndRest(_ seconds: Int) -> (Day, Int) {
        let rest = ((seconds % 86_400) + 86_400) % 86_400
        return (Day(number: (seconds - rest) / 86_400), rest)
    }

    private static func clock(_ seconds: Int) -> String {
        digits(seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60, 6)
    }

    /// A number with zeros in front, without a formatter, because a feed has thousands.
    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return text.utf8.count < count ? String(repeating: "0", count: count - text.utf8.count) + text : text
    }
}
