import Domain
public import FeatureKit
public import Foundation
import OrganizationInterface
import RecordsInterface

/// An entry of the school's consent log: a consent to a kind of record about a person, or its withdrawal.
///
/// Entries are added and never changed.
struct RecordConsent: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let personId: UUID
    /// The id of the kind of record.
    let kind: String
    /// The name of the person who gave the consent, such as a parent.
    let giver: String
    /// `false` for a withdrawal.
    let isGiven: Bool
    let recordedBy: UUID
    let at: Date
}

/// Adds an entry to the consent log.
struct NoteConsent: Command {
    static let contract = Contract(
        "records.noteConsent", "/api/v1/records/people/{personId}/consents",
        access: .member(.managePersonRecords), isCreation: true,
        summary: "Adds a line to the consent log: who allowed a kind of record about a person, or took it back.")
    typealias Result = RecordConsent

    let personId: UUID
    let kind: String
    let giver: String
    let isGiven: Bool

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        kind = fields.text("kind", max: 80)
        giver = fields.text("giver", max: 200)
        isGiven = fields.flag("isGiven")
    }
}

/// Lists the consent log.
struct ListConsents: Query {
    static let contract = Contract(
        "records.consents", "/api/v1/records/consents", access: .member(.managePersonRecords),
        summary: "The school's consent log, the latest first.")
    typealias Result = Page<RecordConsent>

    init(_ fields: inout FieldReader) {}
}

/// The SQL of the consent log.
enum RecordConsentRepository {
    static func insert(_ consent: RecordConsent, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO record_consents (id, person_id, kind, giver, is_given, recorded_by, at)
            VALUES (\(consent.id), \(consent.personId), \(consent.kind), \(consent.giver), \(consent.isGiven),
                \(consent.recordedBy), \(consent.at))
            """)
    }

    /// The entries of a person or of all, the latest first. Ids are in the order of creation.
    static func all(of personId: UUID? = nil, limit: Int = 500, in sql: any SQLReading) throws -> [RecordConsent] {
        let about: SQL = personId.map { "WHERE person_id = \($0)" } ?? ""
        return try sql.rows("SELECT * FROM record_consents \(about) ORDER BY id DESC LIMIT \(limit)").map { row in
            try RecordConsent(
                id: row.get("id"), personId: row.get("person_id"), kind: row.get("kind"), giver: row.get("giver"),
                isGiven: row.get("is_given"), recordedBy: row.get("recorded_by"), at: row.get("at"))
        }
    }
}

/// The consent log of a school, to which feature blocks add entries.
public struct ConsentLog: ConsentNoting {
    /// Creates the consent log, which has no state.
    public init() {}

    public func note(
        _ giver: String, allowing kindId: String, about personId: UUID, in context: inout CommandContext
    ) throws {
        _ = try note(giver, kind: kindId, isGiven: true, about: personId, in: &context)
    }

    func note(
        _ giver: String, kind: String, isGiven: Bool, about personId: UUID, in context: inout CommandContext
    ) throws -> RecordConsent {
        let consent = RecordConsent(
            id: context.newId(), personId: personId, kind: kind, giver: giver, isGiven: isGiven,
            recordedBy: try context.membership.personId, at: context.now)
        try RecordConsentRepository.insert(consent, in: context.sql)
        context.record(
            Change(
                isGiven ? "records.consentGiven" : "records.consentTakenBack", topics: ["records"],
                audience: Audience.roles([.superAdmin, .admin]),
                payload: ["person": personId.text, "kind": kind]))
        return consent
    }
}

/// The handlers of the consent log.
struct ConsentHandlers: Sendable {
    let records: PersonRecords
    var kinds: [RecordKind] { records.kinds }
    var people: any PeopleService { records.people }

    /// The kinds of record with personal data that a school stores.
    var offered: [RecordKind] { kinds.filter { $0.store == .school && !$0.personal.isEmpty } }

    var commands: [CommandRegistration] {
        [
            .handle(NoteConsent.self) { command, context in
                let orgId = try context.membership.organization.id
                guard try people.people([command.personId], of: orgId, in: context.sql)[command.personId] != nil
                else { throw Problem.notFound }
                guard offered.contains(where: { $0.id == command.kind }) else {
                    throw Problem.invalid("kind", "choice")
                }
                let consent = try ConsentLog().note(
                    command.giver, kind: command.kind, isGiven: command.isGiven, about: command.personId,
                    in: &context)
                context.feedback = Feedback(.toast, context.words("records.consent.noted"))
                context.destination = PersonScreen.path(of: command.personId)
                return consent
            }
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListConsents.self) { _, context in
                Page(items: try await context.school.read { try RecordConsentRepository.all(in: $0) }, next: nil)
            }
        ]
    }
}
