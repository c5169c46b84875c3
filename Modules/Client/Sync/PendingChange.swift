import Foundation
import MessagingModel
import ResidenceModel

/// A thing that changes in order: two changes that name the same one are sent one after the other.
struct EntityKey: Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable { case room, student, message, conversation, leave, meal, page }
    let kind: Kind
    let id: UUID

    init(_ kind: Kind, _ id: UUID) {
        self.kind = kind
        self.id = id
    }
}

/// A room that was added on this device.
struct RoomCreation: Codable, Sendable, Hashable {
    /// The id until the server gives one.
    let temporaryId: UUID
    let pgId: UUID
    let number: String
    let type: String
    let bedCount: Int
    let details: String?
    /// The room before it in the order at that time.
    let after: UUID?
    let at: Date
}

/// Changed fields of a room.
struct RoomUpdate: Codable, Sendable, Hashable {
    struct Fields: Codable, Sendable, Hashable {
        var number: String?
        var type: String?
        var bedCount: Int?
        var details: String?
    }
    let pgId: UUID
    var roomId: UUID
    let fields: Fields
    /// The values that the fields had when the person changed them.
    let former: Fields
    let at: Date
}

struct RoomDeletion: Codable, Sendable, Hashable {
    let pgId: UUID
    var roomId: UUID
    /// The room to which the residents move.
    var moveTo: UUID?
    /// The residents of the room at that time.
    let studentIds: [UUID]
    /// The number on the door.
    let number: String
}

/// A move of a resident to another room, or out of any.
struct RoomAssignment: Codable, Sendable, Hashable {
    let pgId: UUID
    let studentId: UUID
    let name: String
    var roomId: UUID?
    /// The room before.
    var former: UUID?
}

struct PassageEntry: Codable, Sendable, Hashable {
    let record: CheckInOutRecord
    /// Whether the resident recorded it, not a warden or gate.
    let isOwn: Bool
}

/// A passage through the door that this device has recorded as a gate.
struct GatePassageEntry: Codable, Sendable, Hashable {
    /// The id of the passage, which is also the entry's.
    let id: UUID
    let studentId: UUID
    let name: String
    let type: RecordType
    let method: CheckInMethod
    let tagId: UUID
    /// The server's time, as far as the gate knew it.
    let at: Date
    /// The reading of the counting clock, for a passage whose time was not sure.
    let reading: ServerClock.Reading?
}

struct OutgoingMessage: Codable, Sendable, Hashable {
    let id: UUID
    let conversationId: UUID
    let senderId: UUID
    let text: String
    let replyTo: UUID?
    let at: Date
}

struct ConversationReading: Codable, Sendable, Hashable {
    let conversationId: UUID
    /// The number of the last read message.
    let through: Int
}

struct MessageDeletion: Codable, Sendable, Hashable {
    let conversationId: UUID
    let messageId: UUID
    let text: String
}

struct LeaveDecision: Codable, Sendable, Hashable {
    let pgId: UUID
    let leaveId: UUID
    let approves: Bool
    let note: String?
    let by: UUID
    let at: Date
}

struct MealChoosing: Codable, Sendable, Hashable {
    let pgId: UUID
    let mealId: UUID
    let choice: MealChoice
    /// The time of the choice by this device's clock; `nil` in entries of earlier versions.
    let at: Date?
}

/// A change that the person made and the server has not answered yet.
enum PendingChange: Codable, Sendable, Hashable {
    case createRoom(RoomCreation)
    case updateRoom(RoomUpdate)
    case deleteRoom(RoomDeletion)
    case assignRoom(RoomAssignment)
    case passage(PassageEntry)
    case gatePassage(GatePassageEntry)
    case sendMessage(OutgoingMessage)
    case readConversation(ConversationReading)
    case deleteMessage(MessageDeletion)
    case decideLeave(LeaveDecision)
    case chooseMeal(MealChoosing)
    case page(PageCommand)

    /// What the change needs in order. It is sent once no earlier change names any of it.
    var entities: [EntityKey] {
        switch self {
        case .createRoom(let change): [EntityKey(.room, change.temporaryId)]
        case .updateRoom(let change): [EntityKey(.room, change.roomId)]
        case .deleteRoom(let change):
            ([change.roomId] + (change.moveTo.map { [$0] } ?? [])).map { EntityKey(.room, $0) }
                + change.studentIds.map { EntityKey(.student, $0) }
        case .assignRoom(let change):
            [EntityKey(.student, change.studentId)]
                + [change.roomId, change.former].compactMap { $0 }.map { EntityKey(.room, $0) }
        case .passage(let change): [EntityKey(.student, change.record.studentId)]
        case .gatePassage(let change): [EntityKey(.student, change.studentId)]
        case .sendMessage(let change):
            [EntityKey(.conversation, change.conversationId), EntityKey(.message, change.id)]
        case .readConversation(let change): [EntityKey(.conversation, change.conversationId)]
        case .deleteMessage(let change):
            [EntityKey(.message, change.messageId), EntityKey(.conversation, change.conversationId)]
        case .decideLeave(let change): [EntityKey(.leave, change.leaveId)]
        case .chooseMeal(let change): [EntityKey(.meal, change.mealId)]
        // What a command is about is not known here, so all of them are sent in order.
        case .page: [EntityKey(.page, PageCommand.queue)]
        }
    }

    /// The id that only this device knows until the server has answered.
    var temporaryId: UUID? {
        switch self {
        case .createRoom(let change): change.temporaryId
        case .sendMessage(let change): change.id
        default: nil
        }
    }

    /// The record that shows the state of the change.
    var recordId: UUID {
        switch self {
        case .createRoom(let change): change.temporaryId
        case .updateRoom(let change): change.roomId
        case .deleteRoom(let change): change.roomId
        case .assignRoom(let change): change.studentId
        case .passage(let change): change.record.id
        case .gatePassage(let change): change.id
        case .sendMessage(let change): change.id
        case .readConversation(let change): change.conversationId
        case .deleteMessage(let change): change.messageId
        case .decideLeave(let change): change.leaveId
        case .chooseMeal(let change): change.mealId
        case .page(let change): change.id
        }
    }

    /// Returns the change with the server's id in the place of a temporary one.
    func replacing(_ temporary: UUID, by real: UUID) -> PendingChange {
        func swapped(_ id: UUID?) -> UUID? { id == temporary ? real : id }
        switch self {
        case .updateRoom(var change):
            if change.roomId == temporary { change.roomId = real }
            return .updateRoom(change)
        case .deleteRoom(var change):
            if change.roomId == temporary { change.roomId = real }
            change.moveTo = swapped(change.moveTo)
            return .deleteRoom(change)
        case .assignRoom(var change):
            change.roomId = swapped(change.roomId)
            change.former = swapped(change.former)
            return .assignRoom(change)
        case .createRoom(let change):
            guard change.after == temporary else { return self }
            return .createRoom(
                RoomCreation(
                    temporaryId: change.temporaryId, pgId: change.pgId, number: change.number, type: change.type,
                    bedCount: change.bedCount, details: change.details, after: real, at: change.at))
        default: return self
        }
    }

    /// The files that wait with the change.
    var files: [WaitingFile] { if case .page(let command) = self { command.files ?? [] } else { [] } }

    /// The person's own words and numbers in the change, by field, so that they can be used again after a refusal.
    var localText: [String: String] {
        switch self {
        case .createRoom(let change):
            ["number": change.number, "type": change.type, "bedCount": String(change.bedCount)]
                .merging(change.details.map { ["details": $0] } ?? [:]) { $1 }
        case .updateRoom(let change): change.fields.texts
        case .deleteRoom(let change): ["number": change.number]
        case .assignRoom(let change): ["name": change.name]
        case .gatePassage(let change): ["name": change.name]
        case .sendMessage(let change): ["text": change.text]
        case .deleteMessage(let change): ["text": change.text]
        case .decideLeave(let change): change.note.map { ["note": $0] } ?? [:]
        case .page(let command): command.texts
        case .passage, .readConversation, .chooseMeal: [:]
        }
    }
}

extension RoomUpdate.Fields {
    /// The given fields as texts.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        texts["number"] = number
        texts["type"] = type
        texts["bedCount"] = bedCount.map(String.init)
        texts["details"] = details
        return texts
    }

    /// The fields of a room that are given here.
    func values(in room: Room) -> RoomUpdate.Fields {
        RoomUpdate.Fields(
            number: number.map { _ in room.number }, type: type.map { _ in room.type },
            bedCount: bedCount.map { _ in room.bedCount }, details: details.map { _ in room.details ?? "" })
    }
}

/// The server's answer to a change.
enum ChangeAnswer: Sendable {
    case room(Room)
    case student(StudentDto)
    case record(CheckInOutRecord)
    case message(ChatMessage)
    case leave(Leave)
    case meal(ResidentMeal)
    case page(PageCommandAnswer)
    case done
}

/// A change in the queue of what is to be sent.
struct OutboxEntry: Codable, Sendable, Hashable, Identifiable {
    /// The id, which is also the `Idempotency-Key` of the request.
    let id: UUID
    /// The place in the queue.
    let place: Int64
    var change: PendingChange
    let createdAt: Date
    /// The number of attempts that failed.
    var attempts = 0
    /// The reason of the last failed attempt.
    var failure: String?
    /// The time before which it is not sent again.
    var notBefore: Date?
}
