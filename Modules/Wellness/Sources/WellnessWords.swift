import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Parts of pages that the child and the chosen adults have in common.
struct WellnessWords: Sendable {
    let words: Words
    let timeZone: TimeZone

    /// The row of a check-in.
    func cell(
        _ one: CheckIn, trailing: [PTListCell.Trailing] = [], action: PTAction? = nil
    ) -> PTListCell {
        let parts = [
            words.dateAndTime(one.madeAt, in: timeZone),
            one.sleep.map { words("wellness.slept", words($0.titleKey)) },
            one.energy.map { words("wellness.withEnergy", words($0.titleKey)) },
        ]
        return PTListCell(
            id: one.id.text, leading: .icon(one.mood.icon, tint: one.mood.tint), title: words(one.mood.titleKey),
            subtitle: (parts.compactMap(\.self) + (one.note.isEmpty ? [] : [one.note])).joined(separator: " · "),
            trailing: trailing, action: action)
    }

    /// A page of a list of check-ins, with a link to the next one.
    /// - Parameters:
    ///   - found: the check-ins of the page, and one more if there is a next page.
    ///   - path: the address of the list, to which the place of the next page is added.
    ///   - action: what a tap on a row does.
    func list(
        _ found: [CheckIn], upTo count: Int, path: String, action: (CheckIn) -> PTAction? = { _ in nil }
    ) -> Component {
        let shown = found.prefix(count)
        guard let last = shown.last else {
            // The rest of the list was deleted meanwhile.
            return .text(PTText(words("wellness.noOlder"), role: .note))
        }
        let cells = shown.map { one in
            let action = action(one)
            return cell(one, trailing: action == nil ? [] : [.chevron], action: action)
        }
        return .list(
            PTList(
                cells: cells, label: words("wellness.list"),
                more: found.count > shown.count
                    ? PTButton(
                        title: words("wellness.older"), role: .quiet,
                        action: .open("\(path)?after=\(CheckInPlace(of: last).text)")) : nil))
    }

    /// The chart of the last weeks with the same as a table; none for less than two weeks with check-ins.
    /// - Parameter path: the address of the page, to which the choice of the aspect is added.
    func chart(_ checkIns: [CheckIn], of aspect: WellnessAspect, through today: Day, path: String) -> [Component] {
        let weeks = WellnessWeek.weeks(of: checkIns, through: today, in: timeZone)
        let segments = PTSegmentedControl(
            label: words("wellness.chart.of"),
            segments: WellnessAspect.allCases.map {
                .init(
                    title: words($0.titleKey), path: $0 == .mood ? path : "\(path)?of=\($0.rawValue)",
                    isSelected: $0 == aspect)
            })
        let points = weeks.compactMap { week in
            week.levels[aspect].map {
                PTChart.Point(
                    label: words.dayAndMonth(week.monday), value: $0, text: words(aspect.titleKey(of: $0)))
            }
        }
        guard points.count > 1 else {
            return [.segments(segments), .text(PTText(words("wellness.chart.later"), role: .note))]
        }
        let said = points.map { "\($0.label): \($0.text)" }.joined(separator: ", ")
        func word(_ week: WellnessWeek, _ aspect: WellnessAspect) -> PTDataTable.Cell {
            week.levels[aspect].map { .text(words(aspect.titleKey(of: $0))) } ?? .empty
        }
        let table = PTDataTable(
            label: words("wellness.chart.table"),
            columns: [
                .init(title: words("wellness.chart.week")), .init(title: words("wellness.mood")),
                .init(title: words("wellness.sleep")), .init(title: words("wellness.energy")),
            ],
            rows: weeks.reversed().map { week in
                PTDataTable.Row(
                    header: words.dayAndMonth(week.monday),
                    cells: [word(week, .mood), word(week, .sleep), word(week, .energy)])
            })
        return [
            .segments(segments),
            .chart(
                PTChart(
                    points: points, lowest: 1, highest: aspect.highest, baseline: 1, style: .line, tint: .sky,
                    spoken: words("wellness.chart.spoken", words(aspect.titleKey), said))),
            .disclosure(PTDisclosure(title: words("wellness.chart.asTable"), body: [.table(table)])),
        ]
    }

    /// The school's numbers, each with a button that calls it; none if the school entered none.
    func lines(_ settings: WellnessSettings) -> [Component] {
        let lines = HelpLine.lines(of: settings.numbers)
        guard !lines.isEmpty else { return [] }
        let cells = lines.map { line in
            PTListCell(
                leading: .icon(.phone, tint: .leaf), title: line.text,
                trailing: line.number.map {
                    [
                        .iconButton(
                            PTButton(
                                title: words("wellness.help.call", line.text), icon: .phone, role: .tonal,
                                action: .external("tel:\($0)")))
                    ]
                } ?? [])
        }
        return [
            .section(
                PTSection(
                    title: words("wellness.help.numbers"),
                    body: [.list(PTList(cells: cells, label: words("wellness.help.numbers")))]))
        ]
    }
}
