import Domain
public import Foundation

/// A resident's leave from a residence (exeat), with its request and the decisions about it.
public struct Leave: Codable, Sendable, Hashable, Identifiable {
    public enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        /// The resident is out in the evening, beyond the curfew, and back the same night.
        case evening
        /// The resident is away for one night.
        case night
        /// The resident is away for two nights or more.
        case weekend
    }

    /// A decision of a parent or a warden about a leave.
    public struct Decision: Codable, Sendable, Hashable {
        public let isApproved: Bool
        /// The id of the parent or warden who decided.
        public let by: UUID
        public let at: Date
        public let note: String?

        public init(isApproved: Bool, by: UUID, at: Date, note: String? = nil) {
            self.isApproved = isApproved
            self.by = by
            self.at = at
            self.note = note
        }
    }

    public enum State: String, Codable, Sendable, Hashable, CaseIterable {
        case waitingForParent
        case waitingForWarden
        case approved
        case declined
        case withdrawn
        /// The request for leave is over, because nobody decided about it before the end of the leave.
        case lapsed
    }

    public let id: UUID
    public let pgId: UUID
    public let studentId: UUID
    /// The time from which the resident may be away.
    public var from: Date
    /// The time by which the resident must be back.
    public var to: Date
    /// The place where the resident stays during the leave.
    public var place: String
    /// The person with whom the resident is during the leave; `nil` for none.
    public var companion: String?
    public var reason: String?
    public let requestedBy: UUID
    public let requestedAt: Date
    /// Whether a parent must approve the leave. `false` for a resident of age, or one without a parent in the
    /// school.
    public let needsParent: Bool
    public var parentDecision: Decision?
    public var wardenDecision: Decision?
    public var withdrawnAt: Date?

    public init(
        id: UUID, pgId: UUID, studentId: UUID, from: Date, to: Date, place: String, companion: String? = nil,
        reason: String? = nil, requestedBy: UUID, requestedAt: Date, needsParent: Bool,
        parentDecision: Decision? = nil, wardenDecision: Decision? = nil, withdrawnAt: Date? = nil
    ) {
        self.id = id
        self.pgId = pgId
        self.studentId = studentId
        self.from = from
        self.to = to
        self.place = place
        self.companion = companion
        self.reason = reason
        self.requestedBy = requestedBy
        self.requestedAt = requestedAt
        self.needsParent = needsParent
        self.parentDecision = parentDecision
        self.wardenDecision = wardenDecision
        self.withdrawnAt = withdrawnAt
    }

    /// Returns the state of the leave at an instant.
    ///
    /// A parent and a warden decide in any order, and one refusal declines the leave. A leave that nobody decided
    /// by its end lapses; one that is decided after its beginning counts from its beginning.
    public func state(at instant: Date) -> State {
        if withdrawnAt != nil { return .withdrawn }
        if parentDecision?.isApproved == false || wardenDecision?.isApproved == false { return .declined }
        let isParentDone = !needsParent || parentDecision != nil
        if isParentDone, wardenDecision != nil { return .approved }
        if instant >= to { return .lapsed }
        return isParentDone ? .waitingForWarden : .waitingForParent
    }

    /// Whether the leave was approved and lasts at an instant.
    public func covers(_ instant: Date) -> Bool {
        from <= instant && instant < to && state(at: instant) == .approved
    }

    /// Whether two leaves share at least one moment.
    public func overlaps(_ other: Leave) -> Bool { from < other.to && other.from < to }

    /// Returns the kind of leave, which follows from the nights between its two times.
    public func kind(in calendar: ResidenceCalendar) -> Kind {
        switch calendar.day(of: to).number - calendar.day(of: from).number {
        case ...0: .evening
        case 1: .night
        default: .weekend
        }
    }
}
