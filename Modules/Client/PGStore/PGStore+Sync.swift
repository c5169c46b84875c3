import Domain
import Foundation
import ResidenceModel

extension PGStore: ChangeHandler, PartLoader {
    func handles(_ change: PendingChange) -> Bool {
        switch change {
        case .createRoom, .updateRoom, .deleteRoom, .assignRoom, .passage: true
        default: false
        }
    }

    func send(_ entry: OutboxEntry) async throws -> ChangeAnswer {
        let account = try engine.sender()
        switch entry.change {
        case .createRoom(let change):
            return .room(try await api.createRoom(change, key: entry.id, for: account))
        case .updateRoom(let change):
            // A change that waited is compared with what others did meanwhile, so that the person learns of it.
            if entry.attempts > 0 || engine.now.timeIntervalSince(entry.createdAt) > 10 {
                try await loadRoom(change.roomId, pgId: change.pgId)
            }
            return .room(try await api.updateRoom(change, key: entry.id, for: account))
        case .deleteRoom(let change):
            try await api.deleteRoom(change, key: entry.id, for: account)
            return .done
        case .assignRoom(let change):
            return .student(try await api.updateStudentRoom(change, key: entry.id, for: account))
        case .passage(let change):
            return .record(try await api.record(change, at: engine.now, key: entry.id, for: account))
        default: return .done
        }
    }

    func store(_ answer: ChangeAnswer, to change: PendingChange, in transaction: ClientTransaction) throws {
        try update(for: answer, to: change).store(in: transaction)
    }

    func settle(_ change: PendingChange, _ answer: ChangeAnswer?) {
        var touched = TouchedRecords(change)
        if let answer {
            order.changes += 1
            let update = update(for: answer, to: change)
            records.apply(update)
            touched.formUnion(TouchedRecords(update))
        }
        show(touched)
    }

    func show(_ error: StoreError, of change: PendingChange) {
        switch change {
        case .createRoom, .updateRoom, .deleteRoom: state.roomsError = error
        case .assignRoom: state.studentsError = error
        default: state.attendanceError = error
        }
        // The server's version of what it refused to change is read again.
        guard case .refused(let refusal) = error, refusal.isConflict else { return }
        Task { [weak self] in
            guard let self else { return }
            switch change {
            case .updateRoom(let change): await self.reread(.room(change.roomId, pgId: change.pgId))
            case .deleteRoom(let change): await self.reread(.room(change.roomId, pgId: change.pgId))
            case .assignRoom(let change): await self.reread(.student(change.studentId, pgId: change.pgId))
            default: break
            }
        }
    }

    /// Should it fail, the next load brings the same.
    private func reread(_ stale: Stale) async { await quietly { try await self.load([stale]) } }

    /// What the server's answer changes in its records.
    private func update(for answer: ChangeAnswer, to change: PendingChange) -> PGRecords.Update {
        var update = PGRecords.Update()
        switch (change, answer) {
        case (.createRoom(let creation), .room(let room)):
            update.rooms[room.id] = .some(room)
            update.roomsByPg[creation.pgId] = order(with: room.id, insteadOf: creation)
        case (.updateRoom, .room(let room)): update.rooms[room.id] = .some(room)
        case (.deleteRoom(let deletion), _):
            update.rooms[deletion.roomId] = .some(nil)
            update.roomsByPg[deletion.pgId] = (records.roomsByPg[deletion.pgId] ?? []).filter {
                $0 != deletion.roomId
            }
            for id in deletion.studentIds {
                guard var student = records.students[id] else { continue }
                student.roomId = deletion.moveTo
                update.students[id] = .some(student)
            }
            if let moveTo = deletion.moveTo, var room = records.rooms[moveTo] {
                for id in deletion.studentIds { room.count(id, isIn: true) }
                update.rooms[moveTo] = .some(room)
            }
        case (.assignRoom(let move), .student(let item)):
            let former = records.students[move.studentId]?.roomId
            update.students[move.studentId] = .some(records.merging(item, pgId: move.pgId))
            guard former != item.roomId else { break }
            for (id, isIn) in [(former, false), (item.roomId, true)] {
                guard let id, var room = records.rooms[id] else { continue }
                room.count(move.studentId, isIn: isIn)
                update.rooms[id] = .some(room)
            }
        case (.passage, .record(let record)): update = records.taking([record])
        default: break
        }
        return update
    }

    /// The server's order with a new room after the neighbor that the temporary one has on the screen.
    private func order(with id: UUID, insteadOf creation: RoomCreation) -> [UUID] {
        var order = (records.roomsByPg[creation.pgId] ?? []).filter { $0 != id }
        let shown = state.roomsByPg[creation.pgId] ?? []
        let before = shown.prefix { $0 != creation.temporaryId }.reversed()
        let index = before.lazy.compactMap { order.firstIndex(of: $0) }.first.map { $0 + 1 }
        order.insert(id, at: index ?? (before.isEmpty ? 0 : order.count))
        return order
    }

    // MARK: - Showing

    /// Shows the server's records with all unsent changes.
    func showAll() {
        state.rooms = records.rooms
        state.roomsByPg = records.roomsByPg
        state.students = records.students
        state.studentsByPg = records.studentsByPg
        state.checkInOutRecords = records.records
        let ordered = records.records.values.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
        state.recordsByStudent = Dictionary(grouping: ordered, by: \.studentId).mapValues { $0.map(\.id) }
        state.recordsByDate = Dictionary(grouping: ordered) { calendar.day(of: $0.timestamp) }
            .mapValues { $0.map(\.id) }
        for entry in engine.entries where handles(entry.change) { apply(entry.change) }
    }

    /// Shows some of the server's records anew, with the unsent changes that touch them.
    func show(_ touched: TouchedRecords) {
        // A change that touches one of them may touch others, which are shown anew as well.
        var all = touched
        let changes = engine.entries.map(\.change).filter(handles).map { change in
            var touched = TouchedRecords(change)
            if case .assignRoom(let move) = change, let now = records.students[move.studentId]?.roomId {
                // The resident may have been moved since the change was made.
                touched.rooms.insert(now)
            }
            return (change, touched)
        }
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for (_, other) in changes where all.meets(other) && !all.contains(other) {
                all.formUnion(other)
                isGrowing = true
            }
        }
        for id in all.rooms { state.rooms[id] = records.rooms[id] }
        for id in all.students { state.students[id] = records.students[id] }
        for id in all.records {
            if let record = records.records[id] {
                state.put(record, calendar)
            } else {
                state.remove(recordId: id, calendar)
            }
        }
        for pgId in all.orders {
            state.roomsByPg[pgId] = records.roomsByPg[pgId]
            state.studentsByPg[pgId] = records.studentsByPg[pgId]
        }
        for (change, other) in changes where all.meets(other) { apply(change) }
    }

    /// Applies an unsent change to the state.
    func apply(_ change: PendingChange) {
        switch change {
        case .createRoom(let creation):
            guard state.rooms[creation.temporaryId] == nil else { break }
            state.rooms[creation.temporaryId] = Room(
                id: creation.temporaryId, pgId: creation.pgId, number: creation.number, type: creation.type,
                bedCount: creation.bedCount, details: creation.details, createdAt: creation.at,
                updatedAt: creation.at)
            var order = state.roomsByPg[creation.pgId] ?? []
            let index = creation.after.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 }
            order.insert(creation.temporaryId, at: index ?? order.count)
            state.roomsByPg[creation.pgId] = order
        case .updateRoom(let update):
            guard let room = state.rooms[update.roomId] else { break }
            state.rooms[update.roomId] = room.withUpdates(
                number: update.fields.number, type: update.fields.type, bedCount: update.fields.bedCount,
                details: update.fields.details, at: update.at)
        case .deleteRoom(let deletion):
            state.rooms[deletion.roomId] = nil
            state.roomsByPg[deletion.pgId]?.removeAll { $0 == deletion.roomId }
            for id in deletion.studentIds {
                state.students[id]?.roomId = deletion.moveTo
                if let moveTo = deletion.moveTo { state.rooms[moveTo]?.count(id, isIn: true) }
            }
        case .assignRoom(let move):
            let former = state.students[move.studentId]?.roomId
            guard state.students[move.studentId] != nil, former != move.roomId else { break }
            state.students[move.studentId]?.roomId = move.roomId
            if let former { state.rooms[former]?.count(move.studentId, isIn: false) }
            if let roomId = move.roomId { state.rooms[roomId]?.count(move.studentId, isIn: true) }
        case .passage(let passage):
            state.put(passage.record, calendar)
            _ = state.students[passage.record.studentId]?.note(passage.record)
        default: break
        }
    }

    // MARK: - Events

    func load(_ stale: Set<Stale>) async throws {
        var rooms: [UUID: Set<UUID>] = [:]
        var students: [UUID: Set<UUID>] = [:]
        var passages: Set<UUID> = []
        for part in stale {
            switch part {
            case .room(let id, let pgId): rooms[pgId, default: []].insert(id)
            case .student(let id, let pgId): students[pgId, default: []].insert(id)
            case .passages(let pgId): passages.insert(pgId)
            case .everything: return try await loadEverything()
            default: break
            }
        }
        for (pgId, ids) in rooms { try await load(rooms: ids, pgId: pgId) }
        for (pgId, ids) in students where records.studentsByPg[pgId] != nil {
            let known = Set(records.studentsByPg[pgId] ?? [])
            if ids.count > 10 || !ids.isSubset(of: known) {
                try await tolerate { try await self.loadStudents(pgId: pgId) }
                try await load(rooms: [], pgId: pgId, isWhole: true)
            } else {
                var touched: Set<UUID> = []
                for id in ids {
                    let former = records.students[id]?.roomId
                    do { try await loadStudent(id, pgId: pgId) } catch APIError.refused(let refusal)
                        where !refusal.isTransient
                    {
                        if refusal.status == 404 { try await tolerate { try await self.loadStudents(pgId: pgId) } }
                    }
                    let student = records.students[id]
                    if student?.status != .active { try await tolerate { try await self.loadStudents(pgId: pgId) } }
                    touched.formUnion([former, student?.roomId].compactMap { $0 })
                }
                try await load(rooms: touched, pgId: pgId)
            }
        }
        let today = calendar.day(of: engine.now)
        for pgId in passages where records.studentsByPg[pgId] != nil {
            try await tolerate { try await self.loadRecords(pgId: pgId, limit: 50) }
            if state.attendanceByDate[today]?[pgId] != nil {
                try await tolerate { try await self.loadAttendance(pgId: pgId, date: today) }
            }
        }
    }

    private func load(rooms ids: Set<UUID>, pgId: UUID, isWhole: Bool = false) async throws {
        guard let order = records.roomsByPg[pgId] else { return }
        if isWhole || ids.count > 10 || !ids.isSubset(of: order) {
            return try await tolerate { try await self.loadRooms(pgId: pgId) }
        }
        for id in ids {
            do { try await loadRoom(id, pgId: pgId) } catch APIError.refused(let refusal) where !refusal.isTransient
            {
                if refusal.status == 404 { try await tolerate { try await self.loadRooms(pgId: pgId) } }
            }
        }
    }

    /// Loads all residences anew, and drops passages that the server does not have (a restored backup).
    private func loadEverything() async throws {
        for pgId in records.roomsByPg.keys { try await tolerate { try await self.loadRooms(pgId: pgId) } }
        for pgId in records.studentsByPg.keys {
            try await tolerate { try await self.loadStudents(pgId: pgId) }
            let account = try engine.sender()
            try await tolerate {
                let latest = try await self.api.getPassages(pgId: pgId, limit: 500, for: account)
                var update = self.records.taking(latest)
                let known = Set(latest.map(\.id))
                // With fewer than asked for, these are all; else the older ones are not looked at.
                let first = latest.count < 500 ? .distantPast : latest.map(\.timestamp).min() ?? .distantPast
                for record in self.records.records.values
                where record.pgId == pgId && record.timestamp >= first && !known.contains(record.id) {
                    update.records[record.id] = .some(nil)
                }
                try self.take(update)
            }
            let today = calendar.day(of: engine.now)
            if state.attendanceByDate[today]?[pgId] != nil {
                try await tolerate { try await self.loadAttendance(pgId: pgId, date: today) }
            }
        }
    }

    /// A refusal, such as of a residence that this person no longer runs, is in the state and stops nothing.
    private func tolerate(_ load: @MainActor () async throws -> Void) async throws {
        do {
            try await load()
        } catch APIError.refused(let refusal) where !refusal.isTransient { return }
    }
}
