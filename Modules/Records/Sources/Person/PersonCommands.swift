import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RecordsInterface

struct ExportPerson: Command {
    static let contract = Contract(
        "records.exportPerson", "/api/v1/records/people/{personId}/export",
        access: .member(.managePersonRecords), store: .directory, isCreation: true, replay: .natural,
        summary: "Makes a zip with everything that the school stores about one person.")
    typealias Result = MadeFile

    let personId: UUID

    init(_ fields: inout FieldReader) { personId = fields.id("personId") }
}

struct ErasePerson: Command {
    static let contract = Contract(
        "records.erasePerson", "/api/v1/records/people/{personId}/erase",
        access: .member(.managePersonRecords), replay: .natural,
        summary: "Erases everything about one person; what others cite keeps a removed person in the name's place.")
    typealias Result = Done

    let personId: UUID
    let name: String

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        name = fields.text("name", max: 200)
    }
}

/// The handlers of one person's records.
struct PersonHandlers: Sendable {
    let records: PersonRecords
    let prepared: PreparedFiles
    let roles: any RoleAssigning
    let sweep: FileSweep

    var commands: [CommandRegistration] {
        [
            .handle(
                ExportPerson.self,
                prepare: { command, context in
                    let subject = try await records.subject(command.personId, in: context)
                    return try await prepared.prepare(
                        .person, named: subject.person.name.display, about: command.personId, in: context
                    ) {
                        try await records.export(subject, in: context, to: $0)
                    }
                },
                run: { command, file, context in
                    try PreparedFileRepository.insert(file, in: context.sql)
                    context.record(change("records.personExported", command.personId))
                    context.feedback = Feedback(.toast, context.words("records.fileReady"))
                    context.destination = PersonScreen.path(of: command.personId)
                    return MadeFile(file)
                }),
            .handle(
                ErasePerson.self,
                prepare: { command, context in
                    let subject = try await records.subject(command.personId, in: context)
                    try await records.checkErasure(subject, typed: command.name, in: context)
                    return subject
                },
                run: { command, subject, context in
                    try records.erase(subject.records, .school, in: context.sql)
                    context.record(change("records.personErased", command.personId))
                    context.feedback = Feedback(.toast, context.words("records.erased"))
                    context.destination = "/settings/members"
                    return Done()
                },
                finish: { command, _, context in
                    let orgId = try context.membership.organization.id
                    let subject = RecordSubject(
                        schoolId: orgId, personId: command.personId, accountId: nil, placeholder: "")
                    // conformance: allow write - the directory's half of the erasure; safe to repeat
                    try await context.directory.write { try records.erase(subject, .directory, in: $0) }
                    try await sweep.run(
                        orgId, context.school, unlessPutSince: context.now - FileSweep.ageOfErased)
                    // The resolver forgets what it remembered of the person.
                    try await roles.takeAll(from: command.personId, in: orgId)
                }),
        ]
    }

    private func change(_ kind: String, _ personId: UUID) -> Change {
        Change(
            kind, topics: ["members"], audience: Audience.roles([.superAdmin, .admin]),
            payload: ["person": personId.text], reshapesAudience: kind == "records.personErased")
    }
}
