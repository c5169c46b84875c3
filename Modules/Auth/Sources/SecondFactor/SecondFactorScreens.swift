import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of the second step and of passkeys.
struct SecondFactorScreens: Sendable {
    static let home = "/settings/security"
    static let newPasskeyPath = "\(home)/passkeys/new"
    static let setUp = "/settings/security/app"
    static let recovery = "/settings/security/recovery"

    let auth: AuthService
    let factors: SecondFactorService
    let qr: any QRCodeEncoder
    let hasPasskeys: Bool

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/sign-in/code/{token}", access: .anyone) { .screen(try await secondStep($0)) },
            ScreenRoute(Self.home, access: .account, tab: "/settings") { .screen(try await security($0)) },
            ScreenRoute(Self.setUp, access: .account, tab: "/settings") { try await setUp($0) },
            ScreenRoute(Self.recovery, access: .account, tab: "/settings") { try await recovery($0) },
            ScreenRoute(Self.newPasskeyPath, access: .account, tab: "/settings") { newPasskey($0) },
            ScreenRoute("\(Self.home)/passkeys/{passkeyId}", access: .account, tab: "/settings") {
                .screen(try await passkey($0))
            },
        ]
    }

    // MARK: - Signing in

    private func secondStep(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let token = request.parameters["token"] ?? ""
        let (fingerprint, now) = (auth.hasher.fingerprint(token), request.context.now)
        let isOpen = try await request.context.directory.read {
            try PendingSignInRepository.pending(fingerprint, at: now, in: $0) != nil
        }
        guard isOpen else {
            return Screen(
                title: words("auth.secondStep.title"), layout: .focused,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .clock, title: words("auth.secondStep.over"),
                            message: words("auth.secondStep.overTip"),
                            action: PTButton(title: words("auth.signIn"), action: .open("/sign-in"))))
                ])
        }
        return Screen(
            title: words("auth.secondStep.title"), subtitle: words("auth.secondStep.tip"), layout: .focused,
            back: "/sign-in",
            body: [
                .form(
                    request.form(
                        SecondStep.self, id: "second-step",
                        fields: [code(words, hint: words("auth.secondStep.hint")), .hidden("token", token)],
                        submit: SubmitButton(title: words("auth.signIn")),
                        to: LocalPath.checked(request.query["next"]), style: .card))
            ])
    }

    // MARK: - Settings

    private func security(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let account = try request.context.account
        let state = try await request.context.directory.read { try SecondFactorState(of: account.id, in: $0) }
        var body: [Component] = []
        if request.context.caller.needsSecondFactor {
            body.append(
                .banner(
                    PTBanner(
                        tone: .warning, icon: .lock, title: words("auth.secondFactor.needed"),
                        message: words(state.hasAny ? "auth.secondFactor.show" : "auth.secondFactor.setUpOne"))))
        }
        if state.hasAny, !account.hasSecondFactor { body += stepUp(state, request) }
        body.append(
            .section(PTSection(title: words("auth.app.title"), body: authenticator(state, request))))
        if hasPasskeys {
            body.append(
                .section(PTSection(title: words("auth.passkeys.title"), body: passkeys(state, request))))
        }
        return Screen(title: words("auth.secondFactor.title"), back: "/settings", body: body)
    }

    /// The section for a session that began without the account's second factor.
    private func stepUp(_ state: SecondFactorState, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        var body: [Component] = []
        if state.authenticatorSince != nil {
            body.append(
                .form(
                    request.form(
                        StepUp.self, id: "step-up", fields: [code(words, hint: words("auth.secondStep.hint"))],
                        submit: SubmitButton(title: words("auth.stepUp.confirm")), style: .card)))
        }
        if hasPasskeys, !state.passkeys.isEmpty {
            body.append(.form(Self.usePasskey(request, title: words("auth.passkey.confirm"), to: Self.home)))
        }
        return [.section(PTSection(title: words("auth.stepUp.title"), body: body))]
    }

    private func authenticator(_ state: SecondFactorState, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        guard let since = state.authenticatorSince else {
            return [
                .text(PTText(words("auth.app.tip"), role: .note)),
                .form(
                    request.form(
                        StartAuthenticator.self, id: "app", fields: [.currentPassword(words)],
                        submit: SubmitButton(title: words("auth.app.setUp")), style: .card)),
            ]
        }
        let timeZone = request.context.caller.timeZone
        return [
            .definitionList(
                PTDefinitionList(items: [
                    .init(term: words("auth.app.since"), value: words.dateAndTime(since, in: timeZone)),
                    .init(
                        term: words("auth.recovery.title"),
                        value: words("auth.recovery.left", state.recoveryCodesLeft)),
                ])),
            .disclosure(
                PTDisclosure(
                    title: words("auth.recovery.renew"),
                    body: [
                        .form(
                            request.form(
                                RenewRecoveryCodes.self, id: "recovery",
                                fields: [code(words, hint: words("auth.recovery.renewTip"))],
                                submit: SubmitButton(title: words("auth.recovery.renew")), style: .card))
                    ])),
            .disclosure(
                PTDisclosure(
                    title: words("auth.app.remove"),
                    body: [
                        .form(
                            request.form(
                                RemoveAuthenticator.self, id: "app-off",
                                fields: [
                                    .currentPassword(words), code(words, hint: words("auth.secondStep.hint")),
                                ],
                                submit: SubmitButton(title: words("auth.app.remove"), role: .destructive),
                                style: .card))
                    ])),
        ]
    }

    private func setUp(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let account = try request.context.account
        let app = try await request.context.directory.read {
            try AuthenticatorRepository.authenticator(of: account.id, in: $0)
        }
        guard let app, app.confirmedAt == nil else { return .redirect(Self.home) }
        let secret = try factors.cryptography.open(
            app.sealedSecret, for: SecondFactorService.purpose(account.id))
        let address = OneTimeCode.address(secret, email: account.email, issuer: SecondFactorHandlers.issuer)
        return .screen(
            Screen(
                title: words("auth.app.setUp"), back: Self.home,
                body: [
                    .text(PTText(words("auth.app.scan"))),
                    .codeCard(
                        PTCodeCard(
                            title: words("auth.app.secret"),
                            code: Base32.grouped(Base32.encode(secret), by: " "),
                            qr: QRMatrix(rows: try qr.modules(of: address)), qrSpoken: words("auth.app.qrSpoken"),
                            detail: words("auth.app.secretTip"))),
                    .form(
                        request.form(
                            ConfirmAuthenticator.self, id: "confirm-app",
                            fields: [code(words, hint: words("auth.app.codeTip"))],
                            submit: SubmitButton(title: words("auth.app.switchOn")), style: .card)),
                ]))
    }

    private func recovery(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let codes = try await factors.shownRecoveryCodes(
            of: request.context.account.id, at: request.context.now)
        guard let codes else { return .redirect(Self.home) }
        return .screen(
            Screen(
                title: words("auth.recovery.title"), back: Self.home,
                body: [
                    .banner(
                        PTBanner(
                            icon: .lock, title: words("auth.recovery.once"),
                            message: words("auth.recovery.onceTip"))),
                    .card(PTCard(body: codes.map { .text(PTText($0, role: .code)) })),
                    .button(
                        PTButton(
                            title: words("auth.recovery.kept"),
                            action: .perform(request.call(HideRecoveryCodes.self)))),
                ]))
    }

    // MARK: - Passkeys

    private func passkeys(_ state: SecondFactorState, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        let timeZone = request.context.caller.timeZone
        var body: [Component] = [.text(PTText(words("auth.passkeys.tip"), role: .note))]
        if !state.passkeys.isEmpty {
            body.append(
                .list(
                    PTList(
                        cells: state.passkeys.map { passkey in
                            PTListCell(
                                id: passkey.id, leading: .icon(.passkey, tint: .leaf), title: passkey.name,
                                subtitle: passkey.usedAt.map {
                                    words("auth.devices.used", words.dateAndTime($0, in: timeZone))
                                } ?? words("auth.passkey.made", words.dateAndTime(passkey.madeAt, in: timeZone)),
                                trailing: [.chevron], action: .open("\(Self.home)/passkeys/\(passkey.id)"))
                        }, label: words("auth.passkeys.title"))))
        }
        body.append(
            .button(
                PTButton(
                    title: words("auth.passkey.add"), icon: .passkey, role: .tonal,
                    action: .open(Self.newPasskeyPath))))
        return body
    }

    private func newPasskey(_ request: ScreenRequest) -> ScreenAnswer {
        let words = request.words
        guard hasPasskeys else { return .redirect(Self.home) }
        var form = request.form(
            AddPasskey.self, id: "passkey",
            fields: [
                PTField(
                    name: "name", label: words("auth.passkey.name"),
                    value: request.context.client ?? words("auth.passkey.nameExample"), isRequired: true,
                    autocomplete: "off", maxLength: 60),
                .currentPassword(words), .hidden("clientData", ""), .hidden("attestation", ""),
            ],
            submit: SubmitButton(title: words("auth.passkey.add"), icon: .passkey),
            to: LocalPath.checked(request.query["next"]), style: .card)
        form.passkey = PTPasskeyCeremony(.create, options: StartPasskey.contract.path)
        return .screen(
            Screen(
                title: words("auth.passkey.add"), back: LocalPath.checked(request.query["next"]) ?? Self.home,
                body: [.text(PTText(words("auth.passkeys.tip"), role: .note)), .form(form)]))
    }

    private func passkey(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let accountId = try request.context.account.id
        let id = request.parameters["passkeyId"] ?? ""
        let all = try await request.context.directory.read {
            try PasskeyRepository.passkeys(of: accountId, in: $0)
        }
        guard let passkey = all.first(where: { $0.id == id }) else { throw Problem.notFound }
        return Screen(
            title: passkey.name, back: Self.home,
            body: [
                .form(
                    request.form(
                        RenamePasskey.self, ["passkeyId": id], id: "rename-passkey",
                        fields: [
                            PTField(
                                name: "name", label: words("auth.passkey.name"), value: passkey.name,
                                isRequired: true, autocomplete: "off", maxLength: 60)
                        ],
                        submit: SubmitButton(title: words("settings.save")), to: Self.home, style: .card)),
                .section(
                    PTSection(
                        title: words("auth.passkey.remove"),
                        body: [
                            .text(PTText(words("auth.passkey.removeTip"), role: .note)),
                            .form(
                                request.form(
                                    RemovePasskey.self, ["passkeyId": id], id: "remove-passkey",
                                    fields: [.currentPassword(words)],
                                    submit: SubmitButton(title: words("auth.passkey.remove"), role: .destructive),
                                    to: Self.home, style: .card)),
                        ])),
            ])
    }

    /// A button that signs in with a passkey; browsers without support hide it.
    static func usePasskey(_ request: ScreenRequest, title: String, to: String?) -> PTForm {
        var form = request.form(
            SignInWithPasskey.self, id: "use-passkey",
            fields: ["passkeyId", "clientData", "authenticatorData", "signature", "userHandle"].map {
                .hidden($0, "")
            },
            submit: SubmitButton(title: title, role: .outlined, icon: .passkey), to: to)
        form.passkey = PTPasskeyCeremony(.use, options: StartPasskeySignIn.contract.path)
        return form
    }

    private func code(_ words: Words, hint: String) -> PTField {
        PTField(
            name: "code", label: words("auth.secondStep.code"), hint: hint, isRequired: true,
            autocomplete: "one-time-code", maxLength: 40)
    }
}
