import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import ScreenKit

/// The list of announcements and the page of one.
struct AnnouncementScreens: Sendable {
    static let path = "/announcements"
    static let newPath = "/announcements/new"
    static let topic = "announcements"

    static func path(_ id: UUID) -> String { "\(path)/\(id.text)" }

    let handlers: AnnouncementHandlers

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.readAnnouncements), tab: MessagesScreens.path, list),
            ScreenRoute(
                Self.newPath, access: .member(.announce), tab: MessagesScreens.path,
                AnnouncementForm(handlers: handlers).screen),
            ScreenRoute(
                "\(Self.path)/{announcementId}", access: .member(.readAnnouncements), tab: MessagesScreens.path, one
            ),
        ]
    }

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let after = String((request.query["after"] ?? AnnouncementHandlers.start).prefix(40))
        let (found, people, places) = try await request.context.school.read { sql in
            let found = try AnnouncementRepository.list(
                for: handlers.reader(membership, in: sql), after: after,
                limit: AnnouncementHandlers.pageSize + 1, in: sql)
            return (
                found, try handlers.correspondents.people(found.map(\.authorId), membership, in: sql),
                try handlers.places(found, in: sql)
            )
        }
        let shown = found.prefix(AnnouncementHandlers.pageSize)
        let cells = shown.map { item in
            Self.cell(
                item, of: people[item.authorId],
                place: (item.courseId ?? item.classroomId).flatMap { places[$0] } ?? Self.circle(item, words),
                words, in: membership.timeZone)
        }
        let mayAnnounce = request.context.caller.may(.announce)
        return .screen(
            Screen(
                title: words("announcements.title"), back: MessagesScreens.path, live: [Self.topic],
                body: cells.isEmpty
                    ? [
                        .empty(
                            PTEmptyState(
                                icon: .info, title: words("announcements.none"),
                                message: words("announcements.noneTip")))
                    ]
                    : [
                        .list(
                            PTList(
                                cells: cells, label: words("announcements.title"),
                                more: found.count > shown.count
                                    ? shown.last.map {
                                        PTButton(
                                            title: words("announcements.more"), role: .quiet,
                                            action: .open("\(Self.path)?after=\($0.id.text)"))
                                    } : nil))
                    ],
                floatingButton: mayAnnounce
                    ? PTFloatingActionButton(title: words("announcements.new"), action: .open(Self.newPath)) : nil))
    }

    /// A row of a list.
    ///
    /// - Parameter place: the name of the class or course, if the list shows it.
    static func cell(
        _ item: Announcement, of author: Person?, place: String? = nil, _ words: Words, in zone: TimeZone
    ) -> PTListCell {
        PTListCell(
            id: item.id.text, leading: .icon(.info, tint: .sky), title: item.title,
            subtitle: [author?.name.display, place, words.shortDate(Day(item.publishedAt, in: zone))]
                .compactMap(\.self).joined(separator: " · "),
            trailing: [.chevron], action: .open(path(item.id)))
    }

    /// The name of the group of people; `nil` for a class, a course or the whole school.
    private static func circle(_ item: Announcement, _ words: Words) -> String? {
        item.circle.map { words("announcements.circle.\($0.rawValue)") }
    }

    @Sendable
    private func one(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let id = try request.id("announcementId")
        let (found, author, place, mayRemove) = try await request.context.school.read { sql in
            guard
                let found = try AnnouncementRepository.announcement(
                    id, for: handlers.reader(membership, in: sql), in: sql)
            else { throw Problem.notFound }
            let caller = try handlers.correspondents.caller(membership, in: sql)
            return (
                found, try handlers.correspondents.people([found.authorId], membership, in: sql)[found.authorId],
                try handlers.places([found], in: sql).values.first,
                caller.isAdmin || found.authorId == caller.id
            )
        }
        let remove = PTButton(
            title: words("announcements.remove"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    RemoveAnnouncement.self, ["announcementId": id.text],
                    confirmation: PTConfirmation(
                        title: words("announcements.removeTitle"), message: words("announcements.removeMessage"),
                        confirm: words("announcements.remove")))))
        let note = PTNote(
            text: found.text,
            avatar: author.map { PTAvatar($0) },
            byline: [
                author?.name.display ?? words("messages.formerMember"),
                words.dateAndTime(found.publishedAt, in: membership.timeZone),
            ].joined(separator: " · "),
            tags: [
                PTTag(
                    text: place ?? Self.circle(found, words)
                        ?? words(found.isForAll ? "announcements.wholeSchool" : "announcements.formerPlace"),
                    tone: .info)
            ])
        return .screen(
            Screen(
                title: found.title, back: Self.path, live: [Self.topic],
                body: [.note(note)] + (mayRemove && request.context.caller.may(.announce) ? [.button(remove)] : []),
                listPath: Self.path)
        )
    }
}
