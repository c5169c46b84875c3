import Domain
import FeatureKit
import Foundation
import OrganizationInterface

struct CreateOrganization: Command {
    static let contract = Contract(
        "organization.create", "/api/v1/organizations", access: .account, store: .directory, isCreation: true,
        summary: "Founds a school; the caller becomes its super admin and it becomes active.")
    typealias Result = Organization

    let draft: OrganizationDraft

    init(_ fields: inout FieldReader) { draft = OrganizationDraft(&fields) }
}

struct RenameOrganization: Command {
    static let contract = Contract(
        "organization.rename", "/api/v1/organization/rename", access: .member(.renameOrganization),
        store: .directory, summary: "Changes the name, tint or time zone of the active organization.")
    typealias Result = Organization

    let draft: OrganizationDraft

    init(_ fields: inout FieldReader) { draft = OrganizationDraft(&fields) }
}

struct SetActiveOrganization: Command {
    static let contract = Contract(
        "organization.setActive", "/api/v1/organizations/{organizationId}/activate", access: .account,
        store: .directory, replay: .natural, summary: "Makes an organization the active one on this device.")
    typealias Result = Done

    let organizationId: UUID

    init(_ fields: inout FieldReader) { organizationId = fields.id("organizationId") }
}

struct ListOrganizations: Query {
    static let contract = Contract(
        "organization.list", "/api/v1/organizations", access: .account, store: .directory,
        summary: "The caller's organizations, the oldest first.")
    typealias Result = Page<Organization>

    init(_ fields: inout FieldReader) {}
}

extension OrganizationDraft {
    init(_ fields: inout FieldReader) {
        self.init(
            name: fields.text("name", max: 120), avatarTint: fields.optionalChoice("avatarTint", of: Tint.self),
            timeZone: fields.optionalText("timeZone", max: 60))
        fields.refuse(
            "timeZone", "organization.timeZone", unless: timeZone.map { TimeZone(identifier: $0) != nil } ?? true)
    }
}

struct OrganizationHandlers: Sendable {
    let organizations: any OrgService

    var commands: [CommandRegistration] {
        [
            .handle(
                CreateOrganization.self,
                prepare: { command, context in
                    try await organizations.prepareFounding(command.draft, in: context) { _ in }
                },
                run: { _, founding, context in
                    try organizations.create(founding, in: context)
                    context.feedback = Feedback(
                        .burst, context.words("organization.created", founding.organization.name))
                    context.destination = "/"
                    return founding.organization
                }),
            .handle(RenameOrganization.self) { command, context in
                let organization = try organizations.rename(command.draft, in: context)
                context.record(
                    Change(
                        "organization.renamed", topics: ["organization"], audience: [.school],
                        reshapesAudience: true))
                context.feedback = Feedback(.toast, context.words("organization.renamed", organization.name))
                return organization
            },
            .handle(SetActiveOrganization.self) { command, context in
                try organizations.setActive(command.organizationId, for: context.account, in: context)
                context.destination = "/"
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListOrganizations.self) { _, context in
                Page(items: try await organizations.list(for: context.account.id), next: nil)
            }
        ]
    }
}
