import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// Moves residents between rooms, never more into a room than it has beds.
enum RoomMove {
    /// Ends a stay today and begins one in another room. A stay that has not begun yet only changes its room.
    ///
    /// - Throws: `residence.roomFull` if the room has no free bed on each day from then on.
    static func move(_ stay: ResidenceStay, to room: Room?, _ context: inout CommandContext) throws {
        guard stay.roomId != room?.id else { return }
        let day = max(context.today, stay.firstDay)
        try StayRepository.end(stay, on: day, in: context.sql)
        try begin(
            ResidenceStay(
                id: context.newId(), pgId: stay.pgId, studentId: stay.studentId, roomId: room?.id, firstDay: day),
            in: room, context)
    }

    /// Begins a stay, in a room if one is given.
    static func begin(_ stay: ResidenceStay, in room: Room?, _ context: CommandContext) throws {
        if let room {
            let taken = try StayRepository.mostResidents(ofRoom: room.id, from: stay.firstDay, in: context.sql)
            guard taken < room.bedCount else {
                throw Problem(409, "residence.roomFull", [.text(room.number), .number(room.bedCount)])
            }
        }
        try StayRepository.insert(stay, in: context.sql)
    }
}
