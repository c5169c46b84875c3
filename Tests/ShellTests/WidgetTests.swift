import CalendarFeedInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import RemindersInterface
import ShellInterface
import ShellModel
import TestKit
import Testing

@testable import Shell

@Suite("The document for widgets")
struct WidgetTests {
    /// 2026-01-05 is a Monday.
    private static let zone = TimeZone(identifier: "Europe/Zurich") ?? .gmt

    private static func instant(_ text: String) throws -> Date {
        try Date(text, strategy: Date.ISO8601FormatStyle())
    }

    @Test(
        "the next lesson takes place now or begins next, and not on a day without school",
        arguments: [
            // During the lesson of Monday, which starts at 9:00 and ends at 10:00.
            ("2026-01-05T08:30:00Z", "2026-01-05T08:00:00Z"),
            // It has ended; the next Monday is a day without school.
            ("2026-01-05T09:00:00Z", "2026-01-19T08:00:00Z"),
            ("2026-01-18T23:00:00Z", "2026-01-19T08:00:00Z"),
            // After the change of clocks, 9:00 is one hour earlier in UTC.
            ("2026-03-29T12:00:00Z", "2026-03-30T07:00:00Z"),
        ])
    func nextMeeting(now: String, begins: String) throws {
        let (start, end) = try (#require(Day("2026-01-05")), #require(Day("2026-06-29")))
        let closed = try #require(Day("2026-01-12"))
        let weekly = try #require(
            WeeklyTime(weekday: 0, minutes: 540..<600, from: start, through: end) { $0 == closed })
        let instant = try Self.instant(now)
        let today = Day(instant, in: Self.zone)
        let span = weekly.span(endingAfter: instant, from: today, through: today.adding(days: 14), in: Self.zone)
        #expect(try span?.lowerBound == Self.instant(begins))
        #expect(span.map { $0.upperBound.timeIntervalSince($0.lowerBound) } == 3600)
    }

    @Test("after the last meeting there is no next lesson")
    func over() throws {
        let day = try #require(Day("2026-01-05"))
        let weekly = try #require(WeeklyTime(weekday: 0, minutes: 540..<600, from: day, through: day))
        let instant = try Self.instant("2026-01-05T09:00:00Z")
        #expect(weekly.span(endingAfter: instant, from: day, through: day.adding(days: 14), in: Self.zone) == nil)
    }

    @Test(
        "the document names the nearest work, counts all of it, and leads to it by the links that notifications use"
    )
    func document() async throws {
        let families = LinkedFamilies()
        let shell = try await ShellFixture(
            widget: WidgetSources(
                work: [SampleWork()], calendar: [SampleLessons()], unread: ThreeUnread(), families: families))
        let school = try await shell.environment.makeSchool()
        let data = try await school.answer(ReadWidget.self, as: school.makeCaller(.student))
        #expect(data.version == 1)
        #expect(data.timeZone == "America/Toronto")
        #expect(data.dueCount == 7)
        #expect(data.due.map(\.title) == (1...5).map { "Work \($0)" })
        #expect(data.due.allSatisfy { $0.student == nil && $0.course == "Algebra" })
        #expect(data.due.first?.link == "/open?link=%2Fassignments%2F1")
        #expect(data.nextLesson?.title == "Algebra")
        #expect(data.nextLesson?.link == "/open?link=%2Fcourses%2F1")
        #expect(data.unread == 3)
        // A guide has no work of students, and sees the lesson that the calendar has for the guide.
        let guide = try await school.answer(ReadWidget.self, as: school.makeCaller(.guide))
        #expect(guide.due.isEmpty && guide.dueCount == 0)
        #expect(guide.nextLesson != nil)
    }

    @Test("parents see the work of each child with the child's name")
    func family() async throws {
        let (families, parentId) = (LinkedFamilies(), UUID())
        families.add(parent: parentId, of: UUID(), named: "Luz")
        let shell = try await ShellFixture(
            widget: WidgetSources(work: [SampleWork()], calendar: [], unread: nil, families: families))
        let school = try await shell.environment.makeSchool()
        let data = try await school.answer(ReadWidget.self, as: school.makeCaller(.parent, personId: parentId))
        #expect(data.due.map(\.student) == Array(repeating: "Luz", count: 5))
        #expect(data.nextLesson == nil)
        #expect(data.unread == 0)
    }
}

/// Seven pieces of work of every student, one due each day.
private struct SampleWork: DueWorkSource {
    private func all(_ studentId: UUID, _ span: Range<Date>) -> [DueWork] {
        // The last one comes first, so that the order is the document's own.
        (1...7).reversed().map { number in
            DueWork(
                studentId: studentId, workId: Self.id(number),
                dueAt: span.lowerBound.addingTimeInterval(Double(number) * 86_400), since: span.lowerBound)
        }
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-0000-0000-00000000000\(number)") ?? UUID()
    }

    func open(
        _ workIds: Set<UUID>?, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading
    ) throws -> [DueWork] { throw unexpectedCall() }

    func open(
        for studentId: UUID, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading
    ) throws -> [DueWork] { all(studentId, span) }

    func named(
        _ workIds: Set<UUID>, for studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> [UUID: NamedWork] {
        (1...7).reduce(into: [:]) { names, number in
            guard workIds.contains(Self.id(number)) else { return }
            names[Self.id(number)] = NamedWork(
                title: "Work \(number)", course: "Algebra", path: "/assignments/\(number)")
        }
    }
}

/// A lesson on every weekday, beside an event of one day, which is no lesson.
private struct SampleLessons: CalendarSource {
    func events(
        for membership: ActiveMembership, on days: ClosedRange<Day>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent] {
        [CalendarEvent(id: "day-off", title: "Closed", time: .days(days.lowerBound...days.lowerBound))]
            + (0..<7).compactMap { weekday in
                WeeklyTime(weekday: weekday, minutes: 540..<600, from: days.lowerBound, through: days.upperBound)
                    .map {
                        CalendarEvent(
                            id: "course-\(weekday)", title: "Algebra", time: .weekly($0), path: "/courses/1",
                            isBusy: true)
                    }
            }
    }
}

private struct ThreeUnread: UnreadCounting {
    func unread(for context: RequestContext, in sql: any SQLReading) throws -> Int { 3 }
}
