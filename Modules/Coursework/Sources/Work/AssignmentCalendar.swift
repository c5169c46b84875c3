public import CalendarFeedInterface
public import CoursesInterface
import CourseworkModel
public import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface

/// Contributes the due times of assignments to the calendar feeds of students, parents and teachers.
///
/// A student's extension counts. Teachers have the published assignments of the courses that they teach.
public struct AssignmentCalendar: CalendarSource {
    private let courses: any CourseService
    private let roster: any CourseRoster
    private let families: any FamilyLinks
    private let clock: any WallClock

    /// Creates the source of due times.
    ///
    /// - Parameters:
    ///   - courses: the courses of a teacher, and the names of courses.
    ///   - roster: the courses of a student.
    ///   - families: the children of a parent.
    ///   - clock: the time, from which it follows which assignments students see.
    public init(
        courses: any CourseService, roster: any CourseRoster, families: any FamilyLinks, clock: any WallClock
    ) {
        self.courses = courses
        self.roster = roster
        self.families = families
        self.clock = clock
    }

    public func events(
        for membership: ActiveMembership, on days: ClosedRange<Day>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent] {
        guard Permission.viewCourses.isGiven(to: membership.roles) else { return [] }
        let span =
            days.lowerBound.start(
                in: membership.timeZone)..<days.upperBound.adding(days: 1).start(
                in: membership.timeZone)
        var events: [CalendarEvent] = []
        if Permission.teachCourses.isGiven(to: membership.roles) {
            events += try taught(by: membership.personId, within: span, words, in: sql)
        }
        if membership.roles.contains(.student) {
            events += try done(by: membership.personId, within: span, in: sql).map { work in
                let key = work.isHandedIn ? "coursework.calendar.handedIn" : "coursework.calendar"
                return event(
                    "due-\(work.assignment.id.text)", words(key, work.assignment.title, work.course), work.dueAt,
                    AssignmentScreens.path(work.assignment.id))
            }
        }
        for child in try families.children(of: membership, in: sql) {
            events += try done(by: child.id, within: span, in: sql).map { work in
                let key = work.isHandedIn ? "coursework.calendar.child.handedIn" : "coursework.calendar.child"
                // Two children of one parent may have the same assignment.
                return event(
                    "due-\(work.assignment.id.text)-\(child.id.text)",
                    words(key, work.assignment.title, work.course, child.name.display), work.dueAt,
                    "\(AssignmentScreens.path(work.assignment.id))?student=\(child.id.text)")
            }
        }
        return events
    }

    private func event(_ id: String, _ title: String, _ dueAt: Date, _ path: String) -> CalendarEvent {
        CalendarEvent(id: id, title: title, time: .span(dueAt..<dueAt), path: path)
    }

    private func taught(
        by personId: UUID, within span: Range<Date>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent] {
        let names = try courses.courses(taughtBy: personId, in: sql).reduce(into: [:]) { $0[$1.id] = $1.name }
        guard !names.isEmpty else { return [] }
        return try AssignmentRepository.assignments(of: Array(names.keys), in: sql).compactMap { one in
            guard one.publishedAt != nil, let dueAt = one.dueAt, span.contains(dueAt) else { return nil }
            return event(
                "due-\(one.id.text)", words("coursework.calendar", one.title, names[one.courseId] ?? ""), dueAt,
                AssignmentScreens.path(one.id))
        }
    }

    private func done(
        by studentId: UUID, within span: Range<Date>, in sql: any SQLReading
    ) throws -> [(assignment: Assignment, course: String, dueAt: Date, isHandedIn: Bool)] {
        let names = try courses.courses(roster.courseIds(ofStudent: studentId, in: sql), in: sql).filter {
            !$0.value.isArchived
        }
        guard !names.isEmpty else { return [] }
        let extensions = try AssignmentRepository.extensions(for: studentId, in: sql)
        let handedIn = try SubmissionRepository.times(of: studentId, in: sql)
        return try AssignmentRepository.assignments(
            of: Array(names.keys), seenBy: studentId, at: clock.now, in: sql
        ).compactMap { one in
            let times = WorkTimes(of: one, extendedTo: extensions[one.id])
            guard let dueAt = times.dueAt, span.contains(dueAt) else { return nil }
            return (one, names[one.courseId]?.name ?? "", dueAt, handedIn[one.id] != nil)
        }
    }
}
