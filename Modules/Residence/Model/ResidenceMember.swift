public import Domain
public import Foundation

/// The long-term state of a person in a residence: living there, away for longer, or moved out (PG-2.17).
public enum StudentStatus: String, Codable, Sendable, Hashable, CaseIterable {
    case active
    /// The person is away for a longer time, and the place in the residence stays reserved.
    case inactive
    case movedOut
}

/// Whether a resident is in, out or away, as it follows from passages through the door and leave (PG-2.17).
public enum CheckInStatus: String, Codable, Sendable, Hashable, CaseIterable {
    case checkedIn
    case checkedOut
    case onLeave
}

/// A person who lives in a residence; the requirement ledger calls it `Student` (PG-5.03).
public struct ResidenceMember: Codable, Sendable, Hashable, Identifiable {
    /// The id of the resident as a person of the school.
    public let id: UUID
    /// The id of the residence; the requirement ledger calls it `pgId`.
    public let pgId: UUID
    public var name: String
    public var email: String?
    public var phone: String?
    public var roomId: UUID?
    public var status: StudentStatus
    public var checkInStatus: CheckInStatus?
    public var lastCheckIn: Date?
    public var lastCheckOut: Date?

    public init(
        id: UUID, pgId: UUID, name: String, email: String? = nil, phone: String? = nil, roomId: UUID? = nil,
        status: StudentStatus = .active, checkInStatus: CheckInStatus? = nil, lastCheckIn: Date? = nil,
        lastCheckOut: Date? = nil
    ) {
        self.id = id
        self.pgId = pgId
        self.name = name
        self.email = email
        self.phone = phone
        self.roomId = roomId
        self.status = status
        self.checkInStatus = checkInStatus
        self.lastCheckIn = lastCheckIn
        self.lastCheckOut = lastCheckOut
    }
}

/// The days on which a resident lives in one room, or in the residence without a room.
public struct ResidenceStay: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let pgId: UUID
    public let studentId: UUID
    public let roomId: UUID?
    public let firstDay: Day
    /// The day on which the resident moved out of the room. The bed is free on that day. `nil` while the stay lasts.
    public let leftOn: Day?

    public init(id: UUID, pgId: UUID, studentId: UUID, roomId: UUID?, firstDay: Day, leftOn: Day? = nil) {
        self.id = id
        self.pgId = pgId
        self.studentId = studentId
        self.roomId = roomId
        self.firstDay = firstDay
        self.leftOn = leftOn
    }

    /// Whether the resident lives in the room on a day.
    public func includes(_ day: Day) -> Bool { firstDay <= day && leftOn.map { day < $0 } ?? true }

    /// Whether two stays share at least one day.
    public func overlaps(_ other: ResidenceStay) -> Bool {
        (other.leftOn.map { firstDay < $0 } ?? true) && (leftOn.map { other.firstDay < $0 } ?? true)
    }
}
