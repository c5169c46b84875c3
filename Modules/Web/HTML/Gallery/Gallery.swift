public import DesignSystem
public import Domain

/// Every component in every state on one page, to judge the look by (PT-3.04).
///
/// A server gives it at `/gallery`; nothing on it changes anything.
public enum Gallery {
    /// The page.
    ///
    /// - Parameters:
    ///   - words: must include `WebHTML.catalog`.
    ///   - path: where the gallery is, for the links that switch theme and appearance.
    ///   - qr: a code to show on the invitation card.
    public static func screen(
        words: Words, path: String = "/gallery", theme: ThemeName = .pinktower,
        appearance: Appearance = .automatic, qr: QRMatrix? = nil
    ) -> Screen {
        let samples = Samples(words: words, path: path, theme: theme, appearance: appearance, qr: qr)
        return Screen(
            title: words("gallery.title"), subtitle: words("gallery.subtitle"),
            body: samples.switches + samples.actions + samples.people + samples.things + samples.text
                + samples.forms + samples.choosing + samples.states + samples.codes,
            floatingButton: PTFloatingActionButton(
                title: words("gallery.fab"), label: words("gallery.fab.label"), fan: samples.menu),
            sheets: [samples.sheet],
            search: PTSearchField(
                path: path, placeholder: words("gallery.search.placeholder"), label: words("gallery.search")))
    }

    /// The frame for the gallery where nobody is signed in.
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
            account: PTAccountMenu(
                name: words("gallery.guide"), detail: words("gallery.school"), initials: "AR", tint: .leaf,
                shape: .d,
                items: samples.menu),
            unread: 2, searchPath: path + "?tab=search", notificationsPath: path + "?tab=notifications", home: path)
    }
}

/// The made-up school of the gallery.
struct Samples {
    let words: Words
    let path: String
    let theme: ThemeName
    let appearance: Appearance
    let qr: QRMatrix?

    func word(_ key: String) -> String { words("gallery.\(key)") }

    /// A call that goes to the gallery itself.
    func call(_ name: String, confirmation: PTConfirmation? = nil) -> PTCommandCall {
        PTCommandCall(path: path, fields: ["sample": name], confirmation: confirmation, key: "gallery-\(name)")
    }

    var menu: [PTMenuItem] {
        [
            PTMenuItem(title: word("menu.edit"), icon: .edit, action: .present("gallery-sheet")),
            PTMenuItem(title: word("menu.rename"), icon: .tag, action: .open(path)),
            PTMenuItem(
                title: word("menu.delete"), icon: .trash, role: .destructive,
                action: .perform(
                    call(
                        "delete",
                        confirmation: PTConfirmation(
                            title: word("confirm.title"), message: word("confirm.message"),
                            confirm: word("menu.delete")
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
                    label: word("theme"),
                    segments: ThemeName.allCases.map {
                        .init(
                            title: word("theme.\($0.rawValue)"), path: address($0, appearance),
                            isSelected: $0 == theme)
                    })),
            .segments(
                PTSegmentedControl(
                    label: word("appearance"),
                    segments: Appearance.allCases.map {
                        .init(
                            title: word("appearance.\($0.rawValue)"), path: address(theme, $0),
                            isSelected: $0 == appearance)
                    })),
        ]
    }

    var actions: [Component] {
        let roles: [PTButton.Role] = [.primary, .tonal, .neutral, .outlined, .quiet, .destructive, .provider]
        return [
            section(
                "buttons",
                [
                    .buttons(
                        PTButtonGroup(
                            buttons: roles.map {
                                PTButton(title: word("role.\($0.rawValue)"), role: $0, action: .open(path))
                            }
                        )),
                    .buttons(
                        PTButtonGroup(buttons: [
                            PTButton(title: word("button.large"), icon: .plus, size: .large, action: .open(path)),
                            PTButton(
                                title: word("button.disabled"), size: .large, action: .open(path), isEnabled: false),
                            PTButton(
                                title: word("button.sheet"), role: .outlined, size: .large,
                                action: .present("gallery-sheet")),
                            PTButton(
                                title: word("button.outside"), role: .quiet, size: .large,
                                action: .external("https://www.montessori.org")),
                        ])),
                    .button(
                        PTButton(
                            title: word("button.wide"), role: .tonal, isWide: true, action: .perform(call("wide")))),
                    .submit(SubmitButton(title: word("submit"), action: call("submit"))),
                    .submit(SubmitButton(title: word("submit.running"), isLoading: true, action: call("running"))),
                    .links(
                        PTLinks(links: [
                            .init(title: word("link.forgot"), action: .open(path)),
                            .init(title: word("link.code"), action: .open(path)),
                        ])),
                    .divider(PTDivider(word("or"))), .divider(PTDivider()),
                ])
        ]
    }

    var people: [Component] {
        let avatars: [Component] = Tint.allCases.enumerated().map { index, tint in
            .avatar(
                PTAvatar(
                    initials: "AM", tint: tint, shape: PTAvatar.Shape.allCases[index % 4],
                    size: PTAvatar.Size.allCases[index % 3], spoken: index == 0 ? word("student.1") : nil))
        }
        return [
            .greeting(
                PTGreeting(
                    eyebrow: word("day"), title: word("greeting"), detail: word("greeting.detail"),
                    split: PTSplitBar(
                        parts: [.init(count: 10, tint: .leaf), .init(count: 2, tint: .clay)], total: 14,
                        spoken: word("greeting.spoken")),
                    actions: [
                        PTButton(
                            title: word("greeting.action"), icon: .checks, role: .quiet,
                            action: .perform(call("rest")))
                    ])),
            .list(
                PTList(
                    cells: [
                        row("1", .leaf, .present), row("2", .clay, .absent),
                        row("3", .sky, .unset, dot: .init(tone: .attention, spoken: word("dot.attention"))),
                        row("4", .berry, .present, sync: .pending), row("5", .sand, .present, sync: .failed),
                        row(
                            "6", .leaf, .present, dot: .init(tone: .good, spoken: word("dot.good")),
                            isEnabled: false),
                    ], columns: .two, label: word("students"))),
            section("avatars", [.card(PTCard(label: word("avatars"), body: avatars))]),
            section(
                "attendance",
                [
                    .attendance(pill(word("student.1"), .present)), .attendance(pill(word("student.2"), .absent)),
                    .attendance(pill(word("student.3"), .unset)),
                ]),
        ]
    }

    func row(
        _ number: String, _ tint: Tint, _ state: PTAttendancePill.State, sync: PTAttendancePill.Sync = .none,
        dot: PTListCell.Dot? = nil, isEnabled: Bool = true
    ) -> PTListCell {
        let name = word("student.\(number)")
        return PTListCell(
            id: "student-\(number)",
            leading: .avatar(PTAvatar(initials: String(name.prefix(1)), tint: tint, shape: .c)), title: name,
            subtitle: word("student.line.\(state.rawValue)"), dot: dot,
            trailing: [.attendance(pill(name, state, sync: sync, isEnabled: isEnabled))],
            action: .present("gallery-sheet"), menu: menu, swipe: Array(menu.dropFirst()))
    }

    func pill(
        _ name: String, _ state: PTAttendancePill.State, sync: PTAttendancePill.Sync = .none, isEnabled: Bool = true
    ) -> PTAttendancePill {
        PTAttendancePill(
            state: state, sync: sync,
            labels: .init(
                present: .init(title: word("present"), spoken: words("gallery.present.spoken", name)),
                absent: .init(title: word("absent"), spoken: words("gallery.absent.spoken", name)),
                unset: .init(title: word("mark"), spoken: words("gallery.mark.spoken", name))),
            call: call("attendance"), isEnabled: isEnabled)
    }

    var things: [Component] {
        let tones: [PTTag.Tone] = PTTag.Tone.allCases
        return [
            section(
                "lists",
                [
                    .list(
                        PTList(
                            cells: [
                                PTListCell(
                                    id: "lists-1", leading: .icon(.bell, tint: .sky), title: word("row.unread"),
                                    subtitle: word("row.when"),
                                    dot: .init(tone: .unread, spoken: word("dot.unread")),
                                    isEmphasized: true, trailing: [.text(word("row.time")), .chevron],
                                    action: .open(path)),
                                PTListCell(
                                    id: "lists-2", leading: .icon(.people, tint: .clay), title: word("row.current"),
                                    isCurrent: true,
                                    trailing: [.badge(PTTag(text: word("tag.good"), tone: .good)), .menu],
                                    action: .open(path), menu: menu),
                                PTListCell(
                                    id: "lists-3", leading: .file(.pdf), title: word("row.buttons"),
                                    dot: .init(tone: .neutral, spoken: word("dot.neutral")),
                                    trailing: [
                                        .button(
                                            PTButton(title: word("menu.edit"), role: .quiet, action: .open(path))),
                                        .iconButton(
                                            PTButton(title: word("menu.delete"), icon: .x, action: .open(path))),
                                    ]),
                            ], label: word("lists"),
                            more: PTButton(title: word("more"), role: .quiet, action: .open(path + "?page=2")))),
                    .list(PTList(cells: [PTListCell(title: word("row.plain"), action: .perform(call("plain")))])),
                ]),
            section(
                "grid",
                [
                    .cardGrid(
                        PTCardGrid(
                            items: [
                                .init(
                                    id: "room-1", leading: .avatar(PTAvatar(initials: "M", tint: .clay, shape: .b)),
                                    title: word("room.1"), subtitle: word("room.detail"), isCurrent: true,
                                    action: .open(path), menu: menu),
                                .init(
                                    id: "room-2", leading: .icon(.leaf, tint: .leaf), title: word("room.2"),
                                    tag: PTTag(text: word("tag.info"), tone: .info), action: .open(path)),
                                .init(title: word("room.3")),
                            ], label: word("grid")))
                ]),
            section(
                "tags",
                [
                    .card(
                        PTCard(body: [
                            .table(
                                PTDataTable(
                                    label: word("tags"),
                                    columns: [.init(title: word("table.name"))]
                                        + tones.map { .init(title: $0.rawValue, detail: word("table.detail")) },
                                    rows: [
                                        .init(
                                            header: word("tag.good"),
                                            cells: tones.map {
                                                .tag(PTTag(text: word("tag.\($0.rawValue)"), tone: $0, icon: .tag))
                                            }
                                        )
                                    ]))
                        ]))
                ]),
            section(
                "files",
                [
                    "plan.pdf", "photo.jpg", "notes.txt", "song.mp3", "film.mp4", "list.csv", "talk.pptx",
                    "all.zip", "thing",
                ]
                .map { name in
                    .file(
                        PTFileTile(
                            name: name, detail: word("file.detail"), action: .open(path),
                            menu: name == "plan.pdf" ? menu : []))
                }),
            section(
                "rings",
                Tint.allCases.enumerated().map { index, tint in
                    let share = 20 * (index + 1)
                    return .ring(
                        PTProgressRing(
                            value: Double(share) / 100, text: "\(share)%", tint: tint,
                            spoken: words("gallery.ring", share)))
                }),
        ]
    }

    var text: [Component] {
        [
            .sectionHeader(
                PTSectionHeader(
                    title: word("text"), detail: word("text.detail"),
                    action: PTButton(title: word("text.action"), role: .quiet, action: .open(path)))),
            .text(PTText(word("text.heading"), role: .heading)), .text(PTText(word("text.body"))),
            .text(PTText(word("text.note"), role: .note)), .text(PTText("MAPLE-7431", role: .code)),
            .text(PTText(word("text.note"), role: .note, isCentered: true)),
            .definitionList(
                PTDefinitionList(items: [
                    .init(term: word("fact.school"), value: word("school")),
                    .init(
                        term: word("fact.zone"), value: "America/Toronto",
                        action: PTButton(title: word("menu.edit"), role: .quiet, action: .open(path))),
                ])),
            .table(
                PTDataTable(
                    label: word("table"),
                    columns: [
                        .init(title: word("table.name")), .init(title: word("table.may")),
                        .init(title: word("table.count"), detail: word("table.detail"), isNumeric: true),
                    ],
                    rows: [
                        .init(
                            id: "t-1", header: word("student.1"), avatar: PTAvatar(initials: "AM", tint: .leaf),
                            action: .open(path), cells: [.check(true, spoken: word("yes")), .text("12")]),
                        .init(header: word("student.2"), cells: [.check(false, spoken: word("no")), .text("7")]),
                        .init(header: word("student.3"), cells: [.text("–"), .empty]),
                    ])),
            .disclosure(PTDisclosure(title: word("disclosure"), body: [.text(PTText(word("text.body")))])),
            .disclosure(
                PTDisclosure(title: word("disclosure.open"), body: [.text(PTText(word("text.body")))], isOpen: true)
            ),
        ]
    }

    var states: [Component] {
        [
            section(
                "banners",
                PTBanner.Tone.allCases.map { tone in
                    .banner(
                        PTBanner(
                            tone: tone, title: word("banner.\(tone.rawValue)"), message: word("banner.message"),
                            action: tone == .danger
                                ? PTButton(title: word("banner.action"), role: .quiet, action: .open(path)) : nil
                        ))
                } + [.banner(PTBanner(tone: .warning, icon: .cloudOff, title: word("banner.bare")))]),
            .empty(
                PTEmptyState(
                    title: word("empty.title"), message: word("empty.message"),
                    action: PTButton(title: word("empty.action"), icon: .plus, action: .present("gallery-sheet")),
                    secondary: .init(title: word("link.code"), action: .open(path)))),
            .empty(PTEmptyState(icon: .sparkle, title: word("empty.title"), message: word("empty.message"))),
            .error(
                ErrorStateView(
                    title: word("error.title"), message: word("error.message"),
                    retry: PTButton(title: word("error.retry"), icon: .retry, action: .open(path)))),
            .error(ErrorStateView(icon: .cloudOff, title: word("error.title"), message: word("error.message"))),
            section(
                "skeletons",
                SkeletonView.Style.allCases.map {
                    .skeleton(SkeletonView(style: $0, count: 3, spoken: word("loading")))
                }),
            section(
                "toasts",
                [
                    .toast(
                        PTToast(
                            word("toast.success"),
                            action: PTButton(title: word("toast.undo"), action: .perform(call("undo"))),
                            haptics: .success())),
                    .toast(PTToast(word("toast.info"), tone: .info, haptics: .lightTap())),
                    .toast(PTToast(word("toast.failure"), tone: .failure, haptics: .warning())),
                    .burst(PTCheckmarkBurst(title: word("burst.title"), message: word("burst.message"))),
                ]),
            section(
                "pictures", PTIllustration.allCases.map { .illustration($0) }),
        ]
    }

    var codes: [Component] {
        [
            .codeCard(
                PTCodeCard(
                    title: word("code.title"), code: "MAPLE-7431", qr: qr ?? Samples.pattern,
                    qrSpoken: word("code.spoken"),
                    detail: word("code.detail"), link: "https://school.example/join/MAPLE-7431",
                    actions: [PTButton(title: word("code.renew"), role: .quiet, action: .perform(call("renew")))])),
            .codeCard(PTCodeCard(title: word("code.title"), code: "MAPLE-7431")),
        ]
    }

    var sheet: PTBottomSheet {
        PTBottomSheet(
            id: "gallery-sheet", title: word("student.1"), subtitle: word("sheet.subtitle"),
            leading: .avatar(PTAvatar(initials: "AM", tint: .leaf, shape: .b)),
            body: [
                .text(PTText(word("text.body"))),
                .form(
                    PTForm(
                        id: "sheet", action: path,
                        fields: [
                            PTField(
                                .multiline, name: "note", label: word("field.note"),
                                placeholder: word("field.note.hint"))
                        ],
                        submit: SubmitButton(title: word("submit")), key: "gallery-sheet")),
                .list(
                    PTList(
                        cells: (1...6).map { PTListCell(title: word("student.\($0)"), action: .open(path)) },
                        label: word("students"))),
            ],
            floatingButton: PTFloatingActionButton(title: word("fab"), fan: menu))
    }

    /// A chequered field with the three corners of a code, where no real one is at hand.
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
