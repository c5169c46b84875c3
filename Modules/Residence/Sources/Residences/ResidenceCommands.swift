import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

struct ListResidences: Query {
    static let contract = Contract(
        "residence.list", "/api/v1/residences", access: .member(.runResidence),
        summary: "The residences that the caller runs, by name; for administrators all.")
    typealias Result = Page<Residence>

    init(_ fields: inout FieldReader) {}
}

struct ReadOwnResidence: Query {
    static let contract = Contract(
        "residence.own", "/api/v1/residence", access: .member(.liveInResidence),
        summary: "The residence where the caller lives; 404 for a student who lives in none.")
    typealias Result = Residence

    init(_ fields: inout FieldReader) {}
}

struct CreateResidence: Command {
    static let contract = Contract(
        "residence.create", "/api/v1/residences", access: .member(.manageResidences), isCreation: true,
        summary: "Creates a residence.")
    typealias Result = Residence

    let draft: ResidenceDraft

    init(_ fields: inout FieldReader) { draft = ResidenceDraft(&fields) }
}

struct UpdateResidence: Command {
    static let contract = Contract(
        "residence.update", "/api/v1/residences/{pgId}", access: .member(.manageResidences), replay: .natural,
        summary:
            "Changes a residence's name, curfews, staff and whether passages may carry a place. Refused with 409 if a version is given and someone has changed the residence since."
    )
    typealias Result = Residence

    let pgId: UUID
    let draft: ResidenceDraft
    /// The version that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        draft = ResidenceDraft(&fields)
        version = fields.contentVersion()
    }
}

struct DeleteResidence: Command {
    static let contract = Contract(
        "residence.delete", "/api/v1/residences/{pgId}/delete", access: .member(.manageResidences),
        summary: "Deletes a residence in which nobody has ever lived.")
    typealias Result = Done

    let pgId: UUID

    init(_ fields: inout FieldReader) { pgId = fields.id("pgId") }
}

/// The fields of a residence's form.
struct ResidenceDraft: Sendable, Hashable {
    let name: String
    let schoolNightCurfew: ClockTime
    let weekendCurfew: ClockTime
    let recordsLocation: Bool
    let tellsParents: Bool
    let wardenIds: [UUID]
    let kitchenIds: [UUID]

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 80)
        schoolNightCurfew = fields.clockTime("schoolNightCurfew")
        weekendCurfew = fields.clockTime("weekendCurfew")
        recordsLocation = fields.flag("recordsLocation")
        tellsParents = fields.flag("tellsParents")
        wardenIds = fields.ids("wardenIds", max: 50)
        kitchenIds = fields.ids("kitchenIds", max: 50)
    }
}

extension Residence {
    /// The version of the fields that the form of a residence edits, with the ids of its staff.
    func version(wardens: [UUID], kitchen: [UUID]) -> ContentVersion {
        ContentVersion(
            [
                name, schoolNightCurfew.description, weekendCurfew.description, String(recordsLocation),
                String(tellsParents),
            ] + wardens.map(\.text).sorted() + ["kitchen"] + kitchen.map(\.text).sorted())
    }
}

/// The commands and queries of residences.
struct ResidenceHandlers: Sendable {
    /// The most residences of a school.
    static let limit = 200

    let roles: any RoleDirectory

    var queries: [QueryRegistration] {
        [
            .handle(ListResidences.self) { _, context in
                let membership = try context.membership
                return try await context.school.read {
                    Page(items: try ResidenceAccess.run(by: membership, in: $0), next: nil)
                }
            },
            .handle(ReadOwnResidence.self) { _, context in
                let personId = try context.membership.personId
                return try await context.school.read { sql in
                    guard let resident = try ResidentRepository.resident(personId, in: sql),
                        resident.status != .movedOut,
                        let own = try ResidenceRepository.residences("id = \(resident.pgId)", in: sql).first
                    else { throw Problem(404, "residence.livesElsewhere") }
                    return own
                }
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                CreateResidence.self, prepare: { try await staff($0.draft, $1) },
                run: { command, _, context in
                    guard try ResidenceRepository.count(in: context.sql) < Self.limit else {
                        throw Problem(409, "residence.tooMany", [.number(Self.limit)])
                    }
                    let residence = residence(context.newId(), command.draft)
                    try save(residence, command.draft, as: "residence.created", &context)
                    context.feedback = Feedback(.burst, context.words("residence.said.created", residence.name))
                    context.destination = ResidenceScreens.path(residence.id)
                    return residence
                }),
            .handle(
                UpdateResidence.self, prepare: { try await staff($0.draft, $1) },
                run: { command, _, context in
                    let former = try ResidenceAccess.residence(
                        command.pgId, runBy: context.membership, in: context.sql)
                    let residence = residence(command.pgId, command.draft)
                    let stored = former.version(
                        wardens: try ResidenceRepository.staff(of: former.id, as: .warden, in: context.sql),
                        kitchen: try ResidenceRepository.staff(of: former.id, as: .kitchen, in: context.sql))
                    // A repeated save changes nothing and is accepted.
                    if stored
                        != residence.version(wardens: command.draft.wardenIds, kitchen: command.draft.kitchenIds)
                    {
                        try stored.check(command.version, "residence.changed")
                    }
                    try save(residence, command.draft, as: "residence.updated", &context)
                    context.feedback = Feedback(.toast, context.words("residence.said.saved", residence.name))
                    return residence
                }),
            .handle(DeleteResidence.self) { command, context in
                let residence = try ResidenceAccess.residence(
                    command.pgId, runBy: context.membership, in: context.sql)
                guard try !StayRepository.hasAny(in: residence.id, context.sql) else {
                    throw Problem(409, "residence.inUse", [.text(residence.name)])
                }
                try ResidenceRepository.delete(residence.id, in: context.sql)
                record("residence.deleted", residence.id, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.deleted", residence.name))
                context.destination = ResidenceScreens.list
                return Done()
            },
        ]
    }

    /// Checks that the chosen people work for the school.
    private func staff(_ draft: ResidenceDraft, _ context: RequestContext) async throws {
        let held = try await roles.roles(
            of: draft.wardenIds + draft.kitchenIds, in: context.membership.organization.id)
        let mayRun = Permission.runResidence
        guard draft.wardenIds.allSatisfy({ held[$0].map(mayRun.isGiven) ?? false }) else {
            throw Problem.invalid("wardenIds", "residence.noWarden")
        }
        guard draft.kitchenIds.allSatisfy({ held[$0]?.contains(where: \.isStaff) ?? false }) else {
            throw Problem.invalid("kitchenIds", "residence.noStaff")
        }
    }

    private func residence(_ id: UUID, _ draft: ResidenceDraft) -> Residence {
        Residence(
            id: id, name: draft.name, schoolNightCurfew: draft.schoolNightCurfew,
            weekendCurfew: draft.weekendCurfew,
            recordsLocation: draft.recordsLocation, tellsParents: draft.tellsParents)
    }

    private func save(
        _ residence: Residence, _ draft: ResidenceDraft, as kind: String, _ context: inout CommandContext
    ) throws {
        try ResidenceRepository.save(residence, at: context.now, in: context.sql)
        try ResidenceRepository.setStaff(draft.wardenIds, of: residence.id, as: .warden, in: context.sql)
        try ResidenceRepository.setStaff(draft.kitchenIds, of: residence.id, as: .kitchen, in: context.sql)
        record(kind, residence.id, &context)
    }

    private func record(_ kind: String, _ id: UUID, _ context: inout CommandContext) {
        context.record(
            Change(
                kind, topics: [ResidenceTopic.list, ResidenceTopic.residence(id)],
                audience: [.wardens(of: id)] + Audience.roles(Permission.manageResidences.roles),
                payload: ["residence": id.text], reshapesAudience: true))
    }
}
