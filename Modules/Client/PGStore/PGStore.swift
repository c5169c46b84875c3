public import Domain
public import Foundation
public import Observation
public import ResidenceModel

/// The store of residences: rooms, residents, passages and the day.
///
/// The state is the server's records with the unsent changes applied in order. A refused change is taken back by
/// leaving it out, so that everything returns to its former place.
@MainActor @Observable
public final class PGStore: Store {
    public internal(set) var state = PGStoreState()

    /// The residents of one request.
    nonisolated static let pageSize = 100

    @ObservationIgnored let engine: SyncEngine
    @ObservationIgnored private let deviceId: String
    @ObservationIgnored var records: PGRecords
    /// Counts the answers that were taken in, so that a list that was requested before is requested again.
    @ObservationIgnored var order = LoadOrder()
    @ObservationIgnored var calendar: ResidenceCalendar

    init(_ engine: SyncEngine, deviceId: String, _ stored: StoredState) {
        self.engine = engine
        self.deviceId = deviceId
        records = stored.residences
        calendar = ResidenceCalendar(timeZone: engine.environment.timeZone)
        state.attendanceByDate = stored.attendance
        state.lastSyncTime = stored.residenceSync
        engine.register(self)
        showAll()
    }

    public func clear() {
        records = PGRecords()
        state = PGStoreState()
        engine.feed.publish()
    }

    /// The state of a record's changes on their way to the server.
    public func syncState(of id: UUID) -> RecordSyncState { engine.state(of: id) }

    /// The day of the residence that it is now.
    public var today: Day { calendar.day(of: engine.now) }

    /// Returns the server's id of a record that a view knows by the temporary id that it had before.
    public func currentId(of id: UUID) -> UUID { engine.real(id) }

    var api: any APIManager { engine.api }

    // MARK: - Loading

    public func refresh() async {
        guard let pgId = engine.auth.currentPgId else { return }
        state.syncInProgress = true
        engine.feed.publish()
        async let rooms: Void = quietly { try await self.loadRooms(pgId: pgId) }
        async let students: Void = quietly { try await self.loadStudents(pgId: pgId) }
        _ = await (rooms, students)
        state.syncInProgress = false
        engine.feed.publish()
    }

    /// Errors are in the state.
    func quietly(_ load: @MainActor () async throws -> Void) async {
        do { try await load() } catch { return }
    }

    /// Loads the rooms of a residence.
    public func loadRooms(pgId: UUID) async throws {
        state.roomsLoading = true
        state.roomsError = nil
        engine.feed.publish()
        do {
            let account = try engine.owner()
            let items = try await current(.rooms(pgId: pgId)) {
                try await self.api.getRooms(pgId: pgId, for: account)
            }
            let changed = items.filter { item in
                records.rooms[item.id].map { $0.details != nil && $0.updatedAt != item.updatedAt } ?? false
            }
            var update = records.taking(items, of: pgId)
            update.syncTime = engine.now
            try take(update)
            // The list has no details: those that are known and may have changed are read again.
            for item in changed.prefix(20) { try await loadRoom(item.id, pgId: pgId) }
            state.roomsLoading = false
            engine.feed.publish()
        } catch {
            state.roomsLoading = false
            state.roomsError = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    /// Loads one room with its details and residents.
    public func loadRoomDetail(pgId: UUID, roomId: UUID) async throws {
        do { try await loadRoom(engine.real(roomId), pgId: pgId) } catch {
            state.roomsError = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    func loadRoom(_ id: UUID, pgId: UUID) async throws {
        let account = try engine.owner()
        let room = try await current(.rooms(pgId: pgId)) {
            try await self.api.getRoom(id, pgId: pgId, for: account)
        }
        var update = PGRecords.Update()
        if records.rooms[id] != room { update.rooms[id] = .some(room) }
        try take(update)
    }

    /// Loads the active residents of a residence, a hundred at a time.
    public func loadStudents(pgId: UUID) async throws {
        state.studentsLoading = true
        state.studentsError = nil
        engine.feed.publish()
        do {
            let account = try engine.owner()
            let items = try await current(.students(pgId: pgId)) {
                var items: [StudentDto] = []
                var next: String?
                repeat {
                    let page = try await self.api.getStudents(
                        pgId: pgId, status: "ACTIVE", limit: Self.pageSize, after: next, for: account)
                    items += page.items
                    next = page.next
                } while next != nil
                return items
            }
            // A resident who moved between two pages is in both.
            var seen: Set<UUID> = []
            var update = records.taking(items.filter { seen.insert($0.id).inserted }, of: pgId)
            update.syncTime = engine.now
            try take(update)
            state.studentsLoading = false
            engine.feed.publish()
        } catch {
            state.studentsLoading = false
            state.studentsError = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    /// Loads one resident anew.
    public func loadStudentDetail(pgId: UUID, studentId: UUID) async throws {
        do { try await loadStudent(studentId, pgId: pgId) } catch {
            state.studentsError = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    func loadStudent(_ id: UUID, pgId: UUID) async throws {
        let account = try engine.owner()
        let item = try await current(.students(pgId: pgId)) {
            try await self.api.getStudentDetail(id, pgId: pgId, for: account)
        }
        var update = PGRecords.Update()
        let student = records.merging(item, pgId: pgId)
        if records.students[id] != student { update.students[id] = .some(student) }
        try take(update)
    }

    /// Loads the latest passages of a residence.
    public func loadRecords(pgId: UUID, limit: Int = 100) async throws {
        do {
            let account = try engine.owner()
            try take(records.taking(try await api.getPassages(pgId: pgId, limit: limit, for: account)))
        } catch {
            state.attendanceError = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    /// Loads the attendance of a day, stores and returns it.
    @discardableResult
    public func loadAttendance(pgId: UUID, date: Day) async throws -> DailyAttendance {
        state.attendanceLoading = true
        state.attendanceError = nil
        engine.feed.publish()
        do {
            let account = try engine.owner()
            let day = try await current(.attendance(pgId: pgId, day: date)) {
                try await self.api.getDailyAttendance(pgId: pgId, date: date, for: account)
            }
            try take(day, pgId: pgId)
            state.attendanceLoading = false
            engine.feed.publish()
            return day
        } catch {
            state.attendanceLoading = false
            state.attendanceError = StoreError(error)
            engine.feed.publish()
            throw error
        }
    }

    private func take(_ day: DailyAttendance, pgId: UUID) throws {
        var update = PGRecords.Update()
        if day.date == calendar.day(of: engine.now) {
            for found in day.students {
                guard var student = records.students[found.id] else { continue }
                student.checkInStatus =
                    found.status == .checkedIn ? .checkedIn : found.absence == .onLeave ? .onLeave : .checkedOut
                if let since = found.since {
                    if found.status == .checkedIn {
                        student.lastCheckIn = since
                    } else {
                        student.lastCheckOut = since
                    }
                }
                if records.students[found.id] != student { update.students[found.id] = .some(student) }
            }
        }
        let days = Set(state.attendanceByDate.keys).union([day.date]).sorted()
        let gone = days.dropLast(engine.environment.bounds.days).filter { $0 != day.date }
        try engine.database.commit { transaction in
            try transaction.put(
                StoredAttendance(pgId: pgId, day: day), .attendance, id: "\(pgId.text) \(day.date)")
            for old in gone {
                for pgId in state.attendanceByDate[old, default: [:]].keys {
                    try transaction.remove(.attendance, id: "\(pgId.text) \(old)")
                }
            }
            try update.store(in: transaction)
        }
        for old in gone { state.attendanceByDate[old] = nil }
        state.attendanceByDate[day.date, default: [:]][pgId] = day
        records.apply(update)
        show(TouchedRecords(update))
    }

    /// Stores and shows records of the server.
    func take(_ update: PGRecords.Update) throws {
        try engine.database.commit { try update.store(in: $0) }
        let conflicts = update.rooms.compactMap { $0.value }.flatMap(conflicts)
        records.apply(update)
        if let time = update.syncTime { state.lastSyncTime = time }
        show(TouchedRecords(update))
        for notice in conflicts { try engine.add(notice) }
        try evict()
        engine.feed.publish()
    }

    /// Removes the oldest passages once there are a quarter more than the limit.
    private func evict() throws {
        let limit = engine.environment.bounds.passages
        guard records.records.count > limit + limit / 4 else { return }
        var update = PGRecords.Update()
        let oldest = records.records.values.sorted { $0.timestamp < $1.timestamp }
            .prefix(records.records.count - limit)
        for record in oldest { update.records[record.id] = .some(nil) }
        try engine.database.commit { try update.store(in: $0) }
        records.apply(update)
        showAll()
    }

    /// The unsent updates of a room whose fields another person has changed meanwhile.
    private func conflicts(_ room: Room) -> [SyncNotice] {
        engine.entries.compactMap { entry in
            guard case .updateRoom(let update) = entry.change, update.roomId == room.id else { return nil }
            let (ours, former) = (update.fields.texts, update.former.texts)
            // Unchanged since the last load; an earlier change of this device may wait for the field as well.
            let before = records.rooms[room.id].map { update.fields.values(in: $0).texts } ?? [:]
            let theirs = update.fields.values(in: room).texts.filter { field, value in
                value != former[field] && value != ours[field] && value != before[field]
            }
            guard !theirs.isEmpty,
                !engine.notices.contains(where: { $0.recordId == room.id && $0.otherText == theirs })
            else { return nil }
            return SyncNotice(
                id: engine.environment.newId(engine.now), kind: .mergedOver, at: engine.now, recordId: room.id,
                code: nil, sentence: nil, localText: ours.filter { theirs[$0.key] != nil }, otherText: theirs)
        }
    }

    // MARK: - Rooms

    /// Adds a room. It shows at once with a temporary id, which is swapped when the server has answered.
    @discardableResult
    public func createRoom(
        pgId: UUID, number: String, type: String, bedCount: Int, details: String? = nil
    ) async throws -> Room {
        state.roomsError = nil
        let temporary = engine.environment.newId(engine.now)
        let creation = RoomCreation(
            temporaryId: temporary, pgId: pgId, number: number, type: type, bedCount: bedCount, details: details,
            after: state.roomsByPg[pgId]?.last, at: engine.now)
        let answer = try await perform(.createRoom(creation))
        if case .room(let room) = answer { return room }
        guard let room = state.rooms[engine.real(temporary)] else { throw StoreError.roomNotFound }
        return room
    }

    /// Changes the given fields of a room.
    @discardableResult
    public func updateRoom(
        _ roomId: UUID, number: String? = nil, type: String? = nil, bedCount: Int? = nil, details: String? = nil
    ) async throws -> Room {
        let id = engine.real(roomId)
        guard let room = state.rooms[id] else { throw StoreError.roomNotFound }
        state.roomsError = nil
        let fields = RoomUpdate.Fields(number: number, type: type, bedCount: bedCount, details: details)
        let update = RoomUpdate(
            pgId: room.pgId, roomId: id, fields: fields, former: fields.values(in: room), at: engine.now)
        let answer = try await perform(.updateRoom(update))
        if case .room(let room) = answer { return room }
        guard let room = state.rooms[engine.real(id)] else { throw StoreError.roomNotFound }
        return room
    }

    /// Deletes a room.
    ///
    /// - Parameter moveTo: The room to which its residents move. Without it the server refuses an occupied room.
    public func deleteRoom(_ roomId: UUID, moveTo: UUID? = nil) async throws {
        let id = engine.real(roomId)
        guard let room = state.rooms[id] else { throw StoreError.roomNotFound }
        state.roomsError = nil
        let residents = (state.studentsByPg[room.pgId] ?? []).filter { state.students[$0]?.roomId == id }
        _ = try await perform(
            .deleteRoom(
                RoomDeletion(
                    pgId: room.pgId, roomId: id, moveTo: moveTo.map(engine.real), studentIds: residents,
                    number: room.number)))
    }

    // MARK: - Residents

    /// Moves a resident to another room, or out of any.
    public func updateStudentRoom(_ studentId: UUID, roomId: UUID?) async throws {
        guard let student = state.students[studentId] else { throw StoreError.studentNotFound }
        state.studentsError = nil
        _ = try await perform(
            .assignRoom(
                RoomAssignment(
                    pgId: student.pgId, studentId: studentId, name: student.name,
                    roomId: roomId.map(engine.real),
                    former: student.roomId)))
    }

    /// Records that the signed-in resident came in.
    @discardableResult
    public func checkIn(method: CheckInMethod, nfcTagId: String? = nil) async throws -> CheckInOutRecord {
        try await record(.checkIn, method, nfcTagId)
    }

    /// Records that the signed-in resident went out.
    @discardableResult
    public func checkOut(method: CheckInMethod, nfcTagId: String? = nil) async throws -> CheckInOutRecord {
        try await record(.checkOut, method, nfcTagId)
    }

    private func record(
        _ type: RecordType, _ method: CheckInMethod, _ nfcTagId: String?
    ) async throws -> CheckInOutRecord {
        _ = try engine.owner()
        guard let studentId = engine.auth.profileId ?? engine.auth.userId else {
            throw StoreError.userNotAuthenticated
        }
        guard let pgId = engine.auth.currentPgId ?? state.students[studentId]?.pgId else {
            throw StoreError.noResidence
        }
        return try await record(type, of: studentId, in: pgId, method, nfcTagId, isOwn: true)
    }

    /// Records a passage of a resident, by a warden or a gate.
    @discardableResult
    public func recordPassage(
        of studentId: UUID, _ type: RecordType, method: CheckInMethod = .manual, nfcTagId: String? = nil
    ) async throws -> CheckInOutRecord {
        guard let student = state.students[studentId] else { throw StoreError.studentNotFound }
        return try await record(type, of: studentId, in: student.pgId, method, nfcTagId, isOwn: false)
    }

    private func record(
        _ type: RecordType, of studentId: UUID, in pgId: UUID, _ method: CheckInMethod, _ nfcTagId: String?,
        isOwn: Bool
    ) async throws -> CheckInOutRecord {
        state.attendanceError = nil
        let record = CheckInOutRecord(
            id: engine.environment.newId(engine.now), studentId: studentId, pgId: pgId, method: method, type: type,
            timestamp: engine.now, nfcTagId: nfcTagId, deviceId: deviceId)
        let answer = try await perform(.passage(PassageEntry(record: record, isOwn: isOwn)))
        if case .record(let stored) = answer { return stored }
        return record
    }

    private func perform(_ change: PendingChange) async throws -> ChangeAnswer? {
        try await engine.perform(change) { apply($0.change) }
    }
}
