import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The sign-in and sign-up pages.
struct SignInScreens: Sendable {
    let hasPasskeys: Bool
    let hasApple: Bool
    /// Whether people sign in with Apple in the school's app too.
    let hasAppleInApp: Bool
    /// Whether a new account must open a mailed link before its first sign-in.
    let confirmsMail: Bool

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/sign-in", access: .anyone) { try signIn($0) },
            ScreenRoute("/sign-up", access: .anyone) { try signUp($0) },
        ]
    }

    private func signIn(_ request: ScreenRequest) throws -> ScreenAnswer {
        let words = request.words
        guard request.context.caller.account == nil else { return .redirect(next(of: request) ?? "/") }
        return .screen(
            Screen(
                title: words("auth.title"), subtitle: words("auth.benefit"), layout: .focused, hero: .tower,
                body: (request.query["kept"] == "yes"
                    ? [.banner(PTBanner(title: words("auth.signIn.kept"), message: words("auth.signIn.keptTip")))]
                    : [])
                    + [
                        .form(
                            request.form(
                                SignIn.self, id: "sign-in",
                                fields: [
                                    email(words("auth.email")),
                                    PTField(
                                        .password, name: "password", label: words("auth.password"),
                                        isRequired: true,
                                        autocomplete: "current-password", maxLength: 200),
                                ],
                                submit: SubmitButton(title: words("auth.signIn")), to: next(of: request)))
                    ]
                    + (confirmsMail ? [.text(PTText(words("auth.signIn.confirmTip"), role: .note))] : [])
                    + (offersApple(request) ? [ProviderScreens.button(request, next: next(of: request))] : [])
                    + (hasPasskeys
                        ? [
                            .form(
                                SecondFactorScreens.usePasskey(
                                    request, title: words("auth.passkey.signIn"), to: next(of: request)))
                        ] : [])
                    + [
                        .links(PTLinks(links: [.init(title: words("auth.forgot.link"), action: .open("/forgot"))])),
                        .divider(PTDivider(words("auth.newHere"))),
                        .button(
                            PTButton(
                                title: words("auth.makeAccount"), role: .tonal, isWide: true,
                                action: .open("/sign-up\(suffix(request))"))),
                    ] + offers(request)))
    }

    private func signUp(_ request: ScreenRequest) throws -> ScreenAnswer {
        let words = request.words
        guard request.context.caller.account == nil else { return .redirect(next(of: request) ?? "/") }
        return .screen(
            Screen(
                title: words("auth.signUp.title"), subtitle: words("auth.signUp.benefit"), layout: .focused,
                hero: .tower,
                body: (offersApple(request)
                    ? [
                        ProviderScreens.button(request, next: next(of: request)),
                        .divider(PTDivider(words("auth.apple.orEmail"))),
                    ] : []) + [
                        .form(
                            request.form(
                                SignUp.self, id: "sign-up",
                                fields: [
                                    PTField(
                                        name: "name", label: words("auth.name"), isRequired: true,
                                        autocomplete: "name", maxLength: 120),
                                    email(words("auth.email")),
                                    PTField(
                                        .newPassword, name: "password", label: words("auth.password"),
                                        hint: words("auth.passwordHint"), isRequired: true,
                                        autocomplete: "new-password", maxLength: 200),
                                ] + Self.ageAndAgreement(words),
                                submit: SubmitButton(title: words("auth.makeAccount")), to: next(of: request))),
                        .links(
                            PTLinks(links: [
                                .init(title: words("auth.terms"), action: .open("/terms")),
                                .init(title: words("auth.privacy"), action: .open("/privacy")),
                                .init(
                                    title: words("auth.haveAccount"), action: .open("/sign-in\(suffix(request))")),
                            ])),
                    ] + offers(request)))
    }

    /// The fields of every sign-up form: date of birth, a parent's address, agreement.
    static func ageAndAgreement(_ words: Words) -> [PTField] {
        [
            PTField(
                .date, name: "bornOn", label: words("auth.bornOn.label"), hint: words("auth.bornOn.hint"),
                isRequired: true, autocomplete: "bday"),
            PTField(
                .email, name: "parentEmail", label: words("auth.parentEmail"),
                hint: words("auth.parentEmail.hint"), autocomplete: "off", maxLength: 254),
            PTField(.toggle, name: "agrees", label: words("auth.agrees"), isRequired: true),
        ]
    }

    private func email(_ label: String) -> PTField {
        PTField(.email, name: "email", label: label, isRequired: true, autocomplete: "username", maxLength: 254)
    }

    /// Whether the page offers Apple. An app shows its system's sheet in the place of Apple's page.
    private func offersApple(_ request: ScreenRequest) -> Bool { request.isApp ? hasAppleInApp : hasApple }

    /// Links of other blocks below the forms, such as the choice of language.
    private func offers(_ request: ScreenRequest) -> [Component] {
        // An app has the language of the device.
        guard !request.isApp else { return [] }
        let entries = request.navigation.filter { $0.placement == .signIn }
        guard !entries.isEmpty else { return [] }
        return [
            .links(PTLinks(links: entries.map { .init(title: request.words($0.title), action: .open($0.path)) }))
        ]
    }

    /// The local page to open after signing in; addresses of other sites are ignored.
    private func next(of request: ScreenRequest) -> String? {
        LocalPath.checked(request.query["next"])
    }

    private func suffix(_ request: ScreenRequest) -> String {
        next(of: request).map { "?next=\(QueryValue.escaped($0))" } ?? ""
    }
}
