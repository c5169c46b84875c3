import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

struct RenameAccount: Command {
    static let contract = Contract(
        "auth.rename", "/api/v1/auth/name", access: .account, store: .directory, replay: .natural,
        summary: "Changes the name on the caller's account. Schools keep the names in their own records.")
    typealias Result = Done

    let name: String

    init(_ fields: inout FieldReader) { name = fields.name("name", max: 120) }
}

struct ChangeOwnAddress: Command {
    static let contract = Contract(
        "auth.changeAddress", "/api/v1/auth/address", access: .account, store: .directory, replay: .natural,
        summary: """
            Changes the e-mail address that the caller signs in with. Where addresses are confirmed, a link is mailed to \
            the new one, and the account has the old one until the link is used.
            """)
    typealias Result = Done

    let email: String
    let password: String

    init(_ fields: inout FieldReader) {
        email = fields.email("email")
        password = fields.secret("password", max: 200)
    }
}

/// Settings > Account > Profile: the account's own name and address.
struct Profile: Sendable {
    static let path = "/settings/profile"

    let auth: AuthService
    let passwords: PasswordCheck
    let addresses: AddressChanges

    var commands: [CommandRegistration] {
        [
            .handle(RenameAccount.self) { command, context in
                let id = try context.account.id
                try AccountRepository.setName(command.name, of: id, in: context.sql)
                context.sql.afterCommit { [auth] in auth.evict(accountId: id) }
                context.feedback = Feedback(.toast, context.words("auth.profile.renamed"))
                context.destination = Self.path
                return Done()
            },
            .handle(
                ChangeOwnAddress.self,
                prepare: { command, context in try await passwords.check(command.password, context) },
                run: { command, _, context in
                    let id = try context.account.id
                    let isDone = try addresses.changeAddress(of: id, to: command.email, in: context) == .done
                    context.feedback = Feedback(
                        .toast,
                        isDone
                            ? context.words("auth.profile.addressChanged")
                            : context.words("auth.profile.addressMailed", command.email))
                    context.destination = Self.path
                    return Done()
                }),
        ]
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .account, tab: "/settings") { .screen(try await page($0)) }
    }

    private func page(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let account = try request.context.account
        let hasPassword = try await request.context.directory.read {
            try AccountRepository.hasPassword(account.id, in: $0)
        }
        var body: [Component] = []
        if let personId = request.context.caller.membership?.personId {
            body += try await request.sections(about: .profile, personId)
        }
        body.append(
            .form(
                request.form(
                    RenameAccount.self, id: "name",
                    fields: [
                        PTField(
                            name: "name", label: words("auth.name"), value: account.name,
                            hint: words("auth.profile.nameHint"), isRequired: true, autocomplete: "name",
                            maxLength: 120)
                    ],
                    submit: SubmitButton(title: words("auth.profile.saveName")), style: .card)))
        body +=
            hasPassword
            ? [.form(addressForm(account, request))] : SecurityScreens.askForPassword(account.email, request)
        return Screen(title: words("auth.profile.title"), back: "/settings", body: body)
    }

    private func addressForm(_ account: SignedInAccount, _ request: ScreenRequest) -> PTForm {
        let words = request.words
        return request.form(
            ChangeOwnAddress.self, id: "address",
            fields: [
                PTField(
                    .email, name: "email", label: words("auth.profile.address"), value: account.email,
                    hint: words(
                        addresses.links.confirmsMail ? "auth.profile.addressHint" : "auth.profile.addressHintAtOnce"
                    ),
                    isRequired: true, autocomplete: "email", maxLength: 254),
                .currentPassword(words),
            ],
            submit: SubmitButton(title: words("auth.profile.saveAddress"), role: .tonal), style: .card)
    }
}
