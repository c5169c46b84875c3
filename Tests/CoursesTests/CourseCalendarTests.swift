import CalendarFeedInterface
import CoursesInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import TestKit
import Testing

@testable import Courses

@Suite("Meetings of courses in the calendar feed")
struct CourseCalendarTests {
    /// The days off of a school.
    private struct Days: SchoolCalendar {
        var off: [DaysOff] = []

        func schoolDays(from first: Day, through last: Day, in sql: any SQLReading) throws -> SchoolDays {
            SchoolDays(
                weekdays: [1, 2, 3, 4, 5], daysOff: off.filter { $0.lastDay >= first && $0.firstDay <= last })
        }
    }

    private func events(
        _ fixture: CoursesFixture, _ caller: Caller, off: [DaysOff] = []
    ) async throws -> [CalendarEvent] {
        let membership = try #require(caller.membership)
        let today = Day(fixture.school.clock.now, in: membership.timeZone)
        let source = CourseCalendar(courses: fixture.courses, calendar: Days(off: off))
        let words = Words(.english, [fixture.feature.catalog])
        return try await fixture.school.database.read {
            try source.events(
                for: membership, on: today.adding(days: -90)...today.adding(days: 365), words, in: $0)
        }
    }

    @Test("the teacher, the student and her mother have the meetings; other people do not")
    func people() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course(
            "Algebra", as: nil, ["schedule": "Mon 9:00-10:00 B12\nWed 13:00-14:00"])
        fixture.circle.enrol(fixture.mia, in: course)
        for caller in [fixture.teacher, fixture.mia, fixture.mother] {
            let found = try await events(fixture, caller)
            #expect(found.map(\.title) == ["Algebra", "Algebra"])
            #expect(found.map(\.place) == ["B12", nil])
            #expect(found.map(\.isBusy) == [true, true])
        }
        for caller in [fixture.admin, fixture.other] {
            #expect(try await events(fixture, caller).isEmpty)
        }
    }

    @Test("a meeting lasts from the first to the last day of its term, without days off")
    func term() async throws {
        let fixture = try await CoursesFixture()
        let timeZone = fixture.school.organization.resolvedTimeZone
        let today = Day(fixture.school.clock.now, in: timeZone)
        let (first, last) = (today.adding(days: -20), today.adding(days: 50))
        let term = try await fixture.school.execute(
            AddTerm.self,
            ["name": "Autumn", "firstDay": .text(first.description), "lastDay": .text(last.description)],
            as: fixture.admin)
        try await fixture.course("Algebra", as: nil, ["schedule": "Mon 9:00-10:00", "termId": .id(term.id)])
        let off = DaysOff(id: UUID(), name: "Holidays", firstDay: today, lastDay: today.adding(days: 6))
        guard case .weekly(let time) = try await events(fixture, fixture.teacher, off: [off]).first?.time else {
            Issue.record("no weekly meeting")
            return
        }
        #expect((0..<7).contains(time.first.number - first.number) && time.first.daysSinceMonday == 0)
        #expect((0..<7).contains(last.number - time.last.number) && time.last.daysSinceMonday == 0)
        #expect(time.minutes == 540..<600)
        #expect(time.except.count == 1 && time.except.allSatisfy { off.firstDay <= $0 && $0 <= off.lastDay })
    }

    @Test("an archived course has no meetings, and one of a past term none that a feed shows")
    func over() async throws {
        let fixture = try await CoursesFixture()
        let course = try await fixture.course("Algebra", as: nil, ["schedule": "Mon 9:00-10:00"])
        #expect(try await events(fixture, fixture.teacher).count == 1)
        try await fixture.archive(course)
        #expect(try await events(fixture, fixture.teacher).isEmpty)
        let term = try await fixture.school.execute(
            AddTerm.self, ["name": "Old", "firstDay": "2020-01-01", "lastDay": "2020-06-01"], as: fixture.admin)
        try await fixture.course("Latin", as: nil, ["schedule": "Mon 9:00-10:00", "termId": .id(term.id)])
        #expect(try await events(fixture, fixture.teacher).isEmpty)
    }
}
