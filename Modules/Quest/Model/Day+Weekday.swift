public import Domain

extension Day {
    /// The weekday as in ISO 8601: 1 is Monday.
    public var isoWeekday: Int { daysSinceMonday + 1 }
}
