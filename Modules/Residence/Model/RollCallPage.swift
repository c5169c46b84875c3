public import Domain
public import Foundation

/// The page of an open roll call: the rooms with their residents, and what a warden can note about each.
///
/// The server sends it as the properties of the island `rollcall`. The browser (`rollcall.js`) and the app draw it.
public struct RollCallPage: Codable, Sendable, Hashable {
    /// A telephone number under which someone can say where a resident is.
    public struct Call: Codable, Sendable, Hashable {
        /// The name of the person who has the number.
        public let title: String
        public let number: String

        public init(title: String, number: String) {
            self.title = title
            self.number = number
        }
    }

    /// A resident with the note that the server has.
    public struct Resident: Codable, Sendable, Hashable, Identifiable {
        public let id: String
        public let name: String
        public let initials: String
        public let tint: Tint
        /// The name of the avatar's shape.
        public let shape: String
        /// The address of the resident's picture; `nil` for none.
        public let image: String?
        /// The time at which the resident came in, was last seen, or is due.
        public let line: String?
        /// Whether the resident should be back by now.
        public let isLate: Bool
        /// The end of the leave that covers the evening, in words; `nil` without one.
        public let leave: String?
        /// The resident's status; `nil` while nobody has noted it.
        public let status: RollCall.Status?
        public let reason: String?
        public let saidBy: String?
        /// The numbers of the resident and of the family.
        public let calls: [Call]

        public init(
            id: String, name: String, initials: String, tint: Tint, shape: String, image: String? = nil,
            line: String? = nil, isLate: Bool = false, leave: String? = nil, status: RollCall.Status? = nil,
            reason: String? = nil, saidBy: String? = nil, calls: [Call] = []
        ) {
            self.id = id
            self.name = name
            self.initials = initials
            self.tint = tint
            self.shape = shape
            self.image = image
            self.line = line
            self.isLate = isLate
            self.leave = leave
            self.status = status
            self.reason = reason
            self.saidBy = saidBy
            self.calls = calls
        }
    }

    /// A room with its residents.
    public struct Room: Codable, Sendable, Hashable, Identifiable {
        /// The name of the room: "Room 101".
        public let title: String
        /// The number on the door, which is unique in the roll call.
        public let number: String
        public let residents: [Resident]

        public var id: String { number }

        public init(title: String, number: String, residents: [Resident]) {
            self.title = title
            self.number = number
            self.residents = residents
        }
    }

    /// The path of the roll call in the API. `notes` and `close` are below it.
    public let api: String
    public let day: Day
    /// The day in words.
    public let date: String
    public let rooms: [Room]
    /// Usual reasons why a resident is out.
    public let reasons: [String]
    /// Usual sources of a reason.
    public let sources: [String]
    /// The texts of the page by their names, with placeholders in braces.
    public let words: [String: String]

    public init(
        api: String, day: Day, date: String, rooms: [Room], reasons: [String], sources: [String],
        words: [String: String]
    ) {
        self.api = api
        self.day = day
        self.date = date
        self.rooms = rooms
        self.reasons = reasons
        self.sources = sources
        self.words = words
    }

    /// Returns a text with values in the place of its placeholders; an empty text for an unknown name.
    public func word(_ name: String, _ values: [String: String] = [:]) -> String {
        (words[name] ?? "").replacing(/\{(\w+)\}/) { values[String($0.1)] ?? String($0.0) }
    }
}

/// The arguments of a note in a roll call, as devices send them.
public struct RollCallNote: Codable, Sendable, Hashable {
    public let day: Day
    public let residentIds: [String]
    /// The status; `nil` takes the notes about the residents back.
    public let status: RollCall.Status?
    public let reason: String?
    public let saidBy: String?
    /// The time of the note by the device's clock.
    public let recordedAt: Date

    public init(
        day: Day, residentIds: [String], status: RollCall.Status?, reason: String? = nil, saidBy: String? = nil,
        recordedAt: Date
    ) {
        self.day = day
        self.residentIds = residentIds
        self.status = status
        self.reason = reason
        self.saidBy = saidBy
        self.recordedAt = recordedAt
    }
}

/// The arguments of the closing of a roll call, as devices send them.
public struct RollCallEnd: Codable, Sendable, Hashable {
    public let day: Day

    public init(day: Day) { self.day = day }
}
