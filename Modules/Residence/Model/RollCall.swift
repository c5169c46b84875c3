public import Domain
public import Foundation

/// The nightly roll call of a residence (BY-1.05).
public struct RollCall: Codable, Sendable, Hashable, Identifiable {
    public enum Status: String, Codable, Sendable, Hashable, CaseIterable {
        case here
        case onLeave
        case out
    }

    /// The note of a warden about one resident.
    public struct Entry: Codable, Sendable, Hashable {
        public let studentId: UUID
        public let status: Status
        /// The reason why a resident is out. Required for `out`.
        public let reason: String?
        /// The person who said why. Required for `out`.
        public let saidBy: String?
        /// The warden.
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

        /// Whether the entry accounts for the resident.
        public var isComplete: Bool {
            status != .out || [reason, saidBy].allSatisfy { $0?.contains { !$0.isWhitespace } == true }
        }
    }

    /// The stamp of a closed roll call.
    public struct Closing: Codable, Sendable, Hashable {
        public let by: UUID
        public let at: Date

        public init(by: UUID, at: Date) {
            self.by = by
            self.at = at
        }
    }

    public let id: UUID
    public let pgId: UUID
    /// The day of the residence whose evening it is.
    public let day: Day
    /// The residents of the day, in the order of rooms and names.
    public let studentIds: [UUID]
    /// The latest entry of each resident.
    public var entries: [UUID: Entry]
    /// `nil` while the roll call is open. Nothing changes after it; corrections are kept beside the roll call.
    public var closing: Closing?

    public init(
        id: UUID, pgId: UUID, day: Day, studentIds: [UUID], entries: [UUID: Entry] = [:], closing: Closing? = nil
    ) {
        self.id = id
        self.pgId = pgId
        self.day = day
        self.studentIds = studentIds
        self.entries = entries
        self.closing = closing
    }

    /// The residents whom nothing accounts for yet, in order.
    public var missing: [UUID] { studentIds.filter { entries[$0]?.isComplete != true } }

    public var canClose: Bool { closing == nil && missing.isEmpty }

    /// Returns how many residents have a status.
    public func count(_ status: Status) -> Int {
        studentIds.count { entries[$0]?.status == status && entries[$0]?.isComplete == true }
    }
}
