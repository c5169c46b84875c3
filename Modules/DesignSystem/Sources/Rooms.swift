/// The rooms of a residence as cards, each with its beds as dots.
public struct PTRoomGrid: Codable, Hashable, Sendable {
    /// One room of the residence, as a card of the grid.
    public struct Room: Codable, Hashable, Sendable {
        /// The id of the room's card, unique on the page.
        public var id: String
        public var number: String
        /// The kind of room: "Twin".
        public var type: String
        public var bedCount: Int
        public var occupiedBeds: Int
        /// The number of free beds of the room in words: "1 free", "Full".
        public var note: String
        /// The room in words, for screen readers: "Room 101, Twin, Beds taken: 2 of 2".
        public var spoken: String
        public var action: PTAction

        public init(
            id: String, number: String, type: String, bedCount: Int, occupiedBeds: Int, note: String,
            spoken: String, action: PTAction
        ) {
            self.id = id
            self.number = number
            self.type = type
            self.bedCount = bedCount
            self.occupiedBeds = occupiedBeds
            self.note = note
            self.spoken = spoken
            self.action = action
        }

        /// Whether a bed of the room is free.
        public var isFree: Bool { occupiedBeds < bedCount }
    }
    public var rooms: [Room]
    /// The name of the grid of rooms for screen readers.
    public var label: String
    /// The words with which the legend explains the dots of taken and of free beds.
    public var takenTitle: String
    public var freeTitle: String

    public init(rooms: [Room], label: String, takenTitle: String, freeTitle: String) {
        self.rooms = rooms
        self.label = label
        self.takenTitle = takenTitle
        self.freeTitle = freeTitle
    }
}
