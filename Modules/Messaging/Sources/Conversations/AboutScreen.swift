import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import ScreenKit

/// A conversation as a whole: what was said in it, found again; who is in it; and how the reader wants it.
struct AboutScreen: Sendable {
    let service: ConversationService

    static func path(_ id: UUID) -> String { "\(MessagesScreens.path)/about/\(id.text)" }

    var route: ScreenRoute {
        ScreenRoute(
            "\(MessagesScreens.path)/about/{conversationId}", access: .member(.exchangeMessages),
            tab: MessagesScreens.path, screen)
    }

    @Sendable
    private func screen(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let id = try request.id("conversationId")
        let query = String((request.query["q"] ?? "").prefix(100))
        return .screen(
            try await request.context.school.read { sql in
                let standing = try service.standing(membership, in: sql)
                let kept = try service.kept(id, standing, in: sql)
                let conversation = try service.conversation(kept, standing, words, in: sql)
                var body = try hits(query, kept, standing, request, in: sql)
                if query.isEmpty { body += try settings(kept, standing, request, in: sql) }
                return Screen(
                    title: conversation.title, back: ThreadScreen.path(id), live: [Topics.one(id)], body: body,
                    search: PTSearchField(
                        path: Self.path(id), value: query, placeholder: words("messages.searchHere"),
                        label: words("messages.searchHere")))
            })
    }

    /// The messages in which the words occur; each leads to its place in the conversation.
    private func hits(
        _ query: String, _ kept: KeptConversation, _ standing: ConversationService.Standing,
        _ request: ScreenRequest, in sql: any SQLReading
    ) throws -> [Component] {
        guard !query.isEmpty else { return [] }
        let words = request.words
        let found = try service.search(query, in: kept, standing, in: sql)
        guard !found.isEmpty else {
            return [
                .empty(
                    PTEmptyState(
                        icon: .search, title: words("messages.noHits"), message: words("messages.noHitsTip")))
            ]
        }
        let people = try service.correspondents.people(found.map(\.senderId), standing.membership, in: sql)
        let cells = found.map { message in
            let name = people[message.senderId]?.name.display ?? words("messages.formerMember")
            return PTListCell(
                id: message.id.text, title: MessageText.preview(message.text),
                subtitle: [
                    message.senderId == standing.caller.id ? words("messages.you") : name,
                    words.dateAndTime(message.timestamp, in: standing.membership.timeZone),
                ].joined(separator: " · "), trailing: [.chevron],
                action: .open("\(ThreadScreen.path(kept.id))?at=\(message.seq)#m-\(message.id.text)"))
        }
        return [.list(PTList(cells: cells, label: words("messages.hits", found.count)))]
    }

    private func settings(
        _ kept: KeptConversation, _ standing: ConversationService.Standing, _ request: ScreenRequest,
        in sql: any SQLReading
    ) throws -> [Component] {
        let words = request.words
        let parameters = ["conversationId": kept.id.text]
        let to = Self.path(kept.id)
        var buttons = [
            PTButton(
                title: words(kept.isMuted ? "messages.unmute" : "messages.mute"), icon: .bell, role: .tonal,
                action: .perform(
                    request.call(
                        MuteConversation.self, parameters, fields: ["isMuted": kept.isMuted ? "false" : "true"],
                        to: to)))
        ]
        if service.mayClose(kept, standing) {
            buttons.append(
                PTButton(
                    title: words(kept.isClosed ? "messages.open" : "messages.close"), icon: .lock, role: .tonal,
                    action: .perform(
                        request.call(
                            CloseConversation.self, parameters,
                            fields: ["isClosed": kept.isClosed ? "false" : "true"], to: to))))
        }
        if kept.kind == .group {
            buttons.append(
                PTButton(
                    title: words("messages.leave"), icon: .logout, role: .destructive,
                    action: .perform(
                        request.call(
                            LeaveConversation.self, parameters,
                            confirmation: PTConfirmation(
                                title: words("messages.leaveTitle"), message: words("messages.leaveMessage"),
                                confirm: words("messages.leave"))))))
        }
        let tips = [
            kept.isMuted ? words("messages.muted.tip") : nil, kept.isClosed ? words("messages.closed.tip") : nil,
        ].compactMap { $0 }.map { Component.text(PTText($0, role: .note)) }
        return [.buttons(PTButtonGroup(buttons: buttons))] + tips + (try members(kept, standing, request, in: sql))
    }

    /// Who is in it; of a channel its staff alone see that, for families see nothing of each other.
    private func members(
        _ kept: KeptConversation, _ standing: ConversationService.Standing, _ request: ScreenRequest,
        in sql: any SQLReading
    ) throws -> [Component] {
        guard kept.kind != .channel || service.mayClose(kept, standing) else { return [] }
        let ids = try service.others(kept, standing, in: sql).union([standing.caller.id])
        let people = try service.correspondents.people(ids, standing.membership, in: sql).values
            .sorted { ($0.name.sortKey, $0.id.text) < ($1.name.sortKey, $1.id.text) }
        let cells = people.map { person in
            PTListCell(
                id: person.id.text,
                leading: .avatar(
                    PTAvatar(person)),
                title: person.name.display)
        }
        return [
            .section(
                PTSection(
                    title: request.words("messages.people", people.count),
                    body: [.list(PTList(cells: cells))]))
        ]
    }
}
