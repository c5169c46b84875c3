import DesignSystem
import Domain
import FeatureKit
import Foundation
import ResidenceModel
import ScreenKit

/// The texts about meals that several pages share, in the reader's language.
struct MealWords: Sendable {
    let words: Words
    let timeZone: TimeZone

    init(_ request: ScreenRequest) {
        self.init(request.words, request.context.caller.timeZone)
    }

    init(_ words: Words, _ timeZone: TimeZone) {
        self.words = words
        self.timeZone = timeZone
    }

    /// "Breakfast".
    func name(_ kind: Meal.Kind) -> String { words("residence.meal.\(kind.rawValue)") }

    func name(_ diet: Diet) -> String { words("residence.diet.\(diet.rawValue)") }

    func time(_ meal: Meal) -> String {
        words.time(meal.servedAt(in: ResidenceCalendar(timeZone: timeZone)), in: timeZone)
    }

    /// "Breakfast, 7:00 · Vegetarian".
    func line(_ meal: Meal) -> String {
        let diets = Diet.allCases.filter { meal.diets.contains($0) && $0 != .standard }.map(name)
        return (["\(name(meal.kind)), \(time(meal))"] + diets).joined(separator: " · ")
    }

    /// "16 Nov – 22 Nov", of the week that begins with a Monday.
    func span(_ monday: Day) -> String {
        "\(words.dayAndMonth(monday)) – \(words.dayAndMonth(monday.adding(days: 6)))"
    }

    /// "Until 18:00", "Until Wed 18:00".
    func until(_ cutOff: Date, now: Date) -> String {
        let (day, today) = (Day(cutOff, in: timeZone), Day(now, in: timeZone))
        let time = words.time(cutOff, in: timeZone)
        return words("residence.meals.until", day == today ? time : "\(words.weekday(day)) \(time)")
    }

    /// The line beside a day: until when residents choose, or that they no longer do.
    func state(of meals: [Meal], on day: Day, today: Day, now: Date) -> String? {
        if day < today { return words("residence.meals.past") }
        guard let open = meals.map(\.cutOff).filter({ $0 > now }).min() else {
            return meals.isEmpty ? nil : words("residence.meals.closed")
        }
        return until(open, now: now)
    }

    /// "Monday 16".
    func title(_ day: Day) -> String { "\(words.weekdayInFull(day)) \(day.day)" }

    /// The week of the address, this week if it has none.
    static func monday(_ request: ScreenRequest) -> Day {
        MealReader.monday(of: request.query["day"].flatMap(Day.init) ?? request.context.today)
    }

    /// The head of a week, with links to the weeks beside it.
    ///
    /// - Parameter path: Returns the address of the week of a day.
    func head(_ monday: Day, title: String, detail: String? = nil, path: (Day) -> String) -> Component {
        .greeting(
            PTGreeting(
                eyebrow: span(monday), title: title, detail: detail,
                actions: [
                    PTButton(
                        title: words("residence.meals.lastWeek"), icon: .chevronLeft, role: .quiet,
                        action: .open(path(monday.adding(days: -7)))),
                    PTButton(
                        title: words("residence.meals.nextWeek"), icon: .chevronRight, role: .quiet,
                        action: .open(path(monday.adding(days: 7)))),
                ]))
    }
}
