package import DesignSystem
import DesignTokens
import Domain
import Foundation
package import SwiftUI

/// The rows of a list. In the list of a page, each is a row of its own, whose swipe reveals its actions.
struct ListView: View {
    let list: PTList

    var body: some View {
        ForEach(Numbered.all(list.cells, id: \.id)) { ListRowView(cell: $0.value).equatable() }
        if let more = list.more { ButtonView(button: more) }
    }
}

/// A row of a list: a picture, a title with a second line, and controls at the end.
///
/// It is compared by its cell, so that a change of one row does not evaluate the others.
struct ListRowView: View, Equatable {
    let cell: PTListCell
    @State private var isUnfolded = false
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design

    nonisolated static func == (left: ListRowView, right: ListRowView) -> Bool { left.cell == right.cell }

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            HStack(spacing: design.space(\.sm)) {
                if case .check(let check) = cell.leading { CheckView(check: check) }
                if cell.details != nil, cell.action == nil {
                    Button {
                        isUnfolded.toggle()
                    } label: {
                        RowTextView(cell: cell)
                    }
                    .buttonStyle(BareButtonStyle())
                    .accessibilityValue(
                        Text(verbatim: design.words(isUnfolded ? "app.unfolded" : "app.folded")))
                } else {
                    Pressable(action: cell.action) { RowTextView(cell: cell) }
                        .accessibilityAddTraits(cell.isCurrent ? .isSelected : [])
                }
                ForEach(Numbered.all(cell.trailing)) { TrailingView(trailing: $0.value, cell: cell) }
            }
            if isUnfolded, let details = cell.details { Text(verbatim: details).textStyle(.body) }
        }
        .frame(minHeight: design.size(.row))
        .opacity(cell.isDone ? Faded.pressed : 1)
        .menu(cell.menu)
        .swipeActions(edge: .trailing, allowsFullSwipe: false) {
            ForEach(Numbered.all(cell.swipe)) { item in
                Button(role: item.value.role == .destructive ? .destructive : nil) {
                    actions.perform(item.value.action)
                } label: {
                    TitleView(title: item.value.title, icon: item.value.icon)
                }
                .tint(item.value.role == .destructive ? TokenStyle.token(.danger) : .token(.primary))
            }
        }
    }
}

/// The picture and the texts of a row.
private struct RowTextView: View {
    let cell: PTListCell
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            if let leading = cell.leading { LeadingView(leading: leading) }
            VStack(alignment: .leading, spacing: design.space(\.hair)) {
                HStack(spacing: design.space(\.snug)) {
                    Text(verbatim: cell.title)
                        .textStyle(.headline)
                        .bold(cell.isEmphasized)
                        .strikethrough(cell.isDone)
                    if let dot = cell.dot {
                        Circle().fill(color(of: dot.tone))
                            .frame(width: design.size(.dot), height: design.size(.dot))
                            .accessibilityElement(children: .ignore)
                            .accessibilityLabel(Text(verbatim: dot.spoken))
                    }
                }
                if let subtitle = cell.subtitle {
                    Text(verbatim: subtitle).textStyle(.callout, .token(.textMuted))
                }
                if let split = cell.split { SplitBarView(split: split) }
            }
            .multilineTextAlignment(.leading)
            Spacer()
        }
        .frame(minHeight: design.size(.hit))
    }

    private func color(of tone: PTListCell.Dot.Tone) -> TokenStyle {
        switch tone {
        case .good: .token(.success)
        case .attention: .token(.warning)
        case .unread: .token(.info)
        case .neutral: .token(.outline)
        }
    }
}

/// The picture at the start of a row.
struct LeadingView: View {
    let leading: PTListCell.Leading
    @Environment(\.design) private var design

    var body: some View {
        switch leading {
        case .avatar(let avatar): AvatarView(avatar: avatar)
        case .icon(let icon, let tint):
            IconView(icon: icon)
                .foregroundStyle(.shade(tint, 6))
                .frame(width: design.size(.avatar), height: design.size(.avatar))
                .background(.shade(tint, 2), in: design.rounded(\.md))
        case .file(let kind): FileIconView(kind: kind)
        // The box is a control of its own, beside the texts.
        case .check: EmptyView()
        }
    }
}

struct FileIconView: View {
    let kind: PTFileKind
    @Environment(\.design) private var design

    var body: some View {
        Image(systemName: kind.symbol)
            .foregroundStyle(.shade(.sky, 6))
            .frame(width: design.size(.avatar), height: design.size(.avatar))
            .background(.shade(.sky, 2), in: design.rounded(\.md))
            .accessibilityHidden(true)
    }
}

/// A control or text at the end of a row.
private struct TrailingView: View {
    let trailing: PTListCell.Trailing
    let cell: PTListCell

    var body: some View {
        switch trailing {
        case .attendance(let pill): AttendancePillView(pill: pill)
        case .chevron: IconView(icon: .chevronRight).foregroundStyle(.token(.textMuted))
        case .button(let button): ButtonView(button: button)
        case .iconButton(let button): IconButtonView(button: button)
        case .badge(let tag): TagView(tag: tag)
        case .text(let text): Text(verbatim: text).textStyle(.callout, .token(.textMuted))
        case .streak(let streak): StreakView(streak: streak)
        case .menu: MenuButtonView(items: cell.menu, subject: cell.title)
        }
    }
}

struct StreakView: View {
    let streak: PTStreak
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.hair)) {
            ForEach(Numbered.all(streak.days)) { day in
                Group {
                    if day.value {
                        Circle().fill(.token(.success))
                    } else {
                        Circle().stroke(.token(.outline), lineWidth: design.size(.hairline))
                    }
                }
                .frame(width: design.size(.dot), height: design.size(.dot))
            }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(verbatim: streak.spoken))
    }
}

package struct TagView: View {
    let tag: PTTag
    @Environment(\.design) private var design

    package init(tag: PTTag) { self.tag = tag }

    package var body: some View {
        TitleView(title: tag.text, icon: tag.icon)
            .textStyle(.caption, colors.0)
            .padding(.horizontal, design.space(\.xs))
            .padding(.vertical, design.space(\.xxs))
            .background(colors.1, in: Capsule())
    }

    private var colors: (TokenStyle, TokenStyle) {
        switch tag.tone {
        case .neutral: (.shade(.sand, 7), .shade(.sand, 2))
        case .good: (.token(.success), .token(.successMuted))
        case .attention: (.shade(.clay, 6), .shade(.clay, 2))
        case .info: (.token(.info), .token(.infoMuted))
        case .danger: (.token(.danger), .token(.dangerMuted))
        case .warning: (.token(.warning), .token(.warningMuted))
        case .accent: (.token(.primary), .token(.primaryMuted))
        }
    }
}

/// A box that is checked and unchecked with one tap. The tap shows at once.
struct CheckView: View {
    let check: PTCheck
    /// The state that the person set; `nil` until a tap and after an answer.
    @State private var tapped: Bool?
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design

    var body: some View {
        if let call = check.call {
            Button {
                let wish = !(tapped ?? check.isOn)
                tapped = wish
                var call = call
                call.fields["wish"] = wish ? "done" : "open"
                call.key = UUID().uuidString
                let tap = call
                Task {
                    if case .refused = await actions.run(tap) { tapped = nil }
                }
            } label: {
                box.frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
            }
            .buttonStyle(BareButtonStyle())
            .accessibilityLabel(Text(verbatim: check.spoken))
            .accessibilityAddTraits(isOn ? .isSelected : [])
            .onChange(of: check.isOn) { _, _ in tapped = nil }
        } else {
            box
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(Text(verbatim: check.spoken))
        }
    }

    private var isOn: Bool { tapped ?? check.isOn }

    private var box: some View {
        Image(systemName: symbol).imageScale(.large)
            .foregroundStyle(isOn ? .token(.success) : .token(.outline))
    }

    private var symbol: String {
        switch (check.shape, isOn) {
        case (.round, true): "checkmark.circle.fill"
        case (.round, false): "circle"
        case (.square, true): "checkmark.square.fill"
        case (.square, false): "square"
        }
    }
}

struct NoteView: View {
    let note: PTNote
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            HStack(spacing: design.space(\.xs)) {
                if let avatar = note.avatar { AvatarView(avatar: avatar) }
                Text(verbatim: note.byline).textStyle(.caption, .token(.textMuted))
            }
            Text(verbatim: note.text).textStyle(.body)
            if !note.tags.isEmpty {
                HStack(spacing: design.space(\.xxs)) {
                    ForEach(Numbered.all(note.tags)) { TagView(tag: $0.value) }
                }
            }
            ForEach(Numbered.all(note.photos)) { PictureView(image: $0.value) }
            if let action = note.action { ButtonView(button: action) }
        }
        .card(design)
    }
}

struct FileTileView: View {
    let file: PTFileTile
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.sm)) {
            Pressable(action: file.action) {
                HStack(spacing: design.space(\.sm)) {
                    FileIconView(kind: file.kind)
                    VStack(alignment: .leading, spacing: design.space(\.hair)) {
                        Text(verbatim: file.name).textStyle(.headline)
                        if let detail = file.detail {
                            Text(verbatim: detail).textStyle(.callout, .token(.textMuted))
                        }
                    }
                    Spacer()
                }
                .frame(minHeight: design.size(.hit))
            }
            if !file.menu.isEmpty { MenuButtonView(items: file.menu, subject: file.name) }
        }
        .card(design)
        .menu(file.menu)
    }
}
