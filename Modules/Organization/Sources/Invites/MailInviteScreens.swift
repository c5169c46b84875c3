import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The part of Settings > Invites about mailed invites: which ones were sent, and whether they were accepted.
struct MailInviteScreens: Sendable {
    let handlers: MailInviteHandlers
    static let sheet = "mail-invite"

    /// Returns the list of mailed invites with the form for sending more.
    func body(_ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let all = try await handlers.all(request.context)
        let open = PTButton(
            title: words("invites.mail.new"), icon: .mail, role: .tonal, action: .present(Self.sheet))
        guard !all.isEmpty else { return [.button(open)] }
        let ids = Set(all.compactMap(\.acceptedBy))
        let names = try await request.context.school.read { try PeopleRepository.names(Array(ids), in: $0) }
        let timeZone = try request.context.membership.timeZone
        return [
            .section(
                PTSection(
                    title: words("invites.mail.title"), detail: all.count.shown(in: words.locale), action: open,
                    body: [
                        .list(
                            PTList(cells: all.map { cell($0, names, timeZone, request) }, columns: .one))
                    ]))
        ]
    }

    private func cell(
        _ invite: MailInvite, _ names: [UUID: String], _ timeZone: TimeZone, _ request: ScreenRequest
    ) -> PTListCell {
        let words = request.words
        func when(_ instant: Date) -> String { words.dateAndTime(instant, in: timeZone) }
        let story =
            switch invite.state {
            case .accepted:
                words(
                    "invites.mail.acceptedBy",
                    invite.acceptedBy.flatMap { names[$0] } ?? words("members.someone"),
                    when(invite.acceptedAt ?? invite.sentAt))
            case .sent: words("invites.mail.sentAt", when(invite.sentAt), when(invite.expiresAt ?? invite.sentAt))
            case .expired: words("invites.mail.expiredAt", when(invite.expiresAt ?? invite.sentAt))
            case .revoked: words("invites.mail.revokedNow")
            }
        let tone: PTTag.Tone =
            switch invite.state {
            case .accepted: .good
            case .sent: .info
            case .expired: .warning
            case .revoked: .neutral
            }
        var menu: [PTMenuItem] = []
        if invite.state == .sent || invite.state == .expired {
            menu.append(
                PTMenuItem(
                    title: words("invites.mail.again"), icon: .retry,
                    action: .perform(
                        request.call(ResendInvite.self, ["inviteId": invite.id.text], to: "/settings/invites"))))
        }
        if invite.state == .sent {
            menu.append(
                PTMenuItem(
                    title: words("invites.revoke"), icon: .trash, role: .destructive,
                    action: .perform(
                        request.call(
                            RevokeInvite.self, ["inviteId": invite.id.text],
                            confirmation: PTConfirmation(
                                title: words("invites.revokeQuestion"),
                                message: words("invites.mail.revokeExplained"), confirm: words("invites.revoke")),
                            to: "/settings/invites"))))
        }
        return PTListCell(
            id: invite.id.text, title: invite.email,
            subtitle: "\(words("role.\(invite.role.rawValue)")) · \(story)",
            trailing: [.badge(PTTag(text: words("invites.state.\(invite.state.rawValue)"), tone: tone))]
                + (menu.isEmpty ? [] : [.menu]), menu: menu)
    }

    func newSheet(_ roles: [Role], _ classrooms: [PTField], _ request: ScreenRequest) -> PTBottomSheet {
        let words = request.words
        return PTBottomSheet(
            id: Self.sheet, title: words("invites.mail.new"),
            body: [
                .form(
                    request.form(
                        SendInvites.self, id: "send-invites",
                        fields: [
                            PTField(
                                .multiline, name: "emails", label: words("invites.mail.addresses"),
                                hint: words("invites.mail.addressesHint"), isRequired: true, maxLength: 20_000),
                            PTField(
                                .select(
                                    roles.map { .init(value: $0.rawValue, title: words("role.\($0.rawValue)")) }),
                                name: "role", label: words("invites.role"), value: Role.guide.rawValue),
                        ] + classrooms + [
                            PTField(
                                .select(
                                    [1, 7, 14, 30, 90].map {
                                        .init(value: String($0), title: words("invites.days", $0))
                                    }), name: "validDays", label: words("invites.validFor"), value: "14")
                        ],
                        submit: SubmitButton(title: words("invites.mail.send"), icon: .send),
                        to: "/settings/invites"))
            ], detents: [.fitted])
    }
}
