import Domain
import Foundation
import ResidenceModel

extension UUID {
    /// Returns a parameter of a path or query.
    fileprivate var path: String { text }
}

private struct RoomBody: Encodable {
    let number: String
    let type: String
    let bedCount: Int
    let details: String?
}

private struct PassageBody: Encodable {
    let id: UUID
    let studentId: UUID?
    let type: RecordType?
    let method: CheckInMethod
    let nfcTagId: String?
    let userType: UserType
    let deviceId: String?
    let recordedAt: Date
    let sentAt: Date
}

private struct ChoiceBody: Encodable {
    let choice: MealChoice
    let recordedAt: Date?
    let sentAt: Date?
}

private struct DecisionBody: Encodable {
    let approves: Bool
    let note: String?
}

/// The routes of residences (PG-1.06).
extension APIManager {
    func fetch<Value: Decodable>(
        _ type: Value.Type, _ path: String, _ query: [String: String] = [:], for account: UUID
    ) async throws -> Value {
        try APIJSON.decode(type, from: try await send(APIRequest(.get, path, query: query, account: account)))
    }

    func run<Value: Decodable>(
        _ type: Value.Type, _ path: String, _ body: some Encodable, key: UUID, for account: UUID
    ) async throws -> Value {
        let request = APIRequest(
            .post, path, body: try APIJSON.encode(body), idempotencyKey: key, account: account)
        return try APIJSON.decode(type, from: try await send(request))
    }

    private func residence(_ pgId: UUID) -> String { "/api/v1/residences/\(pgId.path)" }

    func getRooms(pgId: UUID, for account: UUID) async throws -> [RoomListItem] {
        try await fetch(APIPage<RoomListItem>.self, "\(residence(pgId))/rooms", for: account).items
    }

    func getRoom(_ id: UUID, pgId: UUID, for account: UUID) async throws -> Room {
        try await fetch(Room.self, "\(residence(pgId))/rooms/\(id.path)", for: account)
    }

    func createRoom(_ room: RoomCreation, key: UUID, for account: UUID) async throws -> Room {
        let body = RoomBody(number: room.number, type: room.type, bedCount: room.bedCount, details: room.details)
        return try await run(Room.self, "\(residence(room.pgId))/rooms", body, key: key, for: account)
    }

    func updateRoom(_ update: RoomUpdate, key: UUID, for account: UUID) async throws -> Room {
        try await run(
            Room.self, "\(residence(update.pgId))/rooms/\(update.roomId.path)", update.fields, key: key,
            for: account)
    }

    func deleteRoom(_ deletion: RoomDeletion, key: UUID, for account: UUID) async throws {
        _ = try await run(
            APIDone.self, "\(residence(deletion.pgId))/rooms/\(deletion.roomId.path)/delete",
            deletion.moveTo.map { ["moveTo": $0.path] } ?? [:], key: key, for: account)
    }

    /// Returns a page of the active residents.
    func getStudents(
        pgId: UUID, status: String, limit: Int, after: String?, for account: UUID
    ) async throws -> APIPage<StudentDto> {
        var query = ["status": status, "limit": String(limit)]
        query["after"] = after
        return try await fetch(APIPage<StudentDto>.self, "\(residence(pgId))/students", query, for: account)
    }

    func getStudentDetail(_ id: UUID, pgId: UUID, for account: UUID) async throws -> StudentDto {
        try await fetch(StudentDto.self, "\(residence(pgId))/students/\(id.path)", for: account)
    }

    func updateStudentRoom(_ move: RoomAssignment, key: UUID, for account: UUID) async throws -> StudentDto {
        try await run(
            StudentDto.self, "\(residence(move.pgId))/students/\(move.studentId.path)/room",
            move.roomId.map { ["roomId": $0.path] } ?? [:], key: key, for: account)
    }

    /// Sends a passage: of the caller by check-in or check-out, of another resident by the route of wardens.
    ///
    /// - Parameter now: The time of sending by the device's clock.
    func record(
        _ passage: PassageEntry, at now: Date, key: UUID, for account: UUID
    ) async throws -> CheckInOutRecord {
        let record = passage.record
        let body = PassageBody(
            id: record.id, studentId: passage.isOwn ? nil : record.studentId,
            type: passage.isOwn ? nil : record.type, method: record.method, nfcTagId: record.nfcTagId,
            userType: passage.isOwn ? .student : .warden, deviceId: record.deviceId, recordedAt: record.timestamp,
            sentAt: max(now, record.timestamp))
        let route = !passage.isOwn ? "passages" : record.type == .checkIn ? "check-in" : "check-out"
        return try await run(
            CheckInOutRecord.self, "\(residence(record.pgId))/\(route)", body, key: key, for: account)
    }

    /// Returns the latest passages, the newest first.
    func getPassages(pgId: UUID, limit: Int, for account: UUID) async throws -> [CheckInOutRecord] {
        try await fetch(
            APIPage<CheckInOutRecord>.self, "\(residence(pgId))/passages", ["limit": String(limit)], for: account
        ).items
    }

    func getDailyAttendance(pgId: UUID, date: Day, for account: UUID) async throws -> DailyAttendance {
        try await fetch(
            DailyAttendance.self, "\(residence(pgId))/attendance", ["date": date.description], for: account)
    }

    func getLeaves(pgId: UUID, for account: UUID) async throws -> [Leave] {
        try await fetch(APIPage<Leave>.self, "\(residence(pgId))/leaves", for: account).items
    }

    func decideLeave(_ decision: LeaveDecision, key: UUID, for account: UUID) async throws -> Leave {
        try await run(
            Leave.self, "/api/v1/leaves/\(decision.leaveId.path)/decide",
            DecisionBody(approves: decision.approves, note: decision.note), key: key, for: account)
    }

    /// Returns the meals of the caller's week with their choices.
    func getMeals(day: Day, for account: UUID) async throws -> [ResidentMeal] {
        try await fetch(APIPage<ResidentMeal>.self, "/api/v1/meals", ["day": day.description], for: account).items
    }

    /// Sends a choice of a meal.
    ///
    /// - Parameter now: The time of sending by the device's clock.
    func chooseMeal(
        _ choice: MealChoosing, at now: Date, key: UUID, for account: UUID
    ) async throws -> ResidentMeal {
        let body = ChoiceBody(
            choice: choice.choice, recordedAt: choice.at, sentAt: choice.at.map { max(now, $0) })
        return try await run(
            ResidentMeal.self, "/api/v1/meals/\(choice.mealId.path)/choose", body, key: key, for: account)
    }
}
