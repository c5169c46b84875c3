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
    /// The resident does not eat the meal because of an approved leave. The choice of the resident does not count.
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

/// A meal of a residence, with the choice of a resident whether to eat it.
public struct ResidentMeal: Codable, Sendable, Hashable, Identifiable {
    public let meal: Meal
    public var choice: MealChoice
    /// Whether the resident may still choose whether to eat the meal.
    public let isOpen: Bool

    /// The id of the meal.
    public var id: UUID { meal.id }

    public init(meal: Meal, choice: MealChoice, isOpen: Bool) {
        self.meal = meal
        self.choice = choice
        self.isOpen = isOpen
    }
}

/// The numbers of residents who eat a meal, skip it, or are on leave when it is served.
public struct HeadCount: Codable, Sendable, Hashable {
    /// The number of residents who eat a meal and keep one diet.
    public struct DietCount: Codable, Sendable, Hashable {
        public let diet: Diet
        public let count: Int

        public init(diet: Diet, count: Int) {
            self.diet = diet
            self.count = count
        }
    }
    public let meal: Meal
    public let eat: Int
    public let skip: Int
    public let onLeave: Int
    /// The numbers of the diets of those who eat the meal; diets that nobody keeps are left out.
    public let diets: [DietCount]

    public init(meal: Meal, eat: Int, skip: Int, onLeave: Int, diets: [DietCount]) {
        self.meal = meal
        self.eat = eat
        self.skip = skip
        self.onLeave = onLeave
        self.diets = diets
    }

    /// Returns the number of residents who eat the meal and keep a diet.
    public func count(of diet: Diet) -> Int { diets.first { $0.diet == diet }?.count ?? 0 }
}

/// The diet and the allergies of a resident.
public struct ResidentDiet: Codable, Sendable, Hashable {
    public let studentId: UUID
    public var diet: Diet
    public var allergies: String?
    /// Whether the resident carries an adrenaline auto-injector for allergic emergencies.
    public var carriesPen: Bool

    public init(studentId: UUID, diet: Diet = .standard, allergies: String? = nil, carriesPen: Bool = false) {
        self.studentId = studentId
        self.diet = diet
        self.allergies = allergies
        self.carriesPen = carriesPen
    }
}
