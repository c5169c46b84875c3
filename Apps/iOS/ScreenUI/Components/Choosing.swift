import DesignSystem
import DesignTokens
import Domain
import Foundation
package import SwiftUI

/// A search field that searches while a person types, a moment after the last letter.
struct SearchFieldView: View {
    let field: PTSearchField
    /// The text that the person typed; `nil` before the first letter.
    @State private var typed: String?
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    var body: some View {
        HStack(spacing: design.space(\.xs)) {
            IconView(icon: .search).foregroundStyle(.token(.textMuted))
            TextField(text: $typed[default: field.value], prompt: Text(verbatim: field.placeholder)) {
                Text(verbatim: field.label)
            }
            .textStyle(.body)
            .submitLabel(.search)
            .onSubmit { search() }
            if !(typed ?? field.value).isEmpty {
                Button {
                    typed = ""
                } label: {
                    IconView(icon: .x).frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                }
                .buttonStyle(BareButtonStyle())
                .accessibilityLabel(Text(verbatim: design.words("app.search.clear")))
            }
        }
        .padding(.horizontal, design.space(\.sm))
        .frame(minHeight: design.size(.hit))
        .background(.token(.surfaceAlt), in: Capsule())
        .searches(typed) { search() }
    }

    private func search() {
        if let typed { actions.open(field.address(for: typed), isReplacing: true) }
    }
}

extension View {
    /// Searches a moment after the last letter that a person typed.
    func searches(_ typed: String?, _ search: @escaping @MainActor @Sendable () -> Void) -> some View {
        modifier(DelayedSearch(typed: typed, search: search))
    }
}

private struct DelayedSearch: ViewModifier {
    let typed: String?
    let search: @MainActor @Sendable () -> Void
    @Environment(\.design) private var design

    func body(content: Content) -> some View {
        content.task(id: typed) {
            guard typed != nil else { return }
            do {
                try await Task.sleep(for: design.delay("search"))
                search()
            } catch {
                // The person typed on, which cancels the wait.
            }
        }
    }
}

extension PTSearchField {
    /// The address of the page with the results of a search.
    func address(for query: String) -> String {
        var parts = URLComponents()
        parts.path = path
        parts.queryItems =
            keeping.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
            + [URLQueryItem(name: name, value: query)]
        return parts.string ?? path
    }
}

/// A control that switches between views of the same thing.
struct SegmentsView: View {
    let control: PTSegmentedControl
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    var body: some View {
        ViewThatFits(in: .horizontal) {
            HStack(spacing: 0) { segments }
            ScrollView(.horizontal) { HStack(spacing: 0) { segments } }
        }
        .background(.token(.surfaceAlt), in: Capsule())
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: control.label))
    }

    private var segments: some View {
        ForEach(Numbered.all(control.segments)) { segment in
            Button {
                actions.open(segment.value.path, isReplacing: true)
            } label: {
                Text(verbatim: segment.value.title)
                    .textStyle(.callout)
                    .padding(.horizontal, design.space(\.sm))
                    .frame(maxWidth: .infinity, minHeight: design.size(.hit))
                    .background(
                        segment.value.isSelected ? .token(.surface) : TokenStyle(name: .none), in: Capsule())
            }
            .buttonStyle(BareButtonStyle())
            .accessibilityAddTraits(segment.value.isSelected ? .isSelected : [])
        }
    }
}

/// A row of filters, some of them with many values in a menu.
struct ChipsView: View {
    let chips: PTChips
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    var body: some View {
        ScrollView(.horizontal) {
            HStack(spacing: design.space(\.xs)) {
                ForEach(Numbered.all(chips.menus)) { menu($0.value) }
                ForEach(Numbered.all(chips.chips)) { chip in
                    Button {
                        actions.perform(chip.value.action)
                    } label: {
                        ChipLabel(isSelected: chip.value.isSelected) {
                            TitleView(title: chip.value.title, icon: chip.value.icon)
                        }
                    }
                    .buttonStyle(BareButtonStyle())
                    .accessibilityAddTraits(chip.value.isSelected ? .isSelected : [])
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: chips.label))
    }

    private func menu(_ menu: PTChips.Menu) -> some View {
        let chosen = menu.choices.first(where: \.isSelected) ?? menu.choices.first
        return Menu {
            ForEach(Numbered.all(menu.choices)) { choice in
                Button {
                    actions.perform(choice.value.action)
                } label: {
                    TitleView(title: choice.value.title, icon: choice.value.isSelected ? .check : choice.value.icon)
                }
                .accessibilityAddTraits(choice.value.isSelected ? .isSelected : [])
            }
        } label: {
            ChipLabel(isSelected: chosen != menu.choices.first) {
                TitleView(title: chosen?.title ?? menu.label, icon: .chevronDown)
            }
        }
        .accessibilityLabel(Text(verbatim: menu.label))
        .accessibilityValue(Text(verbatim: chosen?.title ?? ""))
    }
}

/// The look of a chip.
package struct ChipLabel<Label: View>: View {
    private let isSelected: Bool
    private let label: Label
    @Environment(\.design) private var design

    package init(isSelected: Bool, @ViewBuilder label: () -> Label) {
        self.isSelected = isSelected
        self.label = label()
    }

    package var body: some View {
        label
            .textStyle(.callout, isSelected ? .token(.primary) : .token(.text))
            .padding(.horizontal, design.space(\.sm))
            .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
            .background(isSelected ? .token(.primaryMuted) : .token(.surfaceAlt), in: Capsule())
    }
}

/// The position in a sequence of steps.
struct StepperView: View {
    let stepper: PTStepper
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.xs)) {
            ForEach(Numbered.all(stepper.steps)) { step in
                VStack(spacing: design.space(\.xxs)) {
                    Capsule()
                        .fill(isReached(step.id) ? .token(.primary) : .token(.outlineSubtle))
                        .frame(height: design.size(.ring))
                    Text(verbatim: step.value)
                        .textStyle(.caption, isReached(step.id) ? .token(.text) : .token(.textMuted))
                }
                .frame(maxWidth: .infinity)
                .accessibilityElement(children: .combine)
                .accessibilityAddTraits(step.id == "\(stepper.current)" ? .isSelected : [])
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: stepper.label))
    }

    private func isReached(_ place: String) -> Bool { (Int(place) ?? 0) <= stepper.current }
}
