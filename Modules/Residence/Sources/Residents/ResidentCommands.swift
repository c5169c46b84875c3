import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

struct ListResidents: Query {
    static let contract = Contract(
        "residence.students", "/api/v1/residences/{pgId}/students", access: .member(.runResidence),
        summary: "The residents of a residence by name, of one status or all, at most 500 at a time.")
    typealias Result = Page<ResidenceMember>

    /// The id of the residence.
    let pgId: UUID
    let status: StudentStatus?
    let limit: Int
    /// The number of residents that were read before.
    let after: Int

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        let text = fields.optionalText("status", max: 20)
        let status = StudentStatus.allCases.first { $0.rawValue.lowercased() == text?.lowercased() }
        fields.refuse("status", "residence.status", unless: text == nil || status != nil)
        self.status = status
        limit = fields.integer("limit", in: 1...500, default: 100)
        after = fields.integer("after", in: 0...1_000_000, default: 0)
    }
}

struct ReadResident: Query {
    static let contract = Contract(
        "residence.student", "/api/v1/residences/{pgId}/students/{studentId}", access: .member(.runResidence),
        summary: "One resident.")
    typealias Result = ResidenceMember

    let pgId: UUID
    let studentId: UUID

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
    }
}

struct MoveIn: Command {
    static let contract = Contract(
        "residence.moveIn", "/api/v1/residences/{pgId}/students", access: .member(.runResidence), isCreation: true,
        summary: "Brings a person of the school into a residence, with or without a room.")
    typealias Result = ResidenceMember

    let pgId: UUID
    let studentId: UUID
    let roomId: UUID?
    /// The first day; today if it is absent.
    let firstDay: Day?
    let phone: String?
    let isOfAge: Bool

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        roomId = fields.optionalId("roomId")
        firstDay = fields.optionalDay("firstDay")
        phone = fields.optionalText("phone", max: 40)
        isOfAge = fields.flag("isOfAge")
    }
}

struct AssignRoom: Command {
    static let contract = Contract(
        "residence.assignRoom", "/api/v1/residences/{pgId}/students/{studentId}/room",
        access: .member(.runResidence), replay: .natural,
        summary: "Moves a resident to another room today, or out of any room.")
    typealias Result = ResidenceMember

    let pgId: UUID
    let studentId: UUID
    let roomId: UUID?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        roomId = fields.optionalId("roomId")
    }
}

struct UpdateResident: Command {
    static let contract = Contract(
        "residence.updateStudent", "/api/v1/residences/{pgId}/students/{studentId}",
        access: .member(.runResidence), replay: .natural,
        summary: """
            Changes a resident's phone, whether they are of age, and whether they are away for longer. Refused with 409 \
            if a version is given and someone has changed them since.
            """)
    typealias Result = ResidenceMember

    let pgId: UUID
    let studentId: UUID
    let phone: String?
    let isOfAge: Bool
    let isInactive: Bool
    /// The version of the resident that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        phone = fields.optionalText("phone", max: 40)
        isOfAge = fields.flag("isOfAge")
        isInactive = fields.flag("isInactive")
        version = fields.contentVersion()
    }
}

extension Resident {
    /// The version of the fields that the form of a resident edits.
    var version: ContentVersion {
        ContentVersion([phone, String(isOfAge), String(status == .inactive)])
    }
}

struct MoveOut: Command {
    static let contract = Contract(
        "residence.moveOut", "/api/v1/residences/{pgId}/students/{studentId}/move-out",
        access: .member(.runResidence),
        summary: "Ends a resident's stay on a day, today if none is given; the bed is free on that day.")
    typealias Result = Done

    let pgId: UUID
    let studentId: UUID
    let leftOn: Day?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        studentId = fields.id("studentId")
        leftOn = fields.optionalDay("leftOn")
    }
}

/// The commands and queries of residents.
struct ResidentHandlers: Sendable {
    let people: any PeopleService

    var queries: [QueryRegistration] {
        [
            .handle(ListResidents.self) { query, context in
                let (membership, today) = (try context.membership, context.today)
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    let all = try members(
                        of: residence.id, statuses: query.status.map { [$0] } ?? StudentStatus.allCases, on: today,
                        in: sql)
                    let shown = all.dropFirst(query.after).prefix(query.limit)
                    let next = query.after + shown.count
                    return Page(items: Array(shown), next: next < all.count ? String(next) : nil)
                }
            },
            .handle(ReadResident.self) { query, context in
                let (membership, today) = (try context.membership, context.today)
                return try await context.school.read { sql in
                    let resident = try resident(query.studentId, query.pgId, membership, in: sql)
                    return try member(resident, on: today, in: sql)
                }
            },
        ]
    }

    /// The residents of a residence as the API has them, by name.
    func members(
        of residenceId: UUID, statuses: [StudentStatus], on day: Day, in sql: any SQLReading
    ) throws -> [ResidenceMember] {
        let rooms = try StayRepository.stays(of: residenceId, on: day, in: sql)
            .reduce(into: [UUID: UUID]()) { $0[$1.studentId] = $1.roomId }
        return try ResidentRepository.residents(of: residenceId, statuses: statuses, in: sql).map {
            ResidenceMember(
                id: $0.resident.personId, pgId: residenceId, name: $0.person.display, email: $0.email,
                phone: $0.resident.phone, roomId: rooms[$0.resident.personId], status: $0.resident.status)
        }
    }

    private func member(_ resident: Resident, on day: Day, in sql: any SQLReading) throws -> ResidenceMember {
        let found = try members(of: resident.pgId, statuses: StudentStatus.allCases, on: day, in: sql)
            .first { $0.id == resident.personId }
        guard let found else { throw Problem(404, "residence.studentNotFound") }
        return found
    }

    /// A resident of a residence that the caller runs.
    func resident(
        _ id: UUID, _ pgId: UUID, _ membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Resident {
        let residence = try ResidenceAccess.residence(pgId, runBy: membership, in: sql)
        guard let resident = try ResidentRepository.resident(id, in: sql), resident.pgId == residence.id else {
            throw Problem(404, "residence.studentNotFound")
        }
        return resident
    }

    var commands: [CommandRegistration] {
        [
            .handle(MoveIn.self) { command, context in
                let membership = try context.membership
                let residence = try ResidenceAccess.residence(command.pgId, runBy: membership, in: context.sql)
                let found = try people.people([command.studentId], of: membership.organization.id, in: context.sql)
                guard let person = found[command.studentId] else { throw Problem(404, "residence.studentNotFound") }
                try context.checkNear(command.firstDay, "firstDay", years: 2)
                if let open = try StayRepository.open(of: person.id, in: context.sql) {
                    let there = try ResidenceRepository.residences("id = \(open.pgId)", in: context.sql).first
                    throw Problem(
                        409, "residence.livesElsewhere", [.text(person.name.display), .text(there?.name ?? "")])
                }
                let day = command.firstDay ?? context.today
                guard
                    try StayRepository.history(of: person.id, in: context.sql).allSatisfy({
                        $0.leftOn.map { $0 <= day } ?? false
                    })
                else { throw Problem.invalid("firstDay", "residence.stayOverlaps") }
                let room = try command.roomId.map {
                    try RoomHandlers.room($0, residence.id, membership, on: context.today, in: context.sql)
                }
                try RoomMove.begin(
                    ResidenceStay(
                        id: context.newId(), pgId: residence.id, studentId: person.id, roomId: room?.id,
                        firstDay: day),
                    in: room, context)
                let resident = Resident(
                    personId: person.id, pgId: residence.id, status: .active, phone: command.phone,
                    isOfAge: command.isOfAge, allowsLocation: false)
                try ResidentRepository.save(resident, at: context.now, in: context.sql)
                record("residence.movedIn", resident, &context)
                context.feedback = Feedback(
                    .burst, context.words("residence.said.movedIn", person.name.display, residence.name))
                return try member(resident, on: context.today, in: context.sql)
            },
            .handle(AssignRoom.self) { command, context in
                let membership = try context.membership
                let resident = try resident(command.studentId, command.pgId, membership, in: context.sql)
                guard let stay = try StayRepository.open(of: resident.personId, in: context.sql) else {
                    throw Problem(409, "residence.movedOut")
                }
                let room = try command.roomId.map {
                    try RoomHandlers.room($0, resident.pgId, membership, on: context.today, in: context.sql)
                }
                if stay.roomId != room?.id {
                    try RoomMove.move(stay, to: room, &context)
                    record("residence.roomAssigned", resident, room: room?.id, &context)
                }
                context.feedback = Feedback(
                    .toast,
                    room.map { context.words("residence.said.assigned", $0.number) }
                        ?? context.words("residence.said.unassigned"))
                return try member(resident, on: context.today, in: context.sql)
            },
            .handle(UpdateResident.self) { command, context in
                var resident = try resident(
                    command.studentId, command.pgId, context.membership, in: context.sql)
                guard resident.status != .movedOut else { throw Problem(409, "residence.movedOut") }
                try resident.version.check(command.version)
                resident.phone = command.phone
                resident.isOfAge = command.isOfAge
                resident.status = command.isInactive ? .inactive : .active
                try ResidentRepository.save(resident, at: context.now, in: context.sql)
                record("residence.studentUpdated", resident, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.residentSaved"))
                return try member(resident, on: context.today, in: context.sql)
            },
            .handle(MoveOut.self) { command, context in
                var resident = try resident(
                    command.studentId, command.pgId, context.membership, in: context.sql)
                guard let stay = try StayRepository.open(of: resident.personId, in: context.sql) else {
                    throw Problem(409, "residence.movedOut")
                }
                let day = command.leftOn ?? context.today
                guard day <= context.today else { throw Problem.invalid("leftOn", "residence.leftInFuture") }
                try StayRepository.end(stay, on: day, in: context.sql)
                resident.status = .movedOut
                try TagRepository.revokeAll(of: resident.personId, at: context.now, in: context.sql)
                try ResidentRepository.save(resident, at: context.now, in: context.sql)
                record("residence.movedOut", resident, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.movedOut"))
                return Done()
            },
        ]
    }

    private func record(
        _ kind: String, _ resident: Resident, room: UUID? = nil, _ context: inout CommandContext
    ) {
        var payload = ["residence": resident.pgId.text, "student": resident.personId.text]
        payload["room"] = room?.text
        context.record(
            Change(
                kind, topics: [ResidenceTopic.residence(resident.pgId)],
                audience: [.wardens(of: resident.pgId), .person(resident.personId)]
                    + Audience.roles(Permission.manageResidences.roles),
                payload: payload, reshapesAudience: kind == "residence.movedIn" || kind == "residence.movedOut"))
    }
}
