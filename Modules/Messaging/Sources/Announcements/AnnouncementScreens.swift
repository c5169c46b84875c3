import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

/// What the school tells: the list, one of it, and the form for a new one.
struct AnnouncementScreens: Sendable {
    static let path = "/announcements"
    static let newPath = "/announcements/new"
    static let topic = "announcements"

    static func path(_ id: UUID) -> String { "\(path)/\(id.text)" }

    let handlers: AnnouncementHandlers

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.readAnnouncements), tab: MessagesScreens.path, list),
            ScreenRoute(Self.newPath, access: .member(.announce), tab: MessagesScreens.path, form),
            ScreenRoute(
                "\(Self.path)/{announcementId}", access: .member(.readAnnouncements), tab: MessagesScreens.path, one
            ),
        ]
    }

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let after = String((request.query["after"] ?? AnnouncementHandlers.start).prefix(40))
        let (found, people) = try await request.context.school.read { sql in
            let found = try AnnouncementRepository.list(
                for: handlers.reader(membership, in: sql), after: after,
                limit: AnnouncementHandlers.pageSize + 1, in: sql)
            return (found, try handlers.correspondents.people(found.map(\.authorId), membership, in: sql))
        }
        let shown = found.prefix(AnnouncementHandlers.pageSize)
        let cells = shown.map { item in
            PTListCell(
                id: item.id.text, leading: .icon(.info, tint: .sky), title: item.title,
                subtitle: [
                    people[item.authorId]?.name.display,
                    words.shortDate(Day(item.publishedAt, in: membership.timeZone)),
                ].compactMap { $0 }.joined(separator: " · "), trailing: [.chevron],
                action: .open(Self.path(item.id)))
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

    @Sendable
    private func one(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let id = try request.id("announcementId")
        let (found, author, room, mayRemove) = try await request.context.school.read { sql in
            guard
                let found = try AnnouncementRepository.announcement(
                    id, for: handlers.reader(membership, in: sql), in: sql)
            else { throw Problem.notFound }
            let caller = try handlers.correspondents.caller(membership, in: sql)
            return (
                found, try handlers.correspondents.people([found.authorId], membership, in: sql)[found.authorId],
                try handlers.correspondents.ties.classrooms(Set([found.classroomId].compactMap { $0 }), in: sql)
                    .first,
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
            avatar: author.map { PTAvatar(initials: $0.name.initials, tint: $0.avatarTint, id: $0.id) },
            byline: [
                author?.name.display ?? words("messages.formerMember"),
                words.dateAndTime(found.publishedAt, in: membership.timeZone),
            ].joined(separator: " · "),
            tags: [PTTag(text: room?.name ?? words("announcements.wholeSchool"), tone: .info)])
        return .screen(
            Screen(
                title: found.title, back: Self.path, live: [Self.topic],
                body: [.note(note)] + (mayRemove && request.context.caller.may(.announce) ? [.button(remove)] : []))
        )
    }

    @Sendable
    private func form(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let (rooms, isAdmin) = try await request.context.school.read { sql in
            (
                try handlers.targets(membership, in: sql),
                try handlers.correspondents.caller(membership, in: sql).isAdmin
            )
        }
        let whole = isAdmin ? [PTField.Option(value: "", title: words("announcements.wholeSchool"))] : []
        let options = whole + rooms.map { PTField.Option(value: $0.id.text, title: $0.name) }
        guard !options.isEmpty else {
            return .screen(
                Screen(
                    title: words("announcements.new"), back: Self.path,
                    body: [
                        .empty(
                            PTEmptyState(
                                icon: .people, title: words("announcements.noClass"),
                                message: words("announcements.noClassTip")))
                    ]))
        }
        return .screen(
            Screen(
                title: words("announcements.new"), back: Self.path,
                body: [
                    .form(
                        request.form(
                            PublishAnnouncement.self, id: "announcement",
                            fields: [
                                PTField(
                                    .select(options), name: "classroomId", label: words("announcements.to"),
                                    value: options[0].value),
                                PTField(
                                    .text, name: "title", label: words("announcements.heading"), isRequired: true,
                                    maxLength: 120),
                                PTField(
                                    .multiline, name: "text", label: words("announcements.text"), isRequired: true,
                                    maxLength: AnnouncementHandlers.textLimit),
                            ], submit: SubmitButton(title: words("announcements.publish")), style: .card))
                ]))
    }
}
