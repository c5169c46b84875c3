public import Domain
public import FeatureKit
public import Foundation

/// Contributes events to the calendar feeds that people subscribe to in calendar apps. Implemented by each feature block
/// that has something with a day or a time.
public protocol CalendarSource: Sendable {
    /// Returns the events of some days that a member may see, in any order.
    ///
    /// They say no more than the pages that the member can open. The caller's database transaction must stay short, so
    /// the source reads only what it needs.
    /// - Parameters:
    ///   - days: the days of the feed. An event that only overlaps with them is returned as well.
    ///   - words: the texts in the language of the member.
    func events(
        for membership: ActiveMembership, on days: ClosedRange<Day>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent]
}

/// An event of a calendar feed, such as a lesson or a leave.
public struct CalendarEvent: Identifiable, Sendable, Hashable {
    /// The name of the event, the same at each reading and in the feeds of all people: a word and an id, such as
    /// `work-0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57`. Calendar apps recognize a changed event by it.
    public let id: String
    public let title: String
    /// The room or other place of the event; `nil` if it has none.
    public let place: String?
    public let time: Time
    /// The path of the page about the event; `nil` if there is none.
    public let path: String?
    /// Whether calendar apps show the time of the event as busy.
    public let isBusy: Bool

    /// The days or times at which an event of a calendar feed takes place.
    public enum Time: Sendable, Hashable {
        /// The event lasts from a first through a last day and has no time of day.
        case days(ClosedRange<Day>)
        /// The event lasts from one instant until another. An empty range is a moment, such as a due time.
        case span(Range<Date>)
        /// The event takes place every week at a time of the school's clock.
        case weekly(WeeklyTime)
    }

    public init(
        id: String, title: String, place: String? = nil, time: Time, path: String? = nil, isBusy: Bool = false
    ) {
        self.id = id
        self.title = title
        self.place = place
        self.time = time
        self.path = path
        self.isBusy = isBusy
    }
}

/// The weekly meetings of an event of a calendar feed, at the same time of the school's clock.
public struct WeeklyTime: Sendable, Hashable {
    /// The first day on which the event takes place, with the weekday of all others; never a day in `except`.
    public let first: Day
    /// The last day on which the event takes place.
    public let last: Day
    /// The beginning and the end of the event in minutes since midnight, in the school's time zone.
    public let minutes: Range<Int>
    /// The days between the first and the last on which the event would take place, but there is no school.
    public let except: [Day]

    /// Creates the meetings on one weekday between two days, both included; `nil` if none is left.
    /// - Parameters:
    ///   - weekday: the day of the week as in `Day.daysSinceMonday`: 0 is Monday.
    ///   - isOff: whether there is no school on a day.
    public init?(
        weekday: Int, minutes: Range<Int>, from start: Day, through end: Day, isOff: (Day) -> Bool = { _ in false }
    ) {
        let earliest = start.adding(days: (weekday - start.daysSinceMonday + 7) % 7)
        guard earliest <= end else { return nil }
        let days = stride(from: earliest.number, through: end.number, by: 7).map(Day.init(number:))
        let off = Set(days.filter(isOff))
        guard let first = days.first(where: { !off.contains($0) }),
            let last = days.last(where: { !off.contains($0) })
        else { return nil }
        self.first = first
        self.last = last
        self.minutes = minutes
        except = days.filter { first < $0 && $0 < last && off.contains($0) }
    }
}
