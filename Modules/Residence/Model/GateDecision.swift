public import Foundation

/// The time and direction of a resident's latest passage through the door, as the device at a door knows it.
public struct LastPassage: Codable, Sendable, Hashable {
    public let type: RecordType
    public let at: Date
    /// The time at which the resident last came in or went out.
    public let changedAt: Date

    public init(type: RecordType, at: Date, changedAt: Date) {
        self.type = type
        self.at = at
        self.changedAt = changedAt
    }

    /// Returns the later one of two passages. Of two at the same time it is the second one, which the device itself
    /// recorded.
    public static func latest(_ listed: LastPassage?, _ own: LastPassage?) -> LastPassage? {
        guard let listed, let own else { return own ?? listed }
        return own.at >= listed.at ? own : listed
    }
}

extension GateList.Resident {
    /// The resident's latest passage that the server knew; `nil` if there is none.
    public var last: LastPassage? {
        guard let type, let lastPassage else { return nil }
        return LastPassage(type: type, at: lastPassage, changedAt: changedAt ?? lastPassage)
    }
}

/// The direction and the lateness of a passage, which the device at a door decides from its list without a network.
///
/// It decides as `AttendanceEngine` does on the server, and as `decide.js` does on a tablet.
public struct GateDecision: Codable, Sendable, Hashable {
    public let type: RecordType
    /// The time by which the resident had to be back, if it has passed; `nil` otherwise.
    public let due: Date?
    /// The end of an approved leave that still lasts; `nil` without one.
    public let leaveEnd: Date?

    public init(type: RecordType, due: Date? = nil, leaveEnd: Date? = nil) {
        self.type = type
        self.due = due
        self.leaveEnd = leaveEnd
    }

    /// Decides about a passage.
    ///
    /// - Parameters:
    ///   - resident: The resident whose tag was read.
    ///   - last: The resident's latest passage; `nil` if there is none.
    ///   - now: The server's time.
    ///   - days: The days of the list with their curfews.
    public init(of resident: GateList.Resident, last: LastPassage?, at now: Date, days: [GateList.Day]) {
        let type: RecordType = last?.type == .checkIn ? .checkOut : .checkIn
        let leave = resident.leaves.first { $0.from <= now && now < $0.to }
        guard type == .checkIn, leave == nil, let day = days.last(where: { $0.start <= now }) else {
            self.init(type: type, leaveEnd: leave?.to)
            return
        }
        // A leave that ended on this day, without a return since.
        let ended = resident.leaves.map(\.to).filter { day.start <= $0 && $0 <= now }.max()
        if let ended, (last?.changedAt ?? .distantPast) <= ended {
            self.init(type: type, due: ended)
            return
        }
        let isLate = last?.type == .checkOut && (last?.at ?? .distantPast) >= day.start && now >= day.curfew
        self.init(type: type, due: isLate ? day.curfew : nil)
    }
}
