import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The pages of a child: check-ins with their chart (`WellnessView`, WW-1.05), one check-in, and sharing.
struct WellnessScreens: Sendable {
    static let path = "/wellness"
    static let sharingPath = "/wellness/sharing"
    static let checkInPath = "/wellness/check-ins/{checkInId}"
    /// The id of the sheet with the whole form.
    static let sheet = "check-in"
    /// The check-ins that the list of the overview shows, and those of each further page.
    private static let listed = 14
    static let page = 100

    let access: WellnessAccess

    static func path(_ checkInId: UUID) -> String { "/wellness/check-ins/\(checkInId.text)" }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.checkIn), tab: "/home") { request in
                guard let place = request.query["after"].flatMap(CheckInPlace.init(text:)) else {
                    return .screen(try await overview(request))
                }
                return .screen(try await older(than: place, request))
            },
            ScreenRoute(Self.checkInPath, access: .member(.checkIn), tab: "/home") { .screen(try await one($0)) },
            ScreenRoute(Self.sharingPath, access: .member(.checkIn), tab: "/home") {
                .screen(try await sharing($0))
            },
        ]
    }

    // MARK: - WellnessView

    private func overview(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, today) = (
            request.words, try request.context.membership, request.context.today
        )
        let texts = WellnessWords(words: words, timeZone: membership.timeZone)
        let start = WellnessWeek.start(before: today, in: membership.timeZone)
        let (settings, recent, newest, shared) = try await request.context.school.read { sql in
            (
                try WellnessSettings.read(in: sql),
                try CheckInRepository.checkIns(
                    of: membership.personId, since: start, limit: CheckInHandlers.all, in: sql),
                try CheckInRepository.checkIns(of: membership.personId, limit: Self.listed + 1, in: sql),
                try SharingRepository.shares(of: membership.personId, in: sql)
            )
        }
        let aspect = request.query["of"].flatMap(WellnessAspect.init(rawValue:)) ?? .mood
        var sections: [Component] = []
        if settings.isOn {
            let isToday = newest.first.map { Day($0.madeAt, in: membership.timeZone) == today } ?? false
            sections.append(
                .section(
                    PTSection(
                        title: words(isToday ? "wellness.questionAgain" : "wellness.question"),
                        body: [
                            Self.moods(request), .text(PTText(words("wellness.private"), role: .note)),
                            .buttons(
                                PTButtonGroup(buttons: [
                                    PTButton(
                                        title: words("wellness.more"), icon: .plus, role: .tonal,
                                        action: .present(Self.sheet)),
                                    PTButton(
                                        title: words("wellness.help.open"), icon: .heart, role: .outlined,
                                        action: .open(HelpScreens.path)),
                                ])),
                        ])))
        }
        sections.append(
            .section(
                PTSection(
                    title: words("wellness.chart"),
                    body: texts.chart(recent, of: aspect, through: today, path: Self.path))))
        sections.append(
            .section(
                PTSection(
                    title: words("wellness.list"),
                    body: newest.isEmpty
                        ? [
                            .empty(
                                PTEmptyState(
                                    icon: .heart, title: words("wellness.none"), message: words("wellness.noneTip"))
                            )
                        ]
                        : [texts.list(newest, upTo: Self.listed, path: Self.path) { .open(Self.path($0.id)) }])))
        sections.append(
            .section(
                PTSection(
                    title: words("wellness.sharing"),
                    body: [
                        .text(
                            PTText(
                                shared.isEmpty
                                    ? words("wellness.sharing.none")
                                    : words("wellness.sharing.count", shared.count),
                                role: .note)),
                        .links(
                            PTLinks(links: [
                                .init(title: words("wellness.sharing.choose"), action: .open(Self.sharingPath)),
                                .init(
                                    title: words("wellness.download"),
                                    action: .external(DownloadCheckIns.contract.path)),
                            ])),
                    ])))
        return Screen(
            title: words("wellness.title"), back: "/home",
            live: [WellnessTopic.of(membership.personId), WellnessTopic.settings],
            body: (settings.isOn ? [] : [Self.off(words)]) + [.columns(PTColumns(sections, limit: 2))],
            sheets: settings.isOn
                ? [
                    PTBottomSheet(
                        id: Self.sheet, title: words("wellness.question"),
                        body: [.form(makeForm(request))], detents: [.fitted, .fraction90])
                ] : [])
    }

    /// A further page of the list.
    private func older(than place: CheckInPlace, _ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let texts = WellnessWords(words: words, timeZone: membership.timeZone)
        let found = try await request.context.school.read {
            try CheckInRepository.checkIns(of: membership.personId, after: place, limit: Self.page + 1, in: $0)
        }
        return Screen(
            title: words("wellness.list"), back: Self.path, live: [WellnessTopic.of(membership.personId)],
            body: [texts.list(found, upTo: Self.page, path: Self.path) { .open(Self.path($0.id)) }])
    }

    /// What everyone reads while the school has switched check-ins off.
    static func off(_ words: Words) -> Component {
        .banner(PTBanner(icon: .pause, title: words("wellness.isOff"), message: words("wellness.isOffTip")))
    }

    /// The moods as pictures with their words; one tap checks in.
    static func moods(_ request: ScreenRequest) -> Component {
        let words = request.words
        return .cardGrid(
            PTCardGrid(
                items: Mood.allCases.map { mood in
                    PTCardGrid.Item(
                        id: "mood-\(mood.rawValue)", leading: .icon(mood.icon, tint: mood.tint),
                        title: words(mood.titleKey),
                        action: .perform(
                            request.call(
                                MakeCheckIn.self,
                                fields: ["mood": mood.rawValue, "recordedAt": ""])))
                }, label: words("wellness.question"), isSmall: true))
    }

    /// The fields of a check-in. Sleep and energy may stay open.
    private func fields(_ one: CheckIn?, _ words: Words) -> [PTField] {
        [
            PTField(
                .choice(
                    Mood.allCases.map { .init(value: $0.rawValue, title: words($0.titleKey), icon: $0.icon) }),
                name: "mood", label: words("wellness.mood"), value: one?.mood.rawValue ?? "", isRequired: true),
            PTField(
                .choice(Sleep.allCases.map { .init(value: $0.rawValue, title: words($0.titleKey)) }),
                name: "sleep", label: words("wellness.sleep.label"), value: one?.sleep?.rawValue ?? ""),
            PTField(
                .choice(Energy.allCases.map { .init(value: $0.rawValue, title: words($0.titleKey)) }),
                name: "energy", label: words("wellness.energy.label"), value: one?.energy?.rawValue ?? ""),
            PTField(
                name: "note", label: words("wellness.note.label"), value: one?.note ?? "", autocomplete: "off",
                maxLength: CheckIn.noteLength),
        ]
    }

    private func makeForm(_ request: ScreenRequest) -> PTForm {
        request.form(
            MakeCheckIn.self, id: "make-check-in",
            fields: fields(nil, request.words) + [.hidden("recordedAt", "")],
            submit: SubmitButton(title: request.words("wellness.save")), to: Self.path)
    }

    // MARK: - One check-in

    private func one(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, id) = (
            request.words, try request.context.membership, try request.id("checkInId")
        )
        let adults = try await access.adults(for: membership, request.context)
        let (settings, one, single, readers, names) = try await request.context.school.read { sql in
            guard let one = try CheckInRepository.checkIn(id, of: membership.personId, in: sql) else {
                throw Problem.notFound
            }
            let single = try SharingRepository.adults(of: [id], in: sql)[id] ?? []
            let readers = try SharingRepository.readers(of: membership.personId, in: sql)
            return (
                try WellnessSettings.read(in: sql), one, single, readers,
                try access.names(single.union(readers), of: membership.organization.id, in: sql)
            )
        }
        let path = Self.path(id)
        let cells = single.union(readers).compactMap { names[$0] }
            .sorted(by: Person.precedes)
            .map { adult -> PTListCell in
                let isForAll = readers.contains(adult.id)
                return PTListCell(
                    id: adult.id.text, leading: .avatar(PTAvatar(adult)), title: adult.name.display,
                    subtitle: words(isForAll ? "wellness.sharing.readsAll" : "wellness.sharing.readsThis"),
                    trailing: isForAll
                        ? [.chevron]
                        : [
                            .button(
                                PTButton(
                                    title: words("wellness.sharing.stop"), role: .quiet,
                                    action: .perform(
                                        request.call(
                                            EndSharing.self,
                                            fields: ["adultId": adult.id.text, "checkInId": id.text], to: path)),
                                    spoken: words("wellness.sharing.stopWith", adult.name.display)))
                        ],
                    action: isForAll ? .open(Self.sharingPath) : nil)
            }
        let rest = adults.filter { !single.contains($0.person.id) && !readers.contains($0.person.id) }
        var sharing: [Component] = [
            cells.isEmpty
                ? .text(PTText(words("wellness.private"), role: .note))
                : .list(PTList(cells: cells, label: words("wellness.sharing")))
        ]
        if settings.isOn, !rest.isEmpty {
            sharing.append(
                .form(
                    shareForm(rest, submit: "wellness.sharing.shareThis", checkIn: id, request, to: path)))
        }
        var sections: [Component] = []
        if settings.isOn {
            sections.append(
                .section(
                    PTSection(
                        title: words("wellness.edit"),
                        body: [
                            .form(
                                request.form(
                                    EditCheckIn.self, ["checkInId": id.text], id: "edit-check-in",
                                    fields: fields(one, words),
                                    submit: SubmitButton(title: words("wellness.save")), to: path, style: .card))
                        ])))
        } else {
            let texts = WellnessWords(words: words, timeZone: membership.timeZone)
            sections.append(.list(PTList(cells: [texts.cell(one)], label: words("wellness.list"))))
        }
        sections.append(.section(PTSection(title: words("wellness.sharing"), body: sharing)))
        let delete = PTButton(
            title: words("wellness.delete"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeleteCheckIn.self, ["checkInId": id.text],
                    confirmation: PTConfirmation(
                        title: words("wellness.deleteQuestion"), message: words("wellness.deleteTip"),
                        confirm: words("wellness.delete")), to: Self.path)))
        return Screen(
            title: words(one.mood.titleKey), subtitle: words.dateAndTime(one.madeAt, in: membership.timeZone),
            back: Self.path, live: [WellnessTopic.of(membership.personId), WellnessTopic.settings],
            body: (settings.isOn ? [] : [Self.off(words)])
                + [.columns(PTColumns(sections, limit: 2)), .button(delete)])
    }

    /// The form that chooses an adult. Named adults are first in its menu.
    private func shareForm(
        _ adults: [WellnessAccess.Adult], submit: String, checkIn id: UUID? = nil, _ request: ScreenRequest,
        to path: String
    ) -> PTForm {
        let words = request.words
        return request.form(
            ShareCheckIns.self, id: "share",
            fields: [
                PTField(
                    .select(
                        adults.map { adult in
                            let name = adult.person.name.display
                            return .init(
                                value: adult.person.id.text,
                                title: adult.isContact ? words("wellness.sharing.contact", name) : name)
                        }), name: "adultId", label: words("wellness.sharing.adult"), isRequired: true,
                    placeholder: words("wellness.sharing.choice"))
            ] + (id.map { [.hidden("checkInId", $0.text)] } ?? []),
            submit: SubmitButton(title: words(submit), role: .tonal), to: path, style: .card)
    }

    // MARK: - Sharing

    private func sharing(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let adults = try await access.adults(for: membership, request.context)
        let (settings, shares, names) = try await request.context.school.read { sql in
            let shares = try SharingRepository.shares(of: membership.personId, in: sql)
            return (
                try WellnessSettings.read(in: sql), shares,
                try access.names(shares.map(\.adultId), of: membership.organization.id, in: sql)
            )
        }
        let cells = shares.compactMap { share in names[share.adultId].map { (share, $0) } }
            .sorted { Person.precedes($0.1, $1.1) }
            .map { share, adult in
                PTListCell(
                    id: adult.id.text, leading: .avatar(PTAvatar(adult)), title: adult.name.display,
                    subtitle: share.isForAll
                        ? words("wellness.sharing.readsAll") : words("wellness.sharing.reads", share.count),
                    trailing: [
                        .button(
                            PTButton(
                                title: words("wellness.sharing.stop"), role: .quiet,
                                action: .perform(
                                    request.call(
                                        EndSharing.self, fields: ["adultId": adult.id.text], to: Self.sharingPath)),
                                spoken: words("wellness.sharing.stopWith", adult.name.display)))
                    ])
            }
        let readers = Set(shares.filter(\.isForAll).map(\.adultId))
        let rest = adults.filter { !readers.contains($0.person.id) }
        var body: [Component] = [.text(PTText(words("wellness.sharing.explained"), role: .note))]
        if !settings.isOn { body.insert(Self.off(words), at: 0) }
        body.append(
            cells.isEmpty
                ? .empty(
                    PTEmptyState(
                        icon: .lock, title: words("wellness.sharing.none"), message: words("wellness.private")))
                : .list(PTList(cells: cells, label: words("wellness.sharing"))))
        if settings.isOn, !rest.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("wellness.sharing.all"),
                        body: [
                            .form(
                                shareForm(
                                    rest, submit: "wellness.sharing.shareAll", request, to: Self.sharingPath))
                        ])))
        }
        return Screen(
            title: words("wellness.sharing"), back: Self.path,
            live: [WellnessTopic.of(membership.personId), WellnessTopic.settings], body: body)
    }
}
