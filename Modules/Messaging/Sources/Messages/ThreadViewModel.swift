import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import ScreenKit

/// Turns messages into days and bubbles.
struct ThreadViewModel {
    let conversation: Conversation
    let messages: [ChatMessage]
    /// The messages that other messages reply to.
    let answered: [UUID: MessageRepository.StoredMessage]
    let members: [ConversationMember]
    let names: [UUID: Person]
    let readerId: UUID
    let timeZone: TimeZone
    let request: ScreenRequest

    /// Messages of one sender within this many seconds form a run.
    static let runLength: TimeInterval = 300

    private var words: Words { request.words }

    /// The members of a group. The title of a direct conversation already names the person.
    var subtitle: String? {
        switch conversation.kind {
        case .direct: nil
        case .channel: words("messages.channel")
        case .group:
            members.compactMap { names[$0.personId] }.map { $0.name.called }.sorted()
                .joined(separator: ", ")
        }
    }

    var days: [PTTalk.Day] {
        var days: [(day: Day, bubbles: [PTBubble])] = []
        let lastOwn = messages.last { $0.senderId == readerId }?.id
        for (index, message) in messages.enumerated() {
            let day = Day(message.timestamp, in: timeZone)
            let before = index > 0 ? messages[index - 1] : nil
            let after = index + 1 < messages.count ? messages[index + 1] : nil
            let isFirst = before.map { !belongs(message, with: $0) } ?? true
            let isLast = after.map { !belongs($0, with: message) } ?? true
            let isOwn = message.senderId == readerId
            let text = runs(of: message)
            let bubble = PTBubble(
                id: message.id.text, runs: text.runs, isOwn: isOwn, isLast: isLast, isGone: text.isGone,
                author: isFirst && !isOwn && conversation.kind != .direct ? name(of: message.senderId) : nil,
                quote: message.replyTo.map { quote(of: answered[$0]) }, images: images(of: message),
                files: files(of: message), time: isLast ? words.time(message.timestamp, in: timeZone) : nil,
                edited: message.editedAt == nil || text.isGone ? nil : words("messages.edited"),
                receipt: message.id == lastOwn ? receipt(for: message) : nil,
                more: text.isGone ? nil : more(about: message))
            if days.last?.day == day {
                days[days.count - 1].bubbles.append(bubble)
            } else {
                days.append((day, [bubble]))
            }
        }
        return days.map { PTTalk.Day(title: title(of: $0.day), bubbles: $0.bubbles) }
    }

    /// The text of a message, or a note in place of a deleted or erased one.
    private func runs(of message: ChatMessage) -> (runs: [PTBubble.Run], isGone: Bool) {
        if message.isDeleted { return ([.words(words("messages.isDeleted"))], true) }
        guard !message.text.isEmpty || !message.files.isEmpty else {
            return ([.words(words("messages.erased"))], true)
        }
        let runs = MessageText.runs(of: message.text).map { run -> PTBubble.Run in
            switch run {
            case .words(let text): .words(text)
            case .link(let address): .link(address)
            }
        }
        return (runs, false)
    }

    private func images(of message: ChatMessage) -> [PTImage] {
        message.files.compactMap { file in
            guard let picture = file.picture else { return nil }
            let scale = min(1, Double(MessageFileIntake.sides[1]) / Double(max(picture.width, picture.height, 1)))
            return PTImage(
                url: MessageFileDownload.path(picture.thumbnail, of: message.id),
                width: max(1, Int(Double(picture.width) * scale)),
                height: max(1, Int(Double(picture.height) * scale)),
                alt: words("messages.picture", file.name, name(of: message.senderId)),
                large: MessageFileDownload.path(file.hash, of: message.id))
        }
    }

    private func files(of message: ChatMessage) -> [PTFileTile] {
        message.files.filter { $0.picture == nil }.map { file in
            PTFileTile(
                name: file.name, detail: size(file.size),
                action: .external(MessageFileDownload.path(file.hash, of: message.id)))
        }
    }

    private func size(_ bytes: Int) -> String {
        bytes < 1 << 20
            ? words("messages.kilobytes", bytes == 0 ? 0 : max(1, bytes >> 10))
            : words("messages.megabytes", bytes >> 20)
    }

    private func more(about message: ChatMessage) -> PTMenuItem {
        PTMenuItem(
            title: words("messages.more.spoken", MessageText.preview(message.text)), icon: .more,
            action: .present(MessageScreen.path(message.id)))
    }

    /// A short quote of a message that another one replies to.
    private func quote(of message: MessageRepository.StoredMessage?) -> PTBubble.Quote {
        guard let message, !message.isDeleted else {
            return PTBubble.Quote(author: "", text: words("messages.isDeleted"))
        }
        let author = message.senderId == readerId ? words("messages.you") : name(of: message.senderId)
        return PTBubble.Quote(
            author: author, text: message.text.isEmpty ? words("messages.file") : MessageText.preview(message.text),
            path: ThreadScreen.path(conversation.id, at: message.seq, message.id))
    }

    /// The composer's quote of the message that the reader is replying to.
    func reply(to message: MessageRepository.StoredMessage) -> PTComposer.Reply {
        PTComposer.Reply(
            id: message.id.text, quote: quote(of: message),
            cancel: PTMenuItem(
                title: words("messages.cancelReply"), action: .open(ThreadScreen.path(conversation.id))))
    }

    private func belongs(_ message: ChatMessage, with earlier: ChatMessage) -> Bool {
        message.senderId == earlier.senderId
            && message.timestamp.timeIntervalSince(earlier.timestamp) < Self.runLength
            && Day(message.timestamp, in: timeZone) == Day(earlier.timestamp, in: timeZone)
    }

    private func name(of personId: UUID) -> String {
        names[personId]?.name.display ?? words("messages.formerMember")
    }

    /// The readers of the reader's latest message; `nil` without any and in channels.
    private func receipt(for message: ChatMessage) -> String? {
        let readers = members.count { $0.personId != readerId && $0.lastRead >= message.seq }
        guard readers > 0, conversation.kind != .channel else { return nil }
        return message.isRead ? words("messages.read") : words("messages.readBy", readers)
    }

    private func title(of day: Day) -> String {
        let today = request.context.today
        if day == today { return words("messages.today") }
        if day == today.adding(days: -1) { return words("messages.yesterday") }
        return words.longDate(day)
    }
}
