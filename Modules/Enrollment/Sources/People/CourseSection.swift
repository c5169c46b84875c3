import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// What the page of a course says of places: how it stands to a student, or how many are in it.
struct CourseSection: Sendable {
    let courses: any CourseService
    let handlers: EnrollmentHandlers
    let places: PlaceReader

    func section(of courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        // The course's page has the way from one child to another.
        let (student, _) = try await places.chosen(request)
        let today = request.context.today
        let (course, seats, standing, isOffered) = try await request.context.school.read { sql in
            guard let course = try courses.courses([courseId], in: sql)[courseId] else { throw Problem.notFound }
            return (
                course, try handlers.service.seats(of: course, in: sql),
                try student.map { try handlers.standing(of: $0, course, in: sql) },
                try courses.course(courseId, offeredOn: today, in: sql) != nil
            )
        }
        let told = EnrollmentWording.seats(course, seats.enrolled, words)
        guard let standing else {
            return course.isLed(by: membership) ? [people(course, seats, told, words)] : []
        }
        let isOwn = membership.personId == student
        let detail = Self.sentence(standing, course, isOffered: isOffered, words)
        var parts: [Component] = [.text(PTText(detail.isEmpty ? told : "\(detail) \(told)"))]
        if isOwn, let button = Self.button(standing, course, isOffered: isOffered, today: today, request) {
            parts.append(.button(button))
        }
        return [
            .section(
                PTSection(
                    title: words("enrollment.place"),
                    detail: EnrollmentWording.tag(standing.status, standing.position, words)?.text,
                    body: parts))
        ]
    }

    /// For those who lead the course: how many, and the way to them.
    private func people(_ course: Course, _ seats: Seats, _ told: String, _ words: Words) -> Component {
        let open = [
            seats.pending > 0 ? words("enrollment.requestCount", seats.pending) : nil,
            seats.waiting > 0 ? words("enrollment.waitingCount", seats.waiting) : nil,
        ].compactMap(\.self)
        return .section(
            PTSection(
                title: words("enrollment.people"),
                body: [
                    .list(
                        PTList(cells: [
                            PTListCell(
                                leading: .icon(.people, tint: .sky), title: told,
                                subtitle: open.isEmpty
                                    ? words("enrollment.noRequests") : open.joined(separator: " · "),
                                isEmphasized: seats.pending > 0, trailing: [.chevron],
                                action: .open(PeopleScreens.path(course.id)))
                        ]))
                ]))
    }

    private static func sentence(
        _ standing: EnrollmentStanding, _ course: Course, isOffered: Bool, _ words: Words
    ) -> String {
        if standing.isDropAsked { return words("enrollment.tip.dropAsked") }
        if standing.status == .enrolled { return "" }
        guard isOffered else { return words("enrollment.tip.over") }
        return switch standing.status {
        case .enrolled: ""
        case .pending: words("enrollment.tip.pending")
        case .waitlisted: words("enrollment.tip.waitlisted", standing.position ?? 1)
        case .full: words("enrollment.tip.full")
        case .available: words(course.admission == .open ? "enrollment.tip.open" : "enrollment.tip.approval")
        }
    }

    /// The one thing that a student can do about the course now.
    private static func button(
        _ standing: EnrollmentStanding, _ course: Course, isOffered: Bool, today: Day, _ request: ScreenRequest
    ) -> PTButton? {
        let (words, id) = (request.words, ["courseId": course.id.text])
        switch standing.status {
        case .available, .full:
            guard isOffered else { return nil }
            let title =
                standing.status == .full
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
            guard !standing.isDropAsked else {
                return PTButton(
                    title: words("enrollment.do.stay"), role: .quiet,
                    action: .perform(request.call(WithdrawDrop.self, id)))
            }
            let isFree = Admissions.dropsAlone(course, on: today)
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
