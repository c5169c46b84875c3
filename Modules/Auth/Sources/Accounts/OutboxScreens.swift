import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

extension Permission {
    /// Permits reading the mails that this server has not sent.
    static let readOutbox = Permission("auth.readOutbox", [.superAdmin])
}

/// The pages of unsent mails, for the server's operator only. The mails hold links that open accounts of every school,
/// so a role in one school does not suffice; other accounts get "not found".
struct OutboxScreens: Sendable {
    static let path = "/settings/outbox"

    let auth: AuthService
    let outbox: any MailOutbox

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.readOutbox), tab: "/settings") {
                .screen(try await list($0))
            },
            ScreenRoute("/settings/outbox/{letter}", access: .member(.readOutbox), tab: "/settings") {
                .screen(try await letter($0))
            },
        ]
    }

    /// Days for which an unsent mail is stored. The links in it expire much earlier.
    static let days = 30

    /// The daily job that removes mails older than `days`.
    static func expiry(of outbox: any MailOutbox) -> Job {
        .server("auth.outbox", every: 86_400) { context in
            let limit = context.now.addingTimeInterval(-Double(days) * 86_400)
            try await outbox.remove { $0.at < limit }
        }
    }

    /// Shows the entry in Settings to the operator. The page itself checks the directory.
    func state(_ context: RequestContext) throws -> EntryState {
        let account = try context.account
        return EntryState(isShown: auth.isKnownOperator(account.id))
    }

    private func refuseOthers(_ request: ScreenRequest) async throws {
        let accountId = try request.context.account.id
        let operatorId = try await request.context.directory.read { try OperatorRepository.accountId(in: $0) }
        guard operatorId == accountId else { throw Problem.notFound }
    }

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        try await refuseOthers(request)
        let letters = try await outbox.mails()
        guard !letters.isEmpty else {
            return Screen(
                title: words("auth.outbox.title"), back: "/settings",
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .mail, title: words("auth.outbox.empty"), message: words("auth.outbox.emptyTip")))
                ])
        }
        let timeZone = try request.context.membership.timeZone
        return Screen(
            title: words("auth.outbox.title"), back: "/settings",
            body: [
                .text(PTText(words("auth.outbox.tip"), role: .note)),
                .list(
                    PTList(
                        cells: letters.map { mail in
                            PTListCell(
                                id: mail.id, leading: .icon(.mail, tint: mail.state == .failed ? .clay : .sand),
                                title: mail.subject,
                                subtitle: [mail.to, words.dateAndTime(mail.at, in: timeZone), state(mail, words)]
                                    .joined(separator: " · "),
                                trailing: [.chevron], action: .open("/settings/outbox/\(mail.id)"))
                        }, label: words("auth.outbox.title"))),
            ])
    }

    private func state(_ mail: OutboxMail, _ words: Words) -> String {
        switch mail.state {
        case .stored: words("auth.outbox.kept")
        case .waiting(let tries): tries == 0 ? words("auth.outbox.waiting") : words("auth.outbox.again", tries)
        case .failed: words("auth.outbox.failed")
        }
    }

    private func letter(_ request: ScreenRequest) async throws -> Screen {
        try await refuseOthers(request)
        guard let (stored, mail) = try await outbox.mail(request.parameters["letter"] ?? "") else {
            throw Problem.notFound
        }
        let words = request.words
        return Screen(
            title: mail.subject, back: "/settings/outbox",
            body: [
                .definitionList(
                    PTDefinitionList(items: [
                        .init(term: words("auth.outbox.to"), value: mail.to),
                        .init(term: words("auth.outbox.state"), value: state(stored, words)),
                    ])),
                .text(PTText(mail.text)),
            ], listPath: "/settings/outbox")
    }
}
