import Domain
import FeatureKit
import Foundation
import ResidenceModel

struct ListTags: Query {
    static let contract = Contract(
        "residence.tags", "/api/v1/residences/{pgId}/students/{studentId}/tags", access: .member(.runResidence),
        summary: "The personal tags of a resident that were not revoked, without their codes.")
    typealias Result = Page<PersonalTag>

    let pgId: UUID
    let studentId: UUID

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
    }
}

struct AddTag: Command {
    static let contract = Contract(
        "residence.addTag", "/api/v1/residences/{pgId}/students/{studentId}/tags", access: .member(.runResidence),
        isCreation: true,
        summary: """
            Gives a resident a tag: with a number the card or NFC tag that a reader reads, without one a new badge, which \
            replaces the one before.
            """)
    typealias Result = PersonalTag

    let pgId: UUID
    let studentId: UUID
    let number: String?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        number = fields.optionalText("number", max: 200).map(TagCode.normalized)
        fields.refuse(
            "number", "residence.tagNumber", unless: number.map { TagCode.lengths.contains($0.count) } ?? true)
    }
}

struct ReportTag: Command {
    static let contract = Contract(
        "residence.reportTag", "/api/v1/residences/{pgId}/students/{studentId}/tags/{tagId}/lost",
        access: .member(.runResidence), replay: .natural,
        summary: "Reports a tag lost, so that gates refuse it, or found again.")
    typealias Result = PersonalTag

    let pgId: UUID
    let studentId: UUID
    let tagId: UUID
    let isLost: Bool

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        tagId = fields.id("tagId")
        isLost = fields.flag("isLost")
    }
}

struct RevokeTag: Command {
    static let contract = Contract(
        "residence.revokeTag", "/api/v1/residences/{pgId}/students/{studentId}/tags/{tagId}/revoke",
        access: .member(.runResidence), replay: .natural, summary: "Revokes a tag for good.")
    typealias Result = Done

    let pgId: UUID
    let studentId: UUID
    let tagId: UUID

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        tagId = fields.id("tagId")
    }
}

struct MakeBadges: Command {
    static let contract = Contract(
        "residence.makeBadges", "/api/v1/residences/{pgId}/badges", access: .member(.runResidence),
        summary: "Makes a badge for each resident who has none.")
    typealias Result = Done

    let pgId: UUID

    init(_ fields: inout FieldReader) { pgId = fields.id("pgId") }
}

struct MakeOwnCode: Command {
    static let contract = Contract(
        "residence.makeOwnCode", "/api/v1/residence/code", access: .member(.liveInResidence),
        summary: "Makes a new code for the resident's own phone; the one before is no longer valid.")
    typealias Result = PersonalTag

    init(_ fields: inout FieldReader) {}
}

struct AllowLocation: Command {
    static let contract = Contract(
        "residence.allowLocation", "/api/v1/residence/location", access: .member(.liveInResidence),
        replay: .natural,
        summary: "Says whether the resident agrees that passages on their own phone carry the place.")
    typealias Result = Done

    let isAllowed: Bool

    init(_ fields: inout FieldReader) { isAllowed = fields.flag("isAllowed") }
}

/// The commands and queries of personal tags.
struct TagHandlers: Sendable {
    let residents: ResidentHandlers

    var queries: [QueryRegistration] {
        [
            .handle(ListTags.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let resident = try residents.resident(query.studentId, query.pgId, membership, in: sql)
                    let tags = try TagRepository.tags(of: [resident.personId], in: sql)[resident.personId]
                    return Page(items: tags?.map(\.tag) ?? [], next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(AddTag.self) { command, context in
                let resident = try residents.resident(
                    command.studentId, command.pgId, context.membership, in: context.sql)
                guard resident.status != .movedOut else { throw Problem(409, "residence.movedOut") }
                guard let number = command.number else { return try make(.badge, for: resident, &context) }
                if let holder = try TagRepository.holder(of: number, in: context.sql) {
                    throw Problem.invalid(
                        "number", holder == resident.personId ? "residence.tagKnown" : "residence.tagTaken")
                }
                return try insert(.reader, number, for: resident, &context)
            },
            .handle(ReportTag.self) { command, context in
                let (resident, tag) = try tag(
                    command.tagId, of: command.studentId, command.pgId, context)
                guard (tag.lostAt != nil) != command.isLost else { return tag }
                let lostAt = command.isLost ? context.now : nil
                try TagRepository.setLost(tag.id, at: lostAt, in: context.sql)
                record(command.isLost ? "residence.tagLost" : "residence.tagFound", resident, &context)
                context.feedback = Feedback(
                    .toast,
                    context.words(command.isLost ? "residence.said.tagLost" : "residence.said.tagFound"))
                return PersonalTag(
                    id: tag.id, studentId: tag.studentId, kind: tag.kind, createdAt: tag.createdAt, lostAt: lostAt)
            },
            .handle(RevokeTag.self) { command, context in
                let (resident, tag) = try tag(
                    command.tagId, of: command.studentId, command.pgId, context)
                try TagRepository.revoke(tag.id, at: context.now, in: context.sql)
                record("residence.tagRevoked", resident, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.tagRevoked"))
                return Done()
            },
            .handle(MakeBadges.self) { command, context in
                let residence = try ResidenceAccess.residence(
                    command.pgId, runBy: context.membership, in: context.sql)
                let all = try ResidentRepository.residents(
                    of: residence.id, statuses: [.active, .inactive], in: context.sql
                ).map(\.resident)
                let known = try TagRepository.tags(of: all.map(\.personId), in: context.sql)
                for resident in all
                where known[resident.personId]?.contains(where: { $0.tag.kind == .badge }) != true {
                    _ = try make(.badge, for: resident, &context)
                }
                context.feedback = Feedback(.toast, context.words("residence.said.badges"))
                return Done()
            },
            .handle(MakeOwnCode.self) { _, context in
                let resident = try Self.own(context)
                let tag = try make(.phone, for: resident, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.code"))
                return tag
            },
            .handle(AllowLocation.self) { command, context in
                var resident = try Self.own(context)
                guard resident.allowsLocation != command.isAllowed else { return Done() }
                resident.allowsLocation = command.isAllowed
                try ResidentRepository.save(resident, at: context.now, in: context.sql)
                record("residence.locationChosen", resident, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.residentSaved"))
                return Done()
            },
        ]
    }

    /// The caller as a resident.
    private static func own(_ context: CommandContext) throws -> Resident {
        guard let resident = try ResidentRepository.resident(context.membership.personId, in: context.sql),
            resident.status != .movedOut
        else { throw Problem(404, "residence.studentNotFound") }
        return resident
    }

    private func tag(
        _ id: UUID, of studentId: UUID, _ pgId: UUID, _ context: CommandContext
    ) throws -> (Resident, PersonalTag) {
        let resident = try residents.resident(studentId, pgId, context.membership, in: context.sql)
        guard let tag = try TagRepository.tag(id, of: resident.personId, in: context.sql) else {
            throw Problem.notFound
        }
        return (resident, tag)
    }

    /// Makes a tag with a random code. A resident has one badge and one code on the phone; the one before is revoked.
    private func make(
        _ kind: PersonalTag.Kind, for resident: Resident, _ context: inout CommandContext
    ) throws -> PersonalTag {
        try TagRepository.revokeAll(of: resident.personId, kind, at: context.now, in: context.sql)
        return try insert(
            kind, ShortCode.make(length: TagCode.length, context.ids), for: resident, &context)
    }

    private func insert(
        _ kind: PersonalTag.Kind, _ code: String, for resident: Resident, _ context: inout CommandContext
    ) throws -> PersonalTag {
        let tag = PersonalTag(
            id: context.newId(), studentId: resident.personId, kind: kind, createdAt: context.now)
        try TagRepository.insert(tag, code: code, createdBy: context.membership.personId, in: context.sql)
        record("residence.tagAdded", resident, &context)
        context.feedback = Feedback(.toast, context.words("residence.said.tagAdded"))
        return tag
    }

    private func record(_ kind: String, _ resident: Resident, _ context: inout CommandContext) {
        context.record(
            Change(
                kind,
                topics: [ResidenceTopic.residence(resident.pgId), ResidenceTopic.pass(of: resident.personId)],
                audience: [.wardens(of: resident.pgId), .person(resident.personId)]
                    + Audience.roles(Permission.manageResidences.roles),
                payload: ["residence": resident.pgId.text, "student": resident.personId.text]))
    }
}
