import CoursesInterface
import Domain
import Foundation

/// Reads and writes weekly periods as text, one on a line: `Mon 9:00-10:15 Room 12`, `jeu. 14h-15h30`.
enum ScheduleText {
    /// The most periods of a course.
    static let most = 30

    /// A fault with the number of its line, from 1.
    enum Fault: Error, Hashable {
        case weekday(line: Int)
        case times(line: Int)
        case tooMany
    }

    /// The first two letters of the weekdays in English and French, which are all different.
    private static let names = [
        ["mo", "lu"], ["tu", "ma"], ["we", "me"], ["th", "je"], ["fr", "ve"], ["sa"], ["su", "di"],
    ]

    /// Returns the periods in the order of the week. Empty lines are ignored.
    static func parse(_ text: String) throws(Fault) -> [CoursePeriod] {
        var periods: [CoursePeriod] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let parts = line.split(whereSeparator: { $0.isWhitespace || ",·".contains($0) })
            guard let first = parts.first else { continue }
            let day = NameFolding.fold(String(first.prefix(2)))
            guard let weekday = names.firstIndex(where: { $0.contains(day) }) else {
                throw .weekday(line: index + 1)
            }
            let rest = parts.dropFirst()
            // "9:00 - 10:00" has three parts, "9:00-10:00" one.
            let dashes: Set<Character> = ["-", "–", "—"]
            var times = ""
            var used = 0
            for part in rest {
                guard part.allSatisfy({ $0.isASCII && $0.isNumber || dashes.contains($0) || ":hH".contains($0) })
                else {
                    break
                }
                // A number after two complete times is the room.
                if let (_, end) = span(times), end != nil, !dashes.contains(where: { part.contains($0) }) { break }
                times += part
                used += 1
            }
            guard let (start, last) = span(times), let end = last, start < end else {
                throw .times(line: index + 1)
            }
            let room = rest.dropFirst(used).joined(separator: " ")
            periods.append(
                CoursePeriod(
                    weekday: weekday, start: start, end: end, room: room.isEmpty ? nil : String(room.prefix(60))))
        }
        guard periods.count <= most else { throw .tooMany }
        return periods.sorted()
    }

    /// Writes the periods as one would type them in the reader's language.
    static func text(_ periods: [CoursePeriod], _ words: Words) -> String {
        periods.map { period in
            func time(_ minutes: Int) -> String {
                "\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)"
            }
            let day = words.weekday(CoursePeriod.day(ofWeekday: period.weekday))
            return "\(day) \(time(period.start))-\(time(period.end))" + (period.room.map { " \($0)" } ?? "")
        }.joined(separator: "\n")
    }

    private static func span(_ text: String) -> (start: Int, end: Int?)? {
        let parts = text.split(whereSeparator: { "-–—".contains($0) })
        guard let first = parts.first, let start = minutes(first), parts.count <= 2 else { return nil }
        return (start, parts.count == 2 ? end(parts[1]) : nil)
    }

    /// An end at midnight means the end of the day, as `24:00` or `0:00`.
    private static func end(_ text: Substring) -> Int? {
        let endOfDay = 24 * 60
        if ["24", "24:00", "24h", "24H", "24h00", "24H00"].contains(text) { return endOfDay }
        return minutes(text).map { $0 == 0 ? endOfDay : $0 }
    }

    /// Reads `9`, `9:05`, `9h05` or `9h` as minutes after midnight.
    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false, whereSeparator: { ":hH".contains($0) })
        guard let hour = parts.first.flatMap({ Int($0) }), (0...23).contains(hour), parts.count <= 2 else {
            return nil
        }
        guard parts.count == 2, !parts[1].isEmpty else { return hour * 60 }
        guard parts[1].count == 2, let minute = Int(parts[1]), (0...59).contains(minute) else { return nil }
        return hour * 60 + minute
    }
}

/// Reads and writes credits: `1`, `1.5`, `0,25`.
enum CreditText {
    /// Returns the credits in hundredths; `nil` unless the text is a number from 0 to 100 with at most two decimal
    /// places.
    static func parse(_ text: String) -> Int? {
        let parts = text.replacingOccurrences(of: ",", with: ".").split(
            separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...3).contains(whole.count), parts.count <= 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let units = Int(whole)
        else { return nil }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard decimals.count <= 2, parts.count == 1 || !decimals.isEmpty else { return nil }
        let hundredths = units * 100 + (Int(decimals.padding(toLength: 2, withPad: "0", startingAt: 0)) ?? 0)
        return hundredths <= 10_000 ? hundredths : nil
    }

    /// Writes credits in the reader's language: `1.5`.
    static func text(_ hundredths: Int, _ words: Words) -> String {
        (Decimal(hundredths) / 100).formatted(.number.locale(words.locale))
    }
}
