import DesignSystem
import Domain

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
