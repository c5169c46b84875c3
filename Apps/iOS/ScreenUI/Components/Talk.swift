import DesignSystem
import DesignTokens
import Foundation
import SwiftUI

/// A conversation by day with a field for a new message; on a wide screen beside the list of conversations.
struct TalkView: View {
    let talk: PTTalk
    @Environment(\.design) private var design
    @Environment(\.horizontalSizeClass) private var width

    var body: some View {
        if width == .regular {
            HStack(alignment: .top, spacing: design.space(\.lg)) {
                TalkListView(talk: talk).frame(maxWidth: design.size(.panel))
                ConversationView(talk: talk)
            }
        } else {
            ConversationView(talk: talk)
        }
    }
}

/// The list of all conversations, with its search and the button that begins a new one.
private struct TalkListView: View {
    let talk: PTTalk
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            HStack(spacing: design.space(\.xs)) {
                if let search = talk.search { SearchFieldView(field: search) }
                Spacer()
                if let begin = talk.begin { IconButtonView(button: begin) }
            }
            ListView(list: talk.list)
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: talk.listLabel))
    }
}

private struct ConversationView: View {
    let talk: PTTalk
    @Environment(\.design) private var design

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.sm)) {
            if let earlier = talk.earlier { ButtonView(button: earlier) }
            if let empty = talk.empty { Text(verbatim: empty).textStyle(.callout, .token(.textMuted)) }
            ForEach(Numbered.all(talk.days)) { day in
                Text(verbatim: day.value.title)
                    .textStyle(.caption, .token(.textMuted))
                    .accessibilityAddTraits(.isHeader)
                ForEach(Numbered.all(day.value.bubbles, id: \.id)) { BubbleView(bubble: $0.value).equatable() }
            }
            if let later = talk.later { ButtonView(button: later) }
            if let receipt = talk.receipt { ReceiptView(button: receipt) }
            if let composer = talk.composer { ComposerView(composer: composer) }
            if let closed = talk.closed { Text(verbatim: closed).textStyle(.callout, .token(.textMuted)) }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityElement(children: .contain)
        .accessibilityLabel(Text(verbatim: talk.label))
    }
}

/// The button that sends a read receipt. It acts once the conversation is shown.
private struct ReceiptView: View {
    let button: PTButton
    @Environment(\.actions) private var actions

    var body: some View {
        ButtonView(button: button).task(id: button) { actions.perform(button.action) }
    }
}

/// One message of a conversation.
struct BubbleView: View, Equatable {
    let bubble: PTBubble
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    nonisolated static func == (left: BubbleView, right: BubbleView) -> Bool { left.bubble == right.bubble }

    var body: some View {
        VStack(alignment: bubble.isOwn ? .trailing : .leading, spacing: design.space(\.xxs)) {
            if let author = bubble.author { Text(verbatim: author).textStyle(.caption, .token(.textMuted)) }
            VStack(alignment: .leading, spacing: design.space(\.xs)) {
                if let quote = bubble.quote {
                    Pressable(action: quote.path.map { .open($0) }) { QuoteView(quote: quote) }
                }
                if !bubble.runs.isEmpty {
                    Text(words).textStyle(.body, bubble.isGone ? .token(.textMuted) : .token(.text))
                }
                ForEach(Numbered.all(bubble.images)) { PictureView(image: $0.value) }
                ForEach(Numbered.all(bubble.files)) { FileTileView(file: $0.value) }
            }
            .padding(.all, design.space(\.sm))
            .background(bubble.isOwn ? .token(.primaryMuted) : .token(.surface), in: design.rounded(\.lg))
            HStack(spacing: design.space(\.xs)) {
                ForEach(Numbered.all([bubble.time, bubble.edited, bubble.receipt].compactMap(\.self))) {
                    Text(verbatim: $0.value).textStyle(.caption, .token(.textMuted))
                }
                if let more = bubble.more {
                    IconButtonView(
                        button: PTButton(title: more.title, icon: more.icon ?? .more, action: more.action))
                }
            }
        }
        .frame(maxWidth: .infinity, alignment: bubble.isOwn ? .trailing : .leading)
        .menu(bubble.more.map { [$0] } ?? [])
        .environment(
            \.openURL,
            OpenURLAction { url in
                actions.follow(url.relativeString)
                return .handled
            })
    }

    private var words: AttributedString {
        bubble.runs.reduce(into: AttributedString()) { text, run in
            switch run {
            case .words(let words): text += AttributedString(words)
            case .link(let address):
                var link = AttributedString(address)
                link.link = URL(string: address)
                text += link
            }
        }
    }
}

private struct QuoteView: View {
    let quote: PTBubble.Quote
    @Environment(\.design) private var design

    var body: some View {
        HStack(spacing: design.space(\.xs)) {
            Capsule().fill(.token(.primary)).frame(width: design.size(.ring))
            VStack(alignment: .leading, spacing: 0) {
                Text(verbatim: quote.author).textStyle(.caption, .token(.primary))
                Text(verbatim: quote.text).textStyle(.callout, .token(.textMuted)).lineLimit(2)
            }
        }
        .frame(minHeight: design.size(.hit))
    }
}

/// The field for a new message. The text stays until the message was accepted or waits on the device.
private struct ComposerView: View {
    let composer: PTComposer
    @State private var text: String
    @State private var files: [ChosenFile] = []
    @State private var error: String?
    /// The idempotency key of the message. The next message has another one, also if its text is the same.
    @State private var key: String
    @State private var isRunning = false
    @Environment(\.design) private var design
    @Environment(\.actions) private var actions

    init(composer: PTComposer) {
        self.composer = composer
        _text = State(initialValue: composer.value)
        _error = State(initialValue: composer.error)
        _key = State(initialValue: composer.key)
    }

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            if let reply = composer.reply {
                HStack {
                    QuoteView(quote: reply.quote)
                    Spacer()
                    IconButtonView(
                        button: PTButton(
                            title: reply.cancel.title, icon: reply.cancel.icon ?? .x, action: reply.cancel.action))
                }
            }
            ForEach(files) { file in
                HStack {
                    Text(verbatim: file.name).textStyle(.callout)
                    Spacer()
                    Button {
                        files.removeAll { $0 == file }
                    } label: {
                        IconView(icon: .x).frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                    }
                    .buttonStyle(BareButtonStyle())
                    .accessibilityLabel(Text(verbatim: "\(composer.attach.remove) \(file.name)"))
                }
            }
            if let error { Text(verbatim: error).textStyle(.caption, .token(.danger)) }
            HStack(spacing: design.space(\.xs)) {
                Button(action: attach) {
                    IconView(icon: .clip).frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                }
                .buttonStyle(BareButtonStyle())
                .accessibilityLabel(Text(verbatim: composer.attach.title))
                TextField(text: $text, prompt: Text(verbatim: composer.label), axis: .vertical) {
                    Text(verbatim: composer.label)
                }
                .textStyle(.body)
                .frame(minHeight: design.size(.hit))
                Button(action: send) {
                    IconView(icon: .send)
                        .foregroundStyle(.token(.primary))
                        .frame(minWidth: design.size(.hit), minHeight: design.size(.hit))
                }
                .buttonStyle(BareButtonStyle())
                .disabled(isRunning || text.isEmpty && files.isEmpty)
                .accessibilityLabel(Text(verbatim: composer.send))
            }
        }
    }

    private func attach() {
        guard files.count < composer.attach.max else {
            error = composer.attach.tooMany
            return
        }
        let request = FileRequest(limit: composer.attach.max - files.count, side: composer.attach.side)
        Task { files += await actions.handler?.choose(request) ?? [] }
    }

    private func send() {
        var fields = ["text": text]
        if let reply = composer.reply { fields["replyTo"] = reply.id }
        let call = PTCommandCall(path: composer.action, fields: fields, key: key, isQueued: true)
        let extras = CommandExtras(files: ["files": files])
        isRunning = true
        error = nil
        Task {
            let outcome = await actions.run(call, with: extras)
            isRunning = false
            if case .refused(let message, let fields) = outcome {
                error = fields["text"] ?? message
            } else {
                text = ""
                files = []
                key = UUID().uuidString
            }
        }
    }
}
