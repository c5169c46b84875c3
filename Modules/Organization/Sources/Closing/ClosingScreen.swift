import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page Settings > Organization > Delete the school, which closes a school, reopens it, or deletes it at once.
struct ClosingScreen: Sendable {
    static let path = "/settings/delete-school"

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.deleteOrganization), tab: "/settings", make)
    }

    @Sendable
    private func make(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let body =
            membership.deletesOn.map { closed(until: $0, request) } ?? [
                .text(PTText(words("closing.explained"))),
                .form(form(request, atOnce: false, name: membership.organization.name)),
            ]
        return .screen(
            Screen(
                title: words("closing.title"), back: "/settings", live: ["organization"], body: body))
    }

    private func closed(until day: Day, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        let name = request.context.caller.membership?.organization.name ?? ""
        return [
            .banner(
                PTBanner(
                    tone: .warning, icon: .lock, title: words("closing.isClosed", name),
                    message: words("closing.until", words.longDate(day)))),
            .button(
                PTButton(
                    title: words("closing.callBack"), icon: .retry,
                    action: .perform(request.call(CallBackOrganization.self)))),
            .disclosure(
                PTDisclosure(
                    title: words("closing.atOnce"),
                    body: [
                        .text(PTText(words("closing.atOnceExplained"), role: .note)),
                        .form(form(request, atOnce: true, name: name)),
                    ])),
        ]
    }

    private func form(_ request: ScreenRequest, atOnce: Bool, name: String) -> PTForm {
        let words = request.words
        return request.form(
            DeleteOrganization.self, id: "delete-school",
            fields: [
                PTField(
                    name: "name", label: words("closing.typeName"), hint: words("closing.typeNameHint", name),
                    isRequired: true, autocomplete: "off", maxLength: 120),
                .hidden("atOnce", atOnce ? "true" : "false"),
            ],
            submit: SubmitButton(
                title: words(atOnce ? "closing.deleteNow" : "closing.close"), role: .destructive, icon: .trash),
            style: .card,
            confirmation: PTConfirmation(
                title: words(atOnce ? "closing.deleteQuestion" : "closing.closeQuestion", name),
                message: words(atOnce ? "closing.deleteMessage" : "closing.closeMessage"),
                confirm: words(atOnce ? "closing.deleteNow" : "closing.close")))
    }
}
