import DesignSystem
import Domain

extension Samples {
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
                                .init(
                                    picture: PTImage(
                                        url: "/manifest.webmanifest", width: 400, height: 300, alt: ""),
                                    title: word("gallery.room.3")),
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
}
