import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages between sign-up and first sign-in: confirming the address, a parent's answer.
struct ConfirmationScreens: Sendable {
    let hasher: any SecretHasher

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/sign-up/mail", access: .anyone) { .screen(waiting($0, "mail", .mail)) },
            ScreenRoute("/sign-up/parent", access: .anyone) { .screen(waiting($0, "parent", .people)) },
            ScreenRoute("/confirm/{token}", access: .anyone) { .screen(try await confirm($0)) },
            ScreenRoute("/consent/done", access: .anyone) { .screen(answered($0)) },
            ScreenRoute("/consent/{token}", access: .anyone) { .screen(try await consent($0)) },
            ScreenRoute("/consent/back/{token}", access: .anyone) { .screen(try await withdrawal($0)) },
        ]
    }

    private func waiting(_ request: ScreenRequest, _ kind: String, _ icon: PTIcon) -> Screen {
        let words = request.words
        return Screen(
            title: words("auth.waiting.\(kind).title"), layout: .focused,
            body: [
                .empty(
                    PTEmptyState(
                        icon: icon, title: words("auth.waiting.\(kind).what"),
                        message: words("auth.waiting.\(kind).tip"),
                        action: PTButton(title: words("auth.signIn"), action: .open("/sign-in"))))
            ])
    }

    /// The name on the account of a link that still works.
    private func name(_ purpose: MailedLinkRepository.Purpose, _ request: ScreenRequest) async throws -> String? {
        let (fingerprint, now) = (hasher.fingerprint(request.parameters["token"] ?? ""), request.context.now)
        return try await request.context.directory.read { sql in
            try MailedLinkRepository.account(fingerprint, purpose, at: now, in: sql).flatMap {
                try AccountRepository.credential(id: $0, in: sql)?.account.name
            }
        }
    }

    /// - Parameter isAnswer: whether the link asked a parent, who has no account to sign in to.
    private func over(_ request: ScreenRequest, isAnswer: Bool = false) -> Screen {
        let words = request.words
        return Screen(
            title: words("auth.link.title"), layout: .focused,
            body: [
                .empty(
                    PTEmptyState(
                        icon: .clock, title: words("auth.link.over"),
                        message: words(isAnswer ? "auth.link.answeredTip" : "auth.link.overTip"),
                        action: isAnswer ? nil : PTButton(title: words("auth.signIn"), action: .open("/sign-in"))))
            ])
    }

    /// The page asks for a button press, because mail scanners open links but press nothing.
    private func confirm(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let tip: String
        if let name = try await name(.confirmAddress, request) {
            tip = words("auth.confirm.tip", name)
        } else if let name = try await name(.newAddress, request) {
            tip = words("auth.confirm.newTip", name)
        } else {
            return over(request)
        }
        return Screen(
            title: words("auth.confirm.title"), subtitle: tip, layout: .focused,
            hero: .tower,
            body: [
                .form(
                    request.form(
                        ConfirmAddress.self, id: "confirm",
                        fields: [.hidden("token", request.parameters["token"] ?? "")],
                        submit: SubmitButton(title: words("auth.confirm.button"))))
            ])
    }

    private func consent(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        guard let name = try await name(.parentalConsent, request) else {
            return over(request, isAnswer: true)
        }
        return Screen(
            title: words("auth.consent.title", name), subtitle: words("auth.consent.subtitle"), layout: .focused,
            body: [
                .text(PTText(words("auth.consent.what", name))),
                .text(PTText(words("auth.consent.rights"))),
                .links(
                    PTLinks(links: [
                        .init(title: words("auth.terms"), action: .open("/terms")),
                        .init(title: words("auth.privacy"), action: .open("/privacy")),
                    ])),
                .form(
                    request.form(
                        AnswerForChild.self, id: "consent",
                        fields: [
                            .hidden("token", request.parameters["token"] ?? ""),
                            PTField(
                                .choice([
                                    .init(value: "agree", title: words("auth.consent.agree")),
                                    .init(value: "refuse", title: words("auth.consent.refuse")),
                                ]), name: "answer", label: words("auth.consent.answer"), isRequired: true),
                            PTField(.toggle, name: "isParent", label: words("auth.consent.isParent", name)),
                        ],
                        submit: SubmitButton(title: words("auth.consent.send")), style: .card)),
            ])
    }

    private func withdrawal(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        guard let name = try await name(.withdrawal, request) else { return over(request, isAnswer: true) }
        return Screen(
            title: words("auth.withdraw.title"), subtitle: words("auth.withdraw.subtitle", name), layout: .focused,
            body: [
                .text(PTText(words("auth.withdraw.what", name))),
                .form(
                    request.form(
                        WithdrawConsent.self, id: "withdraw",
                        fields: [
                            .hidden("token", request.parameters["token"] ?? ""),
                            PTField(.toggle, name: "understands", label: words("auth.withdraw.understands", name)),
                        ],
                        submit: SubmitButton(title: words("auth.withdraw.action"), role: .destructive), style: .card
                    )),
            ])
    }

    private func answered(_ request: ScreenRequest) -> Screen {
        let words = request.words
        let kinds = ["agree": "agreed", "withdraw": "withdrawn"]
        let kind = kinds[request.query["answer"] ?? ""] ?? "refused"
        return Screen(
            title: words("auth.consent.\(kind)"), layout: .focused,
            body: [
                .empty(
                    PTEmptyState(
                        icon: kind == "agreed" ? .check : .x, title: words("auth.consent.\(kind)"),
                        message: words("auth.consent.\(kind)Tip")))
            ])
    }
}
