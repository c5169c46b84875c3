import DesignSystem
import Domain

extension Samples {
    /// Every kind of field, empty and faulty, in every style of form.
    var forms: [Component] {
        [
            section("forms", [.form(allFields), .form(faulty), .form(inline), .form(instant), .form(wizard)])
        ]
    }

    private var options: [PTField.Option] {
        (1...3).map { .init(value: "\($0)", title: word("option.\($0)")) }
    }

    private var detailed: [PTField.Option] {
        (1...3).map { .init(value: "\($0)", title: word("option.\($0)"), detail: word("option.detail")) }
    }

    private var allFields: PTForm {
        PTForm(
            id: "all", action: path,
            fields: [
                PTField(
                    name: "first", label: word("field.first"), isRequired: true, autocomplete: "given-name",
                    maxLength: 80, placeholder: word("field.first"), width: .half),
                PTField(name: "last", label: word("field.last"), autocomplete: "family-name", width: .half),
                PTField(
                    .tint(initials: "NA", from: ["first", "last"]), name: "tint", label: word("field.tint"),
                    value: "leaf"),
                PTField(
                    .email, name: "email", label: word("field.email"), hint: word("field.email.hint"),
                    autocomplete: "email"),
                PTField(.password, name: "password", label: word("field.password")),
                PTField(
                    .newPassword, name: "new", label: word("field.newPassword"),
                    hint: word("field.newPassword.hint")),
                PTField(.number, name: "age", label: word("field.number"), value: "6"),
                PTField(.date, name: "born", label: word("field.date"), value: "2020-05-14"),
                PTField(.multiline, name: "notes", label: word("field.note"), placeholder: word("field.note.hint")),
                PTField(
                    .select(options), name: "room", label: word("field.select"), value: "2",
                    placeholder: word("field.select.none")),
                PTField(.choice(options), name: "role", label: word("field.choice"), value: "1"),
                PTField(.choice(detailed), name: "way", label: word("field.choice"), value: "2"),
                PTField(
                    .multipleChoice(detailed), name: "guides", label: word("field.choices"), values: ["1", "3"]),
                PTField(
                    .toggle, name: "notify", label: word("field.toggle"), value: "true",
                    hint: word("field.toggle.hint")),
                PTField(.toggle, name: "quiet", label: word("field.toggle.off")),
                PTField(.file(accept: ["image/*"]), name: "photo", label: word("field.file")),
                .hidden("sample", "all"),
            ],
            submit: SubmitButton(title: word("submit")),
            secondary: PTButton(title: word("cancel"), role: .quiet, action: .open(path)), key: "gallery-all",
            style: .card)
    }

    private var faulty: PTForm {
        PTForm(
            id: "faulty", action: path,
            fields: [
                PTField(name: "name", label: word("field.first"), error: word("fault.name"), isRequired: true),
                PTField(
                    .email, name: "email", label: word("field.email"), value: "ana@", error: word("fault.email")),
                PTField(.choice(options), name: "role", label: word("field.choice"), error: word("fault.choice")),
            ],
            submit: SubmitButton(title: word("submit.running"), isLoading: true), key: "gallery-faulty",
            style: .card)
    }

    private var inline: PTForm {
        PTForm(
            id: "inline", action: path,
            fields: [PTField(.code, name: "code", label: word("field.code"), placeholder: "MAPLE-7431")],
            submit: SubmitButton(title: word("join")), key: "gallery-inline", style: .inline)
    }

    private var instant: PTForm {
        PTForm(
            id: "instant", action: path,
            fields: [PTField(.toggle, name: "notify", label: word("field.toggle"), value: "true")],
            submit: SubmitButton(title: word("submit")), key: "gallery-instant", style: .instant)
    }

    private var wizard: PTForm {
        PTForm(
            id: "plain", action: path,
            fields: [PTField(name: "school", label: word("fact.school"), error: nil, placeholder: word("school"))],
            submit: SubmitButton(title: word("submit"), role: .tonal, icon: .plus),
            secondary: PTButton(title: word("menu.delete"), role: .destructive, action: .perform(call("second"))),
            key: "gallery-plain", style: .plain, error: word("fault.form"))
    }

    var choosing: [Component] {
        [
            section(
                "choosing",
                [
                    .search(
                        PTSearchField(
                            path: path, name: "find", value: word("student.1"),
                            placeholder: word("search.placeholder"),
                            label: word("search"), keeping: ["tab": "all"])),
                    .segments(
                        PTSegmentedControl(
                            label: word("choosing"),
                            segments: [
                                .init(title: word("option.1"), path: path, isSelected: true),
                                .init(title: word("option.2"), path: path + "?view=2"),
                                .init(title: word("option.3"), path: path + "?view=3"),
                            ])),
                    .chips(
                        PTChips(
                            label: word("choosing"),
                            chips: [
                                .init(title: word("option.1"), isSelected: true, action: .open(path)),
                                .init(title: word("option.2"), icon: .leaf, action: .open(path)),
                                .init(title: word("option.3"), action: .perform(call("chip"))),
                            ])),
                    .stepper(
                        PTStepper(
                            label: word("steps"), steps: [word("step.1"), word("step.2"), word("step.3")],
                            current: 1)),
                ])
        ]
    }
}
