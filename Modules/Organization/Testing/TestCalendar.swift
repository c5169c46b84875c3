public import Domain
public import FeatureKit
public import OrganizationInterface
import Synchronization

/// A calendar in memory. Every day has school until a test changes it.
public final class TestCalendar: SchoolCalendar {
    private let state = Mutex(SchoolDays(weekdays: Array(1...7), daysOff: []))

    public init() {}

    public var days: SchoolDays {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    public func schoolDays(from first: Day, through last: Day, in sql: any SQLReading) throws -> SchoolDays { days }
}
