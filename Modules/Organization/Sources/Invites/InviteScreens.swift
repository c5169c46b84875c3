import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The view models of Settings > Invites, and of the page for joining with a code.
struct InviteScreens: Sendable {
    let invites: any InviteService
    let qr: any QRCodeEncoder
    /// The public address of this server, for the link in the QR code.
    let publicURL: String
    let mail: MailInviteScreens
    let classrooms: InviteClassrooms

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/settings/invites", access: .member(.invite), tab: "/settings", list),
            ScreenRoute("/settings/join", access: .account, tab: "/settings") { request in
                join(request, code: nil, back: "/settings/organization", layout: .page)
            },
            ScreenRoute("/join", access: .account) { request in
                join(request, code: request.query["code"], back: "/", layout: .focused)
            },
            ScreenRoute("/join/{code}", access: .account) { request in
                join(request, code: request.parameters["code"], back: "/", layout: .focused)
            },
        ]
    }

    @Sendable
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let pending = try await invites.list(membership.organization.id)
        let roles = Role.allCases.filter { $0 != .superAdmin || membership.roles.contains(.superAdmin) }
        var body: [Component] = []
        if pending.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        title: words("invites.none"), message: words("invites.noneTip"),
                        action: PTButton(
                            title: words("invites.create"), icon: .plus, action: .present("new-invite")))))
        } else {
            let names = try await classrooms.names(request.context)
            body += try pending.map { .codeCard(try card($0, names, membership, request)) }
        }
        body += try await mail.body(request)
        let classroomField = try await classrooms.field(request)
        return .screen(
            Screen(
                title: words("settings.invites"), live: ["invites"], body: body,
                floatingButton: pending.isEmpty
                    ? nil
                    : PTFloatingActionButton(
                        title: words("invites.create"),
                        action: .present("new-invite")),
                sheets: [
                    mail.newSheet(roles, classroomField, request),
                    PTBottomSheet(
                        id: "new-invite", title: words("invites.create"),
                        body: [
                            .form(
                                request.form(
                                    CreateInvite.self, id: "create-invite",
                                    fields: [
                                        PTField(
                                            .select(
                                                roles.map {
                                                    .init(value: $0.rawValue, title: words("role.\($0.rawValue)"))
                                                }), name: "role", label: words("invites.role"),
                                            value: Role.guide.rawValue, hint: words("invites.roleHint"))
                                    ] + classroomField + [
                                        PTField(
                                            .select(
                                                [1, 7, 14, 30, 90].map {
                                                    .init(value: String($0), title: words("invites.days", $0))
                                                }), name: "validDays", label: words("invites.validFor"), value: "14"
                                        )
                                    ],
                                    submit: SubmitButton(title: words("invites.create")), to: "/settings/invites"))
                        ], detents: [.fitted]),
                ]))
    }

    private func card(
        _ invite: Invite, _ names: [UUID: String], _ membership: ActiveMembership, _ request: ScreenRequest
    ) throws -> PTCodeCard {
        let words = request.words
        let link = "\(publicURL)/join/\(invite.code)"
        let end = invite.expiresAt.map { words("invites.expires", words.dateAndTime($0, in: membership.timeZone)) }
        let details = [end].compactMap(\.self) + invite.classroomIds.compactMap { names[$0] }
        return PTCodeCard(
            title: words("invites.cardTitle", words("role.\(invite.role.rawValue)")), code: invite.code,
            spoken: words("invites.codeSpoken"), qr: QRMatrix(rows: try qr.modules(of: link)),
            qrSpoken: words("invites.qrSpoken"),
            detail: details.isEmpty ? nil : details.joined(separator: " · "),
            link: link,
            actions: [
                PTButton(
                    title: words("invites.revoke"), icon: .trash, role: .destructive,
                    action: .perform(
                        request.call(
                            RevokeInvite.self, ["inviteId": invite.id.text],
                            confirmation: PTConfirmation(
                                title: words("invites.revokeQuestion"), message: words("invites.revokeExplained"),
                                confirm: words("invites.revoke")),
                            to: "/settings/invites")))
            ])
    }

    /// The page for joining with a code: one field that can be typed, pasted or scanned (`JoinOrganizationView` of
    /// the ledger).
    private func join(
        _ request: ScreenRequest, code: String?, back: String, layout: Screen.Layout
    ) -> ScreenAnswer {
        let words = request.words
        return .screen(
            Screen(
                title: words("join.title"), subtitle: layout == .focused ? words("join.subtitle") : nil,
                layout: layout, back: back,
                body: [
                    .form(
                        request.form(
                            RedeemInvite.self, id: "join",
                            fields: [
                                PTField(
                                    .code, name: "code", label: words("join.code"), value: code ?? "",
                                    hint: words("join.codeHint"), isRequired: true, autocomplete: "one-time-code",
                                    maxLength: 300)
                            ],
                            submit: SubmitButton(title: words("join.action")), style: .card))
                ]))
    }
}
