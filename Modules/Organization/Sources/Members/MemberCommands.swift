import Domain
import FeatureKit
import Foundation
import OrganizationInterface

struct ListMembers: Query {
    static let contract = Contract(
        "members.list", "/api/v1/members", access: .member(.viewMembers),
        seen: Seen("members.seen"), summary: "The members of the active organization in the order of their names.")
    typealias Result = Page<Member>

    init(_ fields: inout FieldReader) {}
}

struct ChangeMemberRole: Command {
    static let contract = Contract(
        "members.changeRole", "/api/v1/members/{personId}/role", access: .member(.changeRoles),
        store: .directory, summary: "Gives a member another staff role; other roles stay.")
    typealias Result = Done

    let personId: UUID
    let role: Role

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        role = fields.choice("role", of: Role.self, among: Role.guideRoles)
    }
}

struct RemoveMember: Command {
    static let contract = Contract(
        "members.remove", "/api/v1/members/{personId}/remove", access: .member(.removeMembers),
        store: .directory, summary: "Takes all roles of a member in this organization away.")
    typealias Result = Done

    let personId: UUID

    init(_ fields: inout FieldReader) { personId = fields.id("personId") }
}

/// The handlers of membership.
struct MemberHandlers: Sendable {
    let memberships: any MembershipService

    var commands: [CommandRegistration] {
        [
            .handle(ChangeMemberRole.self) { command, context in
                try memberships.updateRole(
                    command.personId, to: command.role, in: context.membership.organization.id, context)
                context.record(changed("members.roleChanged", command.personId, ["role": command.role.rawValue]))
                context.feedback = Feedback(.toast, context.words("members.roleChanged"))
                return Done()
            },
            .handle(RemoveMember.self) { command, context in
                try memberships.remove(
                    command.personId, from: context.membership.organization.id, in: context)
                context.record(changed("members.removed", command.personId))
                context.feedback = Feedback(.toast, context.words("members.removed"))
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListMembers.self) { _, context in
                Page(
                    items: try await memberships.members(
                        of: context.membership.organization.id, school: context.school), next: nil)
            }
        ]
    }

    private func changed(_ kind: String, _ personId: UUID, _ facts: [String: String] = [:]) -> Change {
        Change(
            kind, topics: ["members"], audience: Audience.roles([.superAdmin, .admin]) + [.person(personId)],
            payload: facts.merging(["person": personId.text]) { _, id in id }, reshapesAudience: true)
    }
}
