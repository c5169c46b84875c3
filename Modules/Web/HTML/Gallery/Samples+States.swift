import DesignSystem
import Domain
import Foundation

extension Samples {
    var text: [Component] {
        [
            .sectionHeader(
                PTSectionHeader(
                    title: word("gallery.text"), detail: word("gallery.text.detail"),
                    action: PTButton(title: word("gallery.text.action"), role: .quiet, action: .open(path)))),
            .text(PTText(word("gallery.text.heading"), role: .heading)), .text(PTText(word("gallery.text.body"))),
            .text(PTText(word("gallery.text.note"), role: .note)), .text(PTText("MAPLE-7431", role: .code)),
            .text(PTText(word("gallery.text.note"), role: .note, isCentered: true)),
            .definitionList(
                PTDefinitionList(items: [
                    .init(term: word("gallery.fact.school"), value: word("gallery.school")),
                    .init(
                        term: word("gallery.fact.zone"), value: "America/Toronto",
                        action: PTButton(title: word("gallery.menu.edit"), role: .quiet, action: .open(path))),
                ])),
            .table(
                PTDataTable(
                    label: word("gallery.table"),
                    columns: [
                        .init(title: word("gallery.table.name")), .init(title: word("gallery.table.may")),
                        .init(
                            title: word("gallery.table.count"), detail: word("gallery.table.detail"),
                            isNumeric: true),
                    ],
                    rows: [
                        .init(
                            id: "t-1", header: word("gallery.student.1"),
                            avatar: PTAvatar(initials: "AM", tint: .leaf),
                            action: .open(path), cells: [.check(true, spoken: word("gallery.yes")), .text("12")]),
                        .init(
                            header: word("gallery.student.2"),
                            cells: [.check(false, spoken: word("gallery.no")), .text("7")]),
                        .init(header: word("gallery.student.3"), cells: [.text("–"), .empty]),
                    ])),
            .progressGrid(
                PTProgressGrid(
                    label: word("gallery.progress"), corner: word("gallery.table.name"),
                    columns: (1...8).map { .init(id: "m\($0)", title: word("gallery.progress.column")) },
                    rows: (1...3).map { row in
                        .init(
                            id: "s\(row)", title: word("gallery.student.\(row)"), action: .open(path),
                            levels: (0..<8).map { [.none, .begun, .going, .done][($0 + row) % 4] })
                    },
                    titles: [
                        word("gallery.progress.none"), word("gallery.progress.begun"),
                        word("gallery.progress.going"), word("gallery.progress.done"),
                    ], path: "\(path)?row={row}&column={column}")),
            .columns(PTColumns((1...3).map(agendaSection))),
            .progressCards(
                PTProgressCards(
                    cards: (1...3).map { place in
                        let share = [0.67, 0.45, 1][place - 1]
                        let percent = "\(Int(share * 100)) %"
                        return PTProgressCards.Card(
                            id: "p\(place)", title: word("gallery.student.\(place)"),
                            detail: word("gallery.progress.going"),
                            ring: PTProgressRing(
                                value: share, text: percent, tint: [.sky, .leaf, .berry][place - 1], spoken: percent
                            ),
                            tag: PTTag(text: ["B+", "A-", "C"][place - 1], tone: place == 3 ? .warning : .good),
                            chart: PTChart(
                                points: (1...6).map {
                                    .init(label: "\($0)", value: Double($0 % 4 + 1), text: "\($0)")
                                },
                                lowest: 0, highest: 4, tint: .sky, spoken: word("gallery.progress")),
                            action: .open(path),
                            next: place == 3
                                ? nil : PTButton(title: word("gallery.progress.column"), action: .open(path)))
                    }, label: word("gallery.progress"))),
            .rooms(
                PTRoomGrid(
                    rooms: (0...3).map { place in
                        .init(
                            id: "r\(place)", number: "10\(place + 1)", type: word("gallery.mark"), bedCount: 3,
                            occupiedBeds: place, note: place < 3 ? "\(3 - place)" : "–",
                            spoken: "10\(place + 1), \(place) / 3", action: .open(path))
                    }, label: word("gallery.progress"), takenTitle: word("gallery.progress.done"),
                    freeTitle: word("gallery.progress.none"))),
            .week(
                PTWeek(
                    days: (0..<7).map { place in
                        .init(
                            id: "w\(place)", title: word("gallery.progress.column"),
                            detail: place < 2 ? nil : word("gallery.progress.begun"), isToday: place == 2,
                            isPast: place < 2,
                            cells: (1...2).map { row in
                                PTListCell(
                                    id: "w\(place)-\(row)", title: word("gallery.student.\(row)"),
                                    subtitle: word("gallery.progress.going"),
                                    trailing: [
                                        .button(
                                            PTButton(
                                                title: word("gallery.menu.edit"), role: .tonal, action: .open(path))
                                        )
                                    ])
                            })
                    }, label: word("gallery.progress"))),
            .disclosure(
                PTDisclosure(title: word("gallery.disclosure"), body: [.text(PTText(word("gallery.text.body")))])),
            .disclosure(
                PTDisclosure(
                    title: word("gallery.disclosure.open"), body: [.text(PTText(word("gallery.text.body")))],
                    isOpen: true)
            ),
        ]
    }

    var states: [Component] {
        [
            section(
                "gallery.banners",
                PTBanner.Tone.allCases.map { tone in
                    .banner(
                        PTBanner(
                            tone: tone, title: word("gallery.banner.\(tone.rawValue)"),
                            message: word("gallery.banner.message"),
                            action: tone == .danger
                                ? PTButton(title: word("gallery.banner.action"), role: .quiet, action: .open(path))
                                : nil
                        ))
                } + [.banner(PTBanner(tone: .warning, icon: .cloudOff, title: word("gallery.banner.bare")))]),
            .empty(
                PTEmptyState(
                    title: word("gallery.empty.title"), message: word("gallery.empty.message"),
                    action: PTButton(
                        title: word("gallery.empty.action"), icon: .plus, action: .present("gallery-sheet")),
                    secondary: .init(title: word("gallery.link.code"), action: .open(path)))),
            .empty(
                PTEmptyState(
                    icon: .sparkle, title: word("gallery.empty.title"), message: word("gallery.empty.message"))),
            .error(
                ErrorStateView(
                    title: word("gallery.error.title"), message: word("gallery.error.message"),
                    retry: PTButton(title: word("gallery.error.retry"), icon: .retry, action: .open(path)))),
            .error(
                ErrorStateView(
                    icon: .cloudOff, title: word("gallery.error.title"), message: word("gallery.error.message"))),
            section(
                "gallery.skeletons",
                SkeletonView.Style.allCases.map {
                    .skeleton(SkeletonView(style: $0, count: 3, spoken: word("gallery.loading")))
                }),
            section(
                "gallery.toasts",
                [
                    .toast(
                        PTToast(
                            word("gallery.toast.success"),
                            action: PTButton(title: word("gallery.toast.undo"), action: .perform(call("undo"))),
                            haptics: .success())),
                    .toast(PTToast(word("gallery.toast.info"), tone: .info, haptics: .lightTap())),
                    .toast(PTToast(word("gallery.toast.failure"), tone: .failure, haptics: .warning())),
                    .burst(
                        PTCheckmarkBurst(title: word("gallery.burst.title"), message: word("gallery.burst.message"))
                    ),
                ]),
            section(
                "gallery.pictures", PTIllustration.allCases.map { .illustration($0) }),
            section("gallery.islands", [.island(PTIsland("sample", fallback: word("gallery.island")))]),
        ]
    }

    /// A section with a week of which the given day is chosen; the third one is empty.
    private func agendaSection(_ chosen: Int) -> Component {
        let days = (1...7).map { number in
            let day = Day(number: number + 3)
            return PTAgenda.Day(
                title: words.weekday(day), number: String(number), spoken: words.longDate(day),
                path: "\(path)?day=\(number)", isSelected: number == chosen, isBusy: number % chosen == 0)
        }
        let items = [
            PTAgenda.Item(
                time: words.time(Date(timeIntervalSince1970: 30_000), in: .gmt), title: word("gallery.room.1"),
                detail: word("gallery.room.detail"), tint: .leaf, now: chosen == 1 ? word("gallery.tag.good") : nil,
                action: .open(path)),
            PTAgenda.Item(title: word("gallery.room.2"), tint: .clay),
        ]
        let title = word("gallery.student.\(chosen)")
        let agenda = PTAgenda(
            label: title, days: days, items: chosen == 3 ? [] : items, empty: word("gallery.progress.none"))
        return .section(PTSection(title: title, body: [.agenda(agenda)]))
    }
}
