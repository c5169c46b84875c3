import Client
import DesignSystem
import DesignTokens
import Domain
import Foundation
import ResidenceModel
import ScreenUI
import SwiftUI

/// The sheet that asks why a resident is out.
struct OutSheetView: View {
    let resident: RollCallPage.Resident
    let model: RollCallModel
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        SheetFrame(title: model.page.word("outTitle", ["name": resident.name])) {
            OutForm(resident: resident, model: model) { dismiss() }
        }
    }
}

/// The sheet with everyone who is not accounted for, with their contacts. Each can be marked in it.
struct GapSheetView: View {
    let model: RollCallModel
    /// The id of the resident whose reason is asked for; `nil` while the list is shown.
    @State private var asked: String?
    @Environment(\.appStore) private var store
    @Environment(\.pageReading) private var reading
    @Environment(\.actions) private var actions
    @Environment(\.dismiss) private var dismiss

    init(model: RollCallModel) { self.model = model }

    var body: some View {
        if let store {
            let (page, context) = (model.page, RollCallContext(store: store, actions: actions))
            let state = model.state(page, readAt: reading?.readAt ?? .distantPast, in: store.pageStore)
            let missing = state.missing
            if let out = asked.flatMap({ id in state.entries.first { $0.id == id }?.resident }) {
                SheetFrame(title: page.word("outTitle", ["name": out.name])) {
                    OutForm(resident: out, model: model) { asked = nil }
                }
            } else {
                SheetFrame(
                    title: page.word("gap", ["count": String(missing.count)]), subtitle: page.word("gapTip")
                ) {
                    ForEach(missing) { entry in
                        ResidentView(entry: entry, page: page, isInGap: true, model: model, context: context) {
                            asked = entry.id
                        }
                        .equatable()
                    }
                    ToolButton(title: page.word("close"), icon: .lock, role: .primary) {
                        model.close(context)
                        dismiss()
                    }
                    .disabled(!missing.isEmpty || state.isClosing)
                }
            }
        }
    }
}

/// The fields of a resident who is out, with usual answers above them.
private struct OutForm: View {
    let resident: RollCallPage.Resident
    let model: RollCallModel
    let end: @MainActor () -> Void
    @State private var values: FormValues
    @State private var errors: [String: String] = [:]
    @Environment(\.appStore) private var store
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design

    init(resident: RollCallPage.Resident, model: RollCallModel, end: @escaping @MainActor () -> Void) {
        self.resident = resident
        self.model = model
        self.end = end
        _values = State(initialValue: FormValues(Self.fields(model.page)))
    }

    private static let reason = "reason"
    private static let saidBy = "saidBy"

    private static func fields(_ page: RollCallPage) -> [PTField] {
        [
            PTField(name: reason, label: page.word("reason"), isRequired: true, maxLength: 120),
            PTField(name: saidBy, label: page.word("whoSaid"), isRequired: true, maxLength: 120),
        ]
    }

    var body: some View {
        let page = model.page
        Group {
            ForEach(Self.fields(page), id: \.name) { field in
                VStack(alignment: .leading, spacing: design.space(\.xs)) {
                    FieldView(field: field, values: $values, error: errors[field.name])
                    usual(field.name == Self.reason ? page.reasons : page.sources, in: field)
                }
            }
            ToolButton(title: page.word("save"), role: .primary, action: save)
            ToolButton(title: page.word("leave"), role: .quiet, action: end)
        }
    }

    /// The usual answers, which fill the field.
    private func usual(_ answers: [String], in field: PTField) -> some View {
        ScrollView(.horizontal) {
            HStack(spacing: design.space(\.xs)) {
                ForEach(answers, id: \.self) { answer in
                    let isChosen = values[text: field.name] == answer
                    Button {
                        values[text: field.name] = answer
                    } label: {
                        ChipLabel(isSelected: isChosen) { Text(verbatim: answer) }
                    }
                    .buttonStyle(BareButtonStyle())
                    .accessibilityAddTraits(isChosen ? .isSelected : [])
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: field.label))
    }

    private func save() {
        guard let store else { return }
        let typed = [Self.reason, Self.saidBy].map { values[text: $0].trimmingCharacters(in: .whitespaces) }
        errors = zip(Self.fields(model.page), typed).reduce(into: [:]) { errors, pair in
            if pair.1.isEmpty { errors[pair.0.name] = design.words("app.field.required", pair.0.label) }
        }
        guard errors.isEmpty else { return }
        model.note(
            [resident], .out, reason: typed[0], saidBy: typed[1], RollCallContext(store: store, actions: actions))
        end()
    }
}
