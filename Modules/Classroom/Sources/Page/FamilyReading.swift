import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

extension Permission {
    /// Allows inviting family members to read what is shared about a child.
    static let inviteFamilies = Permission("students.inviteFamilies", [.superAdmin, .admin])
}

struct ListGuardians: Query {
    static let contract = Contract(
        "guardians.list", "/api/v1/students/{studentId}/guardians", access: .member(.viewClassrooms),
        seen: Seen("student.seen", "studentId"), summary: "Who reads along at home, or is invited to.")
    typealias Result = Page<Guardian>

    let studentId: UUID

    init(_ fields: inout FieldReader) { studentId = fields.id("studentId") }
}

struct InviteGuardian: Command {
    static let contract = Contract(
        "contacts.invite", "/api/v1/contacts/{contactId}/invite", access: .member(.inviteFamilies),
        store: .directory, replay: .natural,
        summary: "Mails a contact a link to read what is shared about the child; a second call sends a new link.")
    typealias Result = Done

    let contactId: UUID

    init(_ fields: inout FieldReader) { contactId = fields.id("contactId") }
}

struct RemoveGuardian: Command {
    static let contract = Contract(
        "guardians.remove", "/api/v1/students/{studentId}/guardians/{personId}/remove",
        access: .member(.inviteFamilies), replay: .natural,
        summary: "Ends a person's reading of what is shared about a child.")
    typealias Result = Done

    let studentId: UUID
    let personId: UUID

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        personId = fields.id("personId")
    }
}

/// The handlers of the commands for family members who read what is shared.
struct GuardianHandlers: Sendable {
    let guardians: any GuardianService

    private struct Invitation: Sendable {
        let personId: UUID
        let contact: ParentContact
        let email: String
    }

    var commands: [CommandRegistration] {
        [
            .handle(InviteGuardian.self, prepare: prepare(invite:_:)) { _, invitation, context in
                try guardians.invite(invitation.personId, at: invitation.email, in: &context)
                context.feedback = Feedback(
                    .toast, context.words("guardian.invited", invitation.contact.fullName))
                context.destination = "/students/\(invitation.contact.studentId.text)/contacts"
                return Done()
            },
            .handle(RemoveGuardian.self) { command, context in
                try context.require(.inviteFamilies)
                try StudentAccess.check(command.studentId, context.membership, in: context.sql)
                guard try guardians.unlink(command.personId, from: command.studentId, in: context.sql) else {
                    throw Problem.notFound
                }
                // The guardian's own page may be open and must not show the child any more.
                context.record(
                    Change(
                        "guardian.removed",
                        topics: [StudentAccess.topic(command.studentId), FamilyTopic.of(command.studentId)],
                        audience: Audience.roles([.superAdmin, .admin]) + [.person(command.personId)],
                        payload: ["student": command.studentId.text, "person": command.personId.text],
                        reshapesAudience: true))
                context.feedback = Feedback(.toast, context.words("guardian.removed"))
                return Done()
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListGuardians.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    try StudentAccess.check(query.studentId, membership, in: sql)
                    return Page(items: try guardians.guardians(ofChild: query.studentId, in: sql), next: nil)
                }
            }
        ]
    }

    /// Makes the contact a person of the school and a guardian of the child. This happens before the invite is
    /// stored in the directory, and is harmless alone, because a person without a membership has no rights.
    private func prepare(invite command: InviteGuardian, _ context: RequestContext) async throws -> Invitation {
        let membership = try context.membership
        let (now, id) = (context.now, context.ids.id(at: context.now))
        // conformance: allow write - the school's half of an invite; without a membership it gives no rights
        return try await context.school.write { sql in
            guard let contact = try ContactRepository.contact(command.contactId, in: sql) else {
                throw Problem.notFound
            }
            try StudentAccess.check(contact.studentId, membership, in: sql)
            guard let email = contact.email else { throw Problem(409, "guardian.noAddress") }
            let person = Person(
                id: id, orgId: membership.organization.id, name: PersonName(fullName: contact.fullName),
                email: email, avatarTint: Tint(for: id), createdAt: now)
            let personId = try guardians.link(
                person, to: contact.studentId, by: membership.personId, at: now, in: sql)
            return Invitation(personId: personId, contact: contact, email: email)
        }
    }
}
