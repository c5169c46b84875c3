import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The weekly schedule of a student, parent or teacher.
struct ScheduleScreen: Sendable {
    static let path = "/schedule"

    let handlers: CourseHandlers

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.viewCourses), tab: CourseScreens.home) { request in
            .screen(try await week(request))
        }
    }

    /// One meeting of one course.
    private struct Meeting {
        let period: CoursePeriod
        let course: Course
    }

    private func week(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, today) = (
            request.words, try request.context.membership, request.context.today
        )
        let courses = try await request.context.school.read {
            try handlers.courses.scheduled(for: membership, in: $0)
        }
        let meetings = courses.flatMap { course in course.periods.map { Meeting(period: $0, course: course) } }
            .sorted { ($0.period, $0.course.id) < ($1.period, $1.course.id) }
        var body: [Component] = []
        for weekday in 0..<7 {
            let day = meetings.filter { $0.period.weekday == weekday }
            guard !day.isEmpty else { continue }
            let isToday = weekday == today.daysSinceMonday
            body.append(
                .section(
                    PTSection(
                        title: words.weekdayInFull(CoursePeriod.day(ofWeekday: weekday)),
                        detail: isToday ? words("schedule.today") : nil,
                        body: [.list(PTList(cells: day.map { cell($0, words) }))])))
        }
        if body.isEmpty {
            body = [
                .empty(
                    PTEmptyState(
                        icon: .calendar, title: words("schedule.none"), message: words("schedule.noneTip")))
            ]
        }
        return Screen(
            title: words("schedule.title"), back: CourseScreens.home, live: [CourseTopic.list], body: body)
    }

    /// The meetings on the home page. A course meets from the first through the last day of its term.
    var agenda: AgendaSource {
        AgendaSource(permission: .viewCourses, topics: [CourseTopic.list]) { days, request in
            let membership = try request.context.membership
            let (courses, terms) = try await request.context.school.read { sql in
                (try handlers.courses.scheduled(for: membership, in: sql), try handlers.courses.terms(in: sql))
            }
            return courses.flatMap { course in
                let term = terms.first { $0.id == course.termId }
                return course.periods.compactMap { period -> AgendaEntry? in
                    let day = days.lowerBound.adding(
                        days: (period.weekday - days.lowerBound.daysSinceMonday + 7) % 7)
                    guard days.contains(day), term.map({ $0.firstDay <= day && day <= $0.lastDay }) ?? true else {
                        return nil
                    }
                    return AgendaEntry(
                        day: day, minutes: period.start..<period.end, title: course.name, detail: period.room,
                        tint: course.tint, path: CourseScreens.path(course.id))
                }
            }
        }
    }

    private func cell(_ meeting: Meeting, _ words: Words) -> PTListCell {
        PTListCell(
            leading: .avatar(
                PTAvatar(
                    initials: Initials.of(meeting.course.name), tint: meeting.course.tint,
                    id: meeting.course.id)),
            title: meeting.course.name, subtitle: meeting.period.shown(words), trailing: [.chevron],
            action: .open(CourseScreens.path(meeting.course.id)))
    }
}
