import Domain
import FeatureKit
import Foundation
import ResidenceModel

struct ListRooms: Query {
    static let contract = Contract(
        "residence.rooms", "/api/v1/residences/{pgId}/rooms", access: .member(.runResidence),
        summary: "The rooms of a residence in the order of their numbers, with how many beds are taken today.")
    typealias Result = Page<RoomListItem>

    let pgId: UUID

    init(_ fields: inout FieldReader) { pgId = fields.id("pgId") }
}

struct ReadRoom: Query {
    static let contract = Contract(
        "residence.room", "/api/v1/residences/{pgId}/rooms/{roomId}", access: .member(.runResidence),
        summary: "One room, with who lives there today.")
    typealias Result = Room

    let pgId: UUID
    let roomId: UUID

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        roomId = fields.id("roomId")
    }
}

struct CreateRoom: Command {
    static let contract = Contract(
        "residence.createRoom", "/api/v1/residences/{pgId}/rooms", access: .member(.runResidence), isCreation: true,
        summary: "Adds a room to a residence.")
    typealias Result = Room

    let pgId: UUID
    let number: String
    let type: String
    let bedCount: Int
    let details: String?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        number = fields.text("number", max: 20)
        type = fields.text("type", max: 40)
        bedCount = fields.integer("bedCount", in: RoomHandlers.beds, default: 1)
        details = fields.optionalText("details", max: 500, multiline: true)
    }
}

struct UpdateRoom: Command {
    static let contract = Contract(
        "residence.updateRoom", "/api/v1/residences/{pgId}/rooms/{roomId}", access: .member(.runResidence),
        replay: .natural,
        summary: """
            Changes the given fields of a room. With whole=true, as a form sends it, missing details are removed. \
            Refused with 409 if a version is given and someone has changed the room since.
            """)
    typealias Result = Room

    let pgId: UUID
    let roomId: UUID
    let number: String?
    let type: String?
    let bedCount: Int?
    let details: String?
    let isWhole: Bool
    /// The `Room.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        roomId = fields.id("roomId")
        number = fields.optionalText("number", max: 20)
        type = fields.optionalText("type", max: 40)
        let beds = fields.integer("bedCount", in: RoomHandlers.beds, default: 0)
        bedCount = beds == 0 ? nil : beds
        details = fields.optionalText("details", max: 500, multiline: true)
        isWhole = fields.flag("whole")
        version = fields.contentVersion()
    }
}

struct DeleteRoom: Command {
    static let contract = Contract(
        "residence.deleteRoom", "/api/v1/residences/{pgId}/rooms/{roomId}/delete", access: .member(.runResidence),
        summary:
            "Deletes a room. Its residents move to the room moveTo in the same step; without one it must be empty.")
    typealias Result = Done

    let pgId: UUID
    let roomId: UUID
    let moveTo: UUID?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        roomId = fields.id("roomId")
        moveTo = fields.optionalId("moveTo")
    }
}

extension Room {
    /// The version of the fields that the form of a room edits.
    var version: ContentVersion { ContentVersion([number, type, String(bedCount), details]) }
}

/// The commands and queries of rooms.
struct RoomHandlers: Sendable {
    /// How many beds a room may have.
    static let beds = 1...50
    /// The most rooms of a residence.
    static let limit = 2_000

    var queries: [QueryRegistration] {
        [
            .handle(ListRooms.self) { query, context in
                let (membership, today) = (try context.membership, context.today)
                return try await context.school.read { sql in
                    let residence = try ResidenceAccess.residence(query.pgId, runBy: membership, in: sql)
                    let rooms = try RoomRepository.rooms(of: residence.id, on: today, in: sql)
                    return Page(items: rooms.map(RoomListItem.init), next: nil)
                }
            },
            .handle(ReadRoom.self) { query, context in
                let (membership, today) = (try context.membership, context.today)
                return try await context.school.read { sql in
                    try Self.room(query.roomId, query.pgId, membership, on: today, in: sql)
                }
            },
        ]
    }

    /// A room of a residence that the caller runs.
    static func room(
        _ id: UUID, _ pgId: UUID, _ membership: ActiveMembership, on day: Day, in sql: any SQLReading
    ) throws -> Room {
        let residence = try ResidenceAccess.residence(pgId, runBy: membership, in: sql)
        guard let room = try RoomRepository.room(id, of: residence.id, on: day, in: sql) else {
            throw Problem(404, "residence.roomNotFound")
        }
        return room
    }

    var commands: [CommandRegistration] {
        [
            .handle(CreateRoom.self) { command, context in
                let residence = try ResidenceAccess.residence(
                    command.pgId, runBy: context.membership, in: context.sql)
                guard try RoomRepository.count(of: residence.id, in: context.sql) < Self.limit else {
                    throw Problem(409, "residence.tooManyRooms", [.number(Self.limit)])
                }
                try checkNumber(command.number, residence.id, otherThan: nil, in: context.sql)
                let room = Room(
                    id: context.newId(), pgId: residence.id, number: command.number, type: command.type,
                    bedCount: command.bedCount, details: command.details, createdAt: context.now,
                    updatedAt: context.now)
                try RoomRepository.save(room, in: context.sql)
                record("residence.roomCreated", room, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.roomCreated", room.number))
                return room
            },
            .handle(UpdateRoom.self) { command, context in
                let former = try Self.room(
                    command.roomId, command.pgId, context.membership, on: context.today, in: context.sql)
                var room = former.withUpdates(
                    number: command.number, type: command.type, bedCount: command.bedCount,
                    details: command.details,
                    at: context.now)
                if command.isWhole { room.details = command.details }
                // A repeated save changes nothing and is accepted.
                if room.version != former.version {
                    try former.version.check(command.version, "residence.roomChanged")
                }
                if let number = command.number {
                    try checkNumber(number, room.pgId, otherThan: room.id, in: context.sql)
                }
                let taken = try StayRepository.mostResidents(ofRoom: room.id, from: context.today, in: context.sql)
                guard room.bedCount >= taken else {
                    throw Problem.invalid("bedCount", "residence.bedsTaken", [.number(taken)])
                }
                try RoomRepository.save(room, in: context.sql)
                record("residence.roomUpdated", room, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.roomSaved", room.number))
                return room
            },
            .handle(DeleteRoom.self) { command, context in
                let room = try Self.room(
                    command.roomId, command.pgId, context.membership, on: context.today, in: context.sql)
                let stays = try StayRepository.stays(ofRoom: room.id, from: context.today, in: context.sql)
                if !stays.isEmpty {
                    guard let moveTo = command.moveTo, moveTo != room.id else {
                        throw Problem(409, "residence.roomOccupied", [.text(room.number), .number(stays.count)])
                    }
                    let target = try Self.room(
                        moveTo, command.pgId, context.membership, on: context.today, in: context.sql)
                    for stay in stays { try RoomMove.move(stay, to: target, &context) }
                }
                try RoomRepository.delete(room.id, in: context.sql)
                record("residence.roomDeleted", room, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.roomDeleted", room.number))
                context.destination = ResidenceScreens.rooms(room.pgId)
                return Done()
            },
        ]
    }

    private func checkNumber(
        _ number: String, _ residenceId: UUID, otherThan id: UUID?, in sql: any SQLReading
    ) throws {
        if let holder = try RoomRepository.holder(ofNumber: number, in: residenceId, sql), holder != id {
            throw Problem.invalid("number", "residence.numberTaken", [.text(number)])
        }
    }

    private func record(_ kind: String, _ room: Room, _ context: inout CommandContext) {
        context.record(
            Change(
                kind, topics: [ResidenceTopic.residence(room.pgId)],
                audience: [.wardens(of: room.pgId)] + Audience.roles(Permission.manageResidences.roles),
                payload: ["residence": room.pgId.text, "room": room.id.text]))
    }
}

extension RoomListItem {
    init(_ room: Room) {
        self.init(
            id: room.id, number: room.number, type: room.type, bedCount: room.bedCount,
            occupiedBeds: room.occupiedBeds, createdAt: room.createdAt, updatedAt: room.updatedAt)
    }
}
