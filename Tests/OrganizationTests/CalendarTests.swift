import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import TestKit
import Testing

@testable import Organization

@Suite("Days without school")
struct CalendarTests {
    let org: OrganizationFixture
    let founder: Caller
    let monday = Day(number: 20_759)

    init() async throws {
        org = try await OrganizationFixture()
        founder = try await org.founder()
    }

    @discardableResult
    private func add(
        _ name: String = "Autumn holidays", from first: Day, through last: Day?, as caller: Caller? = nil
    ) async throws -> DaysOff {
        var input: [String: InputValue] = ["name": .text(name), "firstDay": .text(first.description)]
        if let last { input["lastDay"] = .text(last.description) }
        return try await org.environment.execute(AddDaysOff.self, .object(input), as: caller ?? founder)
    }

    private func days(from first: Day, through last: Day) async throws -> SchoolDays {
        try await org.environment.context(of: founder).school.read {
            try SQLSchoolCalendar().schoolDays(from: first, through: last, in: $0)
        }
    }

    @Test("a new school has school from Monday to Friday")
    func newSchool() async throws {
        let days = try await days(from: monday, through: monday.adding(days: 6))
        #expect(days == .usual)
        #expect(
            (0..<7).map { days.isSchoolDay(monday.adding(days: $0)) } == [
                true, true, true, true, true, false, false,
            ])
    }

    @Test("holidays include their first and last day, and end when they are removed")
    func holidays() async throws {
        let holidays = try await add(from: monday.adding(days: 1), through: monday.adding(days: 3))
        let single = try await add("Founders’ day", from: monday.adding(days: 30), through: nil)
        #expect(single.lastDay == single.firstDay)
        var days = try await days(from: monday, through: monday.adding(days: 6))
        #expect(days.daysOff == [holidays])
        #expect((0..<5).map { days.isSchoolDay(monday.adding(days: $0)) } == [true, false, false, false, true])
        #expect(days.daysOff(on: monday.adding(days: 2))?.name == "Autumn holidays")
        #expect(try await self.days(from: holidays.lastDay, through: holidays.lastDay).daysOff == [holidays])
        #expect(try await org.environment.answer(ReadSchoolDays.self, as: founder).daysOff == [holidays, single])
        let removal: InputValue = ["daysOffId": .id(holidays.id)]
        try await org.environment.execute(RemoveDaysOff.self, removal, as: founder)
        days = try await self.days(from: monday, through: monday.adding(days: 6))
        #expect(days == .usual)
        #expect(
            try await problem { try await org.environment.execute(RemoveDaysOff.self, removal, as: founder) }
                == .notFound
        )
        let kinds = try await org.changes(in: founder).map(\.change).filter { $0.topics == [SchoolDays.topic] }
        #expect(
            kinds.map(\.kind) == [
                "organization.daysOffAdded", "organization.daysOffAdded", "organization.daysOffRemoved",
            ])
        #expect(kinds.first?.payload["name"] == "Autumn holidays")
    }

    @Test("a school can have classes on Saturday, and a week without any school day is refused")
    func weekdays() async throws {
        let saturday = monday.adding(days: 5)
        let set: InputValue = ["weekdays": .list(["6", "1", "2", "4", "5"])]
        #expect(try await org.environment.execute(SetWeekdays.self, set, as: founder).weekdays == [1, 2, 4, 5, 6])
        try await org.environment.execute(SetWeekdays.self, set, as: founder)
        let days = try await days(from: monday, through: saturday)
        #expect(days.isSchoolDay(saturday) && !days.isSchoolDay(monday.adding(days: 2)))
        for wrong in [[], ["8"], ["1", "x"]] as [[InputValue]] {
            let refusal = try await problem {
                try await org.environment.execute(SetWeekdays.self, ["weekdays": .list(wrong)], as: founder)
            }
            #expect(refusal?.faults == [Fault("weekdays", "calendar.weekdays")])
        }
        let told = try await org.changes(in: founder).filter { $0.change.kind == "organization.weekdaysSet" }
        #expect(told.count == 1)
    }

    @Test("holidays that end before they begin, or that are decades away, are refused")
    func wrongDays() async throws {
        let order = try await problem { try await add(from: monday, through: monday.adding(days: -1)) }
        #expect(order?.faults == [Fault("lastDay", "calendar.order")])
        let far = try await problem { try await add(from: monday, through: Day("2099-01-01")) }
        #expect(far?.faults == [Fault("lastDay", "dayFar")])
    }

    @Test("days off apply to one school only, and guides can read and not change them")
    func whose() async throws {
        let own = try await add(from: monday, through: nil)
        let other = try await org.founder("Birch", "Ben Ito")
        #expect(try await org.environment.answer(ReadSchoolDays.self, as: other) == .usual)
        #expect(
            try await problem {
                try await org.environment.execute(RemoveDaysOff.self, ["daysOffId": .id(own.id)], as: other)
            } == .notFound)
        let guide = try await org.member(.guide, of: founder)
        #expect(try await org.environment.answer(ReadSchoolDays.self, as: guide).daysOff == [own])
        #expect(try await problem { try await add(from: monday, through: nil, as: guide) } == .notAllowed)
    }

    @Test("the page lists the days off with the days of the week, in both languages")
    func page() async throws {
        let empty = try await org.environment.outline(CalendarScreen.path, as: founder)
        #expect(empty.contains("No days off yet"))
        let holidays = try await add(from: monday, through: monday.adding(days: 4))
        let page = try await org.environment.outline(CalendarScreen.path, as: founder)
        #expect(page.contains("Autumn holidays · Nov 2, 2026 – Nov 6, 2026"))
        #expect(
            page.contains(
                "/api/v1/organization/days-off/\(holidays.id.text)/remove (asks: Remove Autumn holidays?)"))
        #expect(page.contains("Monday") && page.contains("Sunday"))
        let french = try await org.environment.outline(CalendarScreen.path, as: founder, language: .french)
        #expect(french.contains("Calendrier scolaire") && french.contains("Lundi"))
        #expect(
            try await org.environment.outline("\(CalendarScreen.path)/new", as: founder)
                .contains("form days-off -> /api/v1/organization/days-off"))
    }
}
