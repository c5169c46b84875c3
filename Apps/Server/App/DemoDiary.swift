import Domain
import FeatureKit
import Foundation
import Synchronization

/// A clock that shows the time of the diary's entry that is being lived through.
final class DiaryClock: WallClock, Sendable {
    private let instant: Mutex<Date>

    init(_ start: Date) { instant = Mutex(start) }

    var now: Date { instant.withLock { $0 } }

    func set(_ date: Date) { instant.withLock { $0 = date } }
}

/// What happens in the sample school over some weeks, so that its records have the days and hours at which people
/// would have made them.
struct DemoDiary {
    private struct Entry {
        let time: Date
        let happen: () async throws -> Void
    }

    /// The real time; nothing happens after it.
    let end: Date
    let timeZone: TimeZone
    /// The days with school up to today, oldest first: Mondays to Fridays.
    let schoolDays: [Day]
    private var entries: [Entry] = []

    /// - Parameter count: school days before today.
    init(end: Date, timeZone: TimeZone, schoolDays count: Int) {
        self.end = end
        self.timeZone = timeZone
        let today = Day(end, in: timeZone)
        var days: [Day] = []
        var day = today.adding(days: -1)
        while days.count < count {
            if day.isWeekday { days.insert(day, at: 0) }
            day = day.adding(days: -1)
        }
        schoolDays = days + (today.isWeekday ? [today] : [])
    }

    var today: Day { Day(end, in: timeZone) }

    /// The last school days before today, latest last.
    func lastSchoolDays(_ count: Int) -> ArraySlice<Day> { schoolDays.filter { $0 < today }.suffix(count) }

    /// Notes what happens on a day at a time of it. Something of today that is still to come happens now.
    /// - Parameters:
    ///   - hour: of the school's day.
    ///   - minute: may be 60 or more, which leads to the hours after.
    mutating func add(
        _ day: Day, _ hour: Int, _ minute: Int = 0, _ happen: @escaping () async throws -> Void
    ) {
        // Counted from midday, because a day's start may be moved by daylight saving.
        let time = day.midday(in: timeZone).addingTimeInterval(Double((hour - 12) * 3600 + minute * 60))
        entries.append(Entry(time: min(time, end), happen: happen))
    }

    /// Lives through all entries in the order of their times; those of one time in the order of their notes.
    func live(by clock: DiaryClock) async throws {
        let ordered = entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        for (_, entry) in ordered {
            clock.set(entry.time)
            try await entry.happen()
        }
        clock.set(end)
    }
}

extension Day {
    /// Monday to Friday. 1 January 1970, the day with number 0, was a Thursday.
    fileprivate var isWeekday: Bool { (number + 3) % 7 < 5 }
}
