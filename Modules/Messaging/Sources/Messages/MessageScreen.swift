import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page about one message, shown in a sheet over its conversation.
struct MessageScreen: Sendable {
    let service: ConversationService

    // Not under the conversation's path, because links to that path would then stay in the sheet.
    static func path(_ id: UUID) -> String { "\(MessagesScreens.path)/message/\(id.text)" }

    var route: ScreenRoute {
        ScreenRoute(
            "\(MessagesScreens.path)/message/{messageId}", access: .member(.exchangeMessages),
            tab: MessagesScreens.path, screen)
    }

    @Sendable
    private func screen(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership) = (request.words, try request.context.membership)
        let id = try request.id("messageId")
        let (message, isOwn, sender) = try await request.context.school.read { sql in
            let access = try service.access(of: membership, in: sql)
            let message = try service.message(id, access, in: sql).message
            let people = try service.correspondents.people([message.senderId], membership, in: sql)
            return (message, message.senderId == access.caller.id, people[message.senderId])
        }
        let conversationId = message.conversationId
        let thread = ThreadScreen.path(conversationId)
        guard !message.isDeleted else { return .redirect(thread) }
        let note = PTNote(
            text: message.text.isEmpty ? words("messages.file") : message.text,
            avatar: sender.map { PTAvatar($0) },
            byline: [
                isOwn ? words("messages.you") : sender?.name.display ?? words("messages.formerMember"),
                words.dateAndTime(message.sentAt, in: membership.timeZone),
            ].joined(separator: " · "))
        let answer = PTButton(
            title: words("messages.reply"), icon: .chat, role: .tonal,
            action: .open("\(thread)?reply=\(id.text)#composer"))
        var body: [Component] = [.note(note), .buttons(PTButtonGroup(buttons: [answer]))]
        if isOwn, ChangeHandlers.isOpen(message, at: request.context.now) {
            body += change(message, thread, request)
        }
        if !isOwn { body.append(report(message, thread, request)) }
        return .screen(
            Screen(title: words("messages.message"), back: thread, live: [Topics.one(conversationId)], body: body))
    }

    /// The forms to edit and delete the message, while its author may.
    private func change(
        _ message: MessageRepository.StoredMessage, _ thread: String, _ request: ScreenRequest
    ) -> [Component] {
        let words = request.words
        let parameters = ["messageId": message.id.text]
        let form = request.form(
            EditMessage.self, parameters, id: "edit",
            fields: [
                PTField(
                    .multiline, name: "text", label: words("messages.text"), value: message.text,
                    hint: words("messages.changeWindow", Int(MessagingLimits.changeWindow / 60)), isRequired: true)
            ], submit: SubmitButton(title: words("messages.saveEdit")), to: thread, style: .card)
        let delete = PTButton(
            title: words("messages.delete"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeleteMessage.self, parameters,
                    confirmation: PTConfirmation(
                        title: words("messages.deleteTitle"), message: words("messages.deleteMessage"),
                        confirm: words("messages.delete")), to: thread)))
        return [.form(form), .button(delete)]
    }

    private func report(
        _ message: MessageRepository.StoredMessage, _ thread: String, _ request: ScreenRequest
    ) -> Component {
        let words = request.words
        return .section(
            PTSection(
                title: words("messages.reportTitle"),
                body: [
                    .form(
                        request.form(
                            ReportMessage.self, ["messageId": message.id.text], id: "report",
                            fields: [
                                PTField(
                                    .multiline, name: "reason", label: words("messages.reportReason"),
                                    hint: words("messages.reportTip"), isRequired: true,
                                    maxLength: MessagingLimits.reasonLength)
                            ], submit: SubmitButton(title: words("messages.report"), role: .tonal), to: thread,
                            style: .card,
                            confirmation: PTConfirmation(
                                title: words("messages.reportQuestion"), message: words("messages.reportExplained"),
                                confirm: words("messages.report"), isDestructive: false)))
                ]))
    }
}
