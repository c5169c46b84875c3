import Domain
import FeatureKit
import Foundation
import QuestModel
import TestKit
import Testing

@testable import Quest

@Suite("Families and their routines")
struct FamilyTests {
    @Test(
        "a routine is stored with its tasks in their order",
        .requirement("TQ-1.01.b", "TQ-1.02.c", "TQ-1.07.a", "TQ-2.12.a"))
    func storesRoutines() async throws {
        let fixture = try await QuestFixture()
        let made = try await fixture.routine(days: [1, 3, 5], tasks: ["Dress", "Eat", "Brush teeth"])
        let stored = try await fixture.school.answer(
            ListRoutines.self, ["playerId": .text(fixture.mia.text)], as: fixture.ana
        ).items
        #expect(stored.map(\.id) == [made.id] && stored[0].activeDays == [1, 3, 5] && stored[0].isActive)
        #expect(stored[0].orderedTasks.map(\.name) == ["Dress", "Eat", "Brush teeth"])
        #expect(stored[0].orderedTasks.allSatisfy { $0.referenceDurationSeconds == 120 && $0.routineId == made.id })
        var shuffled = stored[0]
        shuffled.tasks.reverse()
        #expect(shuffled.orderedTasks == stored[0].orderedTasks)
    }

    @Test("tasks can be moved, renamed and deleted", .requirement("TQ-1.02.a", "TQ-2.12.a", "TQ-2.12.b"))
    func changesTasks() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine(tasks: ["A", "B", "C"])
        let ids = routine.orderedTasks.map(\.id)
        func names(_ routine: Routine) -> [String] { routine.orderedTasks.map(\.displayName) }
        var now = try await fixture.school.execute(
            MoveTask.self, ["routineId": .id(routine.id), "taskId": .id(ids[2]), "before": .id(ids[0])],
            as: fixture.ana)
        #expect(names(now) == ["C", "A", "B"])
        now = try await fixture.school.execute(
            MoveTask.self, ["routineId": .id(routine.id), "taskId": .id(ids[2])], as: fixture.ana)
        #expect(names(now) == ["A", "B", "C"])
        now = try await fixture.school.execute(
            UpdateTask.self,
            [
                "routineId": .id(routine.id), "taskId": .id(ids[1]), "name": "Coat", "displayName": "Your coat",
                "seconds": .number(45),
            ], as: fixture.ana)
        #expect(names(now) == ["A", "Your coat", "C"])
        #expect(now.orderedTasks[1].referenceDurationSeconds == 45)
        now = try await fixture.school.execute(
            DeleteTask.self, ["routineId": .id(routine.id), "taskId": .id(ids[0])], as: fixture.ana)
        #expect(names(now) == ["Your coat", "C"])
        now = try await fixture.school.execute(
            UpdateRoutine.self,
            ["routineId": .id(routine.id), "name": "Evening", "activeDays": .list([.text("6"), .text("7")])],
            as: fixture.ana)
        #expect(now.name == "Evening" && now.displayName == "Evening" && now.activeDays == [6, 7])
    }

    @Test("of two devices that change one routine or task, the second is refused and shown both texts")
    func twoEditors() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine(tasks: ["Dress"])
        let environment = fixture.school.environment
        try await environment.expectVersions(
            of: "routine", at: RoutineScreens.path(routine.id), changing: "name", as: fixture.ana,
            code: "quest.routineChanged")
        let task = try #require(routine.tasks.first)
        try await environment.expectVersions(
            of: "task", at: "\(RoutineScreens.path(routine.id))/tasks/\(task.id.text)", changing: "name",
            as: fixture.ana, code: "quest.taskChanged")
    }

    @Test("today's routines are the active ones of the weekday", .requirement("TQ-1.09.b", "TQ-1.10.a"))
    func picksToday() async throws {
        let fixture = try await QuestFixture()
        let monday = try await fixture.routine("Monday", days: [1])
        let both = try await fixture.routine("Both", days: [1, 2])
        let archived = try await fixture.routine("Archived", days: [1, 2])
        try await fixture.school.execute(
            ArchiveRoutine.self, ["routineId": .id(archived.id), "archived": .bool(true)], as: fixture.ana)
        func active(_ weekday: Int) async throws -> [UUID] {
            let mia = fixture.mia
            return try await fixture.school.database.read {
                try SQLRoutineRepository().fetchActiveForToday(weekday, of: mia, in: $0).map(\.id)
            }
        }
        #expect(try await active(1) == [monday.id, both.id])
        #expect(try await active(2) == [both.id])
        #expect(try await active(3) == [])
    }

    @Test(
        "the weekday is that of the family's time zone, also when clocks change",
        .requirement("TQ-1.10.a"),
        arguments: [
            // Sunday evening in Toronto is Monday in Paris.
            ("America/Toronto", "2026-11-23T02:00:00Z", 7), ("Europe/Paris", "2026-11-23T02:00:00Z", 1),
            // The nights in which clocks go forward and back.
            ("Europe/Paris", "2026-03-28T23:30:00Z", 7), ("Europe/Paris", "2026-03-29T21:59:00Z", 7),
            ("Europe/Paris", "2026-03-29T22:00:00Z", 1), ("Europe/Paris", "2026-10-25T22:59:00Z", 7),
            ("Europe/Paris", "2026-10-25T23:00:00Z", 1),
        ])
    func knowsWeekdays(_ zone: String, _ instant: String, _ weekday: Int) throws {
        let date = try Date(instant, strategy: .iso8601)
        #expect(Day(date, in: try #require(TimeZone(identifier: zone))).isoWeekday == weekday)
    }

    @Test(
        "deleting a routine deletes its tasks but not its sessions",
        .requirement("TQ-1.08.a", "TQ-1.09.c", "TQ-2.12.a"))
    func deletesRoutines() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        try await fixture.record(fixture.played(routine))
        try await fixture.school.execute(DeleteRoutine.self, ["routineId": .id(routine.id)], as: fixture.ana)
        let (tasks, sessions) = try await fixture.school.database.read { sql in
            (
                try sql.value("SELECT COUNT(*) FROM quest_tasks", as: Int.self),
                try SQLSessionRepository().fetchSessions(for: routine.id, in: sql)
            )
        }
        #expect(tasks == 0 && sessions.count == 1 && sessions[0].orderedEstimations.count == 2)
        let page = try await fixture.outline("/quest/routines/\(routine.id.text)/results")
        #expect(page.contains { $0.contains("Brush teeth") })
        #expect(try await fixture.outline("/quest").contains { $0.contains("Deleted; past results are kept") })
    }

    @Test("deleting a session deletes its estimations", .requirement("TQ-1.08.b"))
    func deletesSessions() async throws {
        let fixture = try await QuestFixture()
        try await fixture.record(fixture.played(fixture.routine()))
        try await fixture.school.database.write { try $0.execute("DELETE FROM quest_sessions") }
        let left = try await fixture.school.database.read {
            try $0.value("SELECT COUNT(*) FROM quest_estimations", as: Int.self)
        }
        #expect(left == 0)
    }

    @Test("a person's players are exported and erased with all sessions")
    func erasesPeople() async throws {
        let fixture = try await QuestFixture()
        try await fixture.record(fixture.played(fixture.routine()))
        let person = try #require(fixture.ana.membership?.personId)
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: person, accountId: nil, placeholder: "gone")
        let tables = QuestRecordStore.kinds.filter { $0.store == .school }.flatMap(\.tables)
        let exported = try await fixture.school.database.read { sql in
            try tables.compactMap { try $0.about.map { try sql.rows($0(subject)).count } }
        }
        #expect(exported == [1, 1, 2, 2, 1])
        let other = RecordSubject(
            schoolId: fixture.school.organization.id, personId: try #require(fixture.luz.membership?.personId),
            accountId: nil, placeholder: "gone")
        let left = try await fixture.school.database.write { sql in
            for subject in [other, subject] {
                for table in tables { if let erase = table.erase { try sql.execute(erase(subject)) } }
                if subject == other {
                    let stored: Int? = try sql.value("SELECT COUNT(*) FROM quest_estimations")
                    #expect(stored == 2)
                }
            }
            return try ["players", "routines", "tasks", "sessions", "estimations"].map {
                try sql.rows(SQL(stringLiteral: "SELECT 1 FROM quest_\($0)")).count
            }
        }
        #expect(left == [0, 0, 0, 0, 0])
    }

    @Test("another family's players, routines and sessions are not found")
    func separatesFamilies() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let task = routine.orderedTasks[0].id
        let (mia, id) = (InputValue.id(fixture.mia), InputValue.id(routine.id))
        let days = InputValue.list([.text("1")])
        let calls: [(String, InputValue)] = [
            ("routines.renamePlayer", ["playerId": mia, "name": "X"]),
            ("routines.archivePlayer", ["playerId": mia, "archived": .bool(true)]),
            ("routines.deletePlayer", ["playerId": mia]),
            ("routines.create", ["playerId": mia, "name": "X", "activeDays": days]),
            ("routines.update", ["routineId": id, "name": "X", "activeDays": days]),
            ("routines.move", ["routineId": id]),
            ("routines.archive", ["routineId": id, "archived": .bool(true)]),
            ("routines.delete", ["routineId": id]),
            ("routines.addTask", ["routineId": id, "name": "X"]),
            ("routines.updateTask", ["routineId": id, "taskId": .id(task), "name": "X"]),
            ("routines.moveTask", ["routineId": id, "taskId": .id(task)]),
            ("routines.deleteTask", ["routineId": id, "taskId": .id(task)]),
            ("quest.recordSession", .object(fixture.played(routine))),
        ]
        for (name, input) in calls {
            let refused = try await problem { try await fixture.school.execute(name, input, as: fixture.luz) }
            #expect(refused?.status == 404, "\(name)")
        }
        let list = try await problem {
            _ = try await fixture.school.answer(
                ListRoutines.self, ["playerId": .text(fixture.mia.text)], as: fixture.luz)
        }
        #expect(list?.status == 404)
        for path in [
            "/quest/players/\(fixture.mia.text)", "/quest/players/\(fixture.mia.text)/results",
            "/quest/routines/\(routine.id.text)", "/quest/routines/\(routine.id.text)/results",
            "/quest/routines/\(routine.id.text)/tasks/\(task.text)",
        ] {
            let refused = try await problem { _ = try await fixture.outline(path, as: fixture.luz) }
            #expect(refused?.status == 404, "\(path)")
        }
        let foreign = try await problem {
            _ = try await fixture.properties(as: fixture.luz, player: fixture.mia.text)
        }
        #expect(foreign?.status == 404)
        #expect(try await fixture.school.answer(ListPlayers.self, as: fixture.luz).items.isEmpty)
    }

    @Test(
        "a routine needs at least one valid weekday",
        arguments: [[], ["0"], ["8"], ["1", "x"], ["1", "1"]])
    func refusesDays(_ days: [String]) async throws {
        let fixture = try await QuestFixture()
        let refused = try await problem {
            try await fixture.school.execute(
                CreateRoutine.self,
                ["playerId": .id(fixture.mia), "name": "X", "activeDays": .list(days.map { .text($0) })],
                as: fixture.ana)
        }
        #expect(refused?.faults.map(\.field) == ["activeDays"])
    }

    @Test("changes in a family are recorded without names and only for the owner")
    func recordsWithoutNames() async throws {
        let fixture = try await QuestFixture()
        try await fixture.record(fixture.played(fixture.routine("Secret morning")))
        let changes = try await fixture.school.changes()
        let person = try #require(fixture.ana.membership?.personId)
        #expect(changes.count > 3)
        for logged in changes {
            #expect(logged.change.audience == [.person(person)])
            #expect(Set(logged.change.payload.keys).subtracting(["routine"]) == ["player"])
        }
    }

    @Test("the queries of a player's sessions use indexes")
    func readsByIndex() async throws {
        let fixture = try await QuestFixture()
        let id = fixture.mia
        for sql in [
            SQLSessionRepository.sessions("WHERE quest_sessions.routine_id = \(id)"),
            SQLSessionRepository.sessions(
                "WHERE quest_sessions.player_id = \(id) AND quest_sessions.started_at >= \(fixture.school.clock.now)"
            ),
            GrowthRepository.samples(GrowthRepository.of(player: id), since: fixture.school.clock.now),
            GrowthRepository.samples(GrowthRepository.of(routine: id), since: fixture.school.clock.now),
        ] { try await fixture.school.expectIndexed(sql) }
    }

    @Test(
        "routines, tasks, sessions and estimations survive a restart",
        .requirement("TQ-0.02", "TQ-1.01.c", "TQ-1.09.a", "TQ-1.09.c", "TQ-1.11.c", "TQ-1.11.d"))
    func survives() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let recorded = try await fixture.record(fixture.played(routine))
        let mia = fixture.mia
        let (routines, sessions) = try await fixture.school.environment.afterRestart(
            of: fixture.school.organization.id
        ) {
            sql in
            (
                try SQLRoutineRepository().fetchAll(of: mia, in: sql),
                try SQLSessionRepository().fetchAllSessions(of: mia, since: .distantPast, in: sql)
            )
        }
        #expect(routines.map(\.id) == [routine.id] && routines[0].orderedTasks == routine.orderedTasks)
        #expect(routines[0].completedSessions == 1)
        #expect(sessions.map(RecordedSession.init) == [recorded])
    }
}
