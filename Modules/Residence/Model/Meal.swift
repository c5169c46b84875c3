public import Domain
public import Foundation

/// A meal of a residence's menu.
public struct Meal: Codable, Sendable, Hashable, Identifiable {
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        case breakfast
        case lunch
        case dinner
    }
    public let id: UUID
    public let pgId: UUID
    public let day: Day
    public let kind: Kind
    public var time: ClockTime
    public var dish: String
    public var diets: Set<Diet>
    /// The instant until which residents can choose whether they eat the meal.
    public let cutOff: Date

    public init(
        id: UUID, pgId: UUID, day: Day, kind: Kind, time: ClockTime, dish: String, diets: Set<Diet> = [],
        cutOff: Date
    ) {
        self.id = id
        self.pgId = pgId
        self.day = day
        self.kind = kind
        self.time = time
        self.dish = dish
        self.diets = diets
        self.cutOff = cutOff
    }

    /// Returns the instant at which the meal is served.
    public func servedAt(in calendar: ResidenceCalendar) -> Date {
        time.instant(on: day, in: calendar.timeZone)
    }
}

/// A diet that a resident keeps, or for which a dish is suitable.
public enum Diet: String, Codable, Sendable, Hashable, CaseIterable {
    case standard
    case vegetarian
    case vegan
    case halal
    case kosher
    case glutenFree
}

/// The choice of a resident whether to eat a meal.
public enum MealChoice: String, Codable, Sendable, Hashable, CaseIterable {
    case eat
    case skip
    /// The resident does not eat the meal because of an approved leave, whatever the resident chose.
    case onLeave

    /// Returns the choice that counts for a meal. A resident who chose nothing eats.
    public static func effective(
        chosen: MealChoice?, meal: Meal, leaves: [Leave], in calendar: ResidenceCalendar
    ) -> MealChoice {
        let served = meal.servedAt(in: calendar)
        // Looked at when the meal is served, so that a leave that lapsed does not count.
        if leaves.contains(where: { $0.covers(served) }) { return .onLeave }
        return chosen == .skip ? .skip : .eat
    }
}
