import Foundation
import ResidenceModel

/// The records that a change or an answer touches.
struct TouchedRecords {
    var rooms: Set<UUID> = []
    var students: Set<UUID> = []
    var records: Set<UUID> = []
    /// The residences whose order of rooms or residents it touches.
    var orders: Set<UUID> = []

    init(_ update: PGRecords.Update) {
        rooms = Set(update.rooms.keys)
        students = Set(update.students.keys)
        records = Set(update.records.keys)
        orders = Set(update.roomsByPg.keys).union(update.studentsByPg.keys)
    }

    init(_ change: PendingChange) {
        switch change {
        case .createRoom(let change):
            rooms = [change.temporaryId]
            orders = [change.pgId]
        case .updateRoom(let change): rooms = [change.roomId]
        case .deleteRoom(let change):
            rooms = Set([change.roomId, change.moveTo].compactMap { $0 })
            students = Set(change.studentIds)
            orders = [change.pgId]
        case .assignRoom(let change):
            students = [change.studentId]
            rooms = Set([change.roomId, change.former].compactMap { $0 })
        case .passage(let change):
            records = [change.record.id]
            students = [change.record.studentId]
        default: break
        }
    }

    func meets(_ other: TouchedRecords) -> Bool {
        !rooms.isDisjoint(with: other.rooms) || !students.isDisjoint(with: other.students)
            || !records.isDisjoint(with: other.records) || !orders.isDisjoint(with: other.orders)
    }

    func contains(_ other: TouchedRecords) -> Bool {
        rooms.isSuperset(of: other.rooms) && students.isSuperset(of: other.students)
            && records.isSuperset(of: other.records) && orders.isSuperset(of: other.orders)
    }

    mutating func formUnion(_ other: TouchedRecords) {
        rooms.formUnion(other.rooms)
        students.formUnion(other.students)
        records.formUnion(other.records)
        orders.formUnion(other.orders)
    }
}

/// A stored day with its residence.
struct StoredAttendance: Codable, Sendable {
    let pgId: UUID
    let day: DailyAttendance
}
