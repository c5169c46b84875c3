public import Domain
public import FeatureKit
public import Foundation

/// Days in a row without school, such as the autumn holidays.
public struct DaysOff: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    public let firstDay: Day
    /// Included.
    public let lastDay: Day

    public init(id: UUID, name: String, firstDay: Day, lastDay: Day) {
        self.id = id
        self.name = name
        self.firstDay = firstDay
        self.lastDay = lastDay
    }
}

/// The days of the week with school, and the days off.
public struct SchoolDays: Codable, Sendable, Hashable {
    /// Open pages that depend on these days hear of changes under this topic.
    public static let topic = "school-days"
    /// Monday to Friday, as in a school that has not changed it.
    public static let usual = SchoolDays(weekdays: [1, 2, 3, 4, 5], daysOff: [])

    /// The days of the week with school as ISO 8601 numbers them: 1 is Monday, 7 is Sunday.
    public let weekdays: [Int]
    /// In the order of their first days.
    public let daysOff: [DaysOff]

    public init(weekdays: [Int], daysOff: [DaysOff]) {
        self.weekdays = weekdays
        self.daysOff = daysOff
    }

    public func isSchoolDay(_ day: Day) -> Bool {
        weekdays.contains(day.daysSinceMonday + 1) && daysOff(on: day) == nil
    }

    /// The days off that include a day; `nil` where there are none.
    public func daysOff(on day: Day) -> DaysOff? {
        daysOff.first { $0.firstDay <= day && day <= $0.lastDay }
    }
}

/// The days without school, for blocks that work by the day.
public protocol SchoolCalendar: Sendable {
    /// The days of the week with school, and the days off that touch the days from `first` through `last`.
    func schoolDays(from first: Day, through last: Day, in sql: any SQLReading) throws -> SchoolDays
}
