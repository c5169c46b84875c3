import Client
import Domain
import Foundation
import ResidenceModel
import TestKit
import Testing

/// The types that client and server share, in the form in which they travel and are compared.
@Suite("The models of residences")
struct ModelTests {
    @Test("a check-in is by hand, by NFC, by QR code or at a kiosk", .requirement("PG-2.17.a"))
    func methods() {
        #expect(CheckInMethod.allCases.map(\.rawValue) == ["manual", "nfc", "qr", "kiosk"])
    }

    @Test(
        "a resident is checked in, checked out or on leave, and active, inactive or moved out",
        .requirement("PG-2.17.b"))
    func statuses() {
        #expect(CheckInStatus.allCases.map(\.rawValue) == ["checkedIn", "checkedOut", "onLeave"])
        #expect(StudentStatus.allCases.map(\.rawValue) == ["active", "inactive", "movedOut"])
    }

    private func fields(_ value: some Encodable) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return try #require(object as? [String: Any]).keys.sorted()
    }

    @Test(
        "a passage carries its method, type and time, and tag, place and device only if they are known",
        .requirement("PG-5.04.a"))
    func record() throws {
        let (id, student, pgId) = (UUID(), UUID(), UUID())
        let least = CheckInOutRecord(
            id: id, studentId: student, pgId: pgId, method: .manual, type: .checkIn, timestamp: morning)
        let whole = CheckInOutRecord(
            id: id, studentId: student, pgId: pgId, method: .nfc, type: .checkOut, timestamp: morning,
            nfcTagId: "04A2B9C1", location: GeoLocation(latitude: 46.52, longitude: 6.63), deviceId: "tablet")
        let always = ["id", "method", "pgId", "studentId", "timestamp", "type"]
        #expect(try fields(least) == always)
        #expect(try fields(whole) == (always + ["deviceId", "location", "nfcTagId"]).sorted())
        for one in [least, whole] {
            #expect(try JSONDecoder().decode(CheckInOutRecord.self, from: JSONEncoder().encode(one)) == one)
        }
    }

    @Test("a passage is a check-in or a check-out", .requirement("PG-5.04.b"))
    func types() {
        #expect(RecordType.allCases.map(\.rawValue) == ["checkIn", "checkOut"])
    }

    @Test("a day has its date, its summary and its residents", .requirement("PG-5.05.a"))
    func day() throws {
        let day = DailyAttendance(date: try #require(Day("2026-11-12")), students: [])
        #expect(try fields(day) == ["date", "students", "summary"])
    }

    @Test("the summary of a day has four counts that add up to the total", .requirement("PG-5.05.b"))
    func summary() throws {
        let summary = AttendanceSummary(checkedIn: 4, checkedOut: 3, notReturned: 2, absent: 1)
        #expect(try fields(summary) == ["absent", "checkedIn", "checkedOut", "notReturned", "total"])
        #expect(summary.total == 10)
    }

    @Test("a room has its fields, and details only where they are known", .requirement("PG-5.01"))
    func room() throws {
        let resident = UUID()
        let least = Room(
            id: UUID(), pgId: UUID(), number: "101", type: "Twin", bedCount: 2, studentIds: [resident],
            createdAt: morning, updatedAt: morning)
        let always = [
            "availableBeds", "bedCount", "createdAt", "id", "number", "occupiedBeds", "pgId", "studentIds", "type",
            "updatedAt",
        ]
        #expect(try fields(least) == always)
        #expect(least.occupiedBeds == 1 && least.availableBeds == 1)
        let whole = least.withUpdates(details: "Window to the yard", at: morning)
        #expect(try fields(whole) == (always + ["details"]).sorted())
        for one in [least, whole] {
            #expect(try JSONDecoder().decode(Room.self, from: JSONEncoder().encode(one)) == one)
        }
    }

    @Test(
        "a resident is a `ResidenceMember` with its fields, and the optional ones only where they are known",
        .requirement("PG-5.03", "PT-1.11.e"))
    func resident() throws {
        let least = ResidenceMember(id: UUID(), pgId: UUID(), name: "Noor Aziz")
        let whole = ResidenceMember(
            id: UUID(), pgId: UUID(), name: "Noor Aziz", email: "noor@example.org", phone: "+41 21 555 01 01",
            roomId: UUID(), status: .inactive, checkInStatus: .onLeave, lastCheckIn: morning, lastCheckOut: morning)
        let always = ["id", "name", "pgId", "status"]
        let known = ["checkInStatus", "email", "lastCheckIn", "lastCheckOut", "phone", "roomId"]
        #expect(try fields(least) == always && least.status == .active)
        #expect(try fields(whole) == (always + known).sorted())
        for one in [least, whole] {
            #expect(try JSONDecoder().decode(ResidenceMember.self, from: JSONEncoder().encode(one)) == one)
        }
    }

    private func listed() -> RoomListItem {
        RoomListItem(
            id: UUID(), number: "101", type: "Twin", bedCount: 2, occupiedBeds: 1, createdAt: morning,
            updatedAt: morning.addingTimeInterval(60))
    }

    @Test("a listed room becomes a room with all its fields and the server's times", .requirement("PG-5.06.a"))
    func listedRoom() {
        let (item, pgId) = (listed(), UUID())
        let room = item.toRoom(pgId: pgId)
        #expect(room.id == item.id && room.pgId == pgId && room.number == "101" && room.type == "Twin")
        #expect(room.bedCount == 2 && room.occupiedBeds == 1)
        #expect(room.createdAt == item.createdAt && room.updatedAt == item.updatedAt)
    }

    @Test("a listed room has no details and residents before it is loaded", .requirement("PG-5.06.b"))
    func listedRoomBeforeLoading() {
        let room = listed().toRoom(pgId: UUID())
        #expect(room.details == nil && room.studentIds.isEmpty)
    }
}

@MainActor
@Suite("Stores")
struct StoreTests {
    @Test("every store has a state, is refreshed and is cleared", .requirement("PG-1.09.a"))
    func everyStore() async throws {
        let device = try await Device()
        for path in [
            Routes.rooms, Routes.students, "\(Routes.residence)/leaves", "/api/v1/meals", "/api/v1/conversations",
        ] {
            device.api.on("GET \(path)", failing: offline)
        }
        func tries<Kind: Store>(_ store: Kind) async {
            await store.refresh()
            #expect(!store.state.syncInProgress)
            store.clear()
            #expect(store.state.lastSyncTime == nil)
        }
        await tries(device.store.pgStore)
        await tries(device.store.chatStore)
        await tries(device.store.attendanceStore)
        await tries(device.store.foodStore)
    }

    @Test(
        "two app stores with managers of their own share nothing: each asks its own server",
        .requirement("PG-1.05.b"))
    func twoStores() async throws {
        let (first, second) = (try await Device(), try await Device())
        for device in [first, second] { device.api.on("GET \(Routes.rooms)", page([RoomListItem]())) }
        try await first.pg.loadRooms(pgId: Device.pgId)
        #expect(first.api.requests.count == 1 && second.api.requests.isEmpty)
        #expect(first.pg.state.lastSyncTime != nil && second.pg.state.lastSyncTime == nil)
    }

    @Test("conversations that cannot be loaded set the error and throw", .requirement("PG-3.02.b"))
    func failedConversations() async throws {
        let device = try await Device()
        device.api.on("GET /api/v1/conversations", failing: offline)
        await #expect(throws: offline) { try await device.chat.loadConversations(pgId: Device.pgId) }
        #expect(device.chat.state.error == .unreachable && !device.chat.state.loading)
    }
}
