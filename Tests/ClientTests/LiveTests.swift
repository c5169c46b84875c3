import Domain
import Foundation
import MessagingModel
import ResidenceModel
import TestKit
import Testing

@testable import Client

@MainActor
@Suite("Following the server's events")
struct LiveTests {
    let pgId = Device.pgId

    private func updated(_ seq: Int64, _ room: UUID) -> LiveItem {
        .event(
            LiveEvent(
                seq: seq, kind: "residence.roomUpdated",
                payload: ["residence": pgId.text, "room": room.text]))
    }

    private func started(
        _ rooms: [Room], storage: ClientStorage = .memory, auth: FakeAuth? = nil
    ) async throws -> Device {
        let device = try await Device.loaded(rooms: rooms, Device(auth: auth, storage: storage))
        device.api.on("GET \(Routes.residence)/passages", page([CheckInOutRecord]()))
        try await follow(device)
        return device
    }

    /// Opens the stream and waits for the first load.
    private func follow(_ device: Device) async throws {
        device.store.start()
        try await eventually { device.api.places.count == 1 }
        device.api.push(.opened)
        try await eventually { device.api.requests("GET \(Routes.residence)/passages").count == 1 }
    }

    @Test("an event loads what it changed and nothing else")
    func loadsOne() async throws {
        let rooms = [makeRoom("1"), makeRoom("2")]
        let device = try await started(rooms)
        let before = device.api.requests.count
        device.api.on("GET \(Routes.room(rooms[1].id))", makeRoom("2b", id: rooms[1].id))
        device.api.push(updated(41, rooms[1].id))
        try await eventually { device.pg.state.rooms[rooms[1].id]?.number == "2b" }
        #expect(device.pg.state.rooms[rooms[1].id]?.number == "2b" && device.api.requests.count == before + 1)
        device.store.stop()
    }

    @Test("an event and a refresh load a later week of meals again, the current week instead of an earlier one")
    func weekOfMeals() async throws {
        let device = try await Device()
        let today = Day(device.clock.now, in: .gmt)
        let store = device.store.foodStore
        device.api.on("GET /api/v1/meals", page([ResidentMeal]()))
        for day in [today.adding(days: 7), today.adding(days: -7)] {
            try await store.loadMeals(pgId: pgId, from: day)
            try await store.load([.meals(pgId: pgId)])
            await store.refresh()
        }
        let days = device.api.requests("GET /api/v1/meals").map { $0.query["day"] }
        #expect(days == [7, 7, 7, -7, 0, 0].map { today.adding(days: $0).description })
    }

    @Test("a broken stream is resumed at the last event, which is repeated and not loaded again")
    func resumes() async throws {
        let room = makeRoom("1")
        let device = try await started([room])
        device.api.on("GET \(Routes.room(room.id))", makeRoom("1b", id: room.id))
        device.api.push(updated(41, room.id))
        try await eventually { device.store.lastEvent == 41 }
        device.api.cut()
        try await eventually { !device.sleep.waits.isEmpty }
        device.sleep.fire()
        try await eventually { device.api.places.count == 2 }
        #expect(device.api.places == [nil, 40])
        let before = device.api.requests.count
        device.api.on("GET \(Routes.room(room.id))", makeRoom("1c", id: room.id))
        device.api.push(.opened, updated(41, room.id), .heartbeat, updated(42, room.id))
        try await eventually { device.pg.state.rooms[room.id]?.number == "1c" }
        #expect(device.api.requests.count == before + 1)
        device.store.stop()
    }

    @Test("the place in the stream outlives a restart")
    func place() async throws {
        let folder = try TemporaryFolder()
        let auth = FakeAuth(pgId: pgId)
        let room = makeRoom("1")
        let first = try await started([room], storage: ClientStorage(folder: folder.url), auth: auth)
        first.api.on("GET \(Routes.room(room.id))", makeRoom("1b", id: room.id))
        first.api.push(updated(41, room.id))
        try await eventually { first.pg.state.rooms[room.id]?.number == "1b" }
        try await eventually { first.store.lastEvent == 41 }
        first.store.stop()
        let second = try await Device(auth: auth, storage: ClientStorage(folder: folder.url))
        second.store.start()
        try await eventually { second.api.places.count == 1 }
        #expect(second.api.places == [40])
        second.store.stop()
    }

    @Test(
        "a server whose log is another one, as after a restored backup, is noticed and everything is loaded anew",
        arguments: ["shorter", "other", "longer"])
    func restored(_ how: String) async throws {
        let (room, student) = (makeRoom("1"), makeStudent("Ana"))
        let device = try await Device.loaded(rooms: [room], students: [student])
        device.api.on("GET \(Routes.residence)/passages", page([CheckInOutRecord]()))
        try await follow(device)
        device.api.on("GET \(Routes.room(room.id))", room)
        device.api.push(updated(41, room.id))
        try await eventually { device.store.lastEvent == 41 }
        device.api.cut()
        try await eventually { !device.sleep.waits.isEmpty }
        device.sleep.fire()
        try await eventually { device.api.places.count == 2 }
        let other = makeRoom("9")
        device.api.on("GET \(Routes.rooms)", listing([other]))
        device.api.on("GET \(Routes.students)", page([StudentDto]()))
        device.api.push(.opened)
        switch how {
        case "shorter": device.api.push(.heartbeat)
        case "other": device.api.push(updated(41, other.id))
        default: device.api.push(updated(57, other.id))
        }
        try await eventually { device.roomOrder == [other.id] && device.pg.state.students.isEmpty }
        #expect(device.roomOrder == [other.id] && device.pg.state.students.isEmpty)
        #expect(device.store.reloads == 1)
        device.store.stop()
    }

    @Test("a load that fails leaves the place, so that the event is loaded again")
    func failing() async throws {
        let room = makeRoom("1")
        let device = try await started([room])
        device.api.on("GET \(Routes.room(room.id))", failing: offline)
        device.api.push(updated(41, room.id))
        try await eventually { !device.sleep.waits.isEmpty }
        device.sleep.fire()
        try await eventually { device.api.places.count == 2 }
        #expect(device.api.places == [nil, nil])
        device.store.stop()
    }

    @Test("an event stream is read in any pieces")
    func parser() {
        let text =
            "retry: 1000\n\nid: 7\r\ndata: {\"seq\":7,\"kind\":\"a.b\",\"topics\":[],\"payload\":{\"é\":\"1\"}}\r\n\r\n: \n\n"
        for size in [1, 3, 1_000] {
            var parser = EventStreamParser()
            var items: [LiveItem] = []
            let bytes = Data(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                items += parser.take(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(items == [.event(LiveEvent(seq: 7, kind: "a.b", payload: ["é": "1"])), .heartbeat])
        }
    }
}

@MainActor
@Suite("Bounds of the client's memory")
struct MemoryTests {
    @Test("passages leave the memory above its bound, the oldest first", .requirement("PG-8.01.b"))
    func bounded() async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(
            students: [student], Device(bounds: MemoryBounds(passages: 20, days: 3)))
        let records = (0...25).map { index in
            CheckInOutRecord(
                id: UUID(), studentId: student.id, pgId: Device.pgId, method: .qr, type: .checkIn,
                timestamp: morning.addingTimeInterval(Double(index) * 60))
        }
        device.api.on("GET \(Routes.residence)/passages", page(records))
        try await device.pg.loadRecords(pgId: Device.pgId)
        #expect(device.pg.state.checkInOutRecords.count == 20)
        #expect(device.pg.state.recordsByStudent[student.id] == records.suffix(20).map(\.id))
    }

    @Test("days of attendance leave the memory above their bound, the earliest first")
    func days() async throws {
        let device = try await Device(bounds: MemoryBounds(days: 3))
        let first = try #require(Day("2026-11-01"))
        for offset in 0..<5 {
            let day = first.adding(days: offset)
            device.api.on("GET \(Routes.residence)/attendance", DailyAttendance(date: day, students: []))
            try await device.pg.loadAttendance(pgId: Device.pgId, date: day)
        }
        #expect(
            device.pg.state.attendanceByDate.keys.sorted() == (2..<5).map { first.adding(days: $0) })
    }
}
