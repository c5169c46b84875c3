import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page on which a child asks for help, and the page of a request for the adults who are told.
struct HelpScreens: Sendable {
    static let path = "/wellness/help"
    static let requestPath = "/wellness/requests/{helpId}"
    /// The days for which a child sees the answer to the last request.
    private static let answerDays = 30.0

    let access: WellnessAccess
    let handlers: HelpHandlers

    static func path(_ helpId: UUID) -> String { "/wellness/requests/\(helpId.text)" }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.checkIn), tab: "/home") { .screen(try await ask($0)) },
            ScreenRoute(Self.requestPath, access: .member(.readSharedWellness), tab: "/home") {
                .screen(try await request($0))
            },
        ]
    }

    // MARK: - The child's side

    private func ask(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (
            request.words, try request.context.membership, request.context.now
        )
        let texts = WellnessWords(words: words, timeZone: membership.timeZone)
        let contacts = try await handlers.contacts(request.context)
        let (settings, last, people) = try await request.context.school.read { sql in
            let last = try HelpRepository.last(of: membership.personId, in: sql)
            let ids = contacts.union(last?.adults.map(\.id) ?? [])
            return (
                try WellnessSettings.read(in: sql), last,
                try access.names(ids, of: membership.organization.id, in: sql)
            )
        }
        let recent = last.flatMap { one in
            one.closedAt.map { now.timeIntervalSince($0) < Self.answerDays * 86_400 } ?? true ? one : nil
        }
        var body: [Component] = []
        if let recent { body += state(of: recent, people, texts) }
        if recent?.closedAt != nil || recent == nil {
            if !settings.isOn {
                body.append(WellnessScreens.off(words))
            } else if contacts.isEmpty {
                let advice = settings.advice.isEmpty ? words("wellness.help.advice") : settings.advice
                body.append(
                    .section(
                        PTSection(
                            title: words("wellness.help.speak"),
                            body: [.card(PTCard(body: [.text(PTText(advice))]))])
                    ))
            } else {
                body += form(telling: contacts.compactMap { people[$0] }, request)
            }
        }
        return Screen(
            title: words("wellness.help.title"), back: WellnessScreens.path,
            live: [WellnessTopic.of(membership.personId), WellnessTopic.settings],
            body: body + texts.lines(settings))
    }

    /// The names of those who will be told, and the form.
    private func form(telling adults: [Person], _ request: ScreenRequest) -> [Component] {
        let words = request.words
        let cells = adults.sorted(by: Person.precedes).map {
            PTListCell(id: $0.id.text, leading: .avatar(PTAvatar($0)), title: $0.name.display)
        }
        return [
            .section(
                PTSection(
                    title: words("wellness.help.told"),
                    body: [.list(PTList(cells: cells, label: words("wellness.help.told")))])),
            .form(
                request.form(
                    AskForHelp.self, id: "ask",
                    fields: [
                        PTField(
                            .multiline, name: "note", label: words("wellness.help.note"),
                            hint: words("wellness.help.noteTip"), maxLength: HelpRequest.textLength)
                    ], submit: SubmitButton(title: words("wellness.help.ask"), icon: .heart), to: Self.path,
                    style: .card)),
        ]
    }

    /// What became of a request: who was told, who has seen it, and the answer.
    private func state(of one: HelpRequest, _ people: [UUID: Person], _ texts: WellnessWords) -> [Component] {
        let (words, timeZone) = (texts.words, texts.timeZone)
        let cells = one.adults.map { adult -> PTListCell in
            let person = people[adult.id]
            return PTListCell(
                id: adult.id.text, leading: person.map { .avatar(PTAvatar($0)) },
                title: person?.name.display ?? words("wellness.formerMember"),
                subtitle: adult.seenAt.map {
                    words("wellness.help.seenAt", words.dateAndTime($0, in: timeZone))
                } ?? words("wellness.help.toldNotSeen"),
                dot: adult.seenAt.map { _ in .init(tone: .good, spoken: words("wellness.help.seen")) })
        }
        let asked = words("wellness.help.askedAt", words.dateAndTime(one.askedAt, in: timeZone))
        var body: [Component] = [
            one.closedAt == nil
                ? .banner(
                    PTBanner(
                        tone: .success, icon: .heart, title: asked, message: words("wellness.help.soon")))
                : .text(PTText(asked, role: .note))
        ]
        if let closedAt = one.closedAt {
            let name = one.adults.first(where: \.hasClosed).flatMap { people[$0.id]?.name.display }
            body.append(
                .note(
                    PTNote(
                        text: one.answer,
                        avatar: one.adults.first(where: \.hasClosed).flatMap { people[$0.id] }.map { PTAvatar($0) },
                        byline: [
                            name ?? words("wellness.formerMember"), words.dateAndTime(closedAt, in: timeZone),
                        ].joined(separator: " · "))))
        } else {
            body.append(.list(PTList(cells: cells, label: words("wellness.help.who"))))
        }
        return [
            .section(
                PTSection(
                    title: words(one.closedAt == nil ? "wellness.help.yours" : "wellness.help.answer"), body: body))
        ]
    }

    // MARK: - The adults' side

    /// The row of a request in the lists of the adults who are told.
    static func cell(_ one: HelpRequest, _ person: Person?, _ words: Words, in timeZone: TimeZone) -> PTListCell {
        let name = person?.name.display ?? words("wellness.formerMember")
        let isOpen = one.closedAt == nil
        let seen = one.adults.count { $0.seenAt != nil }
        let state =
            !isOpen
            ? words("wellness.help.closed")
            : seen == 0 ? words("wellness.help.notSeen") : words("wellness.help.seenCount", seen)
        return PTListCell(
            id: one.id.text, leading: person.map { .avatar(PTAvatar($0)) },
            title: words("wellness.help.wants", name),
            subtitle: "\(words.dateAndTime(one.askedAt, in: timeZone)) · \(state)",
            dot: isOpen ? .init(tone: .attention, spoken: words("wellness.help.isOpen")) : nil,
            isEmphasized: isOpen, isDone: !isOpen, trailing: [.chevron], action: .open(path(one.id)))
    }

    private func request(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, id) = (request.words, try request.context.membership, try request.id("helpId"))
        let (one, people) = try await request.context.school.read { sql in
            let one = try handlers.request(id, for: membership, in: sql)
            return (
                one,
                try access.names(
                    [one.personId] + one.adults.map(\.id), of: membership.organization.id, in: sql)
            )
        }
        let timeZone = membership.timeZone
        let person = people[one.personId]
        let name = person?.name.display ?? words("wellness.formerMember")
        let asked = words.dateAndTime(one.askedAt, in: timeZone)
        var body: [Component] = [
            .note(
                PTNote(
                    text: one.note.isEmpty ? words("wellness.help.wordless") : one.note,
                    avatar: person.map { PTAvatar($0) }, byline: "\(name) · \(asked)"))
        ]
        let seen = one.adults.filter { $0.seenAt != nil }
        if one.closedAt == nil, !seen.contains(where: { $0.id == membership.personId }) {
            body.append(
                .button(
                    PTButton(
                        title: words("wellness.help.markSeen"), icon: .eye, isWide: true,
                        action: .perform(
                            request.call(MarkHelpSeen.self, ["helpId": id.text], to: Self.path(id))))))
            body.append(.text(PTText(words("wellness.help.markSeenTip"), role: .note)))
        }
        if !seen.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("wellness.help.seenBy"),
                        body: [
                            .list(
                                PTList(
                                    cells: seen.map { adult in
                                        PTListCell(
                                            id: adult.id.text,
                                            leading: people[adult.id].map { .avatar(PTAvatar($0)) },
                                            title: people[adult.id]?.name.display
                                                ?? words("wellness.formerMember"),
                                            subtitle: adult.seenAt.map {
                                                words.dateAndTime($0, in: timeZone)
                                            })
                                    }, label: words("wellness.help.seenBy")))
                        ])))
        }
        if let closedAt = one.closedAt {
            let closer = one.adults.first(where: \.hasClosed).flatMap { people[$0.id]?.name.display }
            body.append(
                .section(
                    PTSection(
                        title: words("wellness.help.closed"),
                        body: [
                            .note(
                                PTNote(
                                    text: one.answer,
                                    byline: [
                                        closer ?? words("wellness.formerMember"),
                                        words.dateAndTime(closedAt, in: timeZone),
                                    ].joined(separator: " · ")))
                        ])))
        }
        // A refused form stays, with what was typed, although another adult has closed the request meanwhile.
        if one.closedAt == nil || request.refused != nil {
            body.append(
                .section(
                    PTSection(
                        title: words("wellness.help.close"),
                        body: [
                            .form(
                                request.form(
                                    CloseHelp.self, ["helpId": id.text], id: "close",
                                    fields: [
                                        PTField(
                                            .multiline, name: "answer",
                                            label: words("wellness.help.answerLabel", name),
                                            hint: words("wellness.help.answerTip"), isRequired: true,
                                            maxLength: HelpRequest.textLength)
                                    ],
                                    submit: SubmitButton(title: words("wellness.help.close"), role: .tonal),
                                    to: Self.path(id), style: .card))
                        ])))
        }
        return Screen(
            title: words("wellness.help.wants", name), subtitle: asked, avatar: person.map { PTAvatar($0) },
            back: SharedScreens.path, live: [WellnessTopic.requests], body: body)
    }
}
