public import CalendarFeedInterface
import CoursesInterface
public import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface

/// Contributes the weekly meetings of courses to the calendar feeds of students, parents and teachers. They are those of
/// the page with the schedule.
public struct CourseCalendar: CalendarSource {
    private let courses: SQLCourseService
    private let calendar: any SchoolCalendar

    /// Creates the source of meetings.
    ///
    /// - Parameters:
    ///   - courses: the courses of a person.
    ///   - calendar: the days without school, on which no course meets.
    public init(courses: SQLCourseService, calendar: any SchoolCalendar) {
        self.courses = courses
        self.calendar = calendar
    }

    public func events(
        for membership: ActiveMembership, on days: ClosedRange<Day>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent] {
        guard Permission.viewCourses.isGiven(to: membership.roles) else { return [] }
        let meeting = try courses.scheduled(for: membership, in: sql).filter { !$0.periods.isEmpty }
        guard !meeting.isEmpty else { return [] }
        let terms = try courses.terms(in: sql).reduce(into: [UUID: Term]()) { $0[$1.id] = $1 }
        // A course without a term meets from the day on which it was created.
        let spans = meeting.map { course in
            course.termId.flatMap { terms[$0] }.map { ($0.firstDay, $0.lastDay) }
                ?? (Day(course.createdAt, in: membership.timeZone), days.upperBound)
        }
        let first = spans.map(\.0).reduce(days.lowerBound, min)
        let last = spans.map(\.1).reduce(days.upperBound, max)
        let schoolDays = try calendar.schoolDays(from: first, through: last, in: sql)
        return zip(meeting, spans).flatMap { course, span -> [CalendarEvent] in
            guard span.0 <= days.upperBound, span.1 >= days.lowerBound else { return [] }
            var count: [Int: Int] = [:]
            return course.periods.compactMap { period in
                // Several meetings on one day are told apart by their order.
                let place = count[period.weekday, default: 0]
                count[period.weekday] = place + 1
                guard
                    let time = WeeklyTime(
                        weekday: period.weekday, minutes: period.start..<period.end, from: span.0,
                        through: span.1, isOff: { schoolDays.daysOff(on: $0) != nil })
                else { return nil }
                return CalendarEvent(
                    id: "course-\(course.id.text)-\(period.weekday)-\(place)", title: course.name,
                    place: period.room, time: .weekly(time), path: CourseScreens.path(course.id), isBusy: true)
            }
        }
    }
}

extension SQLCourseService {
    /// The courses that a member teaches or administers, is in, or in which a child of the member is, by name.
    func mine(_ membership: ActiveMembership, in sql: any SQLReading) throws -> [Course] {
        if Permission.manageCourses.isGiven(to: membership.roles) { return try CourseRepository.all(in: sql) }
        var ids = Set(
            Permission.teachCourses.isGiven(to: membership.roles)
                ? try CourseRepository.courseIds(taughtBy: membership.personId, in: sql) : [])
        for learner in try families.learners(of: membership, in: sql) {
            ids.formUnion(try roster?.courseIds(ofStudent: learner, in: sql) ?? [])
        }
        return Self.byName(try CourseRepository.courses(ids, in: sql).values)
    }

    /// The courses of a schedule. Administrators lead all courses, but their schedule has only those that they teach.
    func scheduled(for membership: ActiveMembership, in sql: any SQLReading) throws -> [Course] {
        let mine = try mine(membership, in: sql).filter { !$0.isArchived }
        return Permission.manageCourses.isGiven(to: membership.roles)
            ? mine.filter { $0.teacherIds.contains(membership.personId) } : mine
    }
}
