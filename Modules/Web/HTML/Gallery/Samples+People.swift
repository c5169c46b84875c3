import DesignSystem
import Domain

extension Samples {
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
}
