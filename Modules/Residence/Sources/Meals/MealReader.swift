import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// Counts who eats the meals of a residence.
struct MealReader: Sendable {
    let calendar: ResidenceCalendar

    init(in timeZone: TimeZone) { calendar = ResidenceCalendar(timeZone: timeZone) }

    /// The Monday of a day's week.
    static func monday(of day: Day) -> Day { day.adding(days: -day.daysSinceMonday) }

    /// The meals of a residence with how many eat them, from one day through another.
    ///
    /// Counted are those who live there on the day of the meal and are not away for longer.
    func headCounts(
        of residenceId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [HeadCount] {
        let meals = try MealRepository.meals(of: residenceId, from: first, through: last, in: sql)
        guard !meals.isEmpty else { return [] }
        let choices = try MealRepository.choices(of: meals.map(\.id), in: sql)
        let diets = try MealRepository.diets(of: residenceId, in: sql)
        let leaves = Dictionary(
            grouping: try LeaveRepository.leaves(
                of: residenceId, from: calendar.start(of: first), until: calendar.end(of: last), in: sql),
            by: \.studentId)
        let away = Set(
            try ResidentRepository.residents(of: residenceId, statuses: [.inactive], in: sql)
                .map(\.resident.personId))
        let eaters = try Set(meals.map(\.day)).reduce(into: [Day: [UUID]]()) { found, day in
            found[day] = try StayRepository.stays(of: residenceId, on: day, in: sql).map(\.studentId)
                .filter { !away.contains($0) }
        }
        return meals.map { meal in
            var (counts, dietCounts) = ([MealChoice: Int](), [Diet: Int]())
            for id in eaters[meal.day] ?? [] {
                let choice = MealChoice.effective(
                    chosen: choices[meal.id]?[id], meal: meal, leaves: leaves[id] ?? [], in: calendar)
                counts[choice, default: 0] += 1
                if choice == .eat { dietCounts[diets[id]?.diet ?? .standard, default: 0] += 1 }
            }
            return HeadCount(
                meal: meal, eat: counts[.eat] ?? 0, skip: counts[.skip] ?? 0, onLeave: counts[.onLeave] ?? 0,
                diets: Diet.allCases.compactMap { diet in dietCounts[diet].map { .init(diet: diet, count: $0) } })
        }
    }

    /// The meals of a resident from one day through another, with what counts for each.
    func meals(
        of resident: Resident, from first: Day, through last: Day, at now: Date, in sql: any SQLReading
    ) throws -> [ResidentMeal] {
        let meals = try MealRepository.meals(of: resident.pgId, from: first, through: last, in: sql)
        let choices = try MealRepository.choices(of: meals.map(\.id), in: sql)
        let leaves = try LeaveRepository.leaves(of: resident.personId, in: sql)
        return meals.map { meal in
            let choice = MealChoice.effective(
                chosen: choices[meal.id]?[resident.personId], meal: meal, leaves: leaves, in: calendar)
            return ResidentMeal(meal: meal, choice: choice, isOpen: choice != .onLeave && now < meal.cutOff)
        }
    }

    /// The residents with an allergy who live in a residence on a day, in the order of their rooms.
    func allergies(of residenceId: UUID, on day: Day, in sql: any SQLReading) throws -> [ResidentDiet] {
        let diets = try MealRepository.diets(of: residenceId, in: sql)
        return try StayRepository.stays(of: residenceId, on: day, in: sql).compactMap { diets[$0.studentId] }
            .filter { $0.allergies != nil }
    }
}
