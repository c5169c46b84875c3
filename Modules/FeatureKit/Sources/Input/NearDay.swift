public import Domain

extension Day {
    /// The years that somebody means: the births of the oldest people, and whatever a school plans. 0001 and 9999 are slips,
    /// or stand for "no end" elsewhere; here no end is no day.
    static let plausibleYears = 1900...2199
}

extension CommandContext {
    /// Refuses a day that is too far from today for what is planned or recorded with it. Every command that takes a day
    /// of the school's life asks it, unless it has a narrower rule of its own.
    ///
    /// - Parameters:
    ///   - field: the field that the fault is about.
    ///   - years: how far ahead the day may be, and how far back.
    public func checkNear(_ day: Day?, _ field: String, years: Int = 1) throws {
        guard let day else { return }
        let reach = 366 * years
        guard day <= today.adding(days: reach), day >= today.adding(days: -reach) else {
            throw Problem.invalid(field, "dayFar")
        }
    }
}
