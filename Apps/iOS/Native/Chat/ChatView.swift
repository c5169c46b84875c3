import Client
import DesignSystem
import Domain
public import Foundation
import MessagingModel
public import ScreenUI
public import SwiftUI

/// A conversation of two people, from the store. What is written without a network waits on the device.
public struct ChatView: View {
    private let conversationId: UUID
    private let handler: any ActionHandler
    @Environment(\.appStore) private var store
    @Environment(\.design) private var design

    public init(conversationId: UUID, handler: any ActionHandler) {
        self.conversationId = conversationId
        self.handler = handler
    }

    public var body: some View {
        if let store {
            ScreenView(screen: screen(store), handler: handler)
                .task(id: conversationId) {
                    // The error is in the store's state.
                    do { try await store.chatStore.loadMessages(conversationId: conversationId) } catch {}
                }
        }
    }

    private func screen(_ store: AppStore) -> Screen {
        let (words, state) = (design.words, store.chatStore.state)
        _ = store.syncSummary
        let conversation = state.conversations[conversationId]
        let messages = state.messages(of: conversationId)
        let title = conversation?.title ?? words("native.chat")
        let path = "/conversations/\(conversationId.text)"
        return Screen(
            title: title,
            body: [
                ErrorBanner.component(state.error, words),
                .talk(
                    PTTalk(
                        id: conversationId.text, label: title, list: PTList(cells: others(state, words)),
                        listLabel: words("native.chat.all"), days: days(messages, store, words),
                        empty: messages.isEmpty
                            ? words(state.loading ? "native.loading" : "native.chat.empty") : nil,
                        receipt: state.unreadCounts[conversationId].flatMap { $0 > 0 ? $0 : nil }.map { count in
                            PTButton(
                                title: words("native.chat.read", count), role: .quiet,
                                action: .perform(call("\(path)/read")))
                        },
                        composer: conversation?.isClosed == true ? nil : composer(path, words),
                        closed: conversation?.isClosed == true ? words("native.chat.closed") : nil)),
            ].compactMap(\.self),
            more: PTMenuItem(
                title: words("native.chat.full"), icon: .clip,
                action: .open("/messages/\(conversationId.text)?page=full")))
    }

    /// The other conversations, which a wide screen shows beside this one.
    private func others(_ state: ChatStoreState, _ words: Words) -> [PTListCell] {
        state.conversationIds.compactMap { state.conversations[$0] }.map { conversation in
            let unread = state.unreadCounts[conversation.id] ?? 0
            return PTListCell(
                id: conversation.id.text, leading: .icon(.chat, tint: .sky), title: conversation.title,
                subtitle: conversation.lastMessage?.text, isEmphasized: unread > 0,
                isCurrent: conversation.id == conversationId,
                trailing: unread > 0 ? [.badge(PTTag(text: unread.shown(in: words.locale), tone: .info))] : [],
                action: .open("/messages/\(conversation.id.text)"))
        }
    }

    private func days(_ messages: [ChatMessage], _ store: AppStore, _ words: Words) -> [PTTalk.Day] {
        var days: [(day: Day, bubbles: [PTBubble])] = []
        for (place, message) in messages.enumerated() {
            let day = Day(message.timestamp, in: .current)
            let next = messages.indices.contains(place + 1) ? messages[place + 1] : nil
            let bubble = bubble(message, isLast: next?.senderId != message.senderId, messages, store, words)
            if days.last?.day == day {
                days[days.count - 1].bubbles.append(bubble)
            } else {
                days.append((day, [bubble]))
            }
        }
        return days.map { PTTalk.Day(title: words.longDate($0.day), bubbles: $0.bubbles) }
    }

    private func bubble(
        _ message: ChatMessage, isLast: Bool, _ messages: [ChatMessage], _ store: AppStore, _ words: Words
    ) -> PTBubble {
        let isOwn = message.senderId == store.profileId
        let state = store.chatStore.syncState(of: message.id)
        let text = message.isDeleted ? words("native.chat.deleted") : message.text
        let quoted = message.replyTo.flatMap { id in messages.first { $0.id == id } }
        return PTBubble(
            id: message.id.text, runs: text.isEmpty ? [] : [.words(text)], isOwn: isOwn, isLast: isLast,
            isGone: message.isDeleted,
            quote: quoted.map {
                PTBubble.Quote(
                    author: words($0.senderId == store.profileId ? "native.chat.you" : "native.chat.they"),
                    text: $0.text)
            },
            // A message with files is complete on the server's page.
            files: [], time: words.time(message.timestamp, in: .current),
            edited: message.files.isEmpty ? nil : words("native.chat.files", message.files.count),
            receipt: isOwn
                ? words(
                    state == .synced
                        ? message.isRead ? "native.chat.seen" : "native.chat.sent" : "native.waits") : nil,
            more: isOwn && !message.isDeleted
                ? PTMenuItem(
                    title: words("native.chat.delete"), role: .destructive,
                    action: .perform(
                        call(
                            "/messages/\(message.id.text)/delete",
                            asking: PTConfirmation(
                                title: words("native.chat.delete.ask"), confirm: words("native.chat.delete")))))
                : nil)
    }

    private func composer(_ path: String, _ words: Words) -> PTComposer {
        PTComposer(
            action: "/api/v1\(path)/messages", command: "messages.send", typing: "", key: path,
            label: words("native.chat.write"), send: words("native.chat.send"),
            attach: .init(
                title: words("native.chat.attach"), max: 0, side: 0, tooMany: words("native.chat.attach.full"),
                remove: words("native.chat.attach.remove")), sending: words("native.waits"),
            failed: words("native.waits"), retry: words("native.chat.send"), types: "")
    }
}
