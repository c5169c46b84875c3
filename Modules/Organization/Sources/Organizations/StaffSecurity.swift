import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

struct RequireSecondFactor: Command {
    static let contract = Contract(
        "organization.requireSecondFactor", "/api/v1/organization/second-factor",
        access: .member(.requireSecondFactor), store: .directory, replay: .natural,
        summary: "Says whether the school's staff must sign in with a second factor.")
    typealias Result = Done

    let isRequired: Bool

    init(_ fields: inout FieldReader) { isRequired = fields.flag("isRequired") }
}

/// The command and page section for requiring a second factor of the staff. `PermissionService` and the contexts of
/// requests enforce it.
struct StaffSecurity: Sendable {
    let memberships: DirectoryMembershipService

    var commands: [CommandRegistration] {
        [
            .handle(RequireSecondFactor.self) { command, context in
                let organization = try context.membership.organization
                // The person who switches it on must have a second factor, or would be locked out at once.
                guard try !command.isRequired || context.account.hasSecondFactor else {
                    throw Problem(409, "organization.ownSecondFactorFirst")
                }
                try OrganizationRepository.setRequiresSecondFactor(
                    command.isRequired, of: organization.id, in: context.sql)
                context.sql.afterCommit { [memberships] in memberships.forgetActive() }
                // Open pages are refreshed, so that they show only what is still allowed.
                context.record(
                    Change(
                        "organization.secondFactor", topics: ["organization"], audience: [.school],
                        payload: ["isRequired": command.isRequired ? "yes" : "no"], reshapesAudience: true))
                context.feedback = Feedback(
                    .toast,
                    context.words(
                        command.isRequired ? "organization.secondFactor.on" : "organization.secondFactor.off"))
                return Done()
            }
        ]
    }

    /// Returns the switch for requiring a second factor, for members who may use it; `nil` for others.
    static func section(_ request: ScreenRequest) throws -> Component? {
        guard request.context.caller.may(.requireSecondFactor) else { return nil }
        let words = request.words
        return .section(
            PTSection(
                title: words("organization.secondFactor.title"),
                body: [
                    .form(
                        request.form(
                            RequireSecondFactor.self, id: "second-factor",
                            fields: [
                                PTField(
                                    .toggle, name: "isRequired", label: words("organization.secondFactor.label"),
                                    value: try request.context.membership.requiresSecondFactor ? "true" : "false",
                                    hint: words("organization.secondFactor.hint"))
                            ],
                            submit: SubmitButton(title: words("settings.save")), style: .card))
                ]))
    }
}
