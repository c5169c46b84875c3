public import DesignSystem
public import Domain

/// The page with every component in every state, to review the design (PT-3.04).
///
/// Served at `/gallery`; none of its controls changes anything.
public enum Gallery {
    /// The gallery page.
    ///
    /// - Parameters:
    ///   - words: must include `WebHTML.catalog`.
    /// - path: the path of the gallery, for the links that switch theme and appearance.
    ///   - qr: a code to show on the invitation card.
    public static func screen(
        words: Words, path: String = "/gallery", theme: ThemeName = .pinktower,
        appearance: Appearance = .automatic, qr: QRMatrix? = nil
    ) -> Screen {
        let samples = Samples(words: words, path: path, theme: theme, appearance: appearance, qr: qr)
        return Screen(
            title: words("gallery.title"), subtitle: words("gallery.subtitle"),
            body: samples.switches + samples.actions + samples.people + samples.things + samples.text
                + samples.forms + samples.choosing + samples.states + samples.codes + samples.talk
                + samples.rich,
            floatingButton: PTFloatingActionButton(
                title: words("gallery.fab"), label: words("gallery.fab.label"), fan: samples.menu),
            sheets: [samples.sheet],
            search: PTSearchField(
                path: path, placeholder: words("gallery.search.placeholder"), label: words("gallery.search")))
    }

    /// The navigation around the gallery without a session.
    public static func chrome(words: Words, path: String = "/gallery") -> PageChrome {
        let samples = Samples(words: words, path: path, theme: .pinktower, appearance: .automatic, qr: nil)
        return PageChrome(
            navigation: [
                PTNavigationEntry(title: words("gallery.tab.home"), icon: .home, path: path, isCurrent: true),
                PTNavigationEntry(title: words("gallery.tab.day"), icon: .sun, path: path + "?tab=day"),
                PTNavigationEntry(
                    title: words("gallery.tab.settings"), icon: .settings, path: path + "?tab=settings"),
                PTNavigationEntry(title: words("gallery.tab.search"), icon: .search, path: path + "?tab=search"),
            ],
            more: [
                PTNavigationEntry(title: words("gallery.tab.day"), icon: .calendar, path: path + "?more=day")
            ],
            account: PTAccountMenu(
                name: words("gallery.guide"), detail: words("gallery.school"), initials: "AR", tint: .leaf,
                shape: .d,
                items: samples.menu),
            unread: 2, searchPath: path + "?tab=search", notificationsPath: path + "?tab=notifications", home: path)
    }
}

/// The fictional school of the gallery.
struct Samples {
    let words: Words
    let path: String
    let theme: ThemeName
    let appearance: Appearance
    let qr: QRMatrix?

    func word(_ key: String) -> String { words(key) }

    /// A command call whose path is the gallery itself.
    func call(_ name: String, confirmation: PTConfirmation? = nil) -> PTCommandCall {
        PTCommandCall(path: path, fields: ["sample": name], confirmation: confirmation, key: "gallery-\(name)")
    }

    var menu: [PTMenuItem] {
        [
            PTMenuItem(title: word("gallery.menu.edit"), icon: .edit, action: .present("gallery-sheet")),
            PTMenuItem(title: word("gallery.menu.rename"), icon: .tag, action: .open(path)),
            PTMenuItem(
                title: word("gallery.menu.delete"), icon: .trash, role: .destructive,
                action: .perform(
                    call(
                        "delete",
                        confirmation: PTConfirmation(
                            title: word("gallery.confirm.title"), message: word("gallery.confirm.message"),
                            confirm: word("gallery.menu.delete")
                        )))),
        ]
    }

    // MARK: -

    var switches: [Component] {
        func address(_ theme: ThemeName, _ appearance: Appearance) -> String {
            "\(path)?theme=\(theme.rawValue)&appearance=\(appearance.rawValue)"
        }
        return [
            .segments(
                PTSegmentedControl(
                    label: word("gallery.theme"),
                    segments: ThemeName.allCases.map {
                        .init(
                            title: word("gallery.theme.\($0.rawValue)"), path: address($0, appearance),
                            isSelected: $0 == theme)
                    })),
            .segments(
                PTSegmentedControl(
                    label: word("gallery.appearance"),
                    segments: Appearance.allCases.map {
                        .init(
                            title: word("gallery.appearance.\($0.rawValue)"), path: address(theme, $0),
                            isSelected: $0 == appearance)
                    })),
        ]
    }

    var actions: [Component] {
        let roles: [PTButton.Role] = [.primary, .tonal, .neutral, .outlined, .quiet, .destructive, .provider]
        return [
            section(
                "gallery.buttons",
                [
                    .buttons(
                        PTButtonGroup(
                            buttons: roles.map {
                                PTButton(title: word("gallery.role.\($0.rawValue)"), role: $0, action: .open(path))
                            }
                        )),
                    .buttons(
                        PTButtonGroup(buttons: [
                            PTButton(
                                title: word("gallery.button.large"), icon: .plus, size: .large, action: .open(path)),
                            PTButton(
                                title: word("gallery.button.disabled"), size: .large, action: .open(path),
                                isEnabled: false),
                            PTButton(
                                title: word("gallery.button.sheet"), role: .outlined, size: .large,
                                action: .present("gallery-sheet")),
                            PTButton(
                                title: word("gallery.button.outside"), role: .quiet, size: .large,
                                action: .external("https://www.montessori.org")),
                        ])),
                    .button(
                        PTButton(
                            title: word("gallery.button.wide"), role: .tonal, isWide: true,
                            action: .perform(call("wide")))),
                    .submit(SubmitButton(title: word("gallery.submit"), action: call("submit"))),
                    .submit(
                        SubmitButton(
                            title: word("gallery.submit.running"), isLoading: true, action: call("running"))),
                    .links(
                        PTLinks(links: [
                            .init(title: word("gallery.link.forgot"), action: .open(path)),
                            .init(title: word("gallery.link.code"), action: .open(path)),
                        ])),
                    .divider(PTDivider(word("gallery.or"))), .divider(PTDivider()),
                ])
        ]
    }

    var people: [Component] {
        let avatars: [Component] = Tint.allCases.enumerated().map { index, tint in
            .avatar(
                PTAvatar(
                    initials: "AM", tint: tint, shape: PTAvatar.Shape.allCases[index % 4],
                    size: PTAvatar.Size.allCases[index % 3], spoken: index == 0 ? word("gallery.student.1") : nil))
        }
        return [
            .greeting(
                PTGreeting(
                    eyebrow: word("gallery.day"), title: word("gallery.greeting"),
                    detail: word("gallery.greeting.detail"),
                    split: PTSplitBar(
                        parts: [.init(count: 10, tint: .leaf), .init(count: 2, tint: .clay)], total: 14,
                        spoken: word("gallery.greeting.spoken")),
                    actions: [
                        PTButton(
                            title: word("gallery.greeting.action"), icon: .checks, role: .quiet,
                            action: .perform(call("rest")))
                    ])),
            .greeting(
                PTGreeting(
                    title: word("gallery.rings"),
                    split: PTSplitBar(
                        parts: Tint.allCases.prefix(3).enumerated().map { index, tint in
                            .init(
                                count: 50 - 15 * index, tint: tint, filled: 80 - 40 * index,
                                title: word("gallery.option.\(index + 1)"),
                                detail: words("gallery.ring", 80 - 40 * index))
                        }, total: 100, spoken: word("gallery.rings")))),
            .list(
                PTList(
                    cells: [
                        row("1", .leaf, .present), row("2", .clay, .absent),
                        row("3", .sky, .unset, dot: .init(tone: .attention, spoken: word("gallery.dot.attention"))),
                        row("4", .berry, .present, sync: .pending), row("5", .sand, .present, sync: .failed),
                        row(
                            "6", .leaf, .present, dot: .init(tone: .good, spoken: word("gallery.dot.good")),
                            isEnabled: false),
                    ], columns: .two, label: word("gallery.students"))),
            section("gallery.avatars", [.card(PTCard(label: word("gallery.avatars"), body: avatars))]),
            section(
                "gallery.attendance",
                [
                    .attendance(pill(word("gallery.student.1"), .present)),
                    .attendance(pill(word("gallery.student.2"), .absent)),
                    .attendance(pill(word("gallery.student.3"), .unset)),
                ]),
            section("gallery.record", record),
        ]
    }

    /// The records of a child's page: a link, check boxes and notes.
    var record: [Component] {
        func check(_ name: String, _ shape: PTCheck.Shape, isOn: Bool) -> PTListCell {
            PTListCell(
                id: "check-\(name)",
                leading: .check(
                    PTCheck(isOn: isOn, spoken: word("gallery.record.\(name)"), shape: shape, call: call(name))),
                title: word("gallery.record.\(name)"),
                details: shape == .square ? word("gallery.record.details") : nil,
                isDone: shape == .square && isOn,
                trailing: shape == .round
                    ? [
                        .streak(
                            PTStreak(
                                days: [true, false, true, true, true, true, isOn],
                                spoken: word("gallery.record.streak")))
                    ] : [])
        }
        var capture = PTForm(
            id: "gallery-capture", action: path,
            fields: [
                PTField(
                    .choice([
                        .init(value: "lesson", title: word("gallery.record.lesson")),
                        .init(value: "task", title: word("gallery.record.task")),
                    ]), name: "kind", label: word("gallery.record.kind"), value: "lesson"),
                PTField(
                    .multiline, name: "note", label: word("gallery.record.note"),
                    placeholder: word("gallery.record.placeholder")),
            ], submit: SubmitButton(title: word("gallery.record.save"), role: .tonal), key: "gallery-capture",
            style: .capture)
        capture.fields.append(
            PTField(
                .photos(side: 1600, max: 6), name: "photos", label: word("gallery.record.photos"), isMultiple: true)
        )
        capture.voice = PTVoiceInput(action: "/gallery", canKeep: true)
        var day = PTField(.date, name: "day", label: word("gallery.record.day"))
        day.isFolded = true
        capture.fields.append(day)
        capture.foldTitle = word("gallery.record.more")
        return [
            .form(capture),
            .list(
                PTList(
                    cells: [
                        check("habit", .round, isOn: true), check("otherHabit", .round, isOn: false),
                        check("lesson", .square, isOn: false), check("task", .square, isOn: true),
                    ], label: word("gallery.record"))),
            .image(
                PTImage(
                    url: "/manifest.webmanifest", width: 1280, height: 480, alt: word("gallery.record.photos"),
                    shape: .banner)),
            .audio(PTAudio(url: "/manifest.webmanifest", label: word("gallery.record.sound"))),
            .video(PTVideo(url: "/manifest.webmanifest", title: word("gallery.record.sound"), position: 3)),
            .note(
                PTNote(
                    text: word("gallery.record.placeholder"), avatar: PTAvatar(initials: "AR", tint: .leaf),
                    byline: word("gallery.record.streak"),
                    tags: [PTTag(text: word("gallery.record.lesson"), tone: .info)],
                    // No pictures, to show the placeholder of pictures that fail to load.
                    photos: [
                        PTImage(
                            url: "/manifest.webmanifest", width: 320, height: 240,
                            alt: word("gallery.record.photos"),
                            large: "/manifest.webmanifest"),
                        PTImage(
                            url: "/manifest.webmanifest", width: 320, height: 320,
                            alt: word("gallery.record.photos"), shape: .circle),
                    ],
                    action: PTButton(
                        title: word("gallery.menu.edit"), icon: .edit, role: .quiet, action: .open(path)))),
        ]
    }

    func row(
        _ number: String, _ tint: Tint, _ state: PTAttendancePill.State, sync: PTAttendancePill.Sync = .none,
        dot: PTListCell.Dot? = nil, isEnabled: Bool = true
    ) -> PTListCell {
        let name = word("gallery.student.\(number)")
        return PTListCell(
            id: "student-\(number)",
            leading: .avatar(PTAvatar(initials: String(name.prefix(1)), tint: tint, shape: .c)), title: name,
            subtitle: word("gallery.student.line.\(state.rawValue)"), dot: dot,
            trailing: [.attendance(pill(name, state, sync: sync, isEnabled: isEnabled))],
            action: .present("gallery-sheet"), menu: menu, swipe: Array(menu.dropFirst()))
    }

    func pill(
        _ name: String, _ state: PTAttendancePill.State, sync: PTAttendancePill.Sync = .none, isEnabled: Bool = true
    ) -> PTAttendancePill {
        PTAttendancePill(
            state: state, sync: sync,
            labels: .init(
                present: .init(title: word("gallery.present"), spoken: words("gallery.present.spoken", name)),
                absent: .init(title: word("gallery.absent"), spoken: words("gallery.absent.spoken", name)),
                unset: .init(title: word("gallery.mark"), spoken: words("gallery.mark.spoken", name))),
            call: call("attendance"), isEnabled: isEnabled)
    }

    var things: [Component] {
        let tones: [PTTag.Tone] = PTTag.Tone.allCases
        return [
            section(
                "gallery.lists",
                [
                    .list(
                        PTList(
                            cells: [
                                PTListCell(
                                    id: "lists-1", leading: .icon(.bell, tint: .sky),
                                    title: word("gallery.row.unread"),
                                    subtitle: word("gallery.row.when"),
                                    dot: .init(tone: .unread, spoken: word("gallery.dot.unread")),
                                    isEmphasized: true, trailing: [.text(word("gallery.row.time")), .chevron],
                                    action: .open(path)),
                                PTListCell(
                                    id: "lists-2", leading: .icon(.people, tint: .clay),
                                    title: word("gallery.row.current"),
                                    isCurrent: true,
                                    trailing: [.badge(PTTag(text: word("gallery.tag.good"), tone: .good)), .menu],
                                    action: .open(path), menu: menu),
                                PTListCell(
                                    id: "lists-3", leading: .file(.pdf), title: word("gallery.row.buttons"),
                                    dot: .init(tone: .neutral, spoken: word("gallery.dot.neutral")),
                                    trailing: [
                                        .button(
                                            PTButton(
                                                title: word("gallery.menu.edit"), role: .quiet, action: .open(path))
                                        ),
                                        .iconButton(
                                            PTButton(
                                                title: word("gallery.menu.delete"), icon: .x, action: .open(path))),
                                    ]),
                            ], label: word("gallery.lists"),
                            more: PTButton(
                                title: word("gallery.more"), role: .quiet, action: .open(path + "?page=2")))),
                    .list(
                        PTList(cells: [
                            PTListCell(title: word("gallery.row.plain"), action: .perform(call("plain")))
                        ])),
                ]),
            section(
                "gallery.grid",
                [
                    .cardGrid(
                        PTCardGrid(
                            items: [
                                .init(
                                    id: "room-1", leading: .avatar(PTAvatar(initials: "M", tint: .clay, shape: .b)),
                                    title: word("gallery.room.1"), subtitle: word("gallery.room.detail"),
                                    isCurrent: true,
                                    action: .open(path), menu: menu),
                                .init(
                                    id: "room-2", leading: .icon(.leaf, tint: .leaf), title: word("gallery.room.2"),
                                    tag: PTTag(text: word("gallery.tag.info"), tone: .info), action: .open(path)),
                                .init(title: word("gallery.room.3")),
                            ], label: word("gallery.grid"))),
                    .cardGrid(
                        PTCardGrid(
                            items: [(PTIcon.book, "1"), (.chat, "2"), (.search, "3")].map { icon, place in
                                .init(
                                    leading: .icon(icon, tint: .sky), title: word("gallery.room.\(place)"),
                                    action: .open(path))
                            }, label: word("gallery.grid"), isSmall: true)),
                ]),
            section(
                "gallery.tags",
                [
                    .card(
                        PTCard(body: [
                            .table(
                                PTDataTable(
                                    label: word("gallery.tags"),
                                    columns: [.init(title: word("gallery.table.name"))]
                                        + tones.map {
                                            .init(title: $0.rawValue, detail: word("gallery.table.detail"))
                                        },
                                    rows: [
                                        .init(
                                            header: word("gallery.tag.good"),
                                            cells: tones.map {
                                                .tag(
                                                    PTTag(
                                                        text: word("gallery.tag.\($0.rawValue)"), tone: $0,
                                                        icon: .tag))
                                            }
                                        )
                                    ]))
                        ]))
                ]),
            section(
                "gallery.files",
                [
                    "plan.pdf", "photo.jpg", "notes.txt", "song.mp3", "film.mp4", "list.csv", "talk.pptx",
                    "all.zip", "thing",
                ]
                .map { name in
                    .file(
                        PTFileTile(
                            name: name, detail: word("gallery.file.detail"), action: .open(path),
                            menu: name == "plan.pdf" ? menu : []))
                }),
            section(
                "gallery.rings",
                Tint.allCases.enumerated().map { index, tint in
                    let share = 20 * (index + 1)
                    return .ring(
                        PTProgressRing(
                            value: Double(share) / 100, text: "\(share)%", tint: tint,
                            spoken: words("gallery.ring", share)))
                }),
            section(
                "gallery.charts",
                [chart(0, 100, .bars, .leaf), chart(-50, 50, .bars, .sky), chart(0, 100, .line, .sky)]),
        ]
    }

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

    var codes: [Component] {
        [
            .codeCard(
                PTCodeCard(
                    title: word("gallery.code.title"), code: "MAPLE-7431", qr: qr ?? Samples.pattern,
                    qrSpoken: word("gallery.code.spoken"),
                    detail: word("gallery.code.detail"), link: "https://school.example/join/MAPLE-7431",
                    actions: [
                        PTButton(title: word("gallery.code.renew"), role: .quiet, action: .perform(call("renew")))
                    ])),
            .codeCard(PTCodeCard(title: word("gallery.code.title"), code: "MAPLE-7431")),
        ]
    }

    var sheet: PTBottomSheet {
        PTBottomSheet(
            id: "gallery-sheet", title: word("gallery.student.1"), subtitle: word("gallery.sheet.subtitle"),
            leading: .avatar(PTAvatar(initials: "AM", tint: .leaf, shape: .b)),
            body: [
                .text(PTText(word("gallery.text.body"))),
                .form(
                    PTForm(
                        id: "sheet", action: path,
                        fields: [
                            PTField(
                                .multiline, name: "note", label: word("gallery.field.note"),
                                placeholder: word("gallery.field.note.hint"))
                        ],
                        submit: SubmitButton(title: word("gallery.submit")), key: "gallery-sheet")),
                .list(
                    PTList(
                        cells: (1...6).map {
                            PTListCell(title: word("gallery.student.\($0)"), action: .open(path))
                        },
                        label: word("gallery.students"))),
            ],
            floatingButton: PTFloatingActionButton(title: word("gallery.fab"), fan: menu))
    }

    /// A checkered pattern with the three corners of a code, for when there is no real one.
    static let pattern = QRMatrix(
        rows: (0..<21).map { y in
            (0..<21).map { x in
                for (left, top) in [(0, 0), (14, 0), (0, 14)]
                where (left..<left + 7).contains(x) && (top..<top + 7).contains(y) {
                    let ring = max(abs(x - left - 3), abs(y - top - 3))
                    return ring == 3 || ring < 2
                }
                return (x * 7 + y * 11 + x * y) % 3 == 0
            }
        })

    func section(_ name: String, _ body: [Component]) -> Component {
        .section(PTSection(title: word(name), body: body))
    }
}
