public import Domain
public import Foundation

/// The nightly roll call of a residence (BY-1.05).
public struct RollCall: Codable, Sendable, Hashable, Identifiable {
    public enum Status: String, Codable, Sendable, Hashable, CaseIterable {
        case here
        case onLeave
        case out
    }

    /// The note of a warden about one resident in a roll call.
    public struct Entry: Codable, Sendable, Hashable {
        public let studentId: UUID
        public let status: Status
        /// The reason why a resident is out. It is required for the status `out`.
        public let reason: String?
        /// The person who gave the reason why a resident is out. It is required for the status `out`.
        public let saidBy: String?
        /// The id of the warden who wrote the note.
        public let by: UUID
        public let at: Date

        public init(
            studentId: UUID, status: Status, reason: String? = nil, saidBy: String? = nil, by: UUID, at: Date
        ) {
            self.studentId = studentId
            self.status = status
            self.reason = reason
            self.saidBy = saidBy
            self.by = by
            self.at = at
        }

        /// Whether the entry says where the resident is, with all required details.
        public var isComplete: Bool {
            status != .out || [reason, saidBy].allSatisfy { $0?.contains { !$0.isWhitespace } == true }
        }
    }

    /// The time at which a roll call was closed, and the warden who closed it.
    public struct Closing: Codable, Sendable, Hashable {
        public let by: UUID
        public let at: Date

        public init(by: UUID, at: Date) {
            self.by = by
            self.at = at
        }
    }

    /// A correction of a roll call that was added after its closing. The entries stay as they were.
    public struct Correction: Codable, Sendable, Hashable, Identifiable {
        public let id: UUID
        /// The right status of the resident, with the warden who added it and the time.
        public let entry: Entry

        public init(id: UUID, entry: Entry) {
            self.id = id
            self.entry = entry
        }
    }

    public let pgId: UUID
    /// The day of the residence whose evening the roll call is about. A residence has one roll call a day.
    public let day: Day
    /// The residents of the day, in the order of rooms and names.
    public let studentIds: [UUID]
    /// The latest entry of each resident in the roll call, by the resident's id.
    public var entries: [UUID: Entry]
    /// The warden who closed the roll call, and the time; `nil` while it is open. A closed roll call does not change,
    /// and corrections are stored beside it.
    public var closing: Closing?

    /// The id of the roll call, which consists of the residence's id and the day.
    public var id: String { "\(pgId.text)/\(day)" }

    public init(
        pgId: UUID, day: Day, studentIds: [UUID], entries: [UUID: Entry] = [:], closing: Closing? = nil
    ) {
        self.pgId = pgId
        self.day = day
        self.studentIds = studentIds
        self.entries = entries
        self.closing = closing
    }

    /// The residents without a complete entry in the roll call, in the order of the list.
    public var missing: [UUID] { studentIds.filter { entries[$0]?.isComplete != true } }

    public var canClose: Bool { closing == nil && missing.isEmpty }

    /// Returns how many residents have a status.
    public func count(_ status: Status) -> Int {
        studentIds.count { entries[$0]?.status == status && entries[$0]?.isComplete == true }
    }
}
