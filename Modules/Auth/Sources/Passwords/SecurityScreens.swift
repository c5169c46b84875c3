import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages for resetting and changing a password and for signed-in devices.
struct SecurityScreens: Sendable {
    let devices: DeviceHandlers
    let hasher: any SecretHasher

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/forgot", access: .anyone) { .screen(forgot($0)) },
            ScreenRoute("/reset/{token}", access: .anyone) { .screen(try await reset($0)) },
            ScreenRoute("/settings/password", access: .account, tab: "/settings") { .screen(try await change($0)) },
            ScreenRoute("/settings/devices", access: .account, tab: "/settings") { .screen(try await list($0)) },
        ]
    }

    private func forgot(_ request: ScreenRequest) -> Screen {
        let words = request.words
        let isSent = request.query["sent"] != nil
        return Screen(
            title: words("auth.forgot.title"), subtitle: isSent ? nil : words("auth.forgot.tip"), layout: .focused,
            back: "/sign-in",
            body: isSent
                ? [
                    .empty(
                        PTEmptyState(
                            icon: .mail, title: words("auth.forgot.sent"), message: words("auth.forgot.sentTip"),
                            action: PTButton(title: words("auth.signIn"), action: .open("/sign-in"))))
                ]
                : [
                    .form(
                        request.form(
                            RequestPasswordReset.self, id: "forgot",
                            fields: [
                                PTField(
                                    .email, name: "email", label: words("auth.email"), isRequired: true,
                                    autocomplete: "username", maxLength: 254)
                            ],
                            submit: SubmitButton(title: words("auth.forgot.send")), style: .card))
                ])
    }

    private func reset(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let token = request.parameters["token"] ?? ""
        let (fingerprint, now) = (hasher.fingerprint(token), request.context.now)
        let isGood = try await request.context.directory.read {
            try PasswordResetRepository.account(fingerprint, at: now, in: $0) != nil
        }
        guard isGood else {
            return Screen(
                title: words("auth.reset.title"), layout: .focused,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .clock, title: words("auth.reset.over"), message: words("auth.reset.overTip"),
                            action: PTButton(title: words("auth.reset.again"), action: .open("/forgot"))))
                ])
        }
        return Screen(
            title: words("auth.reset.title"), subtitle: words("auth.reset.tip"), layout: .focused,
            body: [
                .form(
                    request.form(
                        ResetPassword.self, id: "reset", fields: [newPassword(words), .hidden("token", token)],
                        submit: SubmitButton(title: words("auth.password.save")), style: .card))
            ])
    }

    private func change(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let account = try request.context.account
        let hasPassword = try await request.context.directory.read {
            try AccountRepository.hasPassword(account.id, in: $0)
        }
        guard hasPassword else {
            return Screen(
                title: words("auth.password.title"), back: "/settings",
                body: Self.askForPassword(account.email, request))
        }
        return Screen(
            title: words("auth.password.title"), back: "/settings",
            body: [
                .form(
                    request.form(
                        ChangePassword.self, id: "password",
                        fields: [
                            PTField(
                                .password, name: "currentPassword", label: words("auth.password.current"),
                                isRequired: true, autocomplete: "current-password", maxLength: 200),
                            newPassword(words),
                        ],
                        submit: SubmitButton(title: words("auth.password.save")), style: .card)),
                .text(PTText(words("auth.password.tip"), role: .note)),
            ])
    }

    /// The form for an account without a password. The first one is set by a link to the confirmed address, so that a
    /// session left open on a shared device cannot be taken over.
    static func askForPassword(_ email: String, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        return [
            .text(PTText(words("auth.password.none", email))),
            .form(
                request.form(
                    RequestPasswordReset.self, id: "first-password", fields: [.hidden("email", email)],
                    submit: SubmitButton(title: words("auth.password.first")))),
        ]
    }

    private func newPassword(_ words: Words) -> PTField {
        PTField(
            .newPassword, name: "password", label: words("auth.password.new"), hint: words("auth.passwordHint"),
            isRequired: true, autocomplete: "new-password", maxLength: 200)
    }

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let all = try await devices.list(request.context)
        let timeZone = request.context.caller.timeZone
        var body: [Component] = [
            .list(PTList(cells: all.map { cell($0, timeZone, request) }, label: words("auth.devices.title"))),
            .text(PTText(words("auth.devices.tip"), role: .note)),
        ]
        if all.count > 1 {
            body.append(
                .button(
                    PTButton(
                        title: words("auth.devices.endOthers"), icon: .logout, role: .destructive,
                        action: .perform(
                            request.call(
                                EndOtherDevices.self,
                                confirmation: PTConfirmation(
                                    title: words("auth.devices.endOthersQuestion"),
                                    message: words("auth.devices.endOthersExplained"),
                                    confirm: words("auth.devices.endOthers")),
                                to: "/settings/devices")))))
        }
        return Screen(title: words("auth.devices.title"), back: "/settings", body: body)
    }

    private func cell(_ device: DeviceSession, _ timeZone: TimeZone, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let name = device.client ?? words("auth.devices.unknown")
        return PTListCell(
            id: device.id.text, leading: .icon(.phone, tint: device.isCurrent ? .leaf : .sand), title: name,
            subtitle: device.isCurrent
                ? words("auth.devices.here")
                : words("auth.devices.used", words.dateAndTime(device.usedAt, in: timeZone)),
            trailing: (device.isNarrow ? [.badge(PTTag(text: words("auth.devices.narrow")))] : [])
                + (device.isCurrent
                    ? []
                    : [
                        .iconButton(
                            PTButton(
                                title: words("auth.devices.end", name), icon: .logout, role: .quiet,
                                action: .perform(
                                    request.call(
                                        EndDevice.self, ["sessionId": device.id.text], to: "/settings/devices"))))
                    ]))
    }
}
