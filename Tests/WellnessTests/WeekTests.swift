import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Wellness

@Suite("The chart of check-ins")
struct WeekTests {
    private static let zone = TimeZone.gmt
    /// A Thursday.
    private static let today = Day("2026-11-26") ?? Day(number: 0)

    private func one(_ day: String, _ mood: Mood, sleep: Sleep? = nil, energy: Energy? = nil) -> CheckIn {
        CheckIn(
            id: UUID(), mood: mood, sleep: sleep, energy: energy, note: "",
            madeAt: (Day(day) ?? Self.today).midday(in: Self.zone))
    }

    @Test("check-ins are summed up by weeks from Monday, and weeks without any are left out")
    func weeks() {
        let weeks = WellnessWeek.weeks(
            of: [
                one("2026-11-26", .good), one("2026-11-23", .veryGood, sleep: .well), one("2026-11-22", .bad),
                one("2026-11-09", .middling), one("2026-10-05", .good), one("2026-10-04", .bad),
            ], through: Self.today, in: Self.zone)
        #expect(weeks.map(\.monday.description) == ["2026-10-05", "2026-11-09", "2026-11-16", "2026-11-23"])
        #expect(weeks.map { $0.levels[.mood] } == [4, 3, 1, 4.5])
        #expect(weeks.map { $0.levels[.sleep] } == [nil, nil, nil, 3])
    }

    @Test(
        "a height is told as the nearest word, and never as a number",
        arguments: [
            (WellnessAspect.mood, 5.0, "wellness.mood.veryGood"), (.mood, 4.5, "wellness.mood.veryGood"),
            (.mood, 4.4, "wellness.mood.good"), (.mood, 3, "wellness.mood.middling"),
            (.mood, 1, "wellness.mood.bad"),
            (.sleep, 3, "wellness.sleep.well"), (.sleep, 1.2, "wellness.sleep.badly"),
            (.energy, 2, "wellness.energy.middling"), (.energy, 9, "wellness.energy.high"),
            (.mood, -3, "wellness.mood.bad"),
        ])
    func words(aspect: WellnessAspect, level: Double, key: String) {
        #expect(aspect.titleKey(of: level) == key)
    }

    @Test(
        "the page shows weeks as a line with words and the same as a table, with no number"
    )
    func page() async throws {
        let fixture = try await WellnessFixture()
        try await fixture.checkIn(.good, sleep: .well)
        #expect(try await fixture.outline("/wellness", as: fixture.noah).contains("after two weeks"))
        fixture.clock.advance(by: 7 * 86_400)
        try await fixture.checkIn(.poor, sleep: .badly)
        let page = try await fixture.school.environment.page("/wellness", as: fixture.noah)
        let charts = page.components.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }
        #expect(charts.first?.points.map(\.text) == ["Good", "Not so good"])
        #expect(charts.first?.spoken.contains("Good") == true)
        let tables = page.components.compactMap { if case .table(let table) = $0 { table } else { nil } }
        #expect(
            tables.first?.rows.map(\.cells) == [
                [.text("Not so good"), .text("Badly"), .empty], [.text("Good"), .text("Well"), .empty],
            ])
        let sleep = try await fixture.school.environment.page("/wellness", as: fixture.noah, query: ["of": "sleep"])
        let other = sleep.components.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }
        #expect(other.first?.points.map(\.text) == ["Well", "Badly"])
    }

    @Test(
        "a line of the school’s numbers can be called if it has a number",
        arguments: [
            ("Child line: 0800 111 6111", "08001116111"), ("119", "119"),
            ("Secours +33 (0)1.23-45", "+3312345"),
            ("Nurse, room 4, 514 555-0100", "5145550100"), ("The nurse", nil), ("15", "15"),
            ("Child line: 0800 111 6111 (24 h)", "08001116111"), ("Nurse 514 555-0100, room 4", "5145550100"),
            ("Nurse (room 12) 5550 (home 5551)", "5551"), ("Call (514) 555-0100 24/7", "5145550100"),
            ("15 (24h/24, 7j/7)", "15"), ("Allô 0 800 111 611, 8 h 30 – 17 h 45", "0800111611"),
            ("Line 3114 24 hours", "3114"), ("9-1-1", "911"), ("0800 111 6111 24/24", "08001116111"),
            ("Open 24 h", nil),
        ] as [(String, String?)])
    func numbers(text: String, number: String?) {
        #expect(HelpLine.lines(of: text) == [HelpLine(text: text, number: number)])
        #expect(HelpLine.lines(of: " \n\n").isEmpty)
    }
}
