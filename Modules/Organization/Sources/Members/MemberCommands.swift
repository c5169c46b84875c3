import AuthInterface
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

struct UpdateMember: Command {
    static let contract = Contract(
        "members.update", "/api/v1/members/{personId}", access: .member(.editMembers),
        summary: """
            Changes the name of a member in the school's records and, where the member has no account, the e-mail address. \
            The name of a student is changed with `students.update`. Refused with 409 if a version is given and someone \
            has changed them since.
            """)
    typealias Result = Done

    let personId: UUID
    let firstName: String
    let lastName: String
    /// The new email address. It is ignored for a member with an account, whose address belongs to the account.
    let email: String?
    /// The version of the member that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        (firstName, lastName) = fields.nameParts("firstName", "lastName")
        email = fields.optionalEmail("email")
        version = fields.contentVersion()
    }
}

extension Person {
    /// The version of the fields that the form of a member edits.
    var memberVersion: ContentVersion { ContentVersion([name.given, name.family, email]) }
}

struct ChangeMemberAddress: Command {
    static let contract = Contract(
        "members.changeAddress", "/api/v1/members/{personId}/address", access: .member(.editMembers),
        store: .directory, replay: .natural,
        summary: """
            Changes the e-mail address that a member signs in with. Where addresses are confirmed, a link is mailed to the \
            new one, and the account has the old one until the link is used. Refused with 409 for a member who belongs to \
            another school as well, and for a super admin unless another super admin asks.
            """)
    typealias Result = Done

    let personId: UUID
    let email: String

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        email = fields.email("email")
    }
}

/// The rule for who may change the address that a member signs in with.
///
/// The holder of the address can set the password. A school may therefore change it only for accounts without
/// another school, and nobody may change it for a higher role.
enum MemberAddress {
    /// Returns the account of a member whose address the caller may change; `nil` if only the member may change it.
    static func account(
        of personId: UUID, changedBy caller: ActiveMembership, in sql: any SQLReading
    ) throws -> UUID? {
        let orgId = caller.organization.id
        let held = try MembershipRepository.memberships(ofPerson: personId, in: orgId, sql)
        guard let accountId = held.compactMap(\.accountId).first else { return nil }
        let isHigher = held.contains { $0.role == .superAdmin } && !caller.roles.contains(.superAdmin)
        let isElsewhere = try OrganizationRepository.organizations(ofAccount: accountId, in: sql).contains {
            $0.id != orgId
        }
        return isHigher || isElsewhere ? nil : accountId
    }
}

struct MemberHandlers: Sendable {
    let memberships: any MembershipService
    let addresses: any AddressChanging

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
            .handle(
                UpdateMember.self,
                prepare: { command, context in
                    let orgId = try context.membership.organization.id
                    let roles = try await memberships.roles(of: command.personId, in: orgId)
                    guard !roles.isEmpty else { throw Problem.notFound }
                    if roles.contains(.student) { throw Problem(409, "members.studentName") }
                },
                run: { command, _, context in try update(command, &context) }),
            .handle(ChangeMemberAddress.self) { command, context in
                try changeAddress(command, &context)
            },
        ]
    }

    private func update(_ command: UpdateMember, _ context: inout CommandContext) throws -> Done {
        let orgId = try context.membership.organization.id
        guard
            var person = try PeopleRepository.people([command.personId], of: orgId, in: context.sql)[
                command.personId]
        else { throw Problem.notFound }
        try person.memberVersion.check(command.version)
        // Changing the given name does not change the preferred name.
        let called = person.name.preferred
        person.name = PersonName(given: command.firstName, family: command.lastName, preferred: called)
        if try !PeopleRepository.hasAccount(person.id, in: context.sql) { person.email = command.email }
        _ = try PeopleRepository.update(person, in: context.sql)
        context.record(
            Change(
                "members.updated", topics: ["members"],
                audience: Audience.roles([.superAdmin, .admin]) + [.person(person.id)],
                payload: ["person": person.id.text]))
        context.feedback = Feedback(.toast, context.words("members.updated"))
        return Done()
    }

    private func changeAddress(_ command: ChangeMemberAddress, _ context: inout CommandContext) throws -> Done {
        let caller = try context.membership
        let orgId = caller.organization.id
        guard try !MembershipRepository.memberships(ofPerson: command.personId, in: orgId, context.sql).isEmpty
        else {
            throw Problem.notFound
        }
        guard let accountId = try MemberAddress.account(of: command.personId, changedBy: caller, in: context.sql)
        else { throw Problem(409, "members.addressOwn") }
        let isDone = try addresses.changeAddress(of: accountId, to: command.email, in: context) == .done
        context.record(
            Change(
                isDone ? "members.addressChanged" : "members.addressAsked", topics: ["members"],
                audience: Audience.roles([.superAdmin, .admin]) + [.person(command.personId)],
                payload: ["person": command.personId.text]))
        context.feedback = Feedback(
            .toast,
            isDone
                ? context.words("members.addressChanged") : context.words("members.addressMailed", command.email))
        return Done()
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
