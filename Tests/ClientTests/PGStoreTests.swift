import Client
import Domain
import Foundation
import Observation
import ResidenceModel
import Synchronization
import TestKit
import Testing

@MainActor
@Suite("PGStore: rooms")
struct RoomTests {
    let pgId = Device.pgId

    @Test(
        "a fresh state is empty",
        .requirement("PG-2.01.a", "PG-2.01.b", "PG-2.02", "PG-2.03.a", "PG-2.03.b", "PG-1.09.b"))
    func fresh() {
        let state = PGStoreState()
        #expect(state.rooms == [UUID: Room]() && state.roomsByPg == [UUID: [UUID]]())
        #expect(state.students == [UUID: ResidenceMember]() && state.studentsByPg == [UUID: [UUID]]())
        #expect(state.checkInOutRecords == [UUID: CheckInOutRecord]())
        #expect(state.recordsByStudent == [UUID: [UUID]]() && state.recordsByDate == [Day: [UUID]]())
        #expect(state.attendanceByDate.isEmpty)
        #expect(!state.roomsLoading && !state.studentsLoading && !state.attendanceLoading && !state.syncInProgress)
        #expect(state.roomsError == nil && state.studentsError == nil && state.attendanceError == nil)
        #expect(state.lastSyncTime == nil)
    }

    @Test("loading rooms turns loading on and clears the error until the answer", .requirement("PG-2.05.a"))
    func loading() async throws {
        let device = try await Device()
        device.api.on("GET \(Routes.rooms)", failing: offline)
        await #expect(throws: offline) { try await device.pg.loadRooms(pgId: pgId) }
        let latch = Latch()
        device.api.on("GET \(Routes.rooms)") { _ in
            await latch.wait()
            return try FakeAPI.json(listing([]))
        }
        let load = Task { try await device.pg.loadRooms(pgId: pgId) }
        try await eventually { device.api.requests.count == 2 }
        #expect(device.pg.state.roomsLoading && device.pg.state.roomsError == nil)
        latch.open()
        try await load.value
        #expect(!device.pg.state.roomsLoading)
    }

    @Test(
        "a store changes its state on the main actor, wherever the network answers",
        .requirement("PG-8.05.a"))
    func mainActor() async throws {
        let device = try await Device()
        let room = makeRoom("1")
        let isOnMain = Mutex([Bool]())
        device.api.on("GET \(Routes.rooms)") { _ in
            try await Task.detached { try FakeAPI.json(listing([room])) }.value
        }
        withObservationTracking {
            _ = device.pg.state
        } onChange: {
            // Stops the process elsewhere than on the main actor.
            MainActor.assumeIsolated { isOnMain.withLock { $0.append(true) } }
        }
        try await device.pg.loadRooms(pgId: pgId)
        #expect(isOnMain.withLock { $0 } == [true])
        #expect(device.pg.state.rooms[room.id] == room)
    }

    @Test(
        "a store's operation is asynchronous, isolated to the main actor, and throws the client's own errors",
        .requirement("PG-10.01.b"))
    func idioms() async throws {
        let device = try await Device.loaded(rooms: [])
        device.api.on("POST \(Routes.rooms)", failing: refusal(422, "invalid"))
        let create: @MainActor (PGStore) async throws -> Room = {
            try await $0.createRoom(pgId: Device.pgId, number: "1", type: "Twin", bedCount: 2)
        }
        await #expect(throws: StoreError.self) { try await create(device.pg) }
    }

    @Test(
        "AppStore, Store, PGStore and ChatStore are names of types, and the two are stores",
        .requirement("PG-9.01.b"))
    func names() async throws {
        let device = try await Device()
        let stores: [any Store] = [device.store.pgStore, device.store.chatStore]
        #expect(stores.map { "\(type(of: $0))" } == ["PGStore", "ChatStore"])
        #expect("\(type(of: device.store))" == "AppStore")
    }

    @Test(
        "loading merges rooms, replaces the order, drops vanished rooms and stamps the time",
        .requirement("PG-2.05.b"))
    func merges() async throws {
        let (first, second, third) = (makeRoom("1", occupied: 1), makeRoom("2"), makeRoom("3"))
        let device = try await Device.loaded(rooms: [first, second])
        device.clock.advance(by: 60)
        device.api.on("GET \(Routes.rooms)", listing([third, first]))
        try await device.pg.loadRooms(pgId: pgId)
        #expect(device.roomOrder == [third.id, first.id])
        #expect(device.pg.state.rooms[second.id] == nil && device.pg.state.rooms.count == 2)
        #expect(device.pg.state.rooms[first.id] == first)
        #expect(device.pg.state.lastSyncTime == device.clock.now)
    }

    @Test("a failed load sets the error, ends loading and throws", .requirement("PG-2.05.c"))
    func fails() async throws {
        let device = try await Device()
        device.api.on("GET \(Routes.rooms)", failing: offline)
        await #expect(throws: offline) { try await device.pg.loadRooms(pgId: pgId) }
        #expect(device.pg.state.roomsError == .unreachable && !device.pg.state.roomsLoading)
    }

    @Test("the details of a room take the place of the listed room, and an error stays in the state")
    func roomDetail() async throws {
        let room = makeRoom("1", occupied: 1)
        let device = try await Device.loaded(rooms: [room])
        device.api.on("GET \(Routes.room(room.id))", makeRoom("1b", id: room.id))
        try await device.pg.loadRoomDetail(pgId: pgId, roomId: room.id)
        #expect(device.pg.state.rooms[room.id]?.number == "1b" && device.roomOrder == [room.id])
        device.api.on("GET \(Routes.room(room.id))", failing: offline)
        await #expect(throws: offline) { try await device.pg.loadRoomDetail(pgId: pgId, roomId: room.id) }
        #expect(device.pg.state.roomsError == .unreachable)
    }

    @Test(
        "a new room shows at once with a temporary id and free beds",
        .requirement("PG-2.06.a", "PG-2.06.b", "PG-1.02.a", "PG-7.01.b"))
    func temporary() async throws {
        let known = makeRoom("1")
        let device = try await Device.loaded(rooms: [known])
        let latch = Latch()
        let real = makeRoom("2", beds: 3)
        device.api.on("POST \(Routes.rooms)") { _ in
            await latch.wait()
            return try FakeAPI.json(real)
        }
        let creation = Task {
            try await device.pg.createRoom(pgId: pgId, number: "2", type: "Twin", bedCount: 3)
        }
        try await eventually { device.api.requests("POST \(Routes.rooms)").count == 1 }
        let id = try #require(device.roomOrder.last)
        let room = try #require(device.pg.state.rooms[id])
        #expect(device.roomOrder.count == 2 && id != known.id && id != real.id)
        #expect(room.occupiedBeds == 0 && room.availableBeds == 3 && room.studentIds.isEmpty)
        #expect(device.pg.syncState(of: id) == .sending)
        #expect(device.pg.currentId(of: id) == id)
        latch.open()
        #expect(try await creation.value == real)
    }

    @Test(
        "the real room takes the temporary one's place, whatever order the answers have", .requirement("PG-2.07.a"))
    func swaps() async throws {
        let known = makeRoom("1")
        let device = try await Device.loaded(rooms: [known])
        let latches = ["2": Latch(), "3": Latch()]
        let (two, three) = (makeRoom("2"), makeRoom("3"))
        let real = ["2": two, "3": three]
        device.api.on("POST \(Routes.rooms)") { request in
            let number = String(decoding: request.body ?? Data(), as: UTF8.self).contains("\"2\"") ? "2" : "3"
            await latches[number]?.wait()
            return try FakeAPI.json(real[number])
        }
        let second = Task { try await device.pg.createRoom(pgId: pgId, number: "2", type: "T", bedCount: 1) }
        try await eventually { device.api.requests("POST \(Routes.rooms)").count == 1 }
        let third = Task { try await device.pg.createRoom(pgId: pgId, number: "3", type: "T", bedCount: 1) }
        try await eventually { device.api.requests("POST \(Routes.rooms)").count == 2 }
        let temporary = device.roomOrder
        latches["3"]?.open()
        _ = try await third.value
        #expect(device.roomOrder == [known.id, temporary[1], three.id])
        latches["2"]?.open()
        _ = try await second.value
        #expect(device.roomOrder == [known.id, two.id, three.id])
        #expect(Set(device.pg.state.rooms.keys) == Set(device.roomOrder))
    }

    @Test("a refused new room leaves no trace, and the error is set and thrown", .requirement("PG-2.07.b"))
    func refused() async throws {
        let known = makeRoom("1")
        let device = try await Device.loaded(rooms: [known])
        let error = StoreError.refused(Refusal(status: 422, code: "invalid", title: "The number is taken."))
        device.api.on("POST \(Routes.rooms)", failing: refusal(422, "invalid", "The number is taken."))
        await #expect(throws: error) {
            try await device.pg.createRoom(pgId: pgId, number: "1", type: "T", bedCount: 1)
        }
        #expect(device.roomOrder == [known.id] && Array(device.pg.state.rooms.keys) == [known.id])
        #expect(device.pg.state.roomsError == error && device.store.syncSummary.unsent == 0)
    }

    @Test("updating an unknown room throws", .requirement("PG-2.08.a"))
    func unknown() async throws {
        let device = try await Device.loaded()
        await #expect(throws: StoreError.roomNotFound) { try await device.pg.updateRoom(UUID(), number: "9") }
    }

    @Test("an update shows at once and becomes the server's version", .requirement("PG-2.08.b"))
    func updates() async throws {
        let room = makeRoom("1")
        let device = try await Device.loaded(rooms: [room])
        let latch = Latch()
        var answer = room
        answer.number = "1b"
        answer.details = "By the stairs"
        let server = answer
        device.api.on("POST \(Routes.room(room.id))") { _ in
            await latch.wait()
            return try FakeAPI.json(server)
        }
        let update = Task { try await device.pg.updateRoom(room.id, number: "1b") }
        try await eventually { device.api.requests("POST \(Routes.room(room.id))").count == 1 }
        #expect(device.pg.state.rooms[room.id]?.number == "1b" && device.pg.state.rooms[room.id]?.details == nil)
        latch.open()
        #expect(try await update.value == server)
        #expect(device.pg.state.rooms[room.id] == server)
    }

    @Test("a refused update brings the old room back", .requirement("PG-2.08.c"))
    func reverts() async throws {
        let room = makeRoom("1")
        let device = try await Device.loaded(rooms: [room])
        device.api.on("POST \(Routes.room(room.id))", failing: refusal(422, "invalid"))
        await #expect(throws: StoreError.self) { try await device.pg.updateRoom(room.id, bedCount: 1) }
        #expect(device.pg.state.rooms[room.id] == room)
    }

    @Test("deleting an unknown room throws", .requirement("PG-2.09.a"))
    func deletesUnknown() async throws {
        let device = try await Device.loaded()
        await #expect(throws: StoreError.roomNotFound) { try await device.pg.deleteRoom(UUID()) }
    }

    @Test("a deleted room is gone at once", .requirement("PG-2.09.b"))
    func deletes() async throws {
        let rooms = [makeRoom("1"), makeRoom("2")]
        let device = try await Device.loaded(rooms: rooms)
        let latch = Latch()
        device.api.on("POST \(Routes.room(rooms[0].id))/delete") { _ in
            await latch.wait()
            return Data("{\"done\":true}".utf8)
        }
        let deletion = Task { try await device.pg.deleteRoom(rooms[0].id) }
        try await eventually { device.api.requests("POST \(Routes.room(rooms[0].id))/delete").count == 1 }
        #expect(device.roomOrder == [rooms[1].id] && device.pg.state.rooms[rooms[0].id] == nil)
        latch.open()
        try await deletion.value
        #expect(device.roomOrder == [rooms[1].id])
    }

    @Test("a room that could not be deleted returns to its place", .requirement("PG-2.09.c"))
    func restores() async throws {
        let rooms = [makeRoom("1"), makeRoom("2", occupied: 1), makeRoom("3")]
        let device = try await Device.loaded(rooms: rooms)
        device.api.on("POST \(Routes.room(rooms[1].id))/delete", failing: refusal(409, "residence.roomOccupied"))
        device.api.on("GET \(Routes.room(rooms[1].id))", rooms[1])
        await #expect(throws: StoreError.self) { try await device.pg.deleteRoom(rooms[1].id) }
        #expect(device.roomOrder == rooms.map(\.id) && device.pg.state.rooms[rooms[1].id] == rooms[1])
    }

    @Test("search finds rooms by number or type, in upper and lower case", .requirement("PG-4.02.a"))
    func search() async throws {
        let device = try await Device.loaded(rooms: [makeRoom("A1"), makeRoom("b2")])
        #expect(device.pg.state.rooms(of: pgId, matching: "a1").map(\.number) == ["A1"])
        #expect(device.pg.state.rooms(of: pgId, matching: "tWIN").count == 2)
        #expect(device.pg.state.rooms(of: pgId, matching: "suite").isEmpty)
    }

    @Test("an empty search shows all rooms", .requirement("PG-4.02.b"))
    func emptySearch() async throws {
        let device = try await Device.loaded(rooms: [makeRoom("A1"), makeRoom("b2")])
        #expect(device.pg.state.rooms(of: pgId, matching: " ").count == 2)
    }
}

@MainActor
@Suite("PGStore: residents and passages")
struct StudentTests {
    let pgId = Device.pgId

    @Test("residents are asked for by status, a hundred at a time", .requirement("PG-2.10.a", "PG-8.01.a"))
    func pages() async throws {
        let device = try await Device()
        let students = (0..<150).map { makeStudent("s\($0)") }
        device.api.on("GET \(Routes.students)") { request in
            let start = request.query["after"].flatMap { Int($0) } ?? 0
            let end = min(start + 100, students.count)
            return try FakeAPI.json(
                page(Array(students[start..<end]), next: end < students.count ? "\(end)" : nil))
        }
        try await device.pg.loadStudents(pgId: pgId)
        #expect(device.pg.state.studentsByPg[pgId] == students.map(\.id))
        #expect(device.api.requests.count == 2)
        #expect(
            device.api.requests.allSatisfy { $0.query["status"] == "ACTIVE" && $0.query["limit"] == "100" })
        device.api.on("GET \(Routes.students)", failing: offline)
        await #expect(throws: offline) { try await device.pg.loadStudents(pgId: pgId) }
        #expect(device.pg.state.studentsError == .unreachable && !device.pg.state.studentsLoading)
        device.api.on("GET \(Routes.students)", page([students[7]]))
        try await device.pg.loadStudents(pgId: pgId)
        #expect(Array(device.pg.state.students.keys) == [students[7].id])
    }

    @Test("a loaded detail replaces one resident", .requirement("PG-2.10.b"))
    func detail() async throws {
        let (ana, ben) = (makeStudent("Ana"), makeStudent("Ben"))
        let device = try await Device.loaded(students: [ana, ben])
        let new = StudentDto(id: ana.id, name: "Ana", phone: "555", status: "active")
        device.api.on("GET \(Routes.student(ana.id))", new)
        try await device.pg.loadStudentDetail(pgId: pgId, studentId: ana.id)
        #expect(device.pg.state.students[ana.id] == new.toStudent(pgId: pgId))
        #expect(device.pg.state.students[ben.id] == ben.toStudent(pgId: pgId))
    }

    @Test("a listed resident is mapped with empty check-in fields", .requirement("PG-5.07.a"))
    func maps() {
        let room = UUID()
        let student = StudentDto(
            id: room, name: "Ana", email: "a@b.example", phone: "5", roomId: room, status: "inactive"
        )
        .toStudent(pgId: pgId)
        #expect(
            student
                == ResidenceMember(
                    id: room, pgId: pgId, name: "Ana", email: "a@b.example", phone: "5", roomId: room,
                    status: .inactive))
        #expect(student.checkInStatus == nil && student.lastCheckIn == nil && student.lastCheckOut == nil)
    }

    @Test("an unknown status of a resident becomes active", .requirement("PG-5.07.b"))
    func unknownStatus() {
        #expect(makeStudent("Ana", status: "visiting").toStudent(pgId: pgId).status == .active)
    }

    @Test("moving an unknown resident throws", .requirement("PG-2.11.a"))
    func movesUnknown() async throws {
        let device = try await Device.loaded()
        await #expect(throws: StoreError.studentNotFound) {
            try await device.pg.updateStudentRoom(UUID(), roomId: UUID())
        }
    }

    @Test("a resident's room changes at once", .requirement("PG-2.11.b"))
    func moves() async throws {
        let rooms = [makeRoom("1", occupied: 1), makeRoom("2")]
        let ana = makeStudent("Ana", room: rooms[0].id)
        let device = try await Device.loaded(rooms: rooms, students: [ana])
        let latch = Latch()
        let moved = makeStudent("Ana", id: ana.id, room: rooms[1].id)
        device.api.on("POST \(Routes.student(ana.id))/room") { _ in
            await latch.wait()
            return try FakeAPI.json(moved)
        }
        let move = Task { try await device.pg.updateStudentRoom(ana.id, roomId: rooms[1].id) }
        try await eventually { device.api.requests("POST \(Routes.student(ana.id))/room").count == 1 }
        #expect(device.pg.state.students[ana.id]?.roomId == rooms[1].id)
        #expect(rooms.map { device.pg.state.rooms[$0.id]?.occupiedBeds } == [0, 1])
        latch.open()
        try await move.value
        #expect(device.pg.state.students[ana.id]?.roomId == rooms[1].id)
        #expect(rooms.map { device.pg.state.rooms[$0.id]?.occupiedBeds } == [0, 1])
    }

    @Test("a refused move brings the resident back", .requirement("PG-2.11.c"))
    func movesBack() async throws {
        let rooms = [makeRoom("1", occupied: 1), makeRoom("2", occupied: 2)]
        let ana = makeStudent("Ana", room: rooms[0].id)
        let device = try await Device.loaded(rooms: rooms, students: [ana])
        device.api.on("POST \(Routes.student(ana.id))/room", failing: refusal(409, "residence.roomFull"))
        device.api.on("GET \(Routes.student(ana.id))", ana)
        for room in rooms { device.api.on("GET \(Routes.room(room.id))", room) }
        await #expect(throws: StoreError.self) {
            try await device.pg.updateStudentRoom(ana.id, roomId: rooms[1].id)
        }
        #expect(device.pg.state.students[ana.id]?.roomId == rooms[0].id)
        #expect(rooms.map { device.pg.state.rooms[$0.id]?.occupiedBeds } == [1, 2])
    }

    // MARK: - Passages

    @Test("check-in without a signed-in person throws", .requirement("PG-2.12.a"))
    func nobody() async throws {
        let device = try await Device(auth: FakeAuth(userId: nil, pgId: pgId))
        await #expect(throws: StoreError.userNotAuthenticated) { try await device.pg.checkIn(method: .manual) }
        #expect(device.pg.state.checkInOutRecords.isEmpty)
    }

    @Test("a check-in is of the profile, else of the account", .requirement("PG-2.12.b"), arguments: [true, false])
    func whose(hasProfile: Bool) async throws {
        let auth = FakeAuth(profileId: hasProfile ? UUID() : nil, pgId: pgId)
        let device = try await Device(auth: auth)
        device.api.on("POST \(Routes.residence)/check-in", failing: offline)
        let record = try await device.pg.checkIn(method: .manual)
        #expect(record.studentId == (hasProfile ? auth.profileId : auth.userId))
    }

    @Test(
        "method, tag, device and the kind of person who records go to the server", .requirement("PG-2.17.c"),
        arguments: [("check-in", "student"), ("passages", "warden")])
    func sends(route: String, userType: String) async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(students: [student])
        device.api.on("POST \(Routes.residence)/\(route)", failing: offline)
        let record =
            route == "check-in"
            ? try await device.pg.checkIn(method: .nfc, nfcTagId: "tag 7")
            : try await device.pg.recordPassage(of: student.id, .checkIn, method: .nfc, nfcTagId: "tag 7")
        try await eventually { !device.api.requests("POST \(Routes.residence)/\(route)").isEmpty }
        let body = try #require(device.api.requests("POST \(Routes.residence)/\(route)").last?.body)
        let sent = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(sent["method"] as? String == "nfc" && sent["nfcTagId"] as? String == "tag 7")
        #expect(sent["userType"] as? String == userType && sent["deviceId"] as? String == record.deviceId)
    }

    @Test("the record carries method, type, time, tag and device", .requirement("PG-2.12.c"))
    func carries() async throws {
        let device = try await Device()
        device.api.on("POST \(Routes.residence)/check-in", failing: offline)
        let record = try await device.pg.checkIn(method: .nfc, nfcTagId: "tag 7")
        #expect(record.method == .nfc && record.type == .checkIn && record.nfcTagId == "tag 7")
        #expect(record.timestamp == device.clock.now)
        #expect(record.deviceId.flatMap(UUID.init(text:)) != nil)
        let body = try #require(device.api.requests.last?.body)
        let sent = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(sent["method"] as? String == "nfc" && sent["nfcTagId"] as? String == "tag 7")
        #expect(sent["deviceId"] as? String == record.deviceId)
    }

    @Test("a check-in goes with a random id of the installation, which outlives a restart", .requirement("PG-2.19"))
    func installation() async throws {
        func sent(by device: Device) async throws -> UUID? {
            device.api.on("POST \(Routes.residence)/check-in", failing: offline)
            _ = try await device.pg.checkIn(method: .qr)
            try await eventually { !device.api.requests("POST \(Routes.residence)/check-in").isEmpty }
            let body = try #require(device.api.requests("POST \(Routes.residence)/check-in").last?.body)
            let fields = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            device.store.stop()
            return (fields["deviceId"] as? String).flatMap(UUID.init(text:))
        }
        let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
        let auth = FakeAuth(pgId: Device.pgId)
        let first = try await sent(by: Device(auth: auth, storage: ClientStorage(folder: one.url)))
        let restarted = try await sent(by: Device(auth: auth, storage: ClientStorage(folder: one.url)))
        let elsewhere = try await sent(by: Device(auth: auth, storage: ClientStorage(folder: other.url)))
        #expect(first != nil && restarted == first && elsewhere != nil && elsewhere != first)
    }

    /// A device of a resident who is out, and the record of the check-in that waits for its answer.
    private func checkingIn(
        _ answer: @escaping @Sendable (CheckInOutRecord?) async throws -> CheckInOutRecord
    ) async throws -> (device: Device, studentId: UUID, latch: Latch, task: Task<CheckInOutRecord, any Error>) {
        let student = makeStudent("Ana")
        let auth = FakeAuth(profileId: student.id, pgId: pgId)
        let device = try await Device.loaded(students: [student], Device(auth: auth))
        device.api.on("POST \(Routes.residence)/check-out") { request in
            try FakeAPI.json(try Self.record(of: request, student.id, .checkOut))
        }
        _ = try await device.pg.checkOut(method: .manual)
        device.clock.advance(by: 3600)
        let latch = Latch()
        device.api.on("POST \(Routes.residence)/check-in") { request in
            await latch.wait()
            return try FakeAPI.json(try await answer(try Self.record(of: request, student.id, .checkIn)))
        }
        let task = Task { try await device.pg.checkIn(method: .qr) }
        try await eventually { device.api.requests("POST \(Routes.residence)/check-in").count == 1 }
        return (device, student.id, latch, task)
    }

    private struct Sent: Decodable {
        let id: UUID
        let method: CheckInMethod
        let recordedAt: String
    }

    nonisolated static func record(
        of request: APIRequest, _ studentId: UUID, _ type: RecordType
    ) throws -> CheckInOutRecord {
        let sent = try JSONDecoder().decode(Sent.self, from: request.body ?? Data())
        let time = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(sent.recordedAt)
        return CheckInOutRecord(
            id: sent.id, studentId: studentId, pgId: Device.pgId, method: sent.method, type: type, timestamp: time)
    }

    @Test("a check-in is stored and indexed by resident and day at once", .requirement("PG-2.13.a"))
    func indexes() async throws {
        let (device, studentId, latch, task) = try await checkingIn { try #require($0) }
        let day = ResidenceCalendar(timeZone: .gmt).day(of: device.clock.now)
        let id = try #require(device.pg.state.recordsByStudent[studentId]?.last)
        #expect(device.pg.state.checkInOutRecords[id]?.type == .checkIn)
        #expect(device.pg.state.recordsByDate[day]?.last == id)
        latch.open()
        _ = try await task.value
    }

    @Test("a check-in changes the resident's presence at once", .requirement("PG-2.13.b"))
    func presence() async throws {
        let (device, studentId, latch, task) = try await checkingIn { try #require($0) }
        #expect(device.pg.state.students[studentId]?.checkInStatus == .checkedIn)
        #expect(device.pg.state.students[studentId]?.lastCheckIn == device.clock.now)
        latch.open()
        _ = try await task.value
    }

    @Test(
        "the server's record takes the temporary one's place in the table and both indexes", .requirement("PG-2.14")
    )
    func swaps() async throws {
        let real = UUID()
        let (device, studentId, latch, task) = try await checkingIn { sent in
            let sent = try #require(sent)
            return CheckInOutRecord(
                id: real, studentId: sent.studentId, pgId: sent.pgId, method: sent.method, type: sent.type,
                timestamp: sent.timestamp)
        }
        let temporary = try #require(device.pg.state.recordsByStudent[studentId]?.last)
        latch.open()
        #expect(try await task.value.id == real)
        let state = device.pg.state
        #expect(state.checkInOutRecords[temporary] == nil && state.checkInOutRecords[real] != nil)
        #expect(state.recordsByStudent[studentId]?.last == real && state.recordsByStudent[studentId]?.count == 2)
        #expect(state.recordsByDate.values.flatMap { $0 }.filter { $0 == temporary }.isEmpty)
        #expect(state.recordsByDate.values.flatMap { $0 }.contains(real))
    }

    @Test("a refused check-in leaves no record in table and indexes", .requirement("PG-2.15.a"))
    func refused() async throws {
        let (device, studentId, latch, task) = try await checkingIn { _ in throw refusal(409, "residence.movedOut")
        }
        let temporary = try #require(device.pg.state.recordsByStudent[studentId]?.last)
        latch.open()
        await #expect(throws: StoreError.self) { try await task.value }
        let state = device.pg.state
        #expect(state.checkInOutRecords[temporary] == nil && state.checkInOutRecords.count == 1)
        #expect(state.recordsByStudent[studentId]?.contains(temporary) == false)
        #expect(!state.recordsByDate.values.flatMap { $0 }.contains(temporary))
    }

    @Test("a refused check-in brings the former presence back", .requirement("PG-2.15.b"))
    func refusedPresence() async throws {
        let (device, studentId, latch, task) = try await checkingIn { _ in throw refusal(409, "residence.movedOut")
        }
        let out = device.clock.now.addingTimeInterval(-3600)
        latch.open()
        await #expect(throws: StoreError.self) { try await task.value }
        #expect(device.pg.state.students[studentId]?.checkInStatus == .checkedOut)
        #expect(device.pg.state.students[studentId]?.lastCheckOut == out)
        #expect(device.pg.state.students[studentId]?.lastCheckIn == nil)
    }

    @Test("check-out mirrors check-in", .requirement("PG-2.16"))
    func out() async throws {
        let student = makeStudent("Ana")
        let auth = FakeAuth(profileId: student.id, pgId: pgId)
        let device = try await Device.loaded(students: [student], Device(auth: auth))
        device.api.on("POST \(Routes.residence)/check-out", failing: offline)
        let record = try await device.pg.checkOut(method: .kiosk, nfcTagId: "t")
        #expect(record.type == .checkOut && record.method == .kiosk && record.nfcTagId == "t")
        #expect(device.pg.state.students[student.id]?.checkInStatus == .checkedOut)
        #expect(device.pg.state.students[student.id]?.lastCheckOut == record.timestamp)
        #expect(device.pg.state.recordsByStudent[student.id] == [record.id])
        device.api.on("POST \(Routes.residence)/check-out", failing: refusal(422, "invalid"))
        device.store.retry()
        try await eventually { device.pg.state.checkInOutRecords.isEmpty }
        #expect(device.pg.state.checkInOutRecords.isEmpty && device.pg.state.recordsByDate.isEmpty)
        #expect(device.pg.state.students[student.id]?.checkInStatus == nil)
    }

    @Test("all passages of a residence's day share a key, also after midnight", .requirement("PG-2.04.a"))
    func oneDay() async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(students: [student])
        let day = try #require(Day("2026-11-20"))
        let evening = day.start(in: .gmt).addingTimeInterval(20 * 3600)
        let records = [0, 1800, 5 * 3600, 9 * 3600].map { seconds in
            CheckInOutRecord(
                id: UUID(), studentId: student.id, pgId: pgId, method: .qr, type: .checkIn,
                timestamp: evening.addingTimeInterval(TimeInterval(seconds)))
        }
        device.api.on("GET \(Routes.residence)/passages", page(records.reversed()))
        try await device.pg.loadRecords(pgId: pgId)
        #expect(device.pg.state.recordsByDate[day] == records.map(\.id))
    }

    @Test("a loaded day is stored by its calendar day and returned", .requirement("PG-2.04.b", "PG-2.20.a"))
    func attendance() async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(students: [student])
        let day = ResidenceCalendar(timeZone: .gmt).day(of: device.clock.now)
        let found = DailyAttendance(
            date: day, students: [AttendanceStudent(id: student.id, status: .absent, absence: .onLeave)])
        device.api.on("GET \(Routes.residence)/attendance", found)
        #expect(try await device.pg.loadAttendance(pgId: pgId, date: day) == found)
        #expect(device.pg.state.attendanceByDate[day]?[pgId] == found)
        #expect(device.api.requests.last?.query == ["date": day.description])
        #expect(device.pg.state.students[student.id]?.checkInStatus == .onLeave)
    }

    @Test("a failed load of a day sets the error and throws", .requirement("PG-2.20.b"))
    func attendanceFails() async throws {
        let device = try await Device()
        device.api.on("GET \(Routes.residence)/attendance", failing: refusal(404, "notFound"))
        await #expect(throws: refusal(404, "notFound")) {
            try await device.pg.loadAttendance(pgId: pgId, date: Day(device.clock.now, in: .gmt))
        }
        #expect(device.pg.state.attendanceError != nil && !device.pg.state.attendanceLoading)
    }

    // MARK: - Refresh and clear

    @Test("refresh does nothing without a residence", .requirement("PG-2.21.a"))
    func refreshNothing() async throws {
        let device = try await Device(auth: FakeAuth(pgId: nil))
        await device.pg.refresh()
        #expect(device.api.requests.isEmpty && device.pg.state == PGStoreState())
    }

    @Test(
        "refresh loads rooms and residents at the same time, in progress until both ended",
        .requirement("PG-2.21.b"))
    func refreshes() async throws {
        let device = try await Device()
        let (rooms, students) = (Latch(), Latch())
        device.api.on("GET \(Routes.rooms)") { _ in
            await rooms.wait()
            return try FakeAPI.json(listing([]))
        }
        device.api.on("GET \(Routes.students)") { _ in
            await students.wait()
            return try FakeAPI.json(page([StudentDto]()))
        }
        let refresh = Task { await device.pg.refresh() }
        try await eventually { device.api.requests.count == 2 }
        #expect(device.api.requests.count == 2 && device.pg.state.syncInProgress)
        rooms.open()
        try await eventually { !device.pg.state.roomsLoading }
        #expect(device.pg.state.syncInProgress)
        students.open()
        await refresh.value
        #expect(!device.pg.state.syncInProgress)
    }

    @Test("errors of a refresh stay in the state", .requirement("PG-2.21.c"))
    func refreshFails() async throws {
        let device = try await Device()
        device.api.on("GET \(Routes.rooms)", failing: offline)
        device.api.on("GET \(Routes.students)", failing: refusal(403, "forbidden"))
        await device.pg.refresh()
        #expect(device.pg.state.roomsError == .unreachable && device.pg.state.studentsError != nil)
        #expect(!device.pg.state.syncInProgress)
    }

    @Test("clear resets the store", .requirement("PG-2.22.a"))
    func clears() async throws {
        let device = try await Device.loaded(rooms: [makeRoom("1")], students: [makeStudent("Ana")])
        #expect(device.pg.state != PGStoreState())
        device.pg.clear()
        #expect(device.pg.state == PGStoreState())
    }
}
