import Domain
import FeatureKit
import Foundation
import OrganizationInterface

struct DeleteOrganization: Command {
    static let contract = Contract(
        "organization.delete", "/api/v1/organization/delete", access: .member(.deleteOrganization),
        store: .directory, replay: .natural,
        summary: "Closes the active organization at once and deletes it after 30 days; a closed one, right now.")
    typealias Result = Done

    let name: String
    let atOnce: Bool

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 120)
        atOnce = fields.flag("atOnce")
    }
}

struct CallBackOrganization: Command {
    static let contract = Contract(
        "organization.callBack", "/api/v1/organization/call-back", access: .member(.deleteOrganization),
        store: .directory, replay: .natural, summary: "Opens a closed organization again.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The handlers of the commands that close, reopen and delete a school.
struct ClosingHandlers: Sendable {
    let organizations: any OrgService
    let removal: SchoolRemoval

    var commands: [CommandRegistration] {
        [
            .handle(
                DeleteOrganization.self, prepare: { _, _ in },
                run: { command, _, context in
                    let closing = try organizations.delete(
                        typing: command.name, atOnce: command.atOnce, in: context)
                    if !command.atOnce { context.record(change("organization.closed")) }
                    let timeZone = try context.membership.timeZone
                    context.feedback = Feedback(
                        .toast,
                        command.atOnce
                            ? context.words("closing.deleted", command.name)
                            : context.words(
                                "closing.closed", context.words.longDate(Day(closing, in: timeZone))))
                    context.destination = command.atOnce ? "/" : ClosingScreen.path
                    return Done()
                },
                finish: { command, _, context in
                    let orgId = try context.membership.organization.id
                    if command.atOnce {
                        try await removal.remove(orgId)
                    } else {
                        try await removal.refuseWrites(orgId)
                    }
                }),
            .handle(
                CallBackOrganization.self,
                // The file is changed first, so that a school that the directory shows as open accepts writes.
                prepare: { _, context in
                    try await removal.files.setWritable(true, context.membership.organization.id)
                },
                run: { _, _, context in
                    try organizations.callBack(in: context)
                    context.record(change("organization.calledBack"))
                    context.feedback = Feedback(
                        .burst, context.words("closing.calledBack", try context.membership.organization.name))
                    context.destination = ClosingScreen.path
                    return Done()
                }),
        ]
    }

    private func change(_ kind: String) -> Change {
        Change(kind, topics: ["organization"], audience: [.school], reshapesAudience: true)
    }
}
