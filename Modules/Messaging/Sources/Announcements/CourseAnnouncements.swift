import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit

/// The announcements section of a course's page.
struct CourseAnnouncements: Sendable {
    /// The number of announcements in the section. The full list has the earlier ones.
    static let count = 3

    let handlers: AnnouncementHandlers
    let courses: any CourseTieService

    /// Returns the section; empty for people outside of the course and without announcements.
    func section(of courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let (found, people, isLed) = try await request.context.school.read { sql in
            let found = try AnnouncementRepository.latest(
                of: courseId, for: handlers.reader(membership, in: sql), limit: Self.count, in: sql)
            let led = try courses.courses(ledBy: membership, in: sql).first { $0.id == courseId }
            return (
                found, try handlers.correspondents.people(found.map(\.authorId), membership, in: sql),
                led.map { !$0.isArchived } ?? false
            )
        }
        let mayWrite = isLed && request.context.caller.may(.announce)
        guard mayWrite || !found.isEmpty else { return [] }
        let cells = found.map {
            AnnouncementScreens.cell($0, of: people[$0.authorId], words, in: membership.timeZone)
        }
        let write = PTButton(
            title: words("announcements.new"), icon: .edit, role: .quiet,
            action: .open(AnnouncementForm.path(forCourse: courseId)))
        let list: Component =
            cells.isEmpty
            ? .text(PTText(words("announcements.noneOfCourse")))
            : .list(PTList(cells: cells, label: words("announcements.title")))
        return [
            .section(
                PTSection(title: words("announcements.title"), action: mayWrite ? write : nil, body: [list]))
        ]
    }
}
