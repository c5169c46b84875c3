public import Domain
public import Foundation
public import ResidenceModel

/// The state of `PGStore`: the rooms, residents, passages and days of residences.
public struct PGStoreState: StoreState, Sendable, Hashable {
    /// The rooms by id.
    public internal(set) var rooms: [UUID: Room] = [:]
    /// The ids of the rooms of each residence, in order.
    public internal(set) var roomsByPg: [UUID: [UUID]] = [:]
    public internal(set) var roomsLoading = false
    public internal(set) var roomsError: StoreError?
    /// The residents by id.
    public internal(set) var students: [UUID: ResidenceMember] = [:]
    /// The ids of the residents of each residence, in order.
    public internal(set) var studentsByPg: [UUID: [UUID]] = [:]
    public internal(set) var studentsLoading = false
    public internal(set) var studentsError: StoreError?
    /// The passages by id.
    public internal(set) var checkInOutRecords: [UUID: CheckInOutRecord] = [:]
    /// The ids of the passages of each resident, the oldest first.
    public internal(set) var recordsByStudent: [UUID: [UUID]] = [:]
    /// The ids of the passages of each day of the residence, the oldest first.
    public internal(set) var recordsByDate: [Day: [UUID]] = [:]
    /// The attendance of each day, by residence.
    public internal(set) var attendanceByDate: [Day: [UUID: DailyAttendance]] = [:]
    public internal(set) var attendanceLoading = false
    public internal(set) var attendanceError: StoreError?
    public internal(set) var lastSyncTime: Date?
    public internal(set) var syncInProgress = false

    public init() {}

    /// The rooms of a residence in order.
    public func rooms(of pgId: UUID) -> [Room] { (roomsByPg[pgId] ?? []).compactMap { rooms[$0] } }

    /// The rooms whose number or type contains a text, whatever its case; all rooms for an empty text (PG-4.02).
    public func rooms(of pgId: UUID, matching text: String) -> [Room] {
        let wanted = text.trimmingCharacters(in: .whitespaces).lowercased()
        guard !wanted.isEmpty else { return rooms(of: pgId) }
        return rooms(of: pgId).filter {
            $0.number.lowercased().contains(wanted) || $0.type.lowercased().contains(wanted)
        }
    }

    /// The residents of a residence in order.
    public func students(of pgId: UUID) -> [ResidenceMember] {
        (studentsByPg[pgId] ?? []).compactMap { students[$0] }
    }

    /// The residents of a room, in the order of the residence.
    public func students(of pgId: UUID, in roomId: UUID) -> [ResidenceMember] {
        students(of: pgId).filter { $0.roomId == roomId }
    }

    /// The attendance of today with the passages since it was loaded; `nil` if it was not loaded.
    ///
    /// Passages that were not sent yet count as well.
    ///
    /// - Parameter today: The present day of the residence.
    public func attendance(of pgId: UUID, today: Day) -> DailyAttendance? {
        attendanceByDate[today]?[pgId].map { day in
            DailyAttendance(
                date: day.date,
                students: day.students.map { known in
                    guard let student = students[known.id] else { return known }
                    switch student.checkInStatus {
                    case .checkedIn where known.status != .checkedIn:
                        return AttendanceStudent(id: known.id, status: .checkedIn, since: student.lastCheckIn)
                    case .checkedOut where known.status == .checkedIn:
                        return AttendanceStudent(
                            id: known.id, status: .checkedOut, since: student.lastCheckOut, due: known.due)
                    case .checkedIn, .checkedOut, .onLeave, nil: return known
                    }
                })
        }
    }

    // MARK: - Passages

    /// Stores a passage in the table and both indexes.
    mutating func put(_ record: CheckInOutRecord, _ calendar: ResidenceCalendar) {
        if checkInOutRecords[record.id] != nil { remove(recordId: record.id, calendar) }
        checkInOutRecords[record.id] = record
        let records = checkInOutRecords
        Self.insert(record, into: &recordsByStudent[record.studentId, default: []], records)
        Self.insert(record, into: &recordsByDate[calendar.day(of: record.timestamp), default: []], records)
    }

    /// Removes a passage from the table and both indexes.
    mutating func remove(recordId: UUID, _ calendar: ResidenceCalendar) {
        guard let record = checkInOutRecords.removeValue(forKey: recordId) else { return }
        Self.remove(recordId, from: &recordsByStudent, record.studentId)
        Self.remove(recordId, from: &recordsByDate, calendar.day(of: record.timestamp))
    }

    /// Inserts at the end in most cases, since passages arrive in order.
    private static func insert(
        _ record: CheckInOutRecord, into ids: inout [UUID], _ records: [UUID: CheckInOutRecord]
    ) {
        var index = ids.count
        while index > 0, let before = records[ids[index - 1]], before.timestamp > record.timestamp { index -= 1 }
        ids.insert(record.id, at: index)
    }

    private static func remove<Key: Hashable>(_ id: UUID, from index: inout [Key: [UUID]], _ key: Key) {
        guard let place = index[key]?.lastIndex(of: id) else { return }
        index[key]?.remove(at: place)
        if index[key]?.isEmpty == true { index[key] = nil }
    }
}
