import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Deletes the caller's account; `understands` is the checkbox that confirms it.
struct DeleteAccount: Command {
    static let contract = Contract(
        "auth.deleteAccount", "/api/v1/auth/account/delete", access: .account, store: .directory, replay: .natural,
        summary: "Deletes the caller's account and all data about its holder, with the password.")
    typealias Result = Done

    let password: String

    init(_ fields: inout FieldReader) {
        password = fields.currentPassword()
        let understands = fields.flag("understands")
        fields.refuse("understands", "auth.delete.understand", unless: understands)
    }
}

/// The page and the command with which people delete their own account.
struct AccountDeletion: Sendable {
    static let path = "/settings/account/delete"

    let auth: AuthService
    let passwords: PasswordCheck
    let erasing: any AccountErasing
    let outbox: any MailOutbox

    var commands: [CommandRegistration] {
        [
            .handle(
                DeleteAccount.self,
                prepare: { command, context in try await passwords.check(command.password, context) },
                run: { _, _, context in
                    let account = try context.account
                    try erasing.erase(account.id, in: context)
                    try auth.endAll(of: account.id, except: nil, in: context)
                    try ProviderService.revoke(account.id, in: context)
                    // The other tables of this block reference the account and cascade.
                    try AccountRepository.delete(account.id, in: context.sql)
                    context.session = .end
                    context.destination = "/sign-in"
                    context.feedback = Feedback(.toast, context.words("auth.delete.done"))
                    return Done()
                },
                finish: { _, _, context in
                    let address = try context.account.email
                    try await outbox.remove { $0.to == address }
                    try await erasing.carryOut()
                })
        ]
    }

    var routes: [ScreenRoute] {
        [ScreenRoute(Self.path, access: .account, tab: "/settings") { .screen(try await page($0)) }]
    }

    private func page(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let account = try request.context.account
        let places = try await erasing.places(of: account.id)
        let needed = places.filter { $0.fate == .needed }
        var body: [Component] = [
            .text(PTText(words("auth.delete.explained", account.email))),
            .list(PTList(cells: consequences(places, words), label: words("auth.delete.consequences"))),
        ]
        let hasPassword = try await request.context.directory.read {
            try AccountRepository.hasPassword(account.id, in: $0)
        }
        if needed.isEmpty {
            body += hasPassword ? [.form(form(request))] : SecurityScreens.askForPassword(account.email, request)
        } else {
            let names = needed.map(\.organization.name).joined(separator: ", ")
            body.append(
                .banner(
                    PTBanner(
                        tone: .warning, title: words("auth.delete.notYet"),
                        message: words("auth.delete.needed", names))))
        }
        return Screen(title: words("auth.delete.title"), back: "/settings", body: body)
    }

    private func consequences(_ places: [AccountPlace], _ words: Words) -> [PTListCell] {
        let own = [
            PTListCell(
                leading: .icon(.lock, tint: .sand), title: words("auth.delete.account"),
                subtitle: words("auth.delete.accountExplained"))
        ]
        return own
            + places.map { place in
                PTListCell(
                    leading: .avatar(
                        PTAvatar(
                            initials: Initials.of(place.organization.name),
                            tint: place.organization.avatarTint)),
                    title: place.organization.name, subtitle: words("auth.delete.fate.\(place.fate)"))
            }
    }

    private func form(_ request: ScreenRequest) -> PTForm {
        let words = request.words
        return request.form(
            DeleteAccount.self, id: "delete-account",
            fields: [
                .currentPassword(words),
                PTField(
                    .toggle, name: "understands", label: words("auth.delete.understands"), isRequired: true),
            ],
            submit: SubmitButton(title: words("auth.delete.action"), role: .destructive, icon: .trash),
            style: .card,
            confirmation: PTConfirmation(
                title: words("auth.delete.question"), message: words("auth.delete.message"),
                confirm: words("auth.delete.action")))
    }
}
