import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import ScreenKit

/// The page about a conversation: search, settings and members.
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
                let access = try service.access(of: membership, in: sql)
                let stored = try service.storedConversation(id, access, in: sql)
                let conversation = try service.conversation(stored, access, words, in: sql)
                var body = try hits(query, stored, access, request, in: sql)
                if query.isEmpty { body += try settings(stored, access, request, in: sql) }
                return Screen(
                    title: conversation.title, back: ThreadScreen.path(id), live: [Topics.one(id)], body: body,
                    search: PTSearchField(
                        path: Self.path(id), value: query, placeholder: words("messages.searchHere"),
                        label: words("messages.searchHere")))
            })
    }

    /// The messages that contain the query, each with a link to its position in the conversation.
    private func hits(
        _ query: String, _ stored: StoredConversation, _ access: ConversationService.Access,
        _ request: ScreenRequest, in sql: any SQLReading
    ) throws -> [Component] {
        guard !query.isEmpty else { return [] }
        let words = request.words
        let found = try service.search(query, in: stored, access, in: sql)
        guard !found.isEmpty else {
            return [
                .empty(
                    PTEmptyState(
                        icon: .search, title: words("messages.noHits"), message: words("messages.noHitsTip")))
            ]
        }
        let people = try service.correspondents.people(found.map(\.senderId), access.membership, in: sql)
        let cells = found.map { message in
            let name = people[message.senderId]?.name.display ?? words("messages.formerMember")
            return PTListCell(
                id: message.id.text, title: MessageText.preview(message.text),
                subtitle: [
                    message.senderId == access.caller.id ? words("messages.you") : name,
                    words.dateAndTime(message.timestamp, in: access.membership.timeZone),
                ].joined(separator: " · "), trailing: [.chevron],
                action: .open(ThreadScreen.path(stored.id, at: message.seq, message.id)))
        }
        return [.list(PTList(cells: cells, label: words("messages.hits", found.count)))]
    }

    private func settings(
        _ stored: StoredConversation, _ access: ConversationService.Access, _ request: ScreenRequest,
        in sql: any SQLReading
    ) throws -> [Component] {
        let words = request.words
        let parameters = ["conversationId": stored.id.text]
        let to = Self.path(stored.id)
        var buttons = [
            PTButton(
                title: words(stored.isMuted ? "messages.unmute" : "messages.mute"), icon: .bell, role: .tonal,
                action: .perform(
                    request.call(
                        MuteConversation.self, parameters, fields: ["isMuted": stored.isMuted ? "false" : "true"],
                        to: to)))
        ]
        if service.mayClose(stored, access) {
            buttons.append(
                PTButton(
                    title: words(stored.isClosed ? "messages.open" : "messages.close"), icon: .lock, role: .tonal,
                    action: .perform(
                        request.call(
                            CloseConversation.self, parameters,
                            fields: ["isClosed": stored.isClosed ? "false" : "true"], to: to))))
        }
        if stored.kind == .group {
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
            stored.isMuted ? words("messages.muted.tip") : nil,
            stored.isClosed ? words("messages.closed.tip") : nil,
        ].compactMap { $0 }.map { Component.text(PTText($0, role: .note)) }
        return [.buttons(PTButtonGroup(buttons: buttons))] + tips + (try members(stored, access, request, in: sql))
    }

    /// The members. In a channel only staff see them, because families must not learn of each other.
    private func members(
        _ stored: StoredConversation, _ access: ConversationService.Access, _ request: ScreenRequest,
        in sql: any SQLReading
    ) throws -> [Component] {
        guard stored.kind != .channel || service.mayClose(stored, access) else { return [] }
        let ids = try service.others(stored, access, in: sql).union([access.caller.id])
        let people = try service.correspondents.people(ids, access.membership, in: sql).values
            .sorted(by: Person.precedes)
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
