import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit

/// The list of conversations, and the pages for a new one.
struct MessagesScreens: Sendable {
    static let path = "/messages"
    static let newPath = "/messages/new"
    static let groupPath = "/messages/new/group"

    let service: ConversationService

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.exchangeMessages), tab: Self.path, isPlace: true, list),
            ScreenRoute(Self.newPath, access: .member(.exchangeMessages), tab: Self.path, begin),
            ScreenRoute(Self.groupPath, access: .member(.exchangeMessages), tab: Self.path, group),
        ]
    }

    // MARK: - List

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let query = String((request.query["q"] ?? "").prefix(100)).trimmingCharacters(in: .whitespaces)
        let before = request.query["after"].flatMap { Int64($0) } ?? .max
        let isOpen = try await request.context.school.read {
            try service.accessIfAllowed(of: membership, in: $0) != nil
        }
        guard isOpen else {
            return .screen(
                Screen(
                    title: words("messages.title"), live: ["messages.policy"],
                    body: [
                        .empty(
                            PTEmptyState(
                                icon: .chat, title: words("messages.notOpen"),
                                message: words("problem.messages.notForStudents")))
                    ]))
        }
        if !query.isEmpty { return .screen(try await found(query, request)) }
        let cells = try await request.context.school.read { sql -> (cells: [PTListCell], next: Int64?) in
            let access = try service.access(of: membership, in: sql)
            let found = try service.conversations(
                access, before: before, limit: MessagingLimits.listSize, words, in: sql)
            return (
                try ConversationCells(access, request).cells(found.items, service.correspondents, in: sql),
                found.next
            )
        }
        let body: [Component] =
            cells.cells.isEmpty
            ? [
                .empty(
                    PTEmptyState(
                        icon: .chat, title: words("messages.none"), message: words("messages.noneTip"),
                        action: PTButton(title: words("messages.new"), icon: .edit, action: .open(Self.newPath))))
            ]
            : [
                .list(
                    PTList(
                        cells: cells.cells, label: words("messages.title"),
                        more: cells.next.map {
                            PTButton(
                                title: words("messages.more"), role: .quiet,
                                action: .open("\(Self.path)?after=\($0)"))
                        }))
            ]
        let announcements = Component.links(
            PTLinks(links: [.init(title: words("announcements.title"), action: .open(AnnouncementScreens.path))]))
        var screen = Screen(
            title: words("messages.title"), live: [Topics.all], body: [announcements] + body,
            floatingButton: PTFloatingActionButton(
                icon: .edit, title: words("messages.new"), action: .open(Self.newPath)),
            search: cells.cells.isEmpty ? nil : Self.search("", words))
        if !cells.cells.isEmpty {
            screen.placeholder = PTEmptyState(
                icon: .chat, title: words("messages.choose"), message: words("messages.chooseTip"))
        }
        return .screen(screen)
    }

    static func search(_ query: String, _ words: Words) -> PTSearchField {
        PTSearchField(
            path: Self.path, value: query, placeholder: words("messages.searchTip"),
            label: words("messages.search"))
    }

    /// The conversations and messages in which the words of a query occur.
    private func found(_ query: String, _ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (conversations, messages) = try await request.context.school.read { sql in
            let access = try service.access(of: membership, in: sql)
            let hits = try service.search(query, access, words, in: sql)
            let people = try service.correspondents.people(
                hits.messages.map(\.message.senderId), membership, in: sql)
            let messages = hits.messages.map { message, title in
                let sender =
                    message.senderId == access.caller.id
                    ? words("messages.you")
                    : people[message.senderId]?.name.display ?? words("messages.formerMember")
                return PTListCell(
                    id: message.id.text, title: MessageText.preview(message.text),
                    // A conversation of two has the name of the other person.
                    subtitle: [
                        title == sender ? nil : title, sender,
                        words.dateAndTime(message.sentAt, in: membership.timeZone),
                    ].compactMap(\.self).joined(separator: " · "), trailing: [.chevron],
                    action: .open(ThreadScreen.path(message.conversationId, at: message.seq, message.id)))
            }
            return (
                try ConversationCells(access, request)
                    .cells(hits.conversations, service.correspondents, in: sql), messages
            )
        }
        var body: [Component] = []
        for (title, cells) in [
            (words("messages.conversations"), conversations), (words("messages.title"), messages),
        ] where !cells.isEmpty {
            body.append(.section(PTSection(title: title, body: [.list(PTList(cells: cells, label: title))])))
        }
        if body.isEmpty {
            body = [
                .empty(
                    PTEmptyState(
                        icon: .search, title: words("messages.noHits"), message: words("messages.noHitsTip"),
                        action: PTButton(title: words("messages.all"), role: .tonal, action: .open(Self.path))))
            ]
        }
        return Screen(
            title: words("messages.title"), live: [Topics.all], body: body,
            floatingButton: PTFloatingActionButton(
                icon: .edit, title: words("messages.new"), action: .open(Self.newPath)),
            search: Self.search(query, words))
    }

    // MARK: - New conversation

    @Sendable
    private func begin(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let query = String((request.query["q"] ?? "").prefix(100))
        let channels = try await request.context.school.read { sql in
            let access = try service.access(of: membership, in: sql)
            let ids = try access.caller.ties.all.filter {
                try Correspondence.mayRead(access.caller, channelOf: $0, under: access.policy)
                    && (access.caller.isStaff || ConversationRepository.channel(of: $0, in: sql) != nil)
            }
            return try service.correspondents.ties.classrooms(Set(ids), in: sql)
        }
        let people = try await service.correspondents.reachable(matching: query, request.context)
        let shown = Array(people.prefix(CorrespondentService.pickerLimit))
        var body: [Component] = []
        if query.isEmpty, !channels.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("messages.classes"),
                        body: [
                            .list(
                                PTList(
                                    cells: channels.map { room in
                                        PTListCell(
                                            id: room.id.text,
                                            leading: .avatar(
                                                PTAvatar(
                                                    initials: Initials.of(room.name),
                                                    tint: room.avatarTint, id: room.id)),
                                            title: words("messages.channelOf", room.name), trailing: [.chevron],
                                            action: .perform(
                                                request.call(OpenChannel.self, ["classroomId": room.id.text])))
                                    }))
                        ])))
        }
        for (title, some) in Self.parts(shown, words) {
            body.append(
                .section(
                    PTSection(
                        title: title,
                        body: [.list(PTList(cells: some.map { cell($0, request) }))])))
        }
        if shown.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .people, title: words("messages.nobody"),
                        message: words(query.isEmpty ? "messages.nobodyTip" : "messages.nobodyFound"))))
        }
        if people.count > shown.count {
            body.append(.text(PTText(words("messages.searchForMore"), role: .note)))
        }
        if query.isEmpty, shown.count > 1 {
            body.insert(
                .buttons(
                    PTButtonGroup(buttons: [
                        PTButton(
                            title: words("messages.newGroup"), icon: .people, role: .tonal,
                            action: .open(Self.groupPath))
                    ])), at: 0)
        }
        return .screen(
            Screen(
                title: words("messages.new"), back: Self.path, body: body,
                search: PTSearchField(
                    path: Self.newPath, value: query, placeholder: words("messages.searchPeople"),
                    label: words("messages.searchPeople"))))
    }

    private func cell(_ found: Reachable, _ request: ScreenRequest) -> PTListCell {
        PTListCell(
            id: found.id.text,
            leading: .avatar(
                PTAvatar(found.person)),
            title: found.person.name.display, subtitle: request.words("messages.role.\(found.role.rawValue)"),
            trailing: [.chevron],
            action: .perform(request.call(StartConversation.self, fields: ["personIds": found.id.text])))
    }

    /// Staff, families and students, without empty groups.
    private static func parts(_ found: [Reachable], _ words: Words) -> [(String, [Reachable])] {
        [
            (words("messages.staff"), found.filter { $0.role.isStaff }),
            (words("messages.families"), found.filter { $0.role == .parent }),
            (words("messages.students"), found.filter { $0.role == .student }),
        ].filter { !$0.1.isEmpty }
    }

    @Sendable
    private func group(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        try await request.context.school.read { _ = try service.access(of: membership, in: $0) }
        let people = try await service.correspondents.reachable(matching: "", request.context)
        return .screen(
            Screen(
                title: words("messages.newGroup"), back: Self.newPath,
                body: [
                    .form(
                        request.form(
                            StartConversation.self, id: "group",
                            fields: [
                                PTField(
                                    .text, name: "title", label: words("messages.groupTitle"), isRequired: true,
                                    maxLength: MessagingLimits.titleLength),
                                PTField(
                                    .multipleChoice(
                                        people.map {
                                            .init(
                                                value: $0.id.text, title: $0.person.name.display,
                                                detail: words("messages.role.\($0.role.rawValue)"))
                                        }), name: "personIds", label: words("messages.groupPeople")),
                            ], submit: SubmitButton(title: words("messages.beginGroup")), style: .card))
                ]))
    }
}

/// Makes the rows of a list of conversations.
struct ConversationCells {
    private let access: ConversationService.Access
    private let request: ScreenRequest
    private let timeZone: TimeZone
    private let current: UUID?

    init(_ access: ConversationService.Access, _ request: ScreenRequest, current: UUID? = nil) {
        self.access = access
        self.request = request
        self.current = current
        timeZone = access.membership.timeZone
    }

    func cells(
        _ conversations: [Conversation], _ service: CorrespondentService, in sql: any SQLReading
    ) throws -> [PTListCell] {
        let senders = conversations.filter { $0.kind != .direct }.compactMap { $0.lastMessage?.senderId }
        let others = conversations.filter { $0.kind == .direct }.flatMap(\.memberIds)
        let people = try service.people(senders + others, access.membership, in: sql)
        return conversations.map { cell($0, people) }
    }

    private func cell(_ conversation: Conversation, _ people: [UUID: Person]) -> PTListCell {
        let words = request.words
        let other = conversation.memberIds.first { $0 != access.caller.id }.flatMap { people[$0] }
        let avatar =
            conversation.kind == .direct
            ? PTAvatar(
                initials: Initials.of(conversation.title), tint: other?.avatarTint,
                id: other?.id ?? conversation.id, imageURL: other?.imageURL)
            : PTAvatar(initials: Initials.of(conversation.title), id: conversation.id)
        // An open conversation has the dot only, and only until its messages are read.
        let isUnread = conversation.unread > 0
        return PTListCell(
            id: conversation.id.text, leading: .avatar(avatar), title: conversation.title,
            subtitle: preview(conversation, people),
            dot: isUnread
                ? .init(tone: .unread, spoken: words("messages.unread", conversation.unread)) : nil,
            isEmphasized: isUnread && conversation.id != current, isCurrent: conversation.id == current,
            trailing: conversation.lastMessage.map { [.text(time($0.timestamp))] } ?? [],
            action: .open(ThreadScreen.path(conversation.id)))
    }

    private func preview(_ conversation: Conversation, _ people: [UUID: Person]) -> String {
        let words = request.words
        guard let message = conversation.lastMessage else { return words("messages.nothingYet") }
        let text =
            switch (message.isDeleted, message.text.isEmpty, message.files.isEmpty) {
            case (true, _, _): words("messages.isDeleted")
            case (_, true, true): words("messages.erased")
            case (_, true, false): words("messages.file")
            case (_, false, _): MessageText.preview(message.text)
            }
        if message.senderId == access.caller.id { return words("messages.preview.own", text) }
        guard conversation.kind != .direct, let sender = people[message.senderId] else { return text }
        return words("messages.preview.from", sender.name.called, text)
    }

    /// The time for today, the weekday for the last six days, and the date for earlier days.
    private func time(_ instant: Date) -> String {
        let day = Day(instant, in: timeZone)
        if day == request.context.today { return request.words.time(instant, in: timeZone) }
        if day > request.context.today.adding(days: -6) { return request.words.weekday(day) }
        return request.words.shortDate(day)
    }
}
