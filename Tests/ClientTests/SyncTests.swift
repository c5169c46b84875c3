import Client
import Domain
import Foundation
import MessagingModel
import Observation
import ResidenceModel
import TestKit
import Testing

@MainActor
@Suite("The queue of unsent changes")
struct SyncTests {
    let pgId = Device.pgId

    @Test(
        "a change without a connection is applied, and sent when the connection returns",
        .requirement("PG-1.02.b", "PG-1.03.c"))
    func offlineThenOnline() async throws {
        let room = makeRoom("1")
        let device = try await Device.loaded(rooms: [room])
        device.api.on("POST \(Routes.room(room.id))", failing: offline)
        let shown = try await device.pg.updateRoom(room.id, number: "1b")
        #expect(shown.number == "1b" && device.pg.state.roomsError == nil)
        #expect(device.store.syncSummary.unsent == 1 && device.store.syncSummary.isOffline)
        var answer = room
        answer.number = "1b"
        device.api.on("GET \(Routes.room(room.id))", room)
        device.api.on("POST \(Routes.room(room.id))", answer)
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        #expect(device.pg.state.rooms[room.id]?.number == "1b" && !device.store.syncSummary.isOffline)
        #expect(device.pg.syncState(of: room.id) == .synced)
    }

    @Test("a store that nobody holds any more ends, with a change that waits, and closes its file")
    func ends() async throws {
        var device: Device? = try await Device.loaded(rooms: [])
        device?.api.on("POST \(Routes.rooms)", failing: offline)
        _ = try await device?.pg.createRoom(pgId: pgId, number: "1", type: "T", bedCount: 1)
        weak let store = device?.store
        weak let pg = device?.pg
        #expect(store != nil && pg != nil)
        device = nil
        try await eventually { store == nil && pg == nil }
        #expect(store == nil && pg == nil)
    }

    @Test("network errors are retried after times that double, with jitter and a limit", .requirement("PG-8.03.a"))
    func backsOff() async throws {
        let device = try await Device.loaded(rooms: [])
        device.api.on("POST \(Routes.rooms)", failing: offline)
        _ = try await device.pg.createRoom(pgId: pgId, number: "1", type: "T", bedCount: 1)
        for count in 1..<9 {
            try await eventually { device.sleep.waits.count == count }
            device.clock.advance(by: device.sleep.waits.last ?? 0)
            device.sleep.fire()
        }
        try await eventually { device.sleep.waits.count == 9 }
        #expect(device.sleep.waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        #expect(device.api.requests("POST \(Routes.rooms)").count == 9)
        #expect(Backoff().delay(after: 3, random: 0) == 2 && Backoff().delay(after: 4_000, random: 1) == 60)
    }

    @Test("a validation error is shown at once and never sent again", .requirement("PG-8.03.b"))
    func validation() async throws {
        let device = try await Device.loaded(rooms: [])
        let fault = Refusal.FieldFault(field: "number", code: "tooLong", message: "At most 20 characters.")
        device.api.on(
            "POST \(Routes.rooms)",
            failing: .refused(Refusal(status: 422, code: "invalid", title: "Look again.", errors: [fault])))
        await #expect(throws: StoreError.self) {
            try await device.pg.createRoom(pgId: pgId, number: "x", type: "T", bedCount: 1)
        }
        #expect(device.pg.state.roomsError?.errorDescription == "At most 20 characters.")
        device.store.retry()
        device.sleep.fire()
        #expect(device.api.requests("POST \(Routes.rooms)").count == 1)
        #expect(device.store.syncSummary.unsent == 0 && device.sleep.waits.isEmpty)
    }

    @Test("a failing server delays one record, not the others")
    func oneRecord() async throws {
        let rooms = [makeRoom("1"), makeRoom("2")]
        let device = try await Device.loaded(rooms: rooms)
        device.api.on("POST \(Routes.room(rooms[0].id))", failing: refusal(500, "internal"))
        device.api.on("POST \(Routes.room(rooms[1].id))", rooms[1])
        _ = try await device.pg.updateRoom(rooms[0].id, type: "Suite")
        _ = try await device.pg.updateRoom(rooms[1].id, type: "Twin")
        #expect(device.pg.syncState(of: rooms[0].id) == .failed && device.pg.syncState(of: rooms[1].id) == .synced)
        #expect(device.store.syncSummary.failing == 1 && !device.store.syncSummary.isOffline)
    }

    @Test(
        "each record shows whether it waits, is sent, failed or is synced, and one summary counts them",
        .requirement("BY-1.01.f"))
    func statesAndSummary() async throws {
        // Four changes are sent at the same time, so the fifth one waits.
        let rooms = (1...5).map { makeRoom("\($0)") }
        let device = try await Device.loaded(rooms: rooms)
        let latch = Latch()
        for room in rooms {
            device.api.on("GET \(Routes.room(room.id))", room)
            device.api.on("POST \(Routes.room(room.id))") { _ in
                await latch.wait()
                guard room != rooms[0] else { throw refusal(500, "internal") }
                return try FakeAPI.json(room)
            }
        }
        let changes = rooms.map { room in Task { try await device.pg.updateRoom(room.id, type: "Suite") } }
        func states() -> [RecordSyncState] { rooms.map { device.pg.syncState(of: $0.id) } }
        try await eventually { states().count { $0 == .sending } == 4 && states().contains(.waiting) }
        #expect(device.store.syncSummary.unsent == 5 && device.store.syncSummary.failing == 0)
        latch.open()
        for change in changes { _ = try await change.value }
        try await eventually { states() == [.failed, .synced, .synced, .synced, .synced] }
        #expect(device.store.syncSummary.unsent == 1 && device.store.syncSummary.failing == 1)
        device.api.on("POST \(Routes.room(rooms[0].id))", rooms[0])
        device.store.retry()
        try await eventually { states().allSatisfy { $0 == .synced } }
        #expect(device.store.syncSummary.unsent == 0 && device.store.syncSummary.failing == 0)
    }

    @Test("changes of one record are sent in order, after a failure as well", .requirement("PG-8.04.a"))
    func order() async throws {
        let room = makeRoom("1")
        let device = try await Device.loaded(rooms: [room])
        device.api.on("POST \(Routes.room(room.id))", failing: offline)
        for number in ["a", "b", "c"] { _ = try await device.pg.updateRoom(room.id, number: number) }
        #expect(device.pg.state.rooms[room.id]?.number == "c")
        device.api.on("GET \(Routes.room(room.id))", room)
        device.api.on("POST \(Routes.room(room.id))") { request in
            let sent = try JSONDecoder().decode([String: String].self, from: request.body ?? Data())
            return try FakeAPI.json(room.withUpdates(number: sent["number"], at: morning))
        }
        let before = device.api.requests("POST \(Routes.room(room.id))").count
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        let bodies = device.api.requests("POST \(Routes.room(room.id))").dropFirst(before)
            .map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
        #expect(bodies == ["{\"number\":\"a\"}", "{\"number\":\"b\"}", "{\"number\":\"c\"}"])
        #expect(device.pg.state.rooms[room.id]?.number == "c")
    }

    @Test("changes of a room that the server does not know yet follow its creation, with the real id")
    func dependent() async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(rooms: [], students: [student])
        device.api.on("POST \(Routes.rooms)", failing: offline)
        let temporary = try await device.pg.createRoom(pgId: pgId, number: "1", type: "T", bedCount: 1)
        _ = try await device.pg.updateRoom(temporary.id, details: "Quiet")
        try await device.pg.updateStudentRoom(student.id, roomId: temporary.id)
        #expect(device.pg.state.rooms[temporary.id]?.occupiedBeds == 1)
        let real = makeRoom("1", beds: 1)
        device.api.on("POST \(Routes.rooms)", real)
        device.api.on("GET \(Routes.room(real.id))", real)
        device.api.on("POST \(Routes.room(real.id))", makeRoom("1", id: real.id, beds: 1, details: "Quiet"))
        let moved = makeStudent("Ana", id: student.id, room: real.id)
        device.api.on("POST \(Routes.student(student.id))/room", moved)
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        #expect(device.roomOrder == [real.id] && device.pg.state.rooms[real.id]?.details == "Quiet")
        #expect(device.pg.state.students[student.id]?.roomId == real.id)
        #expect(device.pg.state.rooms[real.id]?.occupiedBeds == 1)
        let body = device.api.requests("POST \(Routes.student(student.id))/room").last?.body ?? Data()
        #expect(String(decoding: body, as: UTF8.self).contains(real.id.text))
    }

    @Test("what depends on a refused creation is taken back with a notice of its own")
    func dependentRefused() async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(rooms: [], students: [student])
        device.api.on("POST \(Routes.rooms)", failing: offline)
        let temporary = try await device.pg.createRoom(pgId: pgId, number: "1", type: "T", bedCount: 1)
        try await device.pg.updateStudentRoom(student.id, roomId: temporary.id)
        device.api.on("POST \(Routes.rooms)", failing: refusal(409, "residence.tooManyRooms"))
        device.api.on("GET \(Routes.student(student.id))", student)
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        #expect(device.roomOrder.isEmpty && device.pg.state.students[student.id]?.roomId == nil)
        #expect(device.store.notices.map(\.kind) == [.notApplied, .notPossible])
    }

    @Test("a load does not undo changes that wait")
    func loadKeepsChanges() async throws {
        let rooms = [makeRoom("1"), makeRoom("2")]
        let device = try await Device.loaded(rooms: rooms)
        for room in rooms { device.api.on("POST \(Routes.room(room.id))", failing: offline) }
        device.api.on("POST \(Routes.room(rooms[1].id))/delete", failing: offline)
        device.api.on("POST \(Routes.rooms)", failing: offline)
        _ = try await device.pg.updateRoom(rooms[0].id, number: "1b")
        try await device.pg.deleteRoom(rooms[1].id)
        let new = try await device.pg.createRoom(pgId: pgId, number: "3", type: "T", bedCount: 1)
        try await device.pg.loadRooms(pgId: pgId)
        #expect(device.roomOrder == [rooms[0].id, new.id])
        #expect(device.pg.state.rooms[rooms[0].id]?.number == "1b")
    }

    @Test("a list that was requested before a confirmed change is requested again")
    func lateList() async throws {
        let device = try await Device.loaded(rooms: [])
        let latch = Latch()
        device.api.on("GET \(Routes.rooms)") { _ in
            await latch.wait()
            return try FakeAPI.json(listing([]))
        }
        let real = makeRoom("1")
        device.api.on("POST \(Routes.rooms)", real)
        let load = Task { try await device.pg.loadRooms(pgId: pgId) }
        try await eventually { device.api.requests("GET \(Routes.rooms)").count == 2 }
        _ = try await device.pg.createRoom(pgId: pgId, number: "1", type: "T", bedCount: 2)
        device.api.on("GET \(Routes.rooms)", listing([real]))
        latch.open()
        try await load.value
        #expect(device.roomOrder == [real.id])
    }

    // MARK: - The file

    @Test("state and unsent changes outlive a restart", .requirement("PG-1.03.a", "PG-8.04.b"))
    func restarts() async throws {
        let folder = try TemporaryFolder()
        let storage = ClientStorage(folder: folder.url)
        let auth = FakeAuth(pgId: pgId)
        let (room, student) = (makeRoom("1"), makeStudent("Ana"))
        let first = try await Device.loaded(
            rooms: [room], students: [student], Device(auth: auth, storage: storage))
        first.api.on("POST \(Routes.room(room.id))", failing: offline)
        first.api.on("POST \(Routes.residence)/passages", failing: offline)
        _ = try await first.pg.updateRoom(room.id, number: "1b")
        let passage = try await first.pg.recordPassage(of: student.id, .checkOut, method: .qr)
        let key = first.api.requests("POST \(Routes.room(room.id))").first?.idempotencyKey
        let before = first.pg.state
        first.store.stop()
        let second = try await Device(auth: auth, storage: storage)
        #expect(second.pg.state.rooms == before.rooms && second.pg.state.roomsByPg == before.roomsByPg)
        #expect(second.pg.state.students == before.students && second.pg.state.studentsByPg == before.studentsByPg)
        #expect(second.pg.state.checkInOutRecords == before.checkInOutRecords)
        #expect(second.pg.state.lastSyncTime == before.lastSyncTime)
        #expect(second.store.syncSummary.unsent == 2 && second.store.syncSummary.failing >= 1)
        second.api.on("GET \(Routes.room(room.id))", room)
        second.api.on("POST \(Routes.room(room.id))", makeRoom("1b", id: room.id))
        second.api.on("POST \(Routes.residence)/passages", passage)
        second.store.start()
        try await eventually { second.store.syncSummary.unsent == 0 }
        #expect(second.api.requests("POST \(Routes.room(room.id))").map(\.idempotencyKey) == [key])
        #expect(second.pg.state.rooms[room.id]?.number == "1b")
        second.store.stop()
    }

    @Test("stored state is read and changed without any network", .requirement("PG-1.03.b"))
    func usableOffline() async throws {
        let folder = try TemporaryFolder()
        let storage = ClientStorage(folder: folder.url)
        let auth = FakeAuth(pgId: pgId)
        let room = makeRoom("1")
        let first = try await Device.loaded(rooms: [room], Device(auth: auth, storage: storage))
        first.store.stop()
        let second = try await Device(auth: auth, storage: storage)
        second.api.on("POST \(Routes.room(room.id))/delete", failing: offline)
        #expect(second.pg.state.rooms(of: pgId) == [room])
        try await second.pg.deleteRoom(room.id)
        #expect(second.pg.state.rooms(of: pgId).isEmpty)
    }

    @Test("a passage that waited is sent with its own time and the time of sending")
    func times() async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(students: [student])
        device.api.on("POST \(Routes.residence)/passages", failing: offline)
        let record = try await device.pg.recordPassage(of: student.id, .checkIn)
        device.clock.advance(by: 3600)
        device.api.on("POST \(Routes.residence)/passages", record)
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        struct Sent: Decodable {
            let recordedAt: String
            let sentAt: String
        }
        let sent = try JSONDecoder().decode(
            Sent.self, from: device.api.requests("POST \(Routes.residence)/passages").last?.body ?? Data())
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let (recorded, arrived) = (try style.parse(sent.recordedAt), try style.parse(sent.sentAt))
        #expect(arrived.timeIntervalSince(recorded) == 3600)
    }

    // MARK: - Conflicts

    @Test("a later write to a field wins, others keep theirs, and the person is told", .requirement("PG-8.02.a"))
    func merges() async throws {
        let room = makeRoom("1", details: "Old")
        let device = try await Device.loaded(rooms: [room])
        device.api.on("POST \(Routes.room(room.id))", failing: offline)
        _ = try await device.pg.updateRoom(room.id, number: "mine", type: "Suite")
        // Meanwhile another warden changed the number and the details.
        var theirs = room
        theirs.number = "theirs"
        theirs.details = "New"
        device.api.on("GET \(Routes.room(room.id))", theirs)
        var merged = theirs
        merged.number = "mine"
        merged.type = "Suite"
        device.api.on("POST \(Routes.room(room.id))", merged)
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        #expect(device.pg.state.rooms[room.id] == merged)
        let notice = try #require(device.store.notices.first)
        #expect(device.store.notices.count == 1 && notice.kind == .mergedOver && notice.recordId == room.id)
        #expect(notice.otherText == ["number": "theirs"] && notice.localText == ["number": "mine"])
        try device.store.dismiss(notice.id)
        #expect(device.store.notices.isEmpty && device.store.syncSummary.notices == 0)
    }

    @Test("what was deleted, full or moved keeps the server's version", .requirement("PG-8.02.b"))
    func structural() async throws {
        let room = makeRoom("1", details: "Old")
        let device = try await Device.loaded(rooms: [room])
        device.api.on("POST \(Routes.room(room.id))", failing: offline)
        _ = try await device.pg.updateRoom(room.id, details: "A long text")
        device.api.on("GET \(Routes.room(room.id))", failing: refusal(404, "residence.roomNotFound"))
        device.api.on("GET \(Routes.rooms)", listing([]))
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 && device.roomOrder.isEmpty }
        #expect(device.roomOrder.isEmpty && device.pg.state.rooms.isEmpty)
    }

    @Test(
        "a notice says what was not applied and holds the person's text, also after a restart",
        .requirement("PG-8.02.c"))
    func recoverable() async throws {
        let folder = try TemporaryFolder()
        let storage = ClientStorage(folder: folder.url)
        let auth = FakeAuth(pgId: pgId)
        let room = makeRoom("1")
        let first = try await Device.loaded(rooms: [room], Device(auth: auth, storage: storage))
        first.api.on("GET \(Routes.room(room.id))", room)
        first.api.on("POST \(Routes.room(room.id))", failing: refusal(409, "residence.roomGone", "It was deleted."))
        await #expect(throws: StoreError.self) {
            try await first.pg.updateRoom(room.id, details: "A long text")
        }
        first.store.stop()
        let second = try await Device(auth: auth, storage: storage)
        let notice = try #require(second.store.notices.first)
        #expect(notice.kind == .notApplied && notice.recordId == room.id && notice.sentence == "It was deleted.")
        #expect(notice.code == "residence.roomGone" && notice.localText == ["details": "A long text"])
    }

    // MARK: - Accounts

    @Test("signing out asks about unsent changes, then clears state, queue and file", .requirement("PG-2.22.c"))
    func signsOut() async throws {
        let folder = try TemporaryFolder()
        let device = try await Device.loaded(
            rooms: [makeRoom("1")], Device(storage: ClientStorage(folder: folder.url)))
        let account = try #require(device.auth.userId)
        device.api.on("POST \(Routes.rooms)", failing: offline)
        _ = try await device.pg.createRoom(pgId: pgId, number: "2", type: "T", bedCount: 1)
        await #expect(throws: StoreError.unsentChanges(1)) { try await device.store.signOut() }
        #expect(device.auth.signOuts == 0 && device.roomOrder.count == 2)
        try await device.store.signOut(discardingUnsent: true)
        #expect(device.auth.signOuts == 1 && device.store.syncSummary.unsent == 0)
        #expect(device.pg.state == PGStoreState() && device.chat.state == ChatStoreState())
        #expect(device.store.attendanceStore.state == AttendanceStoreState())
        #expect(device.store.foodStore.state == FoodStoreState())
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!files.contains { $0.contains(account.text) })
    }

    @Test("a second person on the device sees nothing of the first, and sends nothing of theirs")
    func secondPerson() async throws {
        let folder = try TemporaryFolder()
        let storage = ClientStorage(folder: folder.url)
        let auth = FakeAuth(pgId: pgId)
        let first = try await Device.loaded(rooms: [makeRoom("1")], Device(auth: auth, storage: storage))
        first.api.on("POST \(Routes.rooms)", failing: offline)
        _ = try await first.pg.createRoom(pgId: pgId, number: "2", type: "T", bedCount: 1)
        let owner = auth.userId
        auth.userId = UUID()
        let sent = first.api.requests.count
        first.store.retry()
        await #expect(throws: StoreError.userNotAuthenticated) { try await first.pg.loadRooms(pgId: pgId) }
        #expect(first.api.requests.count == sent && !first.store.isAuthenticated)
        first.store.stop()
        let second = try await Device(auth: auth, storage: storage)
        second.store.start()
        #expect(second.pg.state == PGStoreState() && second.store.syncSummary == SyncSummary())
        second.store.stop()
        // The first one's changes are there when they return.
        auth.userId = owner
        let third = try await Device(auth: auth, storage: storage)
        #expect(third.store.syncSummary.unsent == 1 && third.roomOrder.count == 2)
    }
}

@MainActor
@Suite("AppStore")
struct AppStoreTests {
    @Test(
        "all stores are built from one API manager and one auth manager",
        .requirement("PG-1.05.a", "PG-1.08.a", "PG-1.08.b"))
    func stores() async throws {
        let device = try await Device()
        let stores: [any Store] = [
            device.store.pgStore, device.store.chatStore, device.store.attendanceStore, device.store.foodStore,
        ]
        #expect(stores.allSatisfy { $0.state.lastSyncTime == nil && !$0.state.syncInProgress })
        #expect(device.store.profileId == device.auth.profileId && device.store.currentPgId == Device.pgId)
        #expect(device.store.userRole == ["warden"] && device.store.isAuthenticated)
    }

    @Test("a change inside a nested store reaches observers of AppStore", .requirement("PG-1.04.b"))
    func nested() async throws {
        let device = try await Device()
        let changed = Latch()
        withObservationTracking {
            _ = device.store.revision
        } onChange: {
            changed.open()
        }
        let before = device.store.revision
        device.api.on("GET /api/v1/conversations", failing: offline)
        await device.chat.refresh()
        await changed.wait()
        #expect(device.store.revision > before)
    }

    @Test("observers and streams learn of changes without asking", .requirement("PG-1.04.a"))
    func published() async throws {
        let device = try await Device()
        let changed = Latch()
        withObservationTracking {
            _ = device.store.pgStore.state.rooms
        } onChange: {
            changed.open()
        }
        let changes = device.store.changes
        var count = 0
        device.api.on("GET \(Routes.rooms)", listing([makeRoom("1")]))
        try await device.pg.loadRooms(pgId: Device.pgId)
        await changed.wait()
        for await _ in changes {
            count += 1
            break
        }
        #expect(count == 1)
    }

    @Test(
        "errors of the stores have readable descriptions in both languages", .requirement("PG-2.23.a", "PG-2.23.b"))
    func descriptions() {
        let errors: [StoreError] = [
            .roomNotFound, .studentNotFound, .userNotAuthenticated, .messageNotFound, .leaveNotFound, .mealNotFound,
            .noResidence, .unsentChanges(2), .unreachable, .notStored("full"),
        ]
        for language in Language.allCases {
            let texts = errors.map { $0.message(ClientWords.words(language)) }
            #expect(texts.allSatisfy { $0.count > 10 && !$0.contains("«") } && Set(texts).count == errors.count)
        }
        #expect(StoreError.roomNotFound.localizedDescription.count > 10)
    }
}

@MainActor
@Suite("AttendanceStore and FoodStore")
struct LeaveAndMealTests {
    private let pgId = Device.pgId

    @Test("a decision about a leave shows at once and returns if it is refused")
    func decides() async throws {
        let device = try await Device()
        let leave = Leave(
            id: UUID(), pgId: pgId, studentId: UUID(), from: morning, to: morning.addingTimeInterval(86_400),
            place: "Home", requestedBy: UUID(), requestedAt: morning, needsParent: false)
        device.api.on("GET \(Routes.residence)/leaves", page([leave]))
        try await device.store.attendanceStore.loadLeaves(pgId: pgId)
        let latch = Latch()
        device.api.on("POST /api/v1/leaves/\(leave.id.text)/decide") { _ in
            await latch.wait()
            throw refusal(409, "residence.leaveDecided")
        }
        let decision = Task { try await device.store.attendanceStore.decideLeave(leave.id, approves: true) }
        try await eventually { device.api.requests.count == 2 }
        #expect(device.store.attendanceStore.state.leaves[leave.id]?.wardenDecision?.isApproved == true)
        latch.open()
        await #expect(throws: StoreError.self) { try await decision.value }
        #expect(device.store.attendanceStore.state.leaves[leave.id] == leave)
        #expect(device.store.attendanceStore.state.leavesError != nil)
        await #expect(throws: StoreError.leaveNotFound) {
            try await device.store.attendanceStore.decideLeave(UUID(), approves: true)
        }
    }

    @Test("the leaves of a residence are listed, and who is away is who has approved leave at that time")
    func away() async throws {
        let device = try await Device()
        func leave(_ hours: ClosedRange<Double>, isApproved: Bool) -> Leave {
            Leave(
                id: UUID(), pgId: pgId, studentId: UUID(),
                from: morning.addingTimeInterval(hours.lowerBound * 3600),
                to: morning.addingTimeInterval(hours.upperBound * 3600), place: "Home", requestedBy: UUID(),
                requestedAt: morning, needsParent: false,
                wardenDecision: isApproved ? .init(isApproved: true, by: UUID(), at: morning) : nil)
        }
        let listed = [
            leave(0...2, isApproved: true), leave(1...3, isApproved: false), leave(3...5, isApproved: true),
        ]
        device.api.on("GET \(Routes.residence)/leaves", page(listed))
        try await device.store.attendanceStore.loadLeaves(pgId: pgId)
        func away(_ hours: Double, from pgId: UUID = Device.pgId) -> [Leave] {
            device.store.attendanceStore.state.away(from: pgId, at: morning.addingTimeInterval(hours * 3600))
        }
        #expect(device.store.attendanceStore.state.leaves(of: pgId) == listed)
        #expect(away(1.5) == [listed[0]] && away(2) == [], "a leave ends at its end")
        #expect(away(0, from: UUID()) == [])
    }

    @Test("refreshing loads the leaves and meals of the residence, and clearing forgets both")
    func clears() async throws {
        let device = try await Device()
        let leave = Leave(
            id: UUID(), pgId: pgId, studentId: UUID(), from: morning, to: morning.addingTimeInterval(86_400),
            place: "Home", requestedBy: UUID(), requestedAt: morning, needsParent: false)
        let meal = Meal(
            id: UUID(), pgId: pgId, day: Day(device.clock.now, in: .gmt), kind: .dinner, time: .lastMinute,
            dish: "Soup", cutOff: device.clock.now)
        device.api.on("GET \(Routes.residence)/leaves", page([leave]))
        device.api.on("GET /api/v1/meals", page([ResidentMeal(meal: meal, choice: .eat, isOpen: true)]))
        await device.store.attendanceStore.refresh()
        await device.store.foodStore.refresh()
        #expect(device.store.attendanceStore.state.leaves == [leave.id: leave])
        #expect(device.store.attendanceStore.syncState(of: leave.id) == .synced)
        #expect(device.store.foodStore.state.meals.keys.map(\.self) == [meal.id])
        device.store.attendanceStore.clear()
        device.store.foodStore.clear()
        #expect(device.store.attendanceStore.state.leaves.isEmpty && device.store.foodStore.state.meals.isEmpty)
    }

    private func plan(_ day: Day, _ device: Device) throws -> ResidentMeal {
        ResidentMeal(
            meal: Meal(
                id: UUID(), pgId: pgId, day: day, kind: .lunch, time: try #require(ClockTime("12:30")),
                dish: "Soup",
                cutOff: device.clock.now), choice: .eat, isOpen: true)
    }

    @Test("the menu of another week takes the place of the loaded one, and an error stays in the state")
    func weeks() async throws {
        let device = try await Device()
        let day = Day(device.clock.now, in: .gmt)
        let store = device.store.foodStore
        device.api.on("GET /api/v1/meals", page([try plan(day, device)]))
        try await device.store.foodStore.loadMeals(pgId: pgId, from: day)
        let next = try plan(day.adding(days: 7), device)
        device.api.on("GET /api/v1/meals", page([next]))
        try await store.loadMeals(pgId: pgId, from: day.adding(days: 7))
        #expect(
            store.state.meals(of: pgId, on: day) == [] && store.state.meals(of: pgId, on: next.meal.day) == [next])
        device.api.on("GET /api/v1/meals", failing: offline)
        await #expect(throws: offline) { try await store.loadMeals(pgId: pgId, from: day) }
        #expect(store.state.error == .unreachable && store.state.meals(of: pgId, on: next.meal.day) == [next])
    }

    @Test("a menu that was requested before a choice was confirmed is requested again")
    func staleMenu() async throws {
        let device = try await Device()
        let day = Day(device.clock.now, in: .gmt)
        let meal = Meal(
            id: UUID(), pgId: pgId, day: day, kind: .dinner, time: try #require(ClockTime("18:30")), dish: "Soup",
            cutOff: device.clock.now)
        device.api.on("GET /api/v1/meals", page([ResidentMeal(meal: meal, choice: .eat, isOpen: true)]))
        await device.store.foodStore.refresh()
        let latch = Latch()
        let old = try FakeAPI.json(page([ResidentMeal(meal: meal, choice: .eat, isOpen: true)]))
        let new = try FakeAPI.json(page([ResidentMeal(meal: meal, choice: .skip, isOpen: true)]))
        device.api.on("GET /api/v1/meals") { [api = device.api] _ in
            if api.requests("GET /api/v1/meals").count > 2 { return new }
            await latch.wait()
            return old
        }
        device.api.on(
            "POST /api/v1/meals/\(meal.id.text)/choose", ResidentMeal(meal: meal, choice: .skip, isOpen: true))
        let loading = Task { await device.store.foodStore.refresh() }
        try await eventually { device.api.requests("GET /api/v1/meals").count == 2 }
        try await device.store.foodStore.choose(.skip, mealId: meal.id)
        latch.open()
        await loading.value
        #expect(device.store.foodStore.state.meals(of: pgId, on: day).map(\.choice) == [.skip])
    }

    @Test("an earlier request of a menu that is answered last does not replace the week that was opened meanwhile")
    func outOfOrderMenu() async throws {
        let device = try await Device()
        let (day, latch) = (Day(device.clock.now, in: .gmt), Latch())
        let (current, later) = (try plan(day, device), try plan(day.adding(days: 7), device))
        device.api.on("GET /api/v1/meals") { [api = device.api] request in
            if api.requests("GET /api/v1/meals").count == 1 { await latch.wait() }
            return try FakeAPI.json(page([request.query["day"] == day.description ? current : later]))
        }
        let store = device.store.foodStore
        let refresh = Task { await store.refresh() }
        try await eventually { device.api.requests("GET /api/v1/meals").count == 1 }
        try await store.loadMeals(pgId: pgId, from: later.meal.day)
        latch.open()
        await refresh.value
        #expect(store.state.meals == [later.id: later])
        #expect(device.api.requests("GET /api/v1/meals").count == 3)
    }

    @Test("a list of rooms that is answered after a newer room does not take the room back")
    func outOfOrderRoom() async throws {
        let room = makeRoom("1")
        let device = try await Device.loaded(rooms: [room])
        let (latch, before) = (Latch(), device.api.requests("GET \(Routes.rooms)").count)
        let renamed = makeRoom("1b", id: room.id)
        device.api.on("GET \(Routes.rooms)") { [api = device.api] _ in
            if api.requests("GET \(Routes.rooms)").count > before + 1 {
                return try FakeAPI.json(listing([renamed]))
            }
            await latch.wait()
            return try FakeAPI.json(listing([room]))
        }
        device.api.on("GET \(Routes.room(room.id))", renamed)
        let loading = Task { try await device.pg.loadRooms(pgId: pgId) }
        try await eventually { device.api.requests("GET \(Routes.rooms)").count == before + 1 }
        try await device.pg.loadRoomDetail(pgId: pgId, roomId: room.id)
        latch.open()
        try await loading.value
        #expect(device.pg.state.rooms[room.id]?.number == "1b")
    }

    @Test("a device that was offline for a week sends what waits in order, each with its own time")
    func aWeek() async throws {
        let student = makeStudent("Ana")
        let device = try await Device.loaded(students: [student])
        let (day, id) = (Day(device.clock.now, in: .gmt), UUID())
        let meal = Meal(
            id: id, pgId: pgId, day: day, kind: .dinner, time: try #require(ClockTime("18:30")), dish: "Soup",
            cutOff: device.clock.now)
        device.api.on("GET /api/v1/meals", page([ResidentMeal(meal: meal, choice: .eat, isOpen: true)]))
        await device.store.foodStore.refresh()
        let (passages, choices) = ("POST \(Routes.residence)/passages", "POST /api/v1/meals/\(id.text)/choose")
        for route in [passages, choices] { device.api.on(route, failing: offline) }
        let began = device.clock.now
        let record = try await device.pg.recordPassage(of: student.id, .checkIn)
        device.clock.advance(by: 86_400)
        try await device.store.foodStore.choose(.skip, mealId: id)
        try await device.store.foodStore.choose(.eat, mealId: id)
        device.clock.advance(by: 6 * 86_400)
        let failed = device.api.requests(choices).count
        device.api.on(passages, record)
        device.api.on(choices, ResidentMeal(meal: meal, choice: .eat, isOpen: false))
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        struct Sent: Decodable {
            let choice: MealChoice?
            let recordedAt: String
            let sentAt: String
        }
        func sent(_ route: String) throws -> [Sent] {
            try device.api.requests(route).map { try JSONDecoder().decode(Sent.self, from: $0.body ?? Data()) }
        }
        func time(_ text: String) throws -> TimeInterval {
            try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
                .timeIntervalSince(began).rounded()
        }
        let passage = try #require(try sent(passages).last)
        #expect(try time(passage.recordedAt) == 0 && time(passage.sentAt) == 7 * 86_400)
        let chosen = Array(try sent(choices).dropFirst(failed))
        #expect(chosen.map(\.choice) == [.skip, .eat])
        for one in chosen { #expect(try time(one.recordedAt) == 86_400 && time(one.sentAt) == 7 * 86_400) }
    }

    @Test("a choice of a meal shows at once and stays without a connection")
    func chooses() async throws {
        let device = try await Device()
        let day = Day(device.clock.now, in: .gmt)
        let meal = Meal(
            id: UUID(), pgId: pgId, day: day, kind: .dinner, time: try #require(ClockTime("18:30")), dish: "Soup",
            cutOff: device.clock.now)
        device.api.on("GET /api/v1/meals", page([ResidentMeal(meal: meal, choice: .eat, isOpen: true)]))
        await device.store.foodStore.refresh()
        device.api.on("POST /api/v1/meals/\(meal.id.text)/choose", failing: offline)
        try await device.store.foodStore.choose(.skip, mealId: meal.id)
        #expect(device.store.foodStore.state.meals(of: pgId, on: day).map(\.choice) == [.skip])
        #expect(device.store.foodStore.syncState(of: meal.id) == .failed)
        await #expect(throws: StoreError.mealNotFound) {
            try await device.store.foodStore.choose(.eat, mealId: UUID())
        }
    }
}
