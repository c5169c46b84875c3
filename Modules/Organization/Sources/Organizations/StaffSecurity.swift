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

/// The school's rule about its staff's sign-in. `PermissionService` and the contexts of requests hold it;
/// here it is switched.
struct StaffSecurity: Sendable {
    let memberships: DirectoryMembershipService

    var commands: [CommandRegistration] {
        [
            .handle(RequireSecondFactor.self) { command, context in
                let organization = try context.membership.organization
                // Whoever switches it on must not be the first whom it keeps out.
                guard try !command.isRequired || context.account.hasSecondFactor else {
                    throw Problem(409, "organization.ownSecondFactorFirst")
                }
                try OrganizationRepository.setRequiresSecondFactor(
                    command.isRequired, of: organization.id, in: context.sql)
                context.sql.afterCommit { [memberships] in memberships.forgetActive() }
                // Open pages hear of it and find out what they may still show.
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

    /// The switch in the school's settings, for whoever may use it.
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
