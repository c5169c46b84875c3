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
        let courses = try await request.context.school.read { sql in
            // Administrators lead all courses, but their schedule has only those that they teach.
            let mine = try handlers.mine(membership, in: sql).filter { !$0.isArchived }
            return Permission.manageCourses.isGiven(to: membership.roles)
                ? mine.filter { $0.teacherIds.contains(membership.personId) } : mine
        }
        let meetings = courses.flatMap { course in course.periods.map { Meeting(period: $0, course: course) } }
            .sorted { ($0.period, $0.course.id.text) < ($1.period, $1.course.id.text) }
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
