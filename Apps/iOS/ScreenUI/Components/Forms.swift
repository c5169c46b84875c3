package import DesignSystem
import DesignTokens
import Domain
import Foundation
package import SwiftUI

/// A form whose fields are sent to a command. What the person typed stays after an error.
struct FormView: View {
    let form: PTForm
    @State private var values: FormValues
    /// The errors of the last answer, by the names of the fields; those of the page before.
    @State private var errors: [String: String]
    @State private var message: String?
    @State private var isRunning = false
    /// Whether the server accepted the form, so that the next page brings its own values.
    @State private var isDone = false
    @State private var isFoldOpen: Bool
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions
    @Environment(\.pageFiles) private var pageFiles

    init(form: PTForm) {
        self.form = form
        let faults = form.faulty.map { ($0.name, $0.error ?? "") }
        _values = State(initialValue: FormValues(form.fields))
        _errors = State(initialValue: Dictionary(faults) { first, _ in first })
        _message = State(initialValue: form.error)
        _isFoldOpen = State(initialValue: form.faulty.contains(where: \.isFolded))
    }

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.md)) {
            if let message {
                BannerView(banner: PTBanner(tone: .danger, icon: .alert, title: message))
            }
            ForEach(Numbered.all(form.fields.filter { $0.isShown && !$0.isFolded }, id: \.name)) { field in
                FieldView(field: field.value, values: $values, error: errors[field.value.name])
            }
            if let alternate = form.alternate {
                SubmitLabelView(submit: alternate, isRunning: isRunning) {
                    send(to: alternate.action?.path ?? form.action)
                }
            }
            if form.fields.contains(where: \.isFolded) {
                DisclosureGroup(isExpanded: $isFoldOpen) {
                    ForEach(Numbered.all(form.fields.filter { $0.isShown && $0.isFolded }, id: \.name)) { field in
                        FieldView(field: field.value, values: $values, error: errors[field.value.name])
                    }
                } label: {
                    Text(verbatim: form.foldTitle ?? design.words("app.more")).textStyle(.headline)
                }
                .tint(TokenStyle.token(.primary))
            }
            if form.style != .instant {
                SubmitLabelView(submit: form.submit, isRunning: isRunning || form.submit.isLoading) {
                    send(to: form.submit.action?.path ?? form.action)
                }
            }
            if let secondary = form.secondary { ButtonView(button: secondary) }
        }
        .framed(form.style, design)
        .onChange(of: pageFiles?.count) { _, _ in takeFiles() }
        .onChange(of: values) { _, _ in
            if form.style == .instant { send(to: form.action) }
        }
        .onChange(of: form) { old, form in
            // A page is loaded again with a new key whenever it changes: what a person typed and did not send stays.
            guard isDone || values == FormValues(old.fields) else { return }
            isDone = false
            values = FormValues(form.fields)
            errors = Dictionary(form.faulty.map { ($0.name, $0.error ?? "") }) { first, _ in first }
            message = form.error
        }
    }

    /// Takes the files that a tool of the device made for the form's fields. A field for one file gets the last.
    private func takeFiles() {
        for field in form.fields {
            guard case .file = field.kind, let made = pageFiles?.take(field.name), !made.isEmpty else { continue }
            values[files: field.name] += made
        }
    }

    private func send(to path: String) {
        guard !isRunning else { return }
        let missing = form.fields.filter { $0.isRequired && $0.isShown && isEmpty($0) }
        errors = missing.reduce(into: [:]) { $0[$1.name] = design.words("app.field.required", $1.label) }
        guard missing.isEmpty else {
            if missing.contains(where: \.isFolded) { isFoldOpen = true }
            return
        }
        let call = PTCommandCall(
            path: path, fields: values.fields(of: form), confirmation: form.confirmation, key: form.key,
            to: form.to,
            isQueued: form.isQueued)
        let extras = values.extras(of: form)
        actions.confirm(call) {
            isRunning = true
            message = nil
            Task {
                let outcome = await actions.run(call, with: extras)
                isRunning = false
                switch outcome {
                case .done, .waiting:
                    isDone = true
                    values.removeFiles()
                    actions.closeSheet()
                case .refused(let text, let fields):
                    message = text
                    errors = fields
                    isFoldOpen = isFoldOpen || form.fields.contains { $0.isFolded && fields[$0.name] != nil }
                case .canceled: break
                }
            }
        }
    }

    private func isEmpty(_ field: PTField) -> Bool {
        switch field.kind {
        case .multipleChoice(let options):
            !options.contains { values[choice: FormValues.Choice(name: field.name, value: $0.value)] }
        case .file, .photos: values[files: field.name].isEmpty
        default: values[text: field.name].isEmpty
        }
    }
}

extension View {
    /// Puts a form on a card, if its style says so.
    @ViewBuilder
    fileprivate func framed(_ style: PTForm.Style, _ design: Design) -> some View {
        switch style {
        case .card, .wizard: card(design)
        case .plain, .inline, .instant, .capture: self
        }
    }
}

extension PTField {
    /// Whether the field is sent only, without being shown.
    fileprivate var isShown: Bool { kind != .hidden }
}

/// A field with its label, its hint and its error.
package struct FieldView: View {
    private let field: PTField
    @Binding private var values: FormValues
    private let error: String?
    @Environment(\.design) private var design

    package init(field: PTField, values: Binding<FormValues>, error: String?) {
        self.field = field
        _values = values
        self.error = error
    }

    package var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xxs)) {
            FieldInputView(field: field, values: $values)
            if let hint = field.hint { Text(verbatim: hint).textStyle(.caption, .token(.textMuted)) }
            if let error {
                Label {
                    Text(verbatim: error)
                } icon: {
                    IconView(icon: .alert)
                }
                .textStyle(.caption, .token(.danger))
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}

private struct FieldInputView: View {
    let field: PTField
    @Binding var values: FormValues
    @Environment(\.design) private var design

    var body: some View {
        switch field.kind {
        case .text, .email, .password, .newPassword, .multiline, .number, .code:
            FieldLabel(field: field, isSpokenByControl: true)
            TextInputView(field: field, text: $values[text: field.name])
        case .date: DateInputView(field: field, values: $values)
        case .select(let options), .choice(let options):
            ChoiceView(field: field, options: options, text: $values[text: field.name])
        case .multipleChoice(let options):
            FieldLabel(field: field)
            ForEach(Numbered.all(options, id: \.value)) { option in
                Toggle(isOn: $values[choice: FormValues.Choice(name: field.name, value: option.value.value)]) {
                    OptionLabel(option: option.value)
                }
                .tint(TokenStyle.token(.primary))
                .frame(minHeight: design.size(.hit))
            }
        case .toggle:
            Toggle(isOn: $values[isOn: field.name]) { Text(verbatim: field.label).textStyle(.body) }
                .tint(TokenStyle.token(.primary))
                .frame(minHeight: design.size(.hit))
        case .tint(let initials, let names):
            FieldLabel(field: field, isSpokenByControl: true)
            TintChoiceView(field: field, initials: shown(initials, names), text: $values[text: field.name])
        case .file(let accept):
            FilesView(
                field: field, request: FileRequest(accept: accept, limit: field.isMultiple ? .max : 1),
                files: $values[files: field.name])
        case .photos(let side, let max):
            FilesView(
                field: field, request: FileRequest(accept: ["image/*"], limit: max, side: side),
                files: $values[files: field.name])
        case .hidden: EmptyView()
        }
    }

    /// The initials of what the person typed in other fields, or those given.
    private func shown(_ initials: String, _ names: [String]) -> String {
        let typed = names.compactMap { values[text: $0].first.map(String.init) }.joined().uppercased()
        return typed.isEmpty ? initials : typed
    }
}

private struct FieldLabel: View {
    let field: PTField
    /// Whether the control says the label itself, so that a screen reader skips this one.
    var isSpokenByControl = false

    var body: some View {
        Text(verbatim: field.label)
            .textStyle(.callout, .token(.textMuted))
            .accessibilityHidden(isSpokenByControl)
    }
}

/// A field for text, with the keyboard of its kind.
private struct TextInputView: View {
    let field: PTField
    @Binding var text: String
    @State private var isShown = false
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.xs)) {
            input
                .textStyle(.body)
                .textContentType(contentType)
                .autocorrectionDisabled(!isProse)
                .textInputAutocapitalization(isProse ? .sentences : field.kind == .code ? .characters : .never)
                .keyboardType(keyboard)
                .submitLabel(.next)
                .accessibilityLabel(Text(verbatim: field.label))
                .onChange(of: text) { _, typed in
                    if let limit = field.maxLength, typed.count > limit { text = String(typed.prefix(limit)) }
                }
            if isSecret {
                Button {
                    isShown.toggle()
                } label: {
                    IconView(icon: .eye).frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                }
                .buttonStyle(BareButtonStyle())
                .accessibilityLabel(
                    Text(verbatim: design.words(isShown ? "app.password.hide" : "app.password.show")))
            }
        }
        .padding(.horizontal, design.space(\.sm))
        .frame(minHeight: design.size(.control))
        .background(.token(.surface), in: design.rounded(\.md))
        .overlay { design.rounded(\.md).stroke(.token(.outline), lineWidth: design.size(.hairline)) }
    }

    @ViewBuilder private var input: some View {
        if isSecret, !isShown {
            SecureField(text: $text) { Text(verbatim: field.label) }
        } else {
            TextField(
                text: $text, prompt: field.placeholder.map { Text(verbatim: $0) },
                axis: field.kind == .multiline ? .vertical : .horizontal
            ) { Text(verbatim: field.label) }
        }
    }

    private var isSecret: Bool { field.kind == .password || field.kind == .newPassword }
    private var isProse: Bool { field.kind == .text || field.kind == .multiline }

    private var keyboard: UIKeyboardType {
        switch field.kind {
        case .email: .emailAddress
        case .number: .decimalPad
        default: .default
        }
    }

    /// What the system may fill in: the field's own meaning (HTML section 4.10.18.7), or that of its kind.
    private var contentType: UITextContentType? {
        switch (field.autocomplete, field.kind) {
        case ("one-time-code", _): .oneTimeCode
        case ("username", _): .username
        case ("given-name", _): .givenName
        case ("family-name", _): .familyName
        case ("name", _): .name
        case ("new-password", _), (_, .newPassword): .newPassword
        case (_, .password): .password
        case ("email", _), (_, .email): .emailAddress
        default: nil
        }
    }
}

/// A field for a calendar day, which may stay empty.
private struct DateInputView: View {
    let field: PTField
    @Binding var values: FormValues
    @Environment(\.design) private var design

    var body: some View {
        if values[text: field.name].isEmpty {
            FieldLabel(field: field, isSpokenByControl: true)
            Button {
                values[day: field.name] = Date()
            } label: {
                TitleView(title: design.words("app.date.choose"), icon: .calendar)
            }
            .buttonStyle(RoleButtonStyle(role: .neutral))
            .accessibilityLabel(Text(verbatim: "\(field.label): \(design.words("app.date.choose"))"))
        } else {
            HStack(spacing: design.space(\.xs)) {
                DatePicker(selection: $values[day: field.name], displayedComponents: .date) {
                    Text(verbatim: field.label).textStyle(.body)
                }
                if !field.isRequired {
                    Button {
                        values[text: field.name] = ""
                    } label: {
                        IconView(icon: .x).frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                    }
                    .buttonStyle(BareButtonStyle())
                    .accessibilityLabel(Text(verbatim: design.words("app.date.clear", field.label)))
                }
            }
        }
    }
}

/// A field for one of several values: buttons while they are few and have details or pictures, else a menu.
private struct ChoiceView: View {
    let field: PTField
    let options: [PTField.Option]
    @Binding var text: String
    @Environment(\.design) private var design

    var body: some View {
        if case .choice = field.kind {
            FieldLabel(field: field)
            ForEach(Numbered.all(options, id: \.value)) { option in
                Button {
                    text = option.value.value
                } label: {
                    HStack(spacing: design.space(\.xs)) {
                        Image(systemName: option.value.value == text ? "largecircle.fill.circle" : "circle")
                            .foregroundStyle(option.value.value == text ? .token(.primary) : .token(.outline))
                            .accessibilityHidden(true)
                        OptionLabel(option: option.value)
                        Spacer()
                    }
                    .frame(minHeight: design.size(.hit))
                }
                .buttonStyle(BareButtonStyle())
                .accessibilityAddTraits(option.value.value == text ? .isSelected : [])
            }
        } else {
            Picker(selection: $text) {
                ForEach(Numbered.all(offered, id: \.value)) { option in
                    Text(verbatim: option.value.title).tag(option.value.value)
                }
            } label: {
                Text(verbatim: field.label).textStyle(.body)
            }
            .pickerStyle(.menu)
            .tint(TokenStyle.token(.primary))
            .frame(minHeight: design.size(.hit))
        }
    }

    /// The options, with the present value if it is none of them, such as an empty one.
    private var offered: [PTField.Option] {
        options.contains { $0.value == text }
            ? options
            : [PTField.Option(value: text, title: text.isEmpty ? design.words("app.choose") : text)] + options
    }
}

private struct OptionLabel: View {
    let option: PTField.Option
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            if let image = option.image {
                PictureView(image: image.withoutLarge).frame(maxWidth: design.size(.avatarLarge))
            }
            if let icon = option.icon { IconView(icon: icon).imageScale(.large) }
            VStack(alignment: .leading, spacing: design.space(\.hair)) {
                Text(verbatim: option.title).textStyle(.body)
                if let detail = option.detail { Text(verbatim: detail).textStyle(.caption, .token(.textMuted)) }
            }
        }
    }
}

/// A field for the tint of an avatar.
private struct TintChoiceView: View {
    let field: PTField
    let initials: String
    @Binding var text: String
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.xs)) {
            ForEach(Numbered.all(Tint.allCases)) { tint in
                Button {
                    text = tint.value.rawValue
                } label: {
                    AvatarView(avatar: PTAvatar(initials: initials, tint: tint.value))
                        .overlay {
                            if text == tint.value.rawValue {
                                Circle().stroke(.token(.primary), lineWidth: design.size(.ring))
                            }
                        }
                        .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                }
                .buttonStyle(BareButtonStyle())
                .accessibilityLabel(Text(verbatim: field.tintTitles[tint.value] ?? tint.value.rawValue))
                .accessibilityAddTraits(text == tint.value.rawValue ? .isSelected : [])
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: field.label))
    }
}

/// A field for files or photos, which the handler lets the person choose.
private struct FilesView: View {
    let field: PTField
    let request: FileRequest
    @Binding var files: [ChosenFile]
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    var body: some View {
        ForEach(files) { file in
            HStack(spacing: design.space(\.xs)) {
                FileIconView(kind: PTFileKind(fileName: file.name))
                Text(verbatim: file.name).textStyle(.body)
                Spacer()
                Button {
                    files.removeAll { $0 == file }
                } label: {
                    IconView(icon: .x).frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                }
                .buttonStyle(BareButtonStyle())
                .accessibilityLabel(Text(verbatim: design.words("app.file.remove", file.name)))
            }
        }
        Button(action: choose) { TitleView(title: field.label, icon: .clip) }
            .buttonStyle(RoleButtonStyle(role: .neutral, isWide: true))
            .disabled(files.count >= request.limit && request.limit > 1)
    }

    private func choose() {
        var request = request
        if request.limit > 1, request.limit < .max { request.limit -= files.count }
        let wanted = request
        Task {
            let chosen = await actions.handler?.choose(wanted) ?? []
            if !chosen.isEmpty { files = wanted.limit == 1 && self.request.limit == 1 ? chosen : files + chosen }
        }
    }
}
