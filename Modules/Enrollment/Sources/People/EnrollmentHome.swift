import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The home page's section for teachers: undecided requests and waitlists of their courses.
struct EnrollmentHome: Sendable {
    let courses: any CourseService

    func section(_ personId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let open = try await request.context.school.read { sql in
            let taught = try courses.courses(taughtBy: personId, in: sql)
            let counts = try EnrollmentRepository.placeCounts(of: taught.map(\.id), in: sql)
            return taught.compactMap { course in counts[course.id].map { (course, $0) } }
                .filter { $0.1.pending + $0.1.waiting > 0 }
        }
        guard !open.isEmpty else { return [] }
        let cells = open.map { course, counts in
            PTListCell(
                id: course.id.text, leading: .icon(.people, tint: .clay), title: course.name,
                subtitle: [
                    counts.pending > 0 ? words("enrollment.requestCount", counts.pending) : nil,
                    counts.waiting > 0 ? words("enrollment.waitingCount", counts.waiting) : nil,
                ].compactMap(\.self).joined(separator: " · "),
                isEmphasized: counts.pending > 0, trailing: [.chevron],
                action: .open(PeopleScreens.path(course.id)))
        }
        return [
            .section(
                PTSection(
                    title: words("enrollment.open"),
                    body: [.list(PTList(cells: cells, columns: .two, label: words("enrollment.open")))]))
        ]
    }
}
