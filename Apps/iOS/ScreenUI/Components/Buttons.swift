public import DesignSystem
import DesignTokens
import Domain
import Foundation
public import SwiftUI

/// The look of a button of the design: its role decides the colors, its target has at least 44 points.
package struct RoleButtonStyle: ButtonStyle {
    let role: PTButton.Role
    let size: PTButton.Size
    let isWide: Bool

    package init(role: PTButton.Role, size: PTButton.Size = .regular, isWide: Bool = false) {
        self.role = role
        self.size = size
        self.isWide = isWide
    }

    package func makeBody(configuration: Configuration) -> some View {
        RoleButtonBody(label: configuration.label, isPressed: configuration.isPressed, style: self)
    }
}

private struct RoleButtonBody: View {
    let label: ButtonStyleConfiguration.Label
    let isPressed: Bool
    let style: RoleButtonStyle
    @Environment(\.design) private var design
    @Environment(\.isEnabled) private var isEnabled
    @Environment(\.accessibilityReduceMotion) private var isReduced

    var body: some View {
        label
            .textStyle(style.role == .quiet ? .callout : .headline, foreground)
            .multilineTextAlignment(.center)
            .padding(.horizontal, design.space(style.role == .quiet ? \.xs : \.md))
            .padding(.vertical, design.space(\.xs))
            .frame(
                maxWidth: style.isWide ? .infinity : nil,
                minHeight: design.size(style.size == .large ? .control : .hit)
            )
            .background(background, in: Capsule())
            .overlay {
                if style.role == .outlined {
                    Capsule().stroke(.token(.outline), lineWidth: design.size(.hairline))
                }
            }
            .contentShape(Capsule())
            .opacity(isEnabled ? 1 : Faded.disabled)
            .opacity(isPressed ? Faded.pressed : 1)
            .animation(design.animation(\.tap, isReduced: isReduced), value: isPressed)
    }

    private var foreground: TokenStyle {
        switch style.role {
        case .primary, .destructive: .token(.onPrimary)
        case .tonal, .quiet: .token(.primary)
        case .neutral, .outlined: .token(.text)
        case .provider: .token(.background)
        }
    }

    private var background: TokenStyle {
        switch style.role {
        case .primary: .token(.primary)
        case .destructive: .token(.danger)
        case .tonal: .token(.primaryMuted)
        case .neutral: .token(.surfaceAlt)
        case .provider: .token(.text)
        case .outlined, .quiet: TokenStyle(name: .none)
        }
    }
}

/// The look of a button whose label has its own: it fades while it is pressed.
package struct BareButtonStyle: ButtonStyle {
    package init() {}

    package func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .contentShape(Rectangle())
            .opacity(configuration.isPressed ? Faded.pressed : 1)
    }
}

/// The opacities of controls that are pressed or disabled.
enum Faded {
    static let pressed = 0.7
    static let disabled = 0.5
}

/// A title with an icon before it.
package struct TitleView: View {
    let title: String
    let icon: PTIcon?

    package init(title: String, icon: PTIcon?) {
        self.title = title
        self.icon = icon
    }

    package var body: some View {
        if let icon {
            Label {
                Text(verbatim: title)
            } icon: {
                IconView(icon: icon)
            }
        } else {
            Text(verbatim: title)
        }
    }
}

struct ButtonView: View {
    let button: PTButton
    @Environment(\.actions) private var actions

    var body: some View {
        Button {
            actions.perform(button.action)
        } label: {
            TitleView(title: button.title, icon: button.icon)
        }
        .buttonStyle(RoleButtonStyle(role: button.role, size: button.size, isWide: button.isWide))
        .disabled(!button.isEnabled)
        .accessibilityLabel(Text(verbatim: button.spoken ?? button.title))
    }
}

/// A button that is an icon. Its title is spoken.
struct IconButtonView: View {
    let button: PTButton
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design

    var body: some View {
        Button {
            actions.perform(button.action)
        } label: {
            IconView(icon: button.icon ?? .more)
                .foregroundStyle(.token(.textMuted))
                .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
        }
        .buttonStyle(BareButtonStyle())
        .disabled(!button.isEnabled)
        .accessibilityLabel(Text(verbatim: button.spoken ?? button.title))
    }
}

struct ButtonGroupView: View {
    let group: PTButtonGroup
    @Environment(\.design) private var design

    var body: some View {
        switch group.arrangement {
        case .row:
            ViewThatFits(in: .horizontal) {
                HStack(spacing: design.space(\.xs)) { buttons }
                VStack(alignment: .leading, spacing: design.space(\.xs)) { buttons }
            }
        case .stack: VStack(spacing: design.space(\.xs)) { buttons }
        }
    }

    private var buttons: some View {
        ForEach(Numbered.all(group.buttons)) { ButtonView(button: $0.value) }
    }
}

/// A button that runs a command. It is disabled while the command runs, so that a double tap counts once.
struct SubmitView: View {
    let submit: SubmitButton
    @State private var isRunning = false
    @Environment(\.actions) private var actions

    var body: some View {
        SubmitLabelView(submit: submit, isRunning: isRunning || submit.isLoading) {
            guard let call = submit.action else { return }
            actions.confirm(call) {
                isRunning = true
                Task {
                    await actions.run(call)
                    isRunning = false
                }
            }
        }
    }
}

/// The button of a form or a command, with its progress.
struct SubmitLabelView: View {
    let submit: SubmitButton
    let isRunning: Bool
    let action: @MainActor () -> Void
    @Environment(\.design) private var design

    var body: some View {
        Button(action: action) {
            HStack(spacing: design.space(\.xs)) {
                if isRunning { ProgressView() }
                TitleView(title: submit.title, icon: submit.icon)
            }
        }
        .buttonStyle(RoleButtonStyle(role: submit.role, size: .large, isWide: true))
        .disabled(isRunning)
        .accessibilityLabel(Text(verbatim: submit.title))
        .accessibilityValue(Text(verbatim: isRunning ? design.words("app.running") : ""))
    }
}

struct LinksView: View {
    let links: PTLinks
    @Environment(\.design) private var design

    var body: some View {
        ViewThatFits(in: .horizontal) {
            HStack(spacing: design.space(\.md)) { buttons }
            VStack(spacing: design.space(\.xs)) { buttons }
        }
        .frame(maxWidth: .infinity)
    }

    private var buttons: some View {
        ForEach(Numbered.all(links.links)) { link in
            ButtonView(button: PTButton(title: link.value.title, role: .quiet, action: link.value.action))
        }
    }
}

struct ActionBarView: View {
    let bar: PTActionBar
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            if let back = bar.back { ButtonView(button: back) }
            Spacer()
            ButtonView(button: bar.next)
        }
    }
}

/// The items of a menu.
struct MenuItemsView: View {
    let items: [PTMenuItem]
    @Environment(\.actions) private var actions

    var body: some View {
        ForEach(Numbered.all(items)) { item in
            Button(role: item.value.role == .destructive ? .destructive : nil) {
                actions.perform(item.value.action)
            } label: {
                TitleView(title: item.value.title, icon: item.value.icon)
            }
        }
    }
}

/// A button that opens a menu.
public struct MenuButtonView: View {
    private let items: [PTMenuItem]
    private let subject: String
    private let icon: PTIcon
    @Environment(\.design) private var design

    /// - Parameter subject: The thing that the actions of the menu are about.
    public init(items: [PTMenuItem], subject: String, icon: PTIcon = .more) {
        self.items = items
        self.subject = subject
        self.icon = icon
    }

    public var body: some View {
        Menu {
            MenuItemsView(items: items)
        } label: {
            IconView(icon: icon)
                .foregroundStyle(.token(.textMuted))
                .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
        }
        .accessibilityLabel(Text(verbatim: design.words("app.menu.about", subject)))
    }
}

extension View {
    /// Adds the menu of a long press, if it has items.
    @ViewBuilder
    func menu(_ items: [PTMenuItem]) -> some View {
        if items.isEmpty { self } else { contextMenu { MenuItemsView(items: items) } }
    }
}

/// A control that performs an action if there is one, and shows only its label otherwise.
struct Pressable<Label: View>: View {
    let action: PTAction?
    /// The text for screen readers; `nil` if the texts of the label are enough.
    let spoken: String?
    let label: Label
    @Environment(\.actions) private var actions

    init(action: PTAction?, spoken: String? = nil, @ViewBuilder label: () -> Label) {
        self.action = action
        self.spoken = spoken
        self.label = label()
    }

    var body: some View {
        if let action {
            Button {
                actions.perform(action)
            } label: {
                label
            }
            .buttonStyle(BareButtonStyle())
            .spoken(spoken)
        } else {
            label.accessibilityElement(children: .combine).spoken(spoken)
        }
    }
}

extension View {
    /// Gives the view a text for screen readers, if there is one.
    @ViewBuilder
    fileprivate func spoken(_ text: String?) -> some View {
        if let text { accessibilityLabel(Text(verbatim: text)) } else { self }
    }
}
