public import Foundation

/// A device at a door of a residence that records passages. A warden signs it in with a pairing code.
public struct Gate: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let pgId: UUID
    /// The door at which it is: "Main door".
    public let name: String
    public let allowedAt: Date
    /// The time at which a warden ended it; `nil` while it may record passages.
    public let endedAt: Date?

    public init(id: UUID, pgId: UUID, name: String, allowedAt: Date, endedAt: Date? = nil) {
        self.id = id
        self.pgId = pgId
        self.name = name
        self.allowedAt = allowedAt
        self.endedAt = endedAt
    }
}

/// A code that a gate knows a resident by: printed on a badge, shown on a phone, or read from an NFC tag.
public struct PersonalTag: Codable, Sendable, Hashable, Identifiable {
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        /// A printed card with a QR code.
        case badge
        /// The QR code on the resident's own phone.
        case phone
        /// A tag or card with a number of its own, which a reader reads.
        case reader
    }
    public let id: UUID
    public let studentId: UUID
    public let kind: Kind
    public let createdAt: Date
    /// The time at which the tag was reported lost; `nil` if it was not, or was found again.
    public let lostAt: Date?

    public init(id: UUID, studentId: UUID, kind: Kind, createdAt: Date, lostAt: Date? = nil) {
        self.id = id
        self.studentId = studentId
        self.kind = kind
        self.createdAt = createdAt
        self.lostAt = lostAt
    }
}

/// The codes of personal tags.
public enum TagCode {
    /// The number of letters of a code that the server makes. Each has five random bits.
    public static let length = 20
    /// The lengths of numbers that readers read: from the four bytes of the shortest tags on.
    public static let lengths = 4...64

    /// Returns a code as it is compared: the letters and digits after the last slash, in upper case.
    ///
    /// Readers write the same number with and without colons, and in either case.
    public static func normalized(_ text: String) -> String {
        let last = text.split(separator: "/").last ?? ""
        return String(last.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
}

/// The data with which a gate decides without a network: who lives in the residence, by which tags, and until when they
/// are away.
public struct GateList: Codable, Sendable, Hashable {
    /// The curfew of one day of the residence.
    public struct Day: Codable, Sendable, Hashable {
        /// The first instant of the day.
        public let start: Date
        /// The time by which residents are back.
        public let curfew: Date

        public init(start: Date, curfew: Date) {
            self.start = start
            self.curfew = curfew
        }
    }

    /// A tag of a resident. The gate knows its fingerprint only, so that a stolen tablet opens no door.
    public struct Tag: Codable, Sendable, Hashable {
        public let id: UUID
        /// The SHA-256 of the code in lower-case hexadecimal.
        public let fingerprint: String
        public let isLost: Bool

        public init(id: UUID, fingerprint: String, isLost: Bool) {
            self.id = id
            self.fingerprint = fingerprint
            self.isLost = isLost
        }
    }

    /// An approved leave.
    public struct Leave: Codable, Sendable, Hashable {
        public let from: Date
        public let to: Date

        public init(from: Date, to: Date) {
            self.from = from
            self.to = to
        }
    }

    /// A resident as a gate shows one.
    public struct Resident: Codable, Sendable, Hashable, Identifiable {
        public let id: UUID
        public let name: String
        public let initials: String
        public let room: String?
        /// The address of the resident's photo, for this gate only.
        public let photo: String?
        /// The direction of the latest passage; `nil` if there is none.
        public let type: RecordType?
        /// The time of the latest passage.
        public let lastPassage: Date?
        /// The time at which the resident came in or went out.
        public let changedAt: Date?
        public let tags: [Tag]
        public let leaves: [Leave]

        public init(
            id: UUID, name: String, initials: String, room: String?, photo: String?, type: RecordType?,
            lastPassage: Date?, changedAt: Date?, tags: [Tag], leaves: [Leave]
        ) {
            self.id = id
            self.name = name
            self.initials = initials
            self.room = room
            self.photo = photo
            self.type = type
            self.lastPassage = lastPassage
            self.changedAt = changedAt
            self.tags = tags
            self.leaves = leaves
        }
    }

    public let gate: Gate
    public let residence: String
    /// The time of the server, from which a gate with a wrong clock computes the times of passages.
    public let now: Date
    public let timeZone: String
    /// The days for which the list is enough without a network.
    public let days: [Day]
    public let residents: [Resident]

    public init(
        gate: Gate, residence: String, now: Date, timeZone: String, days: [Day], residents: [Resident]
    ) {
        self.gate = gate
        self.residence = residence
        self.now = now
        self.timeZone = timeZone
        self.days = days
        self.residents = residents
    }
}
