import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of signing in with a provider: the redirect, refusals, sign-up and the link in Settings.
struct ProviderScreens: Sendable {
    static let signIn = "/sign-in/apple"
    static let signUp = "/sign-up/apple"
    static let settings = "/settings/security/apple"
    static let leaveToLink = "/settings/security/apple/leave"

    static func path(of refusal: ProviderRefusal) -> String { "\(signIn)/\(refusal.rawValue)" }

    /// The button that leads to the provider. It is an external link, since the answer redirects to another site.
    static func button(_ request: ScreenRequest, next: String?) -> Component {
        .button(
            PTButton(
                title: request.words("auth.apple.signIn"), icon: .apple, role: .provider, size: .large,
                isWide: true,
                action: .external(next.map { "\(signIn)?next=\(QueryValue.escaped($0))" } ?? signIn)))
    }

    let service: ProviderService

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.signIn, access: .anyone) { request in
                let next = LocalPath.checked(request.query["next"])
                guard request.context.caller.account == nil else { return .redirect(next ?? "/") }
                return .leave(try await service.leave(request.context, next: next))
            },
            ScreenRoute("\(Self.signIn)/{refusal}", access: .anyone) { .screen(try refused($0)) },
            ScreenRoute(Self.signUp, access: .anyone) { try await signUp($0) },
            ScreenRoute("\(Self.signUp)/{token}", access: .anyone) { try await signUp($0) },
            ScreenRoute(Self.settings, access: .account, tab: "/settings") { .screen(try await settings($0)) },
            ScreenRoute(Self.leaveToLink, access: .account, tab: "/settings") { request in
                let account = try request.context.account
                guard try await identity(of: account.id, request) == nil else { return .redirect(Self.settings) }
                return .leave(try await service.leave(request.context, linking: account.id, next: nil))
            },
        ]
    }

    private func identity(of accountId: UUID, _ request: ScreenRequest) async throws -> LinkedIdentity? {
        let name = service.provider.name
        return try await request.context.directory.read {
            try ProviderRepository.identity(of: accountId, provider: name, in: $0)
        }
    }

    // MARK: - Not signed in

    private func refused(_ request: ScreenRequest) throws -> Screen {
        guard let refusal = request.parameters["refusal"].flatMap(ProviderRefusal.init(rawValue:)) else {
            throw Problem.notFound
        }
        let words = request.words
        let isSignedIn = request.context.caller.account != nil
        let back = isSignedIn ? Self.settings : refusal == .known ? "/sign-in?next=\(Self.settings)" : "/sign-in"
        // The other refusals name a first step, so the page offers no second attempt.
        let again = [.canceled, .over, .unreachable, .refused].contains(refusal)
        return Screen(
            title: words("auth.apple.refusal.title"), layout: .focused,
            body: [
                .empty(
                    PTEmptyState(
                        icon: refusal == .over ? .clock : refusal == .known || refusal == .taken ? .people : .info,
                        title: words("auth.apple.\(refusal.rawValue)"),
                        message: words("auth.apple.\(refusal.rawValue).tip"),
                        action: PTButton(
                            title: words(isSignedIn ? "auth.apple.toSettings" : "auth.apple.toSignIn"),
                            action: .open(back)),
                        secondary: again
                            ? .init(
                                title: words("auth.apple.again"),
                                action: .external(isSignedIn ? Self.leaveToLink : Self.signIn)) : nil))
            ])
    }

    // MARK: - Signing up

    /// The last step of a sign-up. A browser has its ticket in a cookie, an app in the address.
    private func signUp(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let token = request.parameters["token"]
        guard request.context.caller.account == nil else { return .redirect("/") }
        guard let arrived = try await service.arrived(request.context, ticket: token), arrived.accountId == nil,
            let email = arrived.email
        else { return .redirect(Self.path(of: .over)) }
        return .screen(
            Screen(
                title: words("auth.apple.signUp.title"), subtitle: words("auth.apple.signUp.tip", email),
                layout: .focused, back: "/sign-in",
                body: [
                    .form(
                        request.form(
                            SignUpWithProvider.self, id: "sign-up",
                            fields: [
                                PTField(
                                    name: "name", label: words("auth.name"), value: arrived.name ?? "",
                                    isRequired: true, autocomplete: "name", maxLength: 120)
                            ] + SignInScreens.ageAndAgreement(words)
                                + (token.map { [.hidden("signUpToken", $0)] } ?? []),
                            submit: SubmitButton(title: words("auth.makeAccount")))),
                    .links(
                        PTLinks(links: [
                            .init(title: words("auth.terms"), action: .open("/terms")),
                            .init(title: words("auth.privacy"), action: .open("/privacy")),
                        ])),
                ]))
    }

    // MARK: - Settings

    private func settings(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let account = try request.context.account
        let linked = try await identity(of: account.id, request)
        let hasPassword = try await request.context.directory.read {
            try AccountRepository.hasPassword(account.id, in: $0)
        }
        var body: [Component] = []
        if let linked {
            let timeZone = request.context.caller.timeZone
            let since = words.dateAndTime(linked.linkedAt, in: timeZone)
            body.append(
                .definitionList(
                    PTDefinitionList(
                        items: [.init(term: words("auth.apple.since"), value: since)]
                            + (linked.email.map { [.init(term: words("auth.email"), value: $0)] } ?? []))))
            body += hasPassword ? unlink(request) : SecurityScreens.askForPassword(account.email, request)
        } else if try await service.arrived(request.context)?.accountId == account.id {
            body += link(request)
        } else {
            body.append(.text(PTText(words("auth.apple.linkTip"), role: .note)))
            body.append(
                .button(
                    PTButton(
                        title: words("auth.apple.continue"), icon: .apple, role: .provider,
                        action: .external(Self.leaveToLink))))
        }
        return Screen(title: words("auth.apple.signIn"), back: "/settings", body: body)
    }

    private func link(_ request: ScreenRequest) -> [Component] {
        let words = request.words
        return [
            .text(PTText(words("auth.apple.confirmLink"), role: .note)),
            .form(
                request.form(
                    LinkProvider.self, id: "link", fields: [.currentPassword(words)],
                    submit: SubmitButton(title: words("auth.apple.link")), style: .card)),
        ]
    }

    private func unlink(_ request: ScreenRequest) -> [Component] {
        let words = request.words
        return [
            .section(
                PTSection(
                    title: words("auth.apple.unlink"),
                    body: [
                        .text(PTText(words("auth.apple.unlinkTip"), role: .note)),
                        .form(
                            request.form(
                                UnlinkProvider.self, id: "unlink", fields: [.currentPassword(words)],
                                submit: SubmitButton(title: words("auth.apple.unlink"), role: .destructive),
                                style: .card)),
                    ]))
        ]
    }
}
