import Domain
import Foundation

/// A value of check-ins that the chart can show.
enum WellnessAspect: String, CaseIterable, Sendable {
    case mood, sleep, energy

    /// The upper end of the chart's scale; the lower end is 1.
    var highest: Double { self == .mood ? Double(Mood.allCases.count) : Double(Sleep.allCases.count) }
    var titleKey: String { "wellness.\(rawValue)" }

    /// The height of a check-in in the chart; `nil` if the child left this value open.
    func level(of one: CheckIn) -> Double? {
        switch self {
        case .mood: one.mood.level
        case .sleep: one.sleep?.level
        case .energy: one.energy?.level
        }
    }

    /// The key of the word that is nearest to a height. The better word of two is chosen where both are equally near.
    func titleKey(of level: Double) -> String {
        func nearest<Value>(_ values: [Value], _ level: Double) -> Value {
            values[min(max(values.count - Int(level.rounded()), 0), values.count - 1)]
        }
        return switch self {
        case .mood: nearest(Mood.allCases, level).titleKey
        case .sleep: nearest(Sleep.allCases, level).titleKey
        case .energy: nearest(Energy.allCases, level).titleKey
        }
    }
}

/// A week with check-ins, summed up for the chart.
struct WellnessWeek: Sendable, Hashable {
    /// The weeks that the chart shows, this one included.
    static let shown = 8

    let monday: Day
    /// The average height of each value in the week. Values that were left open in all check-ins are missing.
    let levels: [WellnessAspect: Double]

    /// Returns the first instant of the weeks that a chart shows.
    static func start(before today: Day, in timeZone: TimeZone) -> Date {
        today.adding(days: -today.daysSinceMonday - 7 * (shown - 1)).start(in: timeZone)
    }

    /// Returns the weeks that have check-ins, oldest first, by the days of the school's time zone.
    static func weeks(of checkIns: [CheckIn], through today: Day, in timeZone: TimeZone) -> [WellnessWeek] {
        let start = start(before: today, in: timeZone)
        let byMonday = Dictionary(grouping: checkIns.filter { $0.madeAt >= start }) { one in
            let day = Day(one.madeAt, in: timeZone)
            return day.adding(days: -day.daysSinceMonday)
        }
        return byMonday.map { monday, all in
            let levels = WellnessAspect.allCases.compactMap { aspect -> (WellnessAspect, Double)? in
                let told = all.compactMap(aspect.level)
                return told.isEmpty ? nil : (aspect, told.reduce(0, +) / Double(told.count))
            }
            return WellnessWeek(monday: monday, levels: Dictionary(uniqueKeysWithValues: levels))
        }
        .sorted { $0.monday < $1.monday }
    }
}
