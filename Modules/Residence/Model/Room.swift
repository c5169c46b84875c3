public import Foundation

/// A room of a residence, with its beds (PG-5.01).
public struct Room: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    /// The id of the residence; the requirement ledger calls it `pgId`.
    public let pgId: UUID
    /// The text on the room's door. It is unique in a residence, and not always a number.
    public var number: String
    /// The type of the room as free text, such as "Twin".
    public var type: String
    /// The number of beds in the room, from 1 to 50.
    public var bedCount: Int
    public var occupiedBeds: Int
    public var availableBeds: Int
    public var details: String?
    /// The residents who live in the room today, in the order of their names.
    public var studentIds: [UUID]
    public let createdAt: Date
    public var updatedAt: Date

    public init(
        id: UUID, pgId: UUID, number: String, type: String, bedCount: Int, details: String? = nil,
        studentIds: [UUID] = [], occupiedBeds: Int? = nil, createdAt: Date, updatedAt: Date
    ) {
        let occupied = occupiedBeds ?? studentIds.count
        self.id = id
        self.pgId = pgId
        self.number = number
        self.type = type
        self.bedCount = bedCount
        self.occupiedBeds = occupied
        availableBeds = bedCount - occupied
        self.details = details
        self.studentIds = studentIds
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Returns the room with the given fields changed and `updatedAt` set (PG-5.02).
    ///
    /// - Parameter now: The time of the change.
    public func withUpdates(
        number: String? = nil, type: String? = nil, bedCount: Int? = nil, details: String? = nil, at now: Date
    ) -> Room {
        var room = self
        if let number { room.number = number }
        if let type { room.type = type }
        if let bedCount {
            room.bedCount = bedCount
            room.availableBeds = bedCount - occupiedBeds
        }
        if let details { room.details = details }
        room.updatedAt = now
        return room
    }
}

/// The data of a room that a list shows, without details and residents.
public struct RoomListItem: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let number: String
    public let type: String
    public let bedCount: Int
    public let occupiedBeds: Int
    public let createdAt: Date
    public let updatedAt: Date

    public init(
        id: UUID, number: String, type: String, bedCount: Int, occupiedBeds: Int, createdAt: Date, updatedAt: Date
    ) {
        self.id = id
        self.number = number
        self.type = type
        self.bedCount = bedCount
        self.occupiedBeds = occupiedBeds
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Returns the room with the server's times; details and residents are empty until the room itself is loaded
    /// (PG-5.06).
    public func toRoom(pgId: UUID) -> Room {
        Room(
            id: id, pgId: pgId, number: number, type: type, bedCount: bedCount, occupiedBeds: occupiedBeds,
            createdAt: createdAt, updatedAt: updatedAt)
    }
}
