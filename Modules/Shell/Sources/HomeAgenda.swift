import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The section Today of the home page: the week, and what the blocks offer on one of its days.
struct HomeAgenda: Sendable {
    let request: ScreenRequest

    private var words: Words { request.words }
    private var today: Day { request.context.today }

    /// The section; `nil` for a person whose week has no entry.
    func section() async throws -> Component? {
        let monday = today.adding(days: -today.daysSinceMonday)
        let days = (0..<7).map { monday.adding(days: $0) }
        var entries: [AgendaEntry] = []
        for source in request.agenda {
            entries += try await source.entries(monday...monday.adding(days: 6), request)
        }
        let closed = Set(entries.filter(\.isDayOff).map(\.day))
        let open = entries.filter { $0.minutes == nil || !closed.contains($0.day) }
        guard !open.isEmpty else { return nil }
        let chosen = request.query["day"].flatMap { Day($0) }.flatMap { days.contains($0) ? $0 : nil } ?? today
        let agenda = PTAgenda(
            label: words("home.week", words.dayAndMonth(monday)),
            days: days.map { day in self.day(day, open.count { $0.day == day }, isSelected: day == chosen) },
            items: open.filter { $0.day == chosen }
                .sorted { ($0.minutes?.lowerBound ?? -1, $0.title) < ($1.minutes?.lowerBound ?? -1, $1.title) }
                .map(item), empty: words("home.nothing"))
        return .section(
            PTSection(
                title: chosen == today ? words("home.today") : words.longDate(chosen), body: [.agenda(agenda)]))
    }

    private func day(_ day: Day, _ count: Int, isSelected: Bool) -> PTAgenda.Day {
        PTAgenda.Day(
            title: words.weekday(day), number: String(day.description.suffix(2).drop { $0 == "0" }),
            spoken: words("home.day", words.longDate(day), count),
            path: day == today ? HomeScreen.path : "\(HomeScreen.path)?day=\(day)", isSelected: isSelected,
            isBusy: count > 0)
    }

    private func item(_ entry: AgendaEntry) -> PTAgenda.Item {
        PTAgenda.Item(
            time: entry.minutes.map {
                words.time(Date(timeIntervalSince1970: Double($0.lowerBound) * 60), in: .gmt)
            },
            title: entry.title, detail: entry.detail, tint: entry.tint,
            now: entry.day == today && entry.minutes?.contains(minute) == true ? words("home.now") : nil,
            action: entry.path.map { .open($0) })
    }

    /// The minutes since midnight at the school.
    private var minute: Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = request.context.caller.timeZone
        let parts = calendar.dateComponents([.hour, .minute], from: request.context.now)
        return (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    }
}
