import DesignSystem
import DesignTokens
import Domain
import Foundation
package import SwiftUI

struct GreetingView: View {
    let greeting: PTGreeting
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            if let eyebrow = greeting.eyebrow {
                Text(verbatim: eyebrow).textStyle(.callout, .token(.textMuted))
            }
            Text(verbatim: greeting.title).textStyle(.title1).accessibilityAddTraits(.isHeader)
            if let split = greeting.split { SplitBarView(split: split) }
            if let detail = greeting.detail { Text(verbatim: detail).textStyle(.callout, .token(.textMuted)) }
            if !greeting.actions.isEmpty { ButtonGroupView(group: PTButtonGroup(buttons: greeting.actions)) }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}

/// A bar that shows the parts of a whole, with a legend if the parts have titles.
struct SplitBarView: View {
    let split: PTSplitBar
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            GeometryReader { proxy in
                HStack(spacing: 0) {
                    ForEach(Numbered.all(split.parts)) { part in
                        SplitPartView(part: part.value, width: proxy.size.width * share(of: part.value))
                    }
                }
                .frame(width: proxy.size.width, alignment: .leading)
                .background(.token(.outlineSubtle), in: Capsule())
                .clipShape(Capsule())
            }
            .frame(height: design.size(.dot))
            .accessibilityElement(children: .ignore)
            .accessibilityLabel(Text(verbatim: split.spoken))
            ForEach(Numbered.all(split.parts.filter { $0.title != nil })) { part in
                HStack(spacing: design.space(\.xs)) {
                    Circle().fill(.shade(part.value.tint, 5))
                        .frame(width: design.size(.dot), height: design.size(.dot))
                    Text(verbatim: part.value.title ?? "").textStyle(.callout)
                    if let detail = part.value.detail {
                        Text(verbatim: detail).textStyle(.callout, .token(.textMuted))
                    }
                }
                .accessibilityElement(children: .combine)
            }
        }
    }

    private func share(of part: PTSplitBar.Part) -> CGFloat {
        split.total > 0 ? CGFloat(part.count) / CGFloat(split.total) : 0
    }
}

private struct SplitPartView: View {
    let part: PTSplitBar.Part
    let width: CGFloat

    var body: some View {
        Rectangle().fill(.shade(part.tint, 3)).frame(width: width)
            .overlay(alignment: .leading) {
                Rectangle().fill(.shade(part.tint, 5)).frame(width: width * CGFloat(part.filled ?? 100) / 100)
            }
    }
}

struct SectionHeaderView: View {
    let header: PTSectionHeader
    @Environment(\.design) private var design

    var body: some View {
        HStack(alignment: .firstTextBaseline, spacing: design.space(\.xs)) {
            Text(verbatim: header.title).textStyle(.title3).accessibilityAddTraits(.isHeader)
            if let detail = header.detail { Text(verbatim: detail).textStyle(.callout, .token(.textMuted)) }
            Spacer()
            if let action = header.action { ButtonView(button: action) }
        }
    }
}

struct SectionView: View {
    let section: PTSection

    var body: some View {
        Section {
            ComponentsView(components: section.body)
        } header: {
            SectionHeaderView(header: section.header)
        }
    }
}

struct TextView: View {
    let text: PTText

    var body: some View {
        Group {
            switch text.role {
            case .body: Text(verbatim: text.text).textStyle(.body)
            case .note: Text(verbatim: text.text).textStyle(.callout, .token(.textMuted))
            case .heading: Text(verbatim: text.text).textStyle(.headline).accessibilityAddTraits(.isHeader)
            case .code:
                Text(verbatim: text.text)
                    .font(.system(.body, design: .monospaced))
                    .foregroundStyle(.token(.text))
                    .textSelection(.enabled)
                    .accessibilityLabel(Text(verbatim: text.text.map(String.init).joined(separator: " ")))
            }
        }
        .multilineTextAlignment(text.isCentered ? .center : .leading)
        .frame(maxWidth: .infinity, alignment: text.isCentered ? .center : .leading)
    }
}

struct DefinitionListView: View {
    let list: PTDefinitionList
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            ForEach(Numbered.all(list.items)) { item in
                HStack(alignment: .firstTextBaseline, spacing: design.space(\.sm)) {
                    VStack(alignment: .leading, spacing: design.space(\.hair)) {
                        Text(verbatim: item.value.term).textStyle(.caption, .token(.textMuted))
                        Text(verbatim: item.value.value).textStyle(.body)
                    }
                    .accessibilityElement(children: .combine)
                    Spacer()
                    if let action = item.value.action { ButtonView(button: action) }
                }
            }
        }
        .card(design)
    }
}

struct DisclosureView: View {
    let disclosure: PTDisclosure
    /// The person's choice; `nil` before the first tap.
    @State private var isOpen: Bool?
    @Environment(\.design) private var design

    var body: some View {
        DisclosureGroup(isExpanded: $isOpen[default: disclosure.isOpen]) {
            VStack(alignment: .leading, spacing: design.space(\.sm)) {
                ComponentsView(components: disclosure.body)
            }
        } label: {
            Text(verbatim: disclosure.title).textStyle(.headline)
        }
        .tint(TokenStyle.token(.primary))
    }
}

extension Optional {
    /// The value, or a default value where there is none.
    subscript(default value: Wrapped) -> Wrapped {
        get { self ?? value }
        set { self = newValue }
    }
}

/// Components beside each other where the screen has room, else one below the other.
struct ColumnsView: View {
    let columns: PTColumns
    @Environment(\.design) private var design
    @Environment(\.horizontalSizeClass) private var width

    var body: some View {
        if width == .regular {
            HStack(alignment: .top, spacing: design.space(\.lg)) {
                ForEach(Numbered.all(stacks)) { stack in
                    VStack(alignment: .leading, spacing: design.space(\.lg)) {
                        ForEach(Numbered.all(stack.value)) { ComponentView(component: $0.value) }
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                }
            }
        } else {
            ForEach(Numbered.all(columns.parts)) { ComponentsView(components: $0.value) }
        }
    }

    /// The parts in as many stacks as there may be columns, in their order.
    private var stacks: [[Component]] {
        let count = max(1, min(columns.limit, columns.parts.count))
        let height = (columns.parts.count + count - 1) / count
        return stride(from: 0, to: columns.parts.count, by: max(1, height)).map { start in
            columns.parts[start..<min(start + height, columns.parts.count)].flatMap(\.self)
        }
    }
}

struct DividerView: View {
    let divider: PTDivider
    @Environment(\.design) private var design

    var body: some View {
        if let title = divider.title {
            HStack(spacing: design.space(\.sm)) {
                VStack { Divider() }
                Text(verbatim: title).textStyle(.callout, .token(.textMuted))
                VStack { Divider() }
            }
        } else {
            Divider()
        }
    }
}

struct CardView: View {
    let card: PTCard
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            ComponentsView(components: card.body)
        }
        .card(design)
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: card.label ?? ""))
    }
}

extension View {
    /// Puts the content on a card.
    package func card(_ design: Design) -> some View {
        padding(.all, design.space(\.md))
            .frame(maxWidth: .infinity, alignment: .leading)
            .background(.token(.surface), in: design.rounded(\.lg))
            .overlay {
                design.rounded(\.lg).stroke(.token(.outlineSubtle), lineWidth: design.size(.hairline))
            }
    }
}

struct CodeCardView: View {
    let card: PTCodeCard
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            Text(verbatim: card.title).textStyle(.headline).accessibilityAddTraits(.isHeader)
            Text(verbatim: card.code)
                .textStyle(.title2)
                .monospacedDigit()
                .textSelection(.enabled)
                .accessibilityLabel(
                    Text(verbatim: card.spoken ?? card.code.map(String.init).joined(separator: " ")))
            if let qr = card.qr {
                QRShape(matrix: qr).fill(.part(.qrDark))
                    .aspectRatio(1, contentMode: .fit)
                    .frame(maxWidth: design.size(.rail) + design.size(.rail))
                    .padding(.all, design.space(\.sm))
                    .background(.part(.qrLight), in: design.rounded(\.sm))
                    .accessibilityElement(children: .ignore)
                    .accessibilityLabel(Text(verbatim: card.qrSpoken ?? card.title))
                    .accessibilityAddTraits(.isImage)
            }
            if let detail = card.detail { Text(verbatim: detail).textStyle(.callout, .token(.textMuted)) }
            if let link = card.link {
                Text(verbatim: link).textStyle(.callout, .token(.textMuted)).textSelection(.enabled)
            }
            ShareLink(item: card.link ?? card.code) {
                TitleView(title: design.words("app.share"), icon: .share)
            }
            .buttonStyle(RoleButtonStyle(role: .tonal))
            ForEach(Numbered.all(card.actions)) { ButtonView(button: $0.value) }
        }
        .card(design)
    }
}

/// The dark modules of a QR code.
struct QRShape: Shape {
    let matrix: QRMatrix

    nonisolated func path(in rect: CGRect) -> Path {
        var path = Path()
        let count = max(1, matrix.rows.count)
        let side = min(rect.width, rect.height) / CGFloat(count)
        for (y, row) in matrix.rows.enumerated() {
            for (x, isDark) in row.enumerated() where isDark {
                path.addRect(
                    CGRect(
                        x: rect.minX + CGFloat(x) * side, y: rect.minY + CGFloat(y) * side, width: side,
                        height: side
                    ))
            }
        }
        return path
    }
}

/// The cubes of the pink tower. A screen reader skips them.
struct IllustrationView: View {
    let illustration: PTIllustration
    @Environment(\.design) private var design

    var body: some View {
        VStack(spacing: 0) {
            ForEach(Numbered.all(cubes)) { cube in
                design.rounded(\.sm).fill(.part(cube.value.0))
                    .frame(width: side * cube.value.1, height: side * cube.value.1)
                    .rotationEffect(.degrees(cube.value.2))
            }
        }
        .frame(maxWidth: .infinity)
        .accessibilityHidden(true)
    }

    private var side: CGFloat { design.size(.avatarLarge) }

    /// The cubes from top to bottom: the color, the part of the largest side, the tilt in degrees.
    private var cubes: [(PTColors.Part, CGFloat, Double)] {
        switch illustration {
        case .tower: [(.cubeTop, 0.25, 0), (.cubeSide, 0.5, 0), (.cubeTop, 0.75, 0), (.cubeShade, 1, 0)]
        case .cubes: [(.cubeTop, 0.5, 0), (.cubeSide, 1, 0)]
        case .fallen: [(.cubeTop, 0.5, 24), (.cubeShade, 1, 0)]
        case .mark: [(.cubeTop, 0.33, 0), (.cubeSide, 0.66, 0), (.cubeShade, 1, 0)]
        }
    }
}
