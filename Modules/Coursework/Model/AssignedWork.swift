public import Domain
public import Foundation

/// An assignment as its student sees it in the list of due work.
public struct AssignedWork: Codable, Sendable, Hashable, Identifiable {
    /// The parts of the list of due work, in the order in which they are shown.
    public enum Group: String, Codable, Sendable, Hashable, CaseIterable {
        case missed, today, week, later, done
    }

    /// The state of a student's work for an assignment.
    public enum Status: String, Codable, Sendable, Hashable, CaseIterable {
        /// Work was neither begun nor handed in.
        case open
        /// Work was begun and not handed in.
        case draft
        /// Work was handed in on time.
        case handedIn
        /// Work was handed in, and all of it late.
        case handedInLate
        /// The teacher has returned the work.
        case returned
        /// The due time is over, and nothing was handed in.
        case missed
        /// The due time of work that is not handed in here is over.
        case over
    }

    public let assignment: Assignment
    public let times: WorkTimes
    public let status: Status
    /// The score of returned work as decimal text, after deductions; `nil` if the work is not returned or has no score.
    public let score: String?
    /// Whether work can be handed in now.
    public let isOpen: Bool

    public var id: UUID { assignment.id }

    /// Describes the work of a student at an instant.
    /// - Parameters:
    ///   - handedInAt: the times of the student's submissions.
    ///   - isReturned: whether the teacher has returned the work.
    public init(
        _ assignment: Assignment, times: WorkTimes, handedInAt: [Date], hasDraft: Bool, isReturned: Bool,
        score: String? = nil, at now: Date
    ) {
        self.assignment = assignment
        self.times = times
        self.score = isReturned ? score : nil
        let isLeft = assignment.attempts.map { handedInAt.count < $0 } ?? true
        isOpen = assignment.takesSubmissions && isLeft && times.accepts(at: now)
        if isReturned {
            status = .returned
        } else if !handedInAt.isEmpty {
            status = handedInAt.contains(where: times.isOnTime) ? .handedIn : .handedInLate
        } else if !times.isOnTime(now) {
            status = assignment.takesSubmissions ? .missed : .over
        } else {
            status = hasDraft ? .draft : .open
        }
    }

    /// Whether the student has nothing more to do: the work is handed in, returned or over.
    public var isDone: Bool { [.handedIn, .handedInLate, .returned, .over].contains(status) }

    /// The part of the list to which the work belongs on a day. A week ends on Sunday.
    public func group(on today: Day, in timeZone: TimeZone) -> Group {
        if isDone { return .done }
        if status == .missed { return .missed }
        guard let dueAt = times.dueAt else { return .later }
        let day = Day(dueAt, in: timeZone)
        if day <= today { return .today }
        return day <= today.adding(days: 6 - today.daysSinceMonday) ? .week : .later
    }
}
