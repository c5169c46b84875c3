import DesignSystem
import DesignTokens
import Domain
import Foundation
import SwiftUI

/// A text with headings, lists, tables and links.
struct RichTextView: View {
    let text: PTRichText
    @Environment(\.actions) private var actions
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) { BlocksView(blocks: text.blocks) }
            .frame(maxWidth: .infinity, alignment: .leading)
            .environment(
                \.openURL,
                OpenURLAction { url in
                    actions.follow(url.relativeString)
                    return .handled
                })
    }
}

extension Actions {
    /// Opens a page of the product, or leaves for another site.
    func follow(_ address: String) {
        perform(address.hasPrefix("/") ? .open(address) : .external(address))
    }
}

private struct BlocksView: View {
    let blocks: [PTRichText.Block]

    var body: some View {
        ForEach(Numbered.all(blocks)) { BlockView(block: $0.value) }
    }
}

private struct BlockView: View {
    let block: PTRichText.Block
    @Environment(\.design) private var design

    var body: some View {
        switch block {
        case .heading(let level, let text):
            InlineView(text: text, style: level == 1 ? .title3 : .headline).accessibilityAddTraits(.isHeader)
        case .paragraph(let text): InlineView(text: text, style: .body)
        case .codeBlock(let code):
            ScrollView(.horizontal) {
                Text(verbatim: code).font(.system(.body, design: .monospaced)).foregroundStyle(.token(.text))
                    .textSelection(.enabled)
            }
            .padding(.all, design.space(\.sm))
            .background(.token(.surfaceAlt), in: design.rounded(\.sm))
        case .quote(let inner):
            HStack(spacing: design.space(\.sm)) {
                Capsule().fill(.token(.outline)).frame(width: design.size(.ring))
                // A view of another type, because a block contains blocks.
                AnyView(VStack(alignment: .leading, spacing: design.space(\.xs)) { BlocksView(blocks: inner) })
            }
        case .list(let list): RichListView(list: list)
        case .table(let table): RichTableView(table: table)
        case .rule: Divider()
        }
    }
}

private struct RichListView: View {
    let list: PTRichText.List
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(list.isTight ? \.xxs : \.xs)) {
            ForEach(Numbered.all(list.items)) { item in
                HStack(alignment: .firstTextBaseline, spacing: design.space(\.xs)) {
                    sign(of: item.value, at: Int(item.id) ?? 0)
                    AnyView(
                        VStack(alignment: .leading, spacing: design.space(\.xxs)) {
                            BlocksView(blocks: item.value.body)
                        })
                }
            }
        }
    }

    @ViewBuilder
    private func sign(of item: PTRichText.Item, at place: Int) -> some View {
        if let isDone = item.isDone {
            Image(systemName: isDone ? "checkmark.square.fill" : "square")
                .foregroundStyle(isDone ? .token(.success) : .token(.outline))
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(Text(verbatim: design.words(isDone ? "app.task.done" : "app.task.open")))
        } else if let start = list.start {
            Text(verbatim: "\(start + place).").textStyle(.body).monospacedDigit()
        } else {
            Text(verbatim: "•").textStyle(.body).accessibilityHidden(true)
        }
    }
}

private struct RichTableView: View {
    let table: PTRichText.Table
    @Environment(\.design) private var design

    var body: some View {
        ScrollView(.horizontal) {
            Grid(
                alignment: .leading, horizontalSpacing: design.space(\.md), verticalSpacing: design.space(\.xs)
            ) {
                GridRow {
                    ForEach(Numbered.all(table.head)) {
                        InlineView(text: $0.value, style: .caption).accessibilityAddTraits(.isHeader)
                    }
                }
                ForEach(Numbered.all(table.rows)) { row in
                    GridRow { ForEach(Numbered.all(row.value)) { InlineView(text: $0.value, style: .callout) } }
                }
            }
        }
    }
}

/// A line of a rich text: words with their emphasis, and the pictures below them.
private struct InlineView: View {
    let text: [PTRichText.Inline]
    let style: PTTypography.Style
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            if text.hasWords { text.joined.textStyle(style) }
            ForEach(Numbered.all(text.pictures)) { PictureView(image: $0.value) }
        }
    }
}

extension [PTRichText.Inline] {
    /// The words with their emphasis and links, as one text.
    var joined: Text { reduce(Text(verbatim: "")) { $0 + $1.words(linkedTo: nil) } }

    fileprivate func joined(linkedTo address: String?) -> Text {
        reduce(Text(verbatim: "")) { $0 + $1.words(linkedTo: address) }
    }

    /// Whether the line has more than pictures.
    fileprivate var hasWords: Bool {
        contains { inline in
            if case .picture = inline { false } else { true }
        }
    }

    /// The pictures of the line.
    var pictures: [PTImage] {
        flatMap { inline -> [PTImage] in
            switch inline {
            case .picture(let image): [image]
            case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner):
                inner.pictures
            case .text, .code, .formula, .lineBreak: []
            }
        }
    }
}

extension PTRichText.Inline {
    /// The words of the part, each with the link around it.
    fileprivate func words(linkedTo address: String?) -> Text {
        func plain(_ words: String) -> Text {
            var text = AttributedString(words)
            text.link = address.flatMap { URL(string: $0) }
            return Text(text)
        }
        return switch self {
        case .text(let words): plain(words)
        case .code(let words): plain(words).monospaced()
        case .emphasis(let inner): inner.joined(linkedTo: address).italic()
        case .strong(let inner): inner.joined(linkedTo: address).bold()
        case .strikethrough(let inner): inner.joined(linkedTo: address).strikethrough()
        case .link(let target, let inner): inner.joined(linkedTo: target)
        case .picture: Text(verbatim: "")
        case .formula(let formula): plain(formula.plainText)
        case .lineBreak: plain("\n")
        }
    }
}
