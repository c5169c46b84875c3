import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import ScreenKit

/// The page of one conversation with its messages and composer.
struct ThreadScreen: Sendable {
    let service: ConversationService

    static func path(_ id: UUID) -> String { "\(MessagesScreens.path)/\(id.text)" }
    /// The address of a message in its conversation.
    static func path(_ id: UUID, at seq: Int, _ messageId: UUID) -> String {
        "\(path(id))?at=\(seq)#m-\(messageId.text)"
    }

    var route: ScreenRoute {
        ScreenRoute(
            "\(MessagesScreens.path)/{conversationId}", access: .member(.exchangeMessages),
            tab: MessagesScreens.path, thread)
    }

    @Sendable
    private func thread(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let id = try request.id("conversationId")
        let membership = try request.context.membership
        // A position in the conversation is shown with the messages before and after it.
        let before =
            request.query["before"].flatMap(Int.init)
            ?? request.query["at"].flatMap(Int.init).map { max(1, min($0, 1 << 30)) + MessagingLimits.pageSize / 2 }
        let others = try await request.context.school.read { sql in
            let access = try service.access(of: membership, in: sql)
            _ = try service.storedConversation(id, access, in: sql)
            return try ConversationRepository.members(of: id, in: sql).map(\.personId)
        }
        let roles = try await service.correspondents.roles.roles(of: others, in: membership.organization.id)
        return .screen(
            try await request.context.school.read { sql in
                try screen(id, before: before, roles, membership, request, in: sql)
            })
    }

    private func screen(
        _ id: UUID, before: Int?, _ roles: [UUID: Set<Role>], _ membership: ActiveMembership,
        _ request: ScreenRequest, in sql: any SQLReading
    ) throws -> Screen {
        let words = request.words
        let access = try service.access(of: membership, in: sql)
        let stored = try service.storedConversation(id, access, in: sql)
        let page = try service.thread(
            stored, before: before ?? stored.lastSeq + 1, limit: MessagingLimits.pageSize, access, in: sql)
        let answered = try MessageRepository.messages(
            Array(Set(page.messages.compactMap(\.replyTo))), of: id, in: sql)
        let replyTo = try reply(to: request.query["reply"], in: stored, sql)
        let names = try service.correspondents.people(
            page.messages.map(\.senderId) + page.members.map(\.personId) + answered.map(\.senderId)
                + [replyTo?.senderId].compactMap { $0 }, membership, in: sql)
        let conversation = try service.conversation(stored, access, words, in: sql)
        let list = try service.conversations(
            access, limit: MessagingLimits.listSize, words, in: sql)
        let cells = try ConversationCells(access, request, current: id).cells(
            list.items, service.correspondents, in: sql)
        let isLatest = (page.messages.last?.seq ?? 0) == stored.lastSeq
        let mayWrite = try service.mayWrite(stored, roles, access, in: sql)
        let view = ThreadViewModel(
            conversation: conversation, messages: page.messages,
            answered: Dictionary(answered.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one }),
            members: page.members, names: names, readerId: access.caller.id, timeZone: membership.timeZone,
            request: request)
        var talk = PTTalk(
            id: id.text, label: words("messages.with", conversation.title),
            list: PTList(cells: cells, label: words("messages.title")), listLabel: words("messages.title"),
            days: view.days, empty: page.messages.isEmpty ? words("messages.nothingYet") : nil)
        talk.search = MessagesScreens.search("", words)
        talk.begin = PTButton(title: words("messages.new"), icon: .edit, action: .open(MessagesScreens.newPath))
        if page.hasEarlier, let first = page.messages.first {
            talk.earlier = PTButton(
                title: words("messages.earlier"), role: .quiet,
                action: .open("\(Self.path(id))?before=\(first.seq)"))
        }
        if !isLatest {
            talk.later = PTButton(title: words("messages.latest"), role: .quiet, action: .open(Self.path(id)))
        } else {
            if stored.unread > 0 {
                talk.receipt = PTButton(
                    title: words("messages.markRead"), role: .quiet,
                    action: .perform(
                        request.call(
                            MarkConversationRead.self, ["conversationId": id.text],
                            fields: ["through": String(stored.lastSeq)])))
            }
            if mayWrite {
                talk.composer = composer(id, request)
                talk.composer?.reply = replyTo.map { view.reply(to: $0) }
                talk.composer?.names = try callable(in: stored, access, request, sql)
            }
        }
        if !mayWrite {
            let why = stored.isClosed ? "closed" : stored.kind == .channel ? "readOnly" : "notReachable"
            talk.closed = words("problem.messages.\(why)")
        }
        let subtitle = [view.subtitle, stored.isClosed ? words("messages.isClosed") : nil].compactMap { $0 }
        return Screen(
            title: conversation.title, subtitle: subtitle.isEmpty ? nil : subtitle.joined(separator: " · "),
            back: MessagesScreens.path, live: [Topics.all], body: [.talk(talk)],
            more: PTMenuItem(
                title: words("messages.about"), icon: .info, action: .present(AboutScreen.path(id))))
    }

    /// The message that the reader is replying to; `nil` without one.
    private func reply(
        to text: String?, in stored: StoredConversation, _ sql: any SQLReading
    ) throws -> MessageRepository.StoredMessage? {
        guard let id = text.flatMap(UUID.init(text:)), let found = try MessageRepository.message(id, in: sql),
            found.conversationId == stored.id, !found.isDeleted
        else { return nil }
        return found
    }

    /// The people whom a message can mention. In a direct conversation no mention is needed.
    private func callable(
        in stored: StoredConversation, _ access: ConversationService.Access, _ request: ScreenRequest,
        _ sql: any SQLReading
    ) throws -> PTComposer.Names? {
        guard stored.kind != .direct else { return nil }
        let others = try service.others(stored, access, in: sql)
        let people = try service.correspondents.people(others, access.membership, in: sql)
        let names = Set(people.values.map(\.name.display)).sorted { NameFolding.fold($0) < NameFolding.fold($1) }
        return names.isEmpty ? nil : .init(label: request.words("messages.names"), values: names)
    }

    private func composer(_ id: UUID, _ request: ScreenRequest) -> PTComposer {
        let words = request.words
        let parameters = ["conversationId": id.text]
        let action = SendMessage.contract.path(filling: parameters)
        var composer = PTComposer(
            action: action, command: SendMessage.contract.name,
            typing: SignalTyping.contract.path(filling: parameters), key: request.key,
            label: words("messages.write"), send: words("messages.send"),
            attach: .init(
                title: words("messages.attach"), max: MessagingLimits.files, side: MessageFileIntake.sides[0],
                tooMany: words("messages.tooManyFiles", MessagingLimits.files), remove: words("messages.removeFile")
            ),
            sending: words("messages.sending"),
            failed: words("messages.notSent"), retry: words("messages.retry"),
            types: words("messages.typing", "{name}"))
        if let refused = request.refused, refused.command == action {
            composer.value = refused.typed["text"] ?? ""
            composer.error =
                refused.problem.faults.first?.sentence(words) ?? refused.problem.sentence(words)
        }
        return composer
    }
}
