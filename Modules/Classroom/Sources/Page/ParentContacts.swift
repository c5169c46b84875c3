import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// A person to contact about a child.
struct ParentContact: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let studentId: UUID
    var fullName: String
    var email: String?
    var phone: String?
}

enum ContactRepository {
    static func save(_ contact: ParentContact, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO parent_contacts (id, student_id, full_name, email, phone)
            VALUES (\(contact.id), \(contact.studentId), \(contact.fullName), \(contact.email), \(contact.phone))
            ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, email = excluded.email,
                phone = excluded.phone
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM parent_contacts WHERE id = \(id)")
    }

    static func contact(_ id: UUID, in sql: any SQLReading) throws -> ParentContact? {
        try sql.row("SELECT * FROM parent_contacts WHERE id = \(id)").map(contact)
    }

    static func contacts(of studentId: UUID, in sql: any SQLReading) throws -> [ParentContact] {
        try sql.rows("SELECT * FROM parent_contacts WHERE student_id = \(studentId) ORDER BY full_name, id").map(
            contact)
    }

    static func contacts(of studentIds: [UUID], in sql: any SQLReading) throws -> [UUID: [ParentContact]] {
        guard !studentIds.isEmpty else { return [:] }
        let all = try sql.rows(
            "SELECT * FROM parent_contacts WHERE student_id IN \(list: studentIds) ORDER BY full_name, id"
        ).map(contact)
        return Dictionary(grouping: all, by: \.studentId)
    }

    private static func contact(_ row: SQLRow) throws -> ParentContact {
        try ParentContact(
            id: row.get("id"), studentId: row.get("student_id"), fullName: row.get("full_name"),
            email: row.optional("email"), phone: row.optional("phone"))
    }
}

struct ListContacts: Query {
    static let contract = Contract(
        "contacts.list", "/api/v1/students/{studentId}/contacts", access: .member(.viewClassrooms),
        seen: Seen("student.seen", "studentId"), summary: "Whom to call about a child.")
    typealias Result = Page<ParentContact>

    let studentId: UUID

    init(_ fields: inout FieldReader) { studentId = fields.id("studentId") }
}

struct CreateContact: Command {
    static let contract = Contract(
        "contacts.create", "/api/v1/students/{studentId}/contacts", access: .member(.keepRecords),
        isCreation: true, summary: "Adds a contact of a child.")
    typealias Result = ParentContact

    let studentId: UUID
    let draft: ContactDraft

    init(_ fields: inout FieldReader) {
        studentId = fields.id("studentId")
        draft = ContactDraft(&fields)
    }
}

struct UpdateContact: Command {
    static let contract = Contract(
        "contacts.update", "/api/v1/contacts/{contactId}", access: .member(.keepRecords),
        summary:
            "Changes a contact of a child. Refused with 409 if a version is given and someone has changed it since."
    )
    typealias Result = ParentContact

    let contactId: UUID
    let draft: ContactDraft
    /// The version of the contact that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        contactId = fields.id("contactId")
        draft = ContactDraft(&fields)
        version = fields.contentVersion()
    }
}

struct DeleteContact: Command {
    static let contract = Contract(
        "contacts.delete", "/api/v1/contacts/{contactId}/delete", access: .member(.keepRecords),
        summary: "Removes a contact of a child.")
    typealias Result = Done

    let contactId: UUID

    init(_ fields: inout FieldReader) { contactId = fields.id("contactId") }
}

extension ParentContact {
    /// The version of the fields that the form of a contact edits.
    var version: ContentVersion { ContentVersion([fullName, email, phone]) }
}

/// The input for creating or changing a contact.
struct ContactDraft: Sendable, Hashable {
    let fullName: String
    let email: String?
    let phone: String?

    init(_ fields: inout FieldReader) {
        fullName = fields.name("fullName", max: 200)
        email = fields.optionalEmail("email")
        phone = fields.optionalText("phone", max: 40)
        let isPhone = phone?.allSatisfy { $0.isNumber || "+-()./ x#*".contains($0) } ?? true
        fields.refuse("phone", "contact.phone", unless: isPhone)
    }
}

enum ContactHandlers {
    static let limit = 20

    private static func contact(_ id: UUID, in context: inout CommandContext) throws -> ParentContact {
        try context.require(.keepRecords)
        guard let contact = try ContactRepository.contact(id, in: context.sql) else { throw Problem.notFound }
        try StudentAccess.check(contact.studentId, context.membership, in: context.sql)
        return contact
    }

    static let commands: [CommandRegistration] = [
        .handle(CreateContact.self) { command, context in
            try context.require(.keepRecords)
            try StudentAccess.check(command.studentId, context.membership, in: context.sql)
            guard try ContactRepository.contacts(of: command.studentId, in: context.sql).count < limit else {
                throw Problem(409, "contact.tooMany", [.number(limit)])
            }
            let contact = ParentContact(
                id: context.newId(), studentId: command.studentId, fullName: command.draft.fullName,
                email: command.draft.email, phone: command.draft.phone)
            try ContactRepository.save(contact, in: context.sql)
            try StudentAccess.record("contact.created", of: contact.studentId, in: &context)
            context.feedback = Feedback(.toast, context.words("contact.saved", contact.fullName))
            return contact
        },
        .handle(UpdateContact.self) { command, context in
            var contact = try contact(command.contactId, in: &context)
            try contact.version.check(command.version)
            contact.fullName = command.draft.fullName
            contact.email = command.draft.email
            contact.phone = command.draft.phone
            try ContactRepository.save(contact, in: context.sql)
            try StudentAccess.record("contact.updated", of: contact.studentId, in: &context)
            context.feedback = Feedback(.toast, context.words("contact.saved", contact.fullName))
            return contact
        },
        .handle(DeleteContact.self) { command, context in
            let contact = try contact(command.contactId, in: &context)
            try ContactRepository.delete(contact.id, in: context.sql)
            try StudentAccess.record("contact.deleted", of: contact.studentId, in: &context)
            context.feedback = Feedback(.toast, context.words("contact.deleted"))
            return Done()
        },
    ]

    static let queries: [QueryRegistration] = [
        .handle(ListContacts.self) { query, context in
            let membership = try context.membership
            return try await context.school.read { sql in
                try StudentAccess.check(query.studentId, membership, in: sql)
                return Page(items: try ContactRepository.contacts(of: query.studentId, in: sql), next: nil)
            }
        }
    ]
}
