public import Domain
public import FeatureKit
public import OrganizationInterface
import Synchronization

/// A school's days in memory: every day has school until a test says otherwise.
public final class TestCalendar: SchoolCalendar {
    private let state = Mutex(SchoolDays(weekdays: Array(1...7), daysOff: []))

    public init() {}

    public var days: SchoolDays {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    public func schoolDays(from first: Day, through last: Day, in sql: any SQLReading) throws -> SchoolDays { days }
}
