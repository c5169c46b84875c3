import DesignSystem
import Domain

extension Samples {
    /// Every kind of field, empty and faulty, in every style of form.
    var forms: [Component] {
        [
            section(
                "gallery.forms", [.form(allFields), .form(faulty), .form(inline), .form(instant), .form(wizard)])
        ]
    }

    private var options: [PTField.Option] {
        (1...3).map { .init(value: "\($0)", title: word("gallery.option.\($0)")) }
    }

    private var detailed: [PTField.Option] {
        (1...3).map {
            .init(value: "\($0)", title: word("gallery.option.\($0)"), detail: word("gallery.option.detail"))
        }
    }

    private var pictured: [PTField.Option] {
        zip(1...3, [PTIcon.faceHappy, .faceCalm, .faceSad]).map {
            .init(value: "\($0)", title: word("gallery.option.\($0)"), icon: $1)
        }
    }

    private var allFields: PTForm {
        PTForm(
            id: "all", action: path,
            fields: [
                PTField(
                    name: "first", label: word("gallery.field.first"), isRequired: true, autocomplete: "given-name",
                    maxLength: 80, placeholder: word("gallery.field.first"), width: .half),
                PTField(name: "last", label: word("gallery.field.last"), autocomplete: "family-name", width: .half),
                PTField(
                    .tint(initials: "NA", from: ["first", "last"]), name: "tint", label: word("gallery.field.tint"),
                    value: "leaf"),
                PTField(
                    .email, name: "email", label: word("gallery.field.email"),
                    hint: word("gallery.field.email.hint"),
                    autocomplete: "email"),
                PTField(.password, name: "password", label: word("gallery.field.password")),
                PTField(
                    .newPassword, name: "new", label: word("gallery.field.newPassword"),
                    hint: word("gallery.field.newPassword.hint")),
                PTField(.number, name: "age", label: word("gallery.field.number"), value: "6"),
                PTField(.date, name: "born", label: word("gallery.field.date"), value: "2020-05-14"),
                PTField(
                    .multiline, name: "notes", label: word("gallery.field.note"),
                    placeholder: word("gallery.field.note.hint")),
                PTField(
                    .select(options), name: "room", label: word("gallery.field.select"), value: "2",
                    placeholder: word("gallery.field.select.none")),
                PTField(.choice(options), name: "role", label: word("gallery.field.choice"), value: "1"),
                PTField(.choice(detailed), name: "way", label: word("gallery.field.choice"), value: "2"),
                PTField(.choice(pictured), name: "mood", label: word("gallery.field.choice"), value: "1"),
                PTField(
                    .multipleChoice(detailed), name: "guides", label: word("gallery.field.choices"),
                    values: ["1", "3"]),
                PTField(
                    .toggle, name: "notify", label: word("gallery.field.toggle"), value: "true",
                    hint: word("gallery.field.toggle.hint")),
                PTField(.toggle, name: "quiet", label: word("gallery.field.toggle.off")),
                PTField(.file(accept: ["image/*"]), name: "photo", label: word("gallery.field.file")),
                .hidden("sample", "all"),
            ],
            submit: SubmitButton(title: word("gallery.submit")),
            secondary: PTButton(title: word("gallery.cancel"), role: .quiet, action: .open(path)),
            key: "gallery-all",
            style: .card)
    }

    private var faulty: PTForm {
        PTForm(
            id: "faulty", action: path,
            fields: [
                PTField(
                    name: "name", label: word("gallery.field.first"), error: word("gallery.fault.name"),
                    isRequired: true),
                PTField(
                    .email, name: "email", label: word("gallery.field.email"), value: "ana@",
                    error: word("gallery.fault.email")),
                PTField(
                    .choice(options), name: "role", label: word("gallery.field.choice"),
                    error: word("gallery.fault.choice")),
            ],
            submit: SubmitButton(title: word("gallery.submit.running"), isLoading: true), key: "gallery-faulty",
            style: .card)
    }

    private var inline: PTForm {
        PTForm(
            id: "inline", action: path,
            fields: [PTField(.code, name: "code", label: word("gallery.field.code"), placeholder: "MAPLE-7431")],
            submit: SubmitButton(title: word("gallery.join")), key: "gallery-inline", style: .inline)
    }

    private var instant: PTForm {
        PTForm(
            id: "instant", action: path,
            fields: [PTField(.toggle, name: "notify", label: word("gallery.field.toggle"), value: "true")],
            submit: SubmitButton(title: word("gallery.submit")), key: "gallery-instant", style: .instant)
    }

    private var wizard: PTForm {
        PTForm(
            id: "plain", action: path,
            fields: [
                PTField(
                    name: "school", label: word("gallery.fact.school"), error: nil,
                    placeholder: word("gallery.school"))
            ],
            submit: SubmitButton(title: word("gallery.submit"), role: .tonal, icon: .plus),
            secondary: PTButton(
                title: word("gallery.menu.delete"), role: .destructive, action: .perform(call("second"))),
            key: "gallery-plain", style: .plain, error: word("gallery.fault.form"))
    }

    var choosing: [Component] {
        [
            section(
                "gallery.choosing",
                [
                    .search(
                        PTSearchField(
                            path: path, name: "find", value: word("gallery.student.1"),
                            placeholder: word("gallery.search.placeholder"),
                            label: word("gallery.search"), keeping: ["tab": "all"])),
                    .segments(
                        PTSegmentedControl(
                            label: word("gallery.choosing"),
                            segments: [
                                .init(title: word("gallery.option.1"), path: path, isSelected: true),
                                .init(title: word("gallery.option.2"), path: path + "?view=2"),
                                .init(title: word("gallery.option.3"), path: path + "?view=3"),
                            ])),
                    .chips(
                        PTChips(
                            label: word("gallery.choosing"),
                            menus: [
                                .init(
                                    label: word("gallery.choosing"),
                                    choices: [
                                        .init(
                                            title: word("gallery.option.1"), isSelected: true, action: .open(path)),
                                        .init(title: word("gallery.option.2"), action: .open(path)),
                                    ])
                            ],
                            chips: [
                                .init(title: word("gallery.option.1"), isSelected: true, action: .open(path)),
                                .init(title: word("gallery.option.2"), icon: .leaf, action: .open(path)),
                                .init(title: word("gallery.option.3"), action: .perform(call("chip"))),
                            ])),
                    .stepper(
                        PTStepper(
                            label: word("gallery.steps"),
                            steps: [word("gallery.step.1"), word("gallery.step.2"), word("gallery.step.3")],
                            current: 1)),
                ])
        ]
    }

    func chart(
        _ lowest: Double, _ highest: Double, _ style: PTChart.Style, _ tint: Tint
    ) -> Component {
        let points = (1...10).map { week in
            let value = lowest + (highest - lowest) * Double(week * 7 % 11) / 11
            return PTChart.Point(label: "\(week)", value: value, text: "\(Int(value)) %")
        }
        return .chart(
            PTChart(
                points: points, lowest: lowest, highest: highest, style: style, tint: tint,
                spoken: words("gallery.chart", 10)))
    }
}
