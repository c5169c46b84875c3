import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The section on a teacher's home page: their courses, and when and where these meet today.
struct CourseHome: Sendable {
    let courses: SQLCourseService

    func section(_ personId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, today) = (request.words, request.context.today)
        let taught = try await request.context.school.read { try courses.courses(taughtBy: personId, in: $0) }
        guard !taught.isEmpty else { return [] }
        let cells = taught.map { course in
            let meets = course.periods.filter { $0.weekday == today.daysSinceMonday }
            return PTListCell(
                id: course.id.text,
                leading: .avatar(
                    PTAvatar(initials: Initials.of(course.name), tint: course.tint, id: course.id)),
                title: course.name,
                subtitle: meets.isEmpty
                    ? course.subject
                    : words("courses.meetsToday", meets.map { $0.shown(words) }.joined(separator: " · ")),
                trailing: [.chevron], action: .open(CourseScreens.path(course.id)))
        }
        return [
            .section(
                PTSection(
                    title: words("courses.yours"),
                    body: [.list(PTList(cells: cells, columns: .two, label: words("courses.yours")))]))
        ]
    }
}
