public import Domain
public import Foundation

/// The numbers of residents by where they are on a day. Every resident of the day is in exactly one of the four
/// counts (PG-5.05).
public struct AttendanceSummary: Codable, Sendable, Hashable {
    public let total: Int
    public let checkedIn: Int
    public let checkedOut: Int
    public let notReturned: Int
    public let absent: Int

    public init(checkedIn: Int, checkedOut: Int, notReturned: Int, absent: Int) {
        total = checkedIn + checkedOut + notReturned + absent
        self.checkedIn = checkedIn
        self.checkedOut = checkedOut
        self.notReturned = notReturned
        self.absent = absent
    }
}

/// One resident in the attendance of a residence on a day, with the status and its reason.
public struct AttendanceStudent: Codable, Sendable, Hashable, Identifiable {
    public enum Status: String, Codable, Sendable, Hashable, CaseIterable {
        case checkedIn
        case checkedOut
        /// The resident is out, and the time by which the resident had to be back is over.
        case notReturned
        case absent
    }
    /// The reasons for which a resident counts as absent.
    public enum Absence: String, Codable, Sendable, Hashable, CaseIterable {
        case onLeave
        /// The resident was not in the residence at all on that day, and has no leave.
        case notSeen
    }
    /// The id of the resident as a person of the school.
    public let id: UUID
    public let status: Status
    public let absence: Absence?
    /// The time of the passage through the door from which the resident's status follows; `nil` without one.
    public let since: Date?
    /// The time by which a resident who is out must be back: the end of the leave, or the curfew.
    public let due: Date?

    public init(id: UUID, status: Status, absence: Absence? = nil, since: Date? = nil, due: Date? = nil) {
        self.id = id
        self.status = status
        self.absence = absence
        self.since = since
        self.due = due
    }
}

/// The attendance of a residence on one day (PG-5.05). Decision record 0038 defines how it is computed.
public struct DailyAttendance: Codable, Sendable, Hashable {
    public let date: Day
    public let summary: AttendanceSummary
    public let students: [AttendanceStudent]

    public init(date: Day, students: [AttendanceStudent]) {
        func count(_ status: AttendanceStudent.Status) -> Int { students.count { $0.status == status } }
        self.date = date
        self.students = students
        summary = AttendanceSummary(
            checkedIn: count(.checkedIn), checkedOut: count(.checkedOut), notReturned: count(.notReturned),
            absent: count(.absent))
    }
}

/// Whether a resident is in or out at some moment, by their latest passage through the door.
public struct Presence: Sendable, Hashable {
    public let type: RecordType
    /// The time at which the resident last used the door or was checked, even if that changed nothing because they were
    /// already in, or out.
    public let lastPassage: Date
    /// The time at which the resident last came in or went out.
    public let changedAt: Date

    public init(type: RecordType, lastPassage: Date, changedAt: Date) {
        self.type = type
        self.lastPassage = lastPassage
        self.changedAt = changedAt
    }

    /// Creates the presence of a resident at a moment from their passages through the door; `nil` without a passage
    /// until then.
    public init?(_ log: PassageLog, at moment: Date) {
        guard let last = log.last(at: moment), let changed = log.changed(at: moment) else { return nil }
        self.init(type: last.type, lastPassage: last.timestamp, changedAt: changed)
    }
}

/// The rules that compute where each resident was on a day: in, out, not returned or absent.
public struct AttendanceEngine: Sendable {
    private let residence: Residence
    private let calendar: ResidenceCalendar

    public init(residence: Residence, calendar: ResidenceCalendar) {
        self.residence = residence
        self.calendar = calendar
    }

    /// Returns one resident's status in the attendance of a day.
    ///
    /// - Parameters:
    ///   - moment: The instant to look at. For a day that is over, its end.
    ///   - presence: The resident's latest passage at that instant.
    ///   - leaves: The resident's leaves, in any state and order.
    public func student(
        _ id: UUID, on day: Day, at moment: Date, presence: Presence?, leaves: [Leave]
    ) -> AttendanceStudent {
        student(id, at: moment, bounds: Bounds(residence, calendar, day), presence: presence, leaves: leaves)
    }

    /// Returns where many residents are in one day's attendance (in, out, not returned, absent), in the order of their
    /// ids.
    public func students(
        _ ids: [UUID], on day: Day, at moment: Date, presences: [UUID: Presence], leaves: [UUID: [Leave]]
    ) -> [AttendanceStudent] {
        // Times of the wall clock cost more than all else, so they are computed once.
        let bounds = Bounds(residence, calendar, day)
        return ids.map {
            student($0, at: moment, bounds: bounds, presence: presences[$0], leaves: leaves[$0] ?? [])
        }
    }

    /// The instants that divide a day.
    private struct Bounds {
        let start: Date
        let end: Date
        let curfew: Date

        init(_ residence: Residence, _ calendar: ResidenceCalendar, _ day: Day) {
            start = calendar.start(of: day)
            end = calendar.end(of: day)
            curfew = calendar.curfew(of: residence, on: day)
        }
    }

    private func student(
        _ id: UUID, at moment: Date, bounds: Bounds, presence: Presence?, leaves: [Leave]
    ) -> AttendanceStudent {
        let since = presence?.changedAt
        if presence?.type == .checkIn { return AttendanceStudent(id: id, status: .checkedIn, since: since) }
        let approved = leaves.filter { $0.state(at: moment) == .approved }
        // The end of a day belongs to the next one, which a leave of this day may not reach.
        let instant = moment >= bounds.end ? moment.addingTimeInterval(-1) : moment
        if let leave = approved.first(where: { $0.covers(instant) }) {
            return AttendanceStudent(id: id, status: .absent, absence: .onLeave, since: since, due: leave.to)
        }
        // A leave that ended on this day, without a return since.
        let ended = approved.filter { bounds.start <= $0.to && $0.to <= moment }.map(\.to).max()
        if let ended, (since ?? .distantPast) <= ended {
            return AttendanceStudent(id: id, status: .notReturned, since: since, due: ended)
        }
        guard let presence, presence.lastPassage >= bounds.start else {
            return AttendanceStudent(id: id, status: .absent, absence: .notSeen, since: since)
        }
        return AttendanceStudent(
            id: id, status: moment >= bounds.curfew ? .notReturned : .checkedOut, since: since, due: bounds.curfew)
    }
}
