public import Domain

extension Day {
    /// The years of days that are accepted, from the births of the oldest people to whatever a school plans.
    ///
    /// Years such as 0001 and 9999 are typing errors, or mean "no end" in other systems; here an open end is an
    /// absent day.
    static let plausibleYears = 1900...2199
}

extension CommandContext {
    /// Throws `Problem` 422 if a day is too far from today.
    ///
    /// Every command that takes a day of the school's life calls it, unless it has a narrower rule.
    /// - Parameters:
    ///   - field: the field that the fault names.
    ///   - years: how far in the future or in the past the day may be.
    public func checkNear(_ day: Day?, _ field: String, years: Int = 1) throws {
        guard let day else { return }
        let reach = 366 * years
        guard day <= today.adding(days: reach), day >= today.adding(days: -reach) else {
            throw Problem.invalid(field, "dayFar")
        }
    }
}
