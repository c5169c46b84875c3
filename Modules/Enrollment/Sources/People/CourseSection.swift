import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The enrollment section of a course's page: a student's status, or the numbers for leaders.
struct CourseSection: Sendable {
    let courses: any CourseService
    let handlers: EnrollmentHandlers
    let chooser: StudentChooser

    func section(of courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        // The course's page has its own control to choose a child.
        let (student, _) = try await chooser.chosen(request)
        let today = request.context.today
        let (course, counts, status, isOffered) = try await request.context.school.read { sql in
            guard let course = try courses.courses([courseId], in: sql)[courseId] else { throw Problem.notFound }
            return (
                course, try handlers.service.placeCounts(of: course, in: sql),
                try student.map { try handlers.status(of: $0, course, in: sql) },
                try courses.course(courseId, offeredOn: today, in: sql) != nil
            )
        }
        let occupancy = EnrollmentWording.occupancy(course, counts.enrolled, words)
        guard let status else {
            return course.isLed(by: membership) ? [people(course, counts, occupancy, words)] : []
        }
        let isOwn = membership.personId == student
        let detail = Self.sentence(status, course, isOffered: isOffered, words)
        var parts: [Component] = [.text(PTText(detail.isEmpty ? occupancy : "\(detail) \(occupancy)"))]
        if isOwn, let button = Self.button(status, course, isOffered: isOffered, today: today, request) {
            parts.append(.button(button))
        }
        return [
            .section(
                PTSection(
                    title: words("enrollment.place"),
                    detail: EnrollmentWording.tag(status.status, status.position, words)?.text,
                    body: parts))
        ]
    }

    /// The numbers of students with a link to the people, for leaders.
    private func people(_ course: Course, _ counts: PlaceCounts, _ occupancy: String, _ words: Words) -> Component {
        let open = [
            counts.pending > 0 ? words("enrollment.requestCount", counts.pending) : nil,
            counts.waiting > 0 ? words("enrollment.waitingCount", counts.waiting) : nil,
        ].compactMap(\.self)
        return .section(
            PTSection(
                title: words("enrollment.people"),
                body: [
                    .list(
                        PTList(cells: [
                            PTListCell(
                                leading: .icon(.people, tint: .sky), title: occupancy,
                                subtitle: open.isEmpty
                                    ? words("enrollment.noRequests") : open.joined(separator: " · "),
                                isEmphasized: counts.pending > 0, trailing: [.chevron],
                                action: .open(PeopleScreens.path(course.id)))
                        ]))
                ]))
    }

    private static func sentence(
        _ status: EnrollmentStatus, _ course: Course, isOffered: Bool, _ words: Words
    ) -> String {
        if status.isDropAsked { return words("enrollment.tip.dropAsked") }
        if status.status == .enrolled { return "" }
        guard isOffered else { return words("enrollment.tip.over") }
        return switch status.status {
        case .enrolled: ""
        case .pending: words("enrollment.tip.pending")
        case .waitlisted: words("enrollment.tip.waitlisted", status.position ?? 1)
        case .full: words("enrollment.tip.full")
        case .available: words(course.admission == .open ? "enrollment.tip.open" : "enrollment.tip.approval")
        }
    }

    /// The action that a student can take now.
    private static func button(
        _ status: EnrollmentStatus, _ course: Course, isOffered: Bool, today: Day, _ request: ScreenRequest
    ) -> PTButton? {
        let (words, id) = (request.words, ["courseId": course.id.text])
        switch status.status {
        case .available, .full:
            guard isOffered else { return nil }
            let title =
                status.status == .full
                ? "enrollment.do.wait"
                : course.admission == .open ? "enrollment.do.enroll" : "enrollment.do.request"
            return PTButton(
                title: words(title), icon: .plus, size: .large, isWide: true,
                action: .perform(request.call(EnrollInCourse.self, id)))
        case .pending, .waitlisted:
            return PTButton(
                title: words("enrollment.do.withdraw"), role: .quiet,
                action: .perform(
                    request.call(
                        DropCourse.self, id,
                        confirmation: PTConfirmation(
                            title: words("enrollment.withdraw.title"),
                            message: words("enrollment.withdraw.message"),
                            confirm: words("enrollment.do.withdraw")))))
        case .enrolled:
            guard !status.isDropAsked else {
                return PTButton(
                    title: words("enrollment.do.stay"), role: .quiet,
                    action: .perform(request.call(WithdrawDrop.self, id)))
            }
            let isFree = Admissions.canDropWithoutApproval(course, on: today)
            let message =
                isFree
                ? course.dropDay.map { words("enrollment.drop.until", words.longDate($0)) }
                    ?? words("enrollment.drop.message")
                : words("enrollment.drop.late")
            return PTButton(
                title: words("enrollment.do.drop"), role: .quiet,
                action: .perform(
                    request.call(
                        DropCourse.self, id,
                        confirmation: PTConfirmation(
                            title: words("enrollment.drop.title", course.name), message: message,
                            confirm: words(isFree ? "enrollment.do.drop" : "enrollment.do.askDrop")))))
        }
    }
}
