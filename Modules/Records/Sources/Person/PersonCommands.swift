import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import RecordsInterface

/// Prepares a ZIP file with everything that the school stores about one person.
struct ExportPerson: Command {
    static let contract = Contract(
        "records.exportPerson", "/api/v1/records/people/{personId}/export",
        access: .member(.managePersonRecords), store: .directory, isCreation: true, replay: .natural,
        summary: "Makes a zip with everything that the school stores about one person.")
    typealias Result = MadeFile

    let personId: UUID

    init(_ fields: inout FieldReader) { personId = fields.id("personId") }
}

/// Erases everything about one person.
struct ErasePerson: Command {
    static let contract = Contract(
        "records.erasePerson", "/api/v1/records/people/{personId}/erase",
        access: .member(.managePersonRecords), replay: .natural,
        summary: "Erases everything about one person; what others cite keeps a removed person in the name's place.")
    struct Result: Codable, Sendable, Hashable {
        let done: Bool
        /// The date by which the server's disk holds nothing any more; absent if it already does not.
        let completeBy: Date?
    }

    let personId: UUID
    let name: String
    /// Whether the person's name is replaced in texts that other people wrote.
    let replacesName: Bool

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        name = fields.text("name", max: 200)
        replacesName = fields.flag("replacesName")
    }
}

/// The handlers of export and erasure of one person's records.
struct PersonHandlers: Sendable {
    let records: PersonRecords
    let prepared: PreparedFiles
    let roles: any RoleAssigning
    let completion: ErasureCompletion

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
                    try prepared.insert(file, in: context.sql)
                    context.record(change("records.personExported", command.personId))
                    context.feedback = Feedback(.toast, context.words("records.fileReady"))
                    context.destination = PersonScreen.path(of: command.personId)
                    return MadeFile(file)
                }),
            .handle(
                ErasePerson.self, prepare: { try await prepare(erasure: $0, $1) },
                run: { command, erasure, context in
                    // A dependent who has joined or got another child meanwhile stays.
                    let dependents = Set(try records.dependentIds(of: erasure.subject.records, in: context.sql))
                    for subject in [erasure.subject] + erasure.dependents {
                        let id = subject.person.id
                        guard id == command.personId || dependents.contains(id) else { continue }
                        try records.erase(subject.records, .school, in: context.sql)
                        try UnfinishedErasureRepository.note(
                            id, email: subject.person.email, at: context.now, in: context.sql)
                        context.record(change("records.personErased", id))
                    }
                    if command.replacesName {
                        try NameReplacement(
                            of: erasure.subject.person.name, by: context.words("records.formerMember")
                        ).apply(to: records.kinds, in: context.sql)
                    }
                    context.feedback = Feedback(.toast, context.words("records.erased"))
                    context.destination = "/settings/members"
                    return ErasePerson.Result(done: true, completeBy: nil)
                },
                complete: { command, erasure, _, context in
                    let membership = try context.membership
                    let end = await completion.finish(
                        membership.organization.id, try context.school, files: erasure.files,
                        in: membership.timeZone)
                    // Also clears the membership resolver's cache of the person.
                    try await roles.takeAll(from: command.personId, in: membership.organization.id)
                    let feedback = end.map {
                        Feedback(
                            .toast,
                            context.words(
                                "records.erasedUntil", context.words.dateAndTime($0, in: membership.timeZone)))
                    }
                    return (ErasePerson.Result(done: true, completeBy: end), feedback)
                }),
        ]
    }

    /// The people and files that a command erases.
    struct Erasure: Sendable {
        let subject: PersonRecords.Subject
        let dependents: [PersonRecords.Subject]
        /// The files that rows refer to before the erasure.
        let files: Set<BlobHash>
    }

    private func prepare(erasure command: ErasePerson, _ context: RequestContext) async throws -> Erasure {
        let subject = try await records.subject(command.personId, in: context)
        try await records.checkErasure(subject, typed: command.name, in: context)
        return Erasure(
            subject: subject, dependents: try await records.dependents(of: subject, in: context),
            files: try await context.school.read { try records.kinds.citedFiles(in: $0) })
    }

    private func change(_ kind: String, _ personId: UUID) -> Change {
        Change(
            kind, topics: ["members"], audience: Audience.roles([.superAdmin, .admin]),
            payload: ["person": personId.text], reshapesAudience: kind == "records.personErased")
    }
}
