public import Foundation

/// A gate: a device, such as a tablet, that records at a residence's door who comes and goes. A warden connects it with
/// a pairing code.
public struct Gate: Codable, Sendable, Hashable, Identifiable {
    public let id: UUID
    public let pgId: UUID
    /// The name of the door at which the device is: "Main door".
    public let name: String
    public let allowedAt: Date
    /// The time at which a warden withdrew the device's right to record who comes and goes; `nil` while it has the
    /// right.
    public let endedAt: Date?

    public init(id: UUID, pgId: UUID, name: String, allowedAt: Date, endedAt: Date? = nil) {
        self.id = id
        self.pgId = pgId
        self.name = name
        self.allowedAt = allowedAt
        self.endedAt = endedAt
    }
}

/// A code by which the device at a door recognizes a resident: on a badge, on a phone, or in an NFC tag.
public struct PersonalTag: Codable, Sendable, Hashable, Identifiable {
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        /// A printed card with a QR code.
        case badge
        /// The QR code on the resident's own phone.
        case phone
        /// A tag or card with a number of its own, which an NFC reader reads.
        case reader
    }
    public let id: UUID
    public let studentId: UUID
    public let kind: Kind
    public let createdAt: Date
    /// The time at which the resident's tag was reported lost; `nil` if it was not, or was found again.
    public let lostAt: Date?

    public init(id: UUID, studentId: UUID, kind: Kind, createdAt: Date, lostAt: Date? = nil) {
        self.id = id
        self.studentId = studentId
        self.kind = kind
        self.createdAt = createdAt
        self.lostAt = lostAt
    }
}

/// The codes of the tags by which the device at a door recognizes residents.
public enum TagCode {
    /// The number of letters of a tag's code that the server makes. Each has five random bits.
    public static let length = 20
    /// The possible lengths of the numbers that NFC readers read, from the four bytes of the shortest tags on.
    public static let lengths = 4...64

    /// Returns a tag's code in the form in which codes are compared: the letters and digits after the last slash, in
    /// upper case.
    ///
    /// Readers write the same number with and without colons, and in either case.
    public static func normalized(_ text: String) -> String {
        let last = text.split(separator: "/").last ?? ""
        return String(last.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
}

/// The data with which the device at a door works without a network: residents, their tags, and their leaves.
public struct GateList: Codable, Sendable, Hashable {
    /// The curfew of one day of the residence, in the list that the device at a door has.
    public struct Day: Codable, Sendable, Hashable {
        /// The first instant of the day of the residence.
        public let start: Date
        /// The time by which residents must be back on that evening.
        public let curfew: Date

        public init(start: Date, curfew: Date) {
            self.start = start
            self.curfew = curfew
        }
    }

    /// A tag of a resident. The device at the door has only its fingerprint, so that a stolen tablet opens no door.
    public struct Tag: Codable, Sendable, Hashable {
        public let id: UUID
        /// The SHA-256 of the tag's code in lower-case hexadecimal.
        public let fingerprint: String
        public let isLost: Bool

        public init(id: UUID, fingerprint: String, isLost: Bool) {
            self.id = id
            self.fingerprint = fingerprint
            self.isLost = isLost
        }
    }

    /// An approved leave of a resident, in the list that the device at a door has.
    public struct Leave: Codable, Sendable, Hashable {
        public let from: Date
        public let to: Date

        public init(from: Date, to: Date) {
            self.from = from
            self.to = to
        }
    }

    /// A resident as the device at a door shows them.
    public struct Resident: Codable, Sendable, Hashable, Identifiable {
        public let id: UUID
        public let name: String
        public let initials: String
        public let room: String?
        /// The address of the resident's photo, which only this device at the door may load; `nil` without a photo.
        public let photo: String?
        /// The direction of the resident's latest passage through the door; `nil` if there is none.
        public let type: RecordType?
        /// The time of the resident's latest passage through the door; `nil` if there is none.
        public let lastPassage: Date?
        /// The time at which the resident last came in or went out; `nil` if the resident never did.
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
    /// The time of the server, from which a device with a wrong clock computes the times of passages through the door.
    public let now: Date
    public let timeZone: String
    /// The days, with their curfews, for which the device at a door can work without a network.
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
