import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

/// A roll call with what stands beside it.
struct RollCallRecord: Codable, Sendable, Hashable {
    let pgId: UUID
    let day: Day
    /// The entries that account for a resident, in the order of rooms and names.
    let entries: [RollCall.Entry]
    /// The residents whom nothing accounts for, in the same order. Empty once the roll call is closed.
    let missing: [UUID]
    /// `nil` while the roll call is open.
    let closing: RollCall.Closing?
    /// What was corrected after the closing, the oldest first.
    let corrections: [RollCall.Correction]
}

/// Reads the roll call of an evening from the database.
struct RollCallReader: Sendable {
    /// The roll call with the rooms of the evening and its corrections.
    struct Evening: Sendable {
        let rollCall: RollCall
        /// The numbers of the rooms; residents without a room have none.
        let rooms: [UUID: String]
        let corrections: [RollCall.Correction]
        /// The leaves because of which residents are accounted for.
        let leaves: [UUID: Leave]

        var record: RollCallRecord {
            RollCallRecord(
                pgId: rollCall.pgId, day: rollCall.day,
                entries: rollCall.studentIds.compactMap { rollCall.entries[$0] }.filter(\.isComplete),
                missing: rollCall.closing == nil ? rollCall.missing : [], closing: rollCall.closing,
                corrections: corrections)
        }
    }

    let residence: Residence
    let calendar: ResidenceCalendar

    init(_ residence: Residence, in timeZone: TimeZone) {
        self.residence = residence
        calendar = ResidenceCalendar(timeZone: timeZone)
    }

    /// Returns the roll call of a day's evening.
    ///
    /// While it is open, its residents are those of the day, and residents on approved leave who are not in need no
    /// entry. Once it is closed, it consists of what was stored at the closing.
    func evening(_ day: Day, at now: Date, in sql: any SQLReading) throws -> Evening {
        let stored = try RollCallRepository.entries(of: residence.id, on: day, in: sql)
        let closing = try RollCallRepository.closing(day, of: residence.id, in: sql)
        let rooms: [UUID: String]
        var entries = stored.reduce(into: [UUID: RollCall.Entry]()) { $0[$1.studentId] = $1.entry }
        var leaves: [UUID: Leave] = [:]
        let studentIds: [UUID]
        if closing != nil {
            rooms = stored.reduce(into: [:]) { $0[$1.studentId] = $1.room }
            studentIds = try inOrder(stored.map(\.studentId), rooms, in: sql)
        } else {
            rooms = try RoomRepository.rooms(of: residence.id, on: day, in: sql)
                .reduce(into: [:]) { rooms, room in for id in room.studentIds { rooms[id] = room.number } }
            let attendance = try DayReader(residence, in: calendar.timeZone).attendance(on: day, at: now, in: sql)
            studentIds = try inOrder(attendance.students.map(\.id), rooms, in: sql)
            leaves = try self.leaves(on: day, at: now, attendance, in: sql)
            for (id, leave) in leaves where entries[id] == nil {
                guard let decision = leave.wardenDecision else { continue }
                entries[id] = .init(studentId: id, status: .onLeave, by: decision.by, at: decision.at)
            }
        }
        return Evening(
            rollCall: RollCall(
                pgId: residence.id, day: day, studentIds: studentIds,
                entries: entries, closing: closing),
            rooms: rooms, corrections: try RollCallRepository.corrections(of: residence.id, on: day, in: sql),
            leaves: leaves)
    }

    /// The approved leaves that last now, or lasted at the end of an earlier day.
    private func leaves(
        on day: Day, at now: Date, _ attendance: DailyAttendance, in sql: any SQLReading
    ) throws -> [UUID: Leave] {
        let moment = min(now, calendar.end(of: day).addingTimeInterval(-1))
        let away = Set(attendance.students.filter { $0.absence == .onLeave }.map(\.id))
        return try LeaveRepository.leaves(of: residence.id, from: moment, until: moment, in: sql)
            .filter { away.contains($0.studentId) && $0.covers(moment) }
            .reduce(into: [:]) { $0[$1.studentId] = $1 }
    }

    /// Sorts residents by room and name; those without a room come last.
    private func inOrder(
        _ ids: [UUID], _ rooms: [UUID: String], in sql: any SQLReading
    ) throws -> [UUID] {
        let names = try PeopleTable.names(ids, in: sql).mapValues(\.sortKey)
        func isBefore(_ left: UUID, _ right: UUID) -> Bool {
            let (one, other) = (rooms[left], rooms[right])
            if one != other {
                guard let one, let other else { return one != nil }
                return one.compare(other, options: [.numeric, .caseInsensitive]) == .orderedAscending
            }
            return (names[left] ?? "", left.text) < (names[right] ?? "", right.text)
        }
        return ids.sorted(by: isBefore)
    }
}
