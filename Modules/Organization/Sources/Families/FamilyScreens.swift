import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page on which parents ask for their children, and the page on which the school answers.
struct FamilyScreens: Sendable {
    static let path = "/families"
    static let staffPath = "/settings/families"

    let handlers: FamilyHandlers

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .account) { .screen(try await own($0)) },
            ScreenRoute(Self.staffPath, access: .member(.invite), tab: "/settings") {
                .screen(try await staff($0))
            },
        ]
    }

    private func own(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let waiting = try await handlers.requests(request.context)
        let timeZone = request.context.caller.timeZone
        var body: [Component] = [
            .form(
                request.form(
                    AskForChild.self, id: "ask",
                    fields: [
                        PTField(
                            name: "child", label: words("families.child"), hint: words("families.childHint"),
                            isRequired: true, autocomplete: "off", maxLength: 254)
                    ],
                    submit: SubmitButton(title: words("families.ask"), icon: .send), to: Self.path, style: .card))
        ]
        if !waiting.isEmpty {
            body.insert(
                .section(
                    PTSection(
                        title: words("families.waiting"),
                        body: [
                            .list(PTList(cells: waiting.map { cell($0, timeZone, request) })),
                            .text(PTText(words("families.waitingExplained"), role: .note)),
                        ])), at: 0)
        }
        let settings = request.navigation.first { $0.path == "/settings" }.map {
            PTLinks.Link(title: words("families.toSettings"), action: .open($0.path))
        }
        let code = PTLinks.Link(title: words("families.haveCode"), action: .open("/join"))
        body.append(.links(PTLinks(links: [code] + (settings.map { [$0] } ?? []))))
        return Screen(
            title: words("families.title"), subtitle: words("families.subtitle"), layout: .focused, body: body)
    }

    private func cell(_ asked: ChildRequest, _ timeZone: TimeZone, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        return PTListCell(
            id: asked.id.text, leading: .icon(.clock, tint: .sand), title: asked.child,
            subtitle: words("families.askedAt", words.dateAndTime(asked.askedAt, in: timeZone)),
            trailing: [
                .iconButton(
                    PTButton(
                        title: words("families.withdraw", asked.child), icon: .x, role: .quiet,
                        action: .perform(
                            request.call(
                                WithdrawChildRequest.self, ["requestId": asked.id.text], to: Self.path))))
            ])
    }

    private func staff(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let waiting = try await handlers.waiting(request.context)
        let body: [Component] =
            waiting.isEmpty
            ? [
                .empty(
                    PTEmptyState(
                        icon: .people, title: words("families.none"), message: words("families.noneTip"),
                        action: PTButton(
                            title: words("families.invite"), icon: .send, action: .open("/settings/invites"))))
            ]
            : [.text(PTText(words("families.staffExplained"), role: .note))] + waiting.map { card($0, request) }
        return Screen(title: words("families.staffTitle"), back: "/settings/members", live: ["members"], body: body)
    }

    private func card(_ asked: FamilyRequest, _ request: ScreenRequest) -> Component {
        let words = request.words
        func answer(_ agrees: Bool) -> PTAction {
            .perform(
                request.call(
                    AnswerFamilyRequest.self, ["requestId": asked.id.text],
                    fields: ["childId": asked.childId.text, "agrees": agrees ? "true" : "false"],
                    confirmation: agrees
                        ? PTConfirmation(
                            title: words("families.question", asked.parentName, asked.childName),
                            message: words("families.questionExplained"), confirm: words("families.agree"),
                            isDestructive: false)
                        : nil, to: Self.staffPath))
        }
        return .section(
            PTSection(
                title: words("families.asks", asked.parentName, asked.childName),
                body: [
                    .text(PTText(asked.parentEmail, role: .note)),
                    .buttons(
                        PTButtonGroup(buttons: [
                            PTButton(
                                title: words("families.agree"), icon: .check, action: answer(true),
                                spoken: words("families.agreeSpoken", asked.parentName, asked.childName)),
                            PTButton(
                                title: words("families.refuse"), role: .outlined, action: answer(false),
                                spoken: words("families.refuseSpoken", asked.parentName)),
                        ])),
                ]))
    }
}
