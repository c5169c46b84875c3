import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of personal API tokens.
struct TokenScreens: Sendable {
    let handlers: TokenHandlers
    let ids: any IDGenerator

    static let path = "/settings/tokens"

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .account, tab: "/settings") { .screen(try await list($0)) },
            ScreenRoute("/settings/tokens/new", access: .account, tab: "/settings") { .screen(new($0)) },
        ]
    }

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let tokens = try await handlers.list(request.context)
        let timeZone = request.context.caller.timeZone
        let make = PTButton(
            title: words("auth.tokens.new"), icon: .plus, role: .primary, action: .open("/settings/tokens/new"))
        guard !tokens.isEmpty else {
            return Screen(
                title: words("auth.tokens.title"), back: "/settings",
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .lock, title: words("auth.tokens.none"), message: words("auth.tokens.tip"),
                            action: make))
                ])
        }
        return Screen(
            title: words("auth.tokens.title"), back: "/settings",
            body: [
                .list(PTList(cells: tokens.map { cell($0, timeZone, request) }, label: words("auth.tokens.title"))),
                .text(PTText(words("auth.tokens.tip"), role: .note)), .button(make),
            ])
    }

    private func cell(_ token: APIToken, _ timeZone: TimeZone, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let used = token.usedAt.map { words("auth.tokens.used", words.dateAndTime($0, in: timeZone)) }
        let until = words("auth.tokens.until", words.shortDate(Day(token.expiresAt, in: timeZone)))
        return PTListCell(
            id: token.id.text, leading: .icon(.lock, tint: .sky), title: token.name,
            subtitle: [
                inOrder(token.scopes, words).map { title(of: $0, words) }.joined(separator: ", "), until,
                used ?? words("auth.tokens.unused"),
            ]
            .joined(separator: " · "),
            trailing: [
                .iconButton(
                    PTButton(
                        title: words("auth.tokens.end", token.name), icon: .x, role: .quiet,
                        action: .perform(
                            request.call(
                                EndDevice.self, ["sessionId": token.id.text],
                                confirmation: PTConfirmation(
                                    title: words("auth.tokens.endQuestion", token.name),
                                    message: words("auth.tokens.endExplained"), confirm: words("auth.tokens.endIt")),
                                to: "/settings/tokens"))))
            ])
    }

    private func title(of scope: TokenScope, _ words: Words) -> String {
        words(scope.mayChange ? "auth.tokens.change" : "auth.tokens.read", words(scope.areaTitle))
    }

    /// Scopes by the names of their areas in the person's language; seeing comes before changing.
    private func inOrder(_ scopes: [TokenScope], _ words: Words) -> [TokenScope] {
        scopes.map { (name: words($0.areaTitle), scope: $0) }
            .sorted { left, right in
                let order = left.name.localizedStandardCompare(right.name)
                return order == .orderedSame ? left.scope < right.scope : order == .orderedAscending
            }
            .map(\.scope)
    }

    /// Shows the secret before the token exists, so that it appears in no address, answer or log, and the page works
    /// without scripts.
    private func new(_ request: ScreenRequest) -> Screen {
        let words = request.words
        guard let membership = request.context.caller.membership else {
            return Screen(
                title: words("auth.tokens.new"), back: "/settings/tokens",
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .lock, title: words("auth.tokens.noSchool"), message: words("auth.tokens.tip")))
                ])
        }
        let typed = request.refused?.typed["secret"] ?? ""
        let secret = APISecret.isWellFormed(typed) ? typed : APISecret.make(ids)
        let options = inOrder(handlers.offered, words).map { scope in
            PTField.Option(value: scope.text, title: title(of: scope, words))
        }
        return Screen(
            title: words("auth.tokens.new"), back: "/settings/tokens",
            body: [
                .text(PTText(words("auth.tokens.newTip", membership.organization.name), role: .note)),
                .codeCard(
                    PTCodeCard(
                        title: words("auth.tokens.secret"), code: secret, detail: words("auth.tokens.secretTip"))),
                .form(
                    request.form(
                        CreateToken.self, id: "token",
                        fields: [
                            .hidden("secret", secret),
                            PTField(
                                name: "name", label: words("auth.tokens.name"), hint: words("auth.tokens.nameTip"),
                                isRequired: true, maxLength: 80),
                            PTField(
                                .choice(
                                    CreateToken.lifetimes.map {
                                        .init(value: String($0), title: words("auth.tokens.days", $0))
                                    }), name: "days", label: words("auth.tokens.lifetime"), value: "90"),
                            PTField(
                                .multipleChoice(options), name: "scopes", label: words("auth.tokens.scopes"),
                                isRequired: true),
                        ],
                        submit: SubmitButton(title: words("auth.tokens.make")), to: "/settings/tokens",
                        style: .card)),
            ])
    }
}
