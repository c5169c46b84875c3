public import Domain
public import FeatureKit
public import Foundation

/// Days in a row without school, such as the autumn holidays.
public struct DaysOff: Identifiable, Codable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    public let firstDay: Day
    /// The last day without school, which still belongs to the holidays.
    public let lastDay: Day

    public init(id: UUID, name: String, firstDay: Day, lastDay: Day) {
        self.id = id
        self.name = name
        self.firstDay = firstDay
        self.lastDay = lastDay
    }
}

/// The weekdays with school, and the days off.
public struct SchoolDays: Codable, Sendable, Hashable {
    /// The refresh topic of pages that depend on the days with and without school.
    public static let topic = "school-days"
    /// The default of a school: Monday to Friday, without days off.
    public static let usual = SchoolDays(weekdays: [1, 2, 3, 4, 5], daysOff: [])

    /// The weekdays with school, numbered as in ISO 8601: 1 is Monday, 7 is Sunday.
    public let weekdays: [Int]
    /// The days off, in the order of their first days.
    public let daysOff: [DaysOff]

    public init(weekdays: [Int], daysOff: [DaysOff]) {
        self.weekdays = weekdays
        self.daysOff = daysOff
    }

    /// Whether there is school on a day, by its weekday and the days off.
    public func isSchoolDay(_ day: Day) -> Bool {
        weekdays.contains(day.daysSinceMonday + 1) && daysOff(on: day) == nil
    }

    /// Returns the days off that include a day; `nil` if there are none.
    public func daysOff(on day: Day) -> DaysOff? {
        daysOff.first { $0.firstDay <= day && day <= $0.lastDay }
    }
}

/// Reads on which days of a school there is school.
public protocol SchoolCalendar: Sendable {
    /// Returns the weekdays with school, and the days off that overlap with the days from `first` through `last`.
    func schoolDays(from first: Day, through last: Day, in sql: any SQLReading) throws -> SchoolDays
}
