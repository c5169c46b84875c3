import Domain
import Foundation
import ResidenceModel

/// The residences as the server last described them, without unsent changes.
struct PGRecords: Sendable {
    var rooms: [UUID: Room] = [:]
    var roomsByPg: [UUID: [UUID]] = [:]
    var students: [UUID: ResidenceMember] = [:]
    var studentsByPg: [UUID: [UUID]] = [:]
    var records: [UUID: CheckInOutRecord] = [:]

    /// Changes of these records, computed first and applied once they are on disk.
    struct Update: Sendable {
        var rooms: [UUID: Room?] = [:]
        var roomsByPg: [UUID: [UUID]] = [:]
        var students: [UUID: ResidenceMember?] = [:]
        var studentsByPg: [UUID: [UUID]] = [:]
        var records: [UUID: CheckInOutRecord?] = [:]
        var syncTime: Date?

        func store(in transaction: ClientTransaction) throws {
            func store<Value: Encodable>(_ values: [UUID: Value?], _ kind: StoredKind) throws {
                for (id, value) in values {
                    if let value {
                        try transaction.put(value, kind, id: id.text)
                    } else {
                        try transaction.remove(kind, id: id.text)
                    }
                }
            }
            try store(rooms, .room)
            try store(students, .student)
            try store(records, .record)
            for (pgId, ids) in roomsByPg { try transaction.put(ids, .rooms, owner: pgId.text) }
            for (pgId, ids) in studentsByPg { try transaction.put(ids, .students, owner: pgId.text) }
            if let syncTime { try transaction.put(String(syncTime.timeIntervalSince1970), meta: .residenceSync) }
        }
    }

    mutating func apply(_ update: Update) {
        for (id, room) in update.rooms { rooms[id] = room }
        for (id, student) in update.students { students[id] = student }
        for (id, record) in update.records { records[id] = record }
        roomsByPg.merge(update.roomsByPg) { $1 }
        studentsByPg.merge(update.studentsByPg) { $1 }
    }

    // MARK: - Lists of the server

    /// Returns what a list of rooms changes: rooms that vanished are dropped.
    func taking(_ items: [RoomListItem], of pgId: UUID) -> Update {
        var update = Update()
        for item in items {
            var room = item.toRoom(pgId: pgId)
            if let known = rooms[item.id] {
                // The list has no details and residents.
                room.details = known.details
                room.studentIds = known.studentIds
            }
            if rooms[item.id] != room { update.rooms[item.id] = .some(room) }
        }
        let ids = items.map(\.id)
        for gone in Set(roomsByPg[pgId] ?? []).subtracting(ids) { update.rooms[gone] = .some(nil) }
        if roomsByPg[pgId] != ids { update.roomsByPg[pgId] = ids }
        return update
    }

    /// Returns what a whole list of residents changes.
    func taking(_ items: [StudentDto], of pgId: UUID) -> Update {
        var update = Update()
        for item in items {
            let student = merging(item, pgId: pgId)
            if students[item.id] != student { update.students[item.id] = .some(student) }
        }
        let ids = items.map(\.id)
        for gone in Set(studentsByPg[pgId] ?? []).subtracting(ids) { update.students[gone] = .some(nil) }
        if studentsByPg[pgId] != ids { update.studentsByPg[pgId] = ids }
        return update
    }

    /// The resident with the presence that is known from passages, which the list does not have.
    func merging(_ item: StudentDto, pgId: UUID) -> ResidenceMember {
        var student = item.toStudent(pgId: pgId)
        if let known = students[item.id], known.pgId == pgId {
            student.checkInStatus = known.checkInStatus
            student.lastCheckIn = known.lastCheckIn
            student.lastCheckOut = known.lastCheckOut
        }
        return student
    }

    /// Returns what new passages change: the records, and the presence of their residents.
    func taking(_ new: [CheckInOutRecord]) -> Update {
        var update = Update()
        for record in new {
            if records[record.id] != record { update.records[record.id] = .some(record) }
            let latest = update.students[record.studentId] ?? students[record.studentId]
            if var student = latest, student.note(record) { update.students[record.studentId] = .some(student) }
        }
        return update
    }
}

extension ResidenceMember {
    /// Takes in a passage if it is later than those known. Returns whether it changed anything.
    mutating func note(_ record: CheckInOutRecord) -> Bool {
        let last = max(lastCheckIn ?? .distantPast, lastCheckOut ?? .distantPast)
        guard record.timestamp >= last else { return false }
        let former = self
        switch record.type {
        case .checkIn:
            checkInStatus = .checkedIn
            lastCheckIn = record.timestamp
        case .checkOut:
            checkInStatus = .checkedOut
            lastCheckOut = record.timestamp
        }
        return self != former
    }
}

extension Room {
    /// Counts a resident in or out.
    mutating func count(_ studentId: UUID, isIn: Bool) {
        let wasIn = studentIds.contains(studentId)
        if isIn, !wasIn { studentIds.append(studentId) }
        if !isIn { studentIds.removeAll { $0 == studentId } }
        occupiedBeds = max(0, occupiedBeds + (isIn ? 1 : -1))
        availableBeds = bedCount - occupiedBeds
    }
}
