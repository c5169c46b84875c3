import Domain
import FeatureKit
import Foundation
import Synchronization

/// A clock that shows the time of the diary entry that is being carried out.
final class DiaryClock: WallClock, Sendable {
    private let instant: Mutex<Date>

    init(_ start: Date) { instant = Mutex(start) }

    var now: Date { instant.withLock { $0 } }

    func set(_ date: Date) { instant.withLock { $0 = date } }
}

/// The activity in the sample school over some weeks, so that its records have realistic days and hours.
struct DemoDiary {
    private struct Entry {
        let time: Date
        let happen: () async throws -> Void
    }

    /// The real time, after which nothing happens.
    let end: Date
    let timeZone: TimeZone
    /// The school days up to today, Mondays to Fridays, oldest first.
    let schoolDays: [Day]
    private var entries: [Entry] = []

    /// Creates a diary without activities.
    /// - Parameter count: the number of school days before today.
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

    /// Returns the last school days before today, latest last.
    func lastSchoolDays(_ count: Int) -> ArraySlice<Day> { schoolDays.filter { $0 < today }.suffix(count) }

    /// Adds an activity at a time of a day. An activity later than the real time is carried out at the real time.
    /// - Parameters:
    ///   - hour: the hour of the school's day.
    ///   - minute: the minutes after the hour, which may be 60 or more.
    mutating func add(
        _ day: Day, _ hour: Int, _ minute: Int = 0, _ happen: @escaping () async throws -> Void
    ) {
        // Counted from midday, because daylight saving may move the start of a day.
        let time = day.midday(in: timeZone).addingTimeInterval(Double((hour - 12) * 3600 + minute * 60))
        add(at: time, happen)
    }

    /// Adds an activity at an instant. An activity later than the real time is carried out at the real time.
    mutating func add(at time: Date, _ happen: @escaping () async throws -> Void) {
        entries.append(Entry(time: min(time, end), happen: happen))
    }

    /// Carries out all activities in the order of their times; activities of the same time in the order in which they
    /// were added.
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
    /// Whether the day is Monday to Friday. 1 January 1970, the day with number 0, was a Thursday.
    fileprivate var isWeekday: Bool { (number + 3) % 7 < 5 }
}
