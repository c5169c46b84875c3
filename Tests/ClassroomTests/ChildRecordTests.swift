import ClassroomInterface
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Classroom

/// A list with one entry of each kind.
private struct ShortList: Taxonomy {
    static let subject = CurriculumInterface.Tag(id: UUID(), kind: .subject, name: "Language")
    static let material = CurriculumInterface.Tag(
        id: UUID(), kind: .material, name: "Sandpaper letters", subjectId: subject.id)
    static let app = CurriculumInterface.Tag(id: UUID(), kind: .app, name: "Letters app")

    func tags(in language: Language, _ sql: any SQLReading) throws -> [CurriculumInterface.Tag] {
        [Self.subject, Self.material, Self.app]
    }

    func tags(
        _ ids: Set<UUID>, in language: Language, _ sql: any SQLReading
    ) throws -> [UUID: CurriculumInterface.Tag] {
        try tags(in: language, sql).filter { ids.contains($0.id) }.reduce(into: [:]) { $0[$1.id] = $1 }
    }
}

@Suite("A child's record")
struct ChildRecordTests {
    private let room: ClassroomFixture
    private let maple: Classroom
    private let ana: Student
    private let ben: Student

    init() async throws {
        room = try await ClassroomFixture(taxonomy: ShortList())
        maple = try await room.classroom("Maple", guides: [room.guide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
        ben = try await room.student("Ben", "Ito", in: maple)
    }

    private func problem(_ work: () async throws -> Void) async throws -> Problem? {
        do {
            try await work()
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    @discardableResult
    private func observe(
        _ child: Student, _ content: String, _ more: [String: InputValue] = [:], as caller: Caller? = nil
    ) async throws -> Observation {
        let input: [String: InputValue] = ["studentId": .id(child.id), "content": .text(content)]
        return try await room.school.execute(
            CreateObservation.self, .object(input.merging(more) { $1 }), as: caller ?? room.guide)
    }

    private func list(_ child: Student, _ filter: [String: InputValue] = [:]) async throws -> [String] {
        let input: [String: InputValue] = ["studentId": .id(child.id)]
        return try await room.school.answer(
            ListObservations.self, .object(input.merging(filter) { $1 }), as: room.guide
        ).items.map(\.content)
    }

    private func page(
        _ rest: String = "", query: [String: String] = [:], as caller: Caller? = nil
    ) async throws -> Screen {
        try await room.environment.page("/students/\(ana.id.text)\(rest)", as: caller ?? room.guide, query: query)
    }

    // MARK: - Observations

    @Test("an observation keeps its tags for subject, material and app", .requirement("PT-2.01.c"))
    func tags() async throws {
        let bare = try await observe(ana, "Rolled the mat")
        #expect(bare.tagIds == [])
        room.school.clock.advance(by: 60)
        try await observe(
            ana, "Traced m on the tablet",
            [
                "subjectTag": .id(ShortList.subject.id), "materialTag": .id(ShortList.material.id),
                "appTag": .id(ShortList.app.id),
            ])
        let all = try await room.school.answer(ListObservations.self, ["studentId": .id(ana.id)], as: room.guide)
        let newest = try #require(all.items.first)
        #expect(newest.subjectTag == ShortList.subject.id)
        #expect(newest.materialTag == ShortList.material.id)
        #expect(newest.appTag == ShortList.app.id)
    }

    @Test(
        "an observation has its author and time set, and is listed newest first for each child that it names",
        .requirement("PT-2.01.a", "PT-2.01.b", "PT-2.07.a", "PT-2.07.b", "PT-2.07.c", "PT-2.19.b"))
    func observations() async throws {
        let first = try await observe(ana, "Traced m")
        #expect(first.primaryStudentId == ana.id && first.createdByGuideId == ClassroomFixture.id(room.guide))
        #expect(first.createdAt == room.school.clock.now)
        room.school.clock.advance(by: 60)
        try await observe(ben, "Carried a tray with Ana", ["taggedStudentIds": .ids([ana.id])])
        #expect(try await list(ana) == ["Carried a tray with Ana", "Traced m"])
        #expect(try await list(ben) == ["Carried a tray with Ana"])
        #expect(try await list(ana, ["order": .text("oldest")]) == ["Traced m", "Carried a tray with Ana"])
        let changed = try await room.school.execute(
            UpdateObservation.self,
            [
                "studentId": .id(ana.id), "observationId": .id(first.id), "version": .number(1),
                "content": .text("Traced m six times"),
            ], as: room.guide)
        #expect(changed.version == 2)
        #expect(try await list(ana).last == "Traced m six times")
        try await room.school.execute(
            DeleteObservation.self, ["studentId": .id(ana.id), "observationId": .id(first.id)], as: room.guide)
        #expect(try await list(ana) == ["Carried a tray with Ana"])
    }

    @Test(
        "filters by time, words, tags and children can be combined",
        .requirement("PT-2.19.a", "PT-2.20.a", "PT-2.20.b", "PT-2.20.c", "PT-2.20.d"))
    func filters() async throws {
        let language: [String: InputValue] = ["subjectTag": .id(ShortList.subject.id)]
        try await observe(ana, "Trouvé la lettre m, 100%", language)
        room.school.clock.advance(by: 86_400 * 3)
        try await observe(ana, "Found the letter s", language.merging(["taggedStudentIds": .ids([ben.id])]) { $1 })
        try await observe(ana, "Rolled the mat", ["materialTag": .id(ShortList.material.id)])
        #expect(try await list(ana, ["q": .text("LETTRE trouve")]) == ["Trouvé la lettre m, 100%"])
        #expect(
            try await list(ana, ["q": .text("%")]) == ["Trouvé la lettre m, 100%"], "a percent sign is no wildcard")
        #expect(try await list(ana, ["subject": .id(ShortList.subject.id)]).count == 2)
        let both: [String: InputValue] = ["subject": .id(ShortList.subject.id), "with": .id(ben.id)]
        #expect(try await list(ana, both) == ["Found the letter s"])
        #expect(try await list(ana, both.merging(["q": .text("mat")]) { $1 }) == [])
        let since: [String: InputValue] = ["from": .text(room.today.description)]
        #expect(try await list(ana, since).count == 2)
        #expect(try await list(ana, ["to": .text(room.today.adding(days: -1).description)]).count == 1)
        #expect(try await list(ana, ["material": .id(ShortList.material.id)]) == ["Rolled the mat"])
        try await observe(ana, "Wrote m on the tablet", ["appTag": .id(ShortList.app.id)])
        #expect(try await list(ana, ["app": .id(ShortList.app.id)]) == ["Wrote m on the tablet"])
    }

    @Test(
        "the filters in the address narrow the page, which shows the chosen ones",
        .requirement("PT-2.15.b", "PT-3.34.b"))
    func filteredPage() async throws {
        let both: [String: InputValue] = [
            "subjectTag": .id(ShortList.subject.id), "taggedStudentIds": .ids([ben.id]),
        ]
        try await observe(ana, "Found the letter s with Ben", both)
        room.school.clock.advance(by: 60)
        try await observe(ana, "Found the letter m with Ben", both)
        try await observe(ana, "Found the letter t alone", ["subjectTag": .id(ShortList.subject.id)])
        try await observe(ana, "Carried the letter box with Ben", ["taggedStudentIds": .ids([ben.id])])
        try await observe(ana, "Rolled a mat with Ben", both)
        func filters(_ screen: Screen) throws -> PTDisclosure {
            try #require(
                screen.components.compactMap { component in
                    if case .disclosure(let filters) = component { filters } else { nil }
                }.first)
        }
        let narrow = try await page(
            "/observations",
            query: [
                "subject": ShortList.subject.id.text, "with": ben.id.text, "q": "letter", "order": "oldest",
            ])
        let notes = Outline(narrow).lines.filter { $0.hasPrefix("\"") }.map { $0.split(separator: "\"")[0] }
        #expect(notes == ["Found the letter s with Ben", "Found the letter m with Ben"])
        #expect(Outline(narrow).lines.contains("Sort by: Newest | *Oldest*"))
        let chosen = try Outline(filters(narrow).body)
        #expect(chosen.lines.contains { $0.hasSuffix(": *Language*") }, "\(chosen)")
        #expect(chosen.lines.contains { $0.hasSuffix(": *Ben Ito*") }, "\(chosen)")

        let everything = try await page("/observations")
        #expect(Outline(everything).lines.count { $0.hasPrefix("\"") } == 5)
        #expect(try !filters(everything).isOpen && !Outline(filters(everything).body).contains("*"))
        #expect(try filters(await page("/observations", query: ["with": ben.id.text])).isOpen)
    }

    @Test("paging shows each observation exactly once, in both orders", arguments: ["newest", "oldest"])
    func pages(_ order: String) async throws {
        for number in 0..<23 {
            if number % 3 == 0 { room.school.clock.advance(by: 1) }
            try await observe(ana, "Note \(number)")
        }
        var seen: [String] = []
        var after: String?
        repeat {
            var input: [String: InputValue] = [
                "studentId": .id(ana.id), "limit": .number(5), "order": .text(order),
            ]
            if let after { input["after"] = .text(after) }
            let page = try await room.school.answer(ListObservations.self, .object(input), as: room.guide)
            seen += page.items.map(\.content)
            after = page.next
        } while after != nil
        #expect(seen.count == 23 && Set(seen).count == 23)
    }

    @Test("of two guides who change one observation, the second is refused and the first change stays")
    func conflict() async throws {
        let made = try await observe(ana, "Traced m")
        func change(_ text: String, as caller: Caller) async throws {
            try await room.school.execute(
                UpdateObservation.self,
                [
                    "studentId": .id(ana.id), "observationId": .id(made.id), "version": .number(1),
                    "content": .text(text),
                ], as: caller)
        }
        try await change("Traced m six times", as: room.guide)
        let refused = try await problem { try await change("Traced m badly", as: room.admin) }
        #expect(refused?.status == 409 && refused?.code == "observation.changed")
        let path = "/students/\(ana.id.text)/observations/\(made.id.text)"
        let command = UpdateObservation.contract.path(
            filling: ["studentId": ana.id.text, "observationId": made.id.text])
        let problem = try #require(refused)
        let again = try await room.environment.screen(
            path, as: room.guide,
            refused: RefusedForm(command: command, typed: ["content": "Traced m badly"], problem: problem))
        guard case .screen(let screen) = again else { throw problem }
        let page = Outline(screen).description
        #expect(page.contains("## Saved in the meantime") && page.contains("Traced m six times"))
        #expect(page.contains("= Traced m badly"), "nothing typed is lost")
        #expect(try await list(ana) == ["Traced m six times"])
    }

    @Test("of two guides who change one lesson or task, the second is refused and shown both texts")
    func twoEditorsOfWork() async throws {
        for kind in StudentWork.Kind.allCases {
            let made = try await room.school.execute(
                CreateWork.self,
                ["studentId": .id(ana.id), "kind": .text(kind.rawValue), "title": .text("Golden beads")],
                as: room.guide)
            try await room.environment.expectVersions(
                of: "work", at: "/students/\(ana.id.text)/plans/\(made.id.text)", changing: "details",
                as: room.guide, code: "work.changed")
        }
    }

    @Test("of two guides who change one habit, the second is refused and shown both texts")
    func twoEditorsOfHabit() async throws {
        let made = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        try await room.environment.expectVersions(
            of: "habit-\(made.id.text)", at: "/students/\(ana.id.text)/habits", changing: "name", as: room.guide,
            code: "habit.changed")
    }

    @Test("of two administrators who change one student, the second is refused and shown both texts")
    func twoEditorsOfStudent() async throws {
        try await room.environment.expectVersions(
            of: "edit-student", at: "/students/\(ana.id.text)/edit", changing: "notes", as: room.admin,
            code: "students.changed")
    }

    @Test("a guide who may not see the child can read, write and change nothing", .requirement("PT-2M.15.b"))
    func wall() async throws {
        let made = try await observe(ana, "Traced m")
        let habit = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        let work = try await room.school.execute(
            CreateWork.self, ["studentId": .id(ana.id), "kind": .text("task"), "title": .text("Call home")],
            as: room.guide)
        let other = room.otherGuide
        let attempts: [() async throws -> Void] = [
            { try await self.observe(self.ana, "x", as: other) },
            {
                _ = try await self.room.school.answer(
                    ListObservations.self, ["studentId": .id(self.ana.id)], as: other)
            },
            {
                try await self.room.school.execute(
                    DeleteObservation.self, ["studentId": .id(self.ana.id), "observationId": .id(made.id)],
                    as: other)
            },
            { try await self.room.school.execute(ToggleHabit.self, ["habitId": .id(habit.id)], as: other) },
            { try await self.room.school.execute(CompleteWork.self, ["workId": .id(work.id)], as: other) },
            {
                try await self.room.school.execute(
                    Capture.self, ["studentId": .id(self.ana.id), "content": .text("x")], as: other)
            },
            { _ = try await self.room.environment.screen("/students/\(self.ana.id.text)", as: other) },
        ]
        for (index, attempt) in attempts.enumerated() {
            #expect(try await problem(attempt) == .notFound, "attempt \(index)")
        }
        #expect(try await list(ana) == ["Traced m"])
    }

    @Test(
        "unknown tags and children whom the guide may not see are refused at their field",
        .requirement("PT-2.29.b"))
    func unknown() async throws {
        let stranger = try await room.student("Zoe")
        for (field, value) in [
            ("subjectTag", InputValue.id(UUID())), ("subjectTag", .id(ShortList.material.id)),
            ("taggedStudentIds", .ids([stranger.id])),
        ] {
            let refused = try await problem { try await self.observe(self.ana, "x", [field: value]) }
            #expect(refused?.status == 422 && refused?.faults.first?.field.hasPrefix(field) == true, "\(field)")
        }
    }

    // MARK: - Habits

    @Test("a habit keeps its student, name, cadence and creation", .requirement("PT-2.02.a"))
    func createdHabit() async throws {
        let made = try await room.school.execute(
            CreateHabit.self,
            ["studentId": .id(ana.id), "name": .text("Hang up the coat"), "cadence": .text("weekly")],
            as: room.guide)
        let createdAt = room.school.clock.now
        room.school.clock.advance(by: 60)
        let stored = try await habit(made.id)
        #expect(stored == made)
        #expect(stored?.studentId == ana.id && stored?.name == "Hang up the coat" && stored?.cadence == .weekly)
        #expect(stored?.createdAt == createdAt && stored?.createdByGuideId == ClassroomFixture.id(room.guide))
    }

    @Test("a habit is daily, weekly or monthly, and nothing else", .requirement("PT-2.02.b"))
    func cadences() async throws {
        #expect(Habit.Cadence.allCases.map(\.rawValue) == ["daily", "weekly", "monthly"])
        let refused = try await problem {
            try await self.room.school.execute(
                CreateHabit.self,
                ["studentId": .id(self.ana.id), "name": .text("Coat"), "cadence": .text("yearly")],
                as: self.room.guide)
        }
        #expect(refused?.status == 422 && refused?.faults.map(\.field) == ["cadence"])
    }

    @Test(
        "a habit is renamed, paused, resumed, and deleted with its log",
        .requirement("PT-2.08.a"))
    func changedHabit() async throws {
        let made = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        try await room.school.execute(ToggleHabit.self, ["habitId": .id(made.id)], as: room.guide)
        func update(pausing isPaused: Bool) async throws -> Habit {
            try await room.school.execute(
                UpdateHabit.self,
                [
                    "habitId": .id(made.id), "name": .text("Hang up the coat"), "cadence": .text("monthly"),
                    "isPaused": .bool(isPaused),
                ], as: room.guide)
        }
        let paused = try await update(pausing: true)
        #expect(paused.name == "Hang up the coat" && paused.cadence == .monthly && paused.pausedOn == room.today)
        #expect(try await habit(made.id) == paused)
        #expect(try await update(pausing: false).pausedOn == nil)
        #expect(try await habit(made.id)?.pausedOn == nil)
        try await room.school.execute(DeleteHabit.self, ["habitId": .id(made.id)], as: room.guide)
        #expect(try await habit(made.id) == nil)
        let logs: Int? = try await room.school.database.read {
            try $0.value("SELECT COUNT(*) FROM habit_logs WHERE habit_id = \(made.id)")
        }
        #expect(logs == 0)
    }

    @Test("after a pause a habit's streak continues where it stopped", .requirement("BY-1.12.d"))
    func pausedHabit() async throws {
        let made = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        func toggle() async throws {
            try await room.school.execute(ToggleHabit.self, ["habitId": .id(made.id)], as: room.guide)
        }
        func pause(_ isPaused: Bool) async throws {
            try await room.school.execute(
                UpdateHabit.self,
                [
                    "habitId": .id(made.id), "name": .text("Coat"), "cadence": .text("daily"),
                    "isPaused": .bool(isPaused),
                ], as: room.guide)
        }
        func length() async throws -> Int? {
            let (calendar, today, ana) = (room.calendar, room.today, ana.id)
            return try await room.school.database.read { sql in
                let habits = try HabitRepository.habits(of: [ana], in: sql)
                return try StudentPageData.streaks(of: habits, of: ana, today: today, calendar: calendar, in: sql)
                    .first?.streak.length
            }
        }
        func pauses() async throws -> Int? {
            try await room.school.database.read { try $0.value("SELECT COUNT(*) FROM habit_pauses") }
        }
        try await toggle()
        try await pause(true)
        try await pause(false)
        #expect(try await pauses() == 0, "ended on its first day, it paused no day")
        room.school.clock.advance(by: 86_400)
        try await pause(true)
        room.school.clock.advance(by: 7 * 86_400)
        try await pause(true)
        try await pause(false)
        #expect(try await length() == 1)
        try await toggle()
        #expect(try await length() == 2)
        room.school.clock.advance(by: 2 * 86_400)
        #expect(try await length() == 0, "missed yesterday, after the pause")
        try await room.school.execute(DeleteHabit.self, ["habitId": .id(made.id)], as: room.guide)
        #expect(try await pauses() == 0, "deleted with the habit")
    }

    private func habit(_ id: UUID) async throws -> Habit? {
        try await room.school.database.read { try HabitRepository.habit(id, in: $0) }
    }

    @Test(
        "no text about habits and streaks blames the child", .requirement("BY-1.12.e"), arguments: Language.allCases
    )
    func blames(_ language: Language) {
        let said = (room.feature.catalog.entries[language] ?? [:]).filter { $0.key.hasPrefix("habit.") }
        #expect(said.count > 30)
        for (key, entry) in said { #expect(BlameWords.found(in: "\(entry)", language) == [], "\(key)") }
    }

    @Test(
        "the log of a habit has its day, author and time, and keeps its id when it is written again",
        .requirement("PT-2.03.a"))
    func habitLog() async throws {
        let habit = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": "Hang up the coat", "cadence": "daily"],
            as: room.guide)
        func toggle(_ day: Day) async throws -> HabitLog {
            try await room.school.execute(
                ToggleHabit.self, ["habitId": .id(habit.id), "day": .text(day.description)], as: room.guide)
        }
        let log = try await toggle(room.today)
        #expect(log.habitId == habit.id && log.day == room.today && log.isDone)
        #expect(log.createdByGuideId == ClassroomFixture.id(room.guide))
        #expect(log.createdAt == room.school.clock.now)
        #expect(try await toggle(room.today).id == log.id)
        #expect(try await toggle(room.today.adding(days: -1)).id != log.id)
        #expect(log.id.text[log.id.text.index(log.id.text.startIndex, offsetBy: 14)] == "8")
    }

    @Test(
        "a tap sets or removes today's log of a habit, and each day has one log at most",
        .requirement("PT-2.03.b", "PT-2.08.b"))
    func habits() async throws {
        let habit = try await room.school.execute(
            CreateHabit.self,
            ["studentId": .id(ana.id), "name": .text("Hang up the coat"), "cadence": .text("weekly")],
            as: room.guide)
        #expect(habit.cadence == .weekly && habit.createdByGuideId == ClassroomFixture.id(room.guide))
        func toggle(_ more: [String: InputValue] = [:]) async throws -> Bool {
            let input: [String: InputValue] = ["habitId": .id(habit.id)]
            return try await room.school.execute(
                ToggleHabit.self, .object(input.merging(more) { $1 }), as: room.guide
            ).isDone
        }
        #expect(try await toggle())
        #expect(try await !toggle())
        #expect(try await toggle(["wish": .text("done")]))
        #expect(try await toggle(["wish": .text("done")]), "said twice it means the same")
        let logs: Int? = try await room.school.database.read {
            try $0.value("SELECT COUNT(*) FROM habit_logs WHERE habit_id = \(habit.id)")
        }
        #expect(logs == 1)
        for (day, code) in [(1, "attendance.future"), (-61, "attendance.tooOld")] {
            let refused = try await problem {
                _ = try await toggle(["day": .text(room.today.adding(days: day).description)])
            }
            #expect(refused?.faults.first?.code == code)
        }
    }

    // MARK: - Lessons and tasks

    @Test(
        "lessons and tasks are planned, completed with person and time, and reopened",
        .requirement(
            "PT-2.04.a", "PT-2.04.b", "PT-2.04.c", "PT-2.05", "PT-2.09.a", "PT-2.09.b", "PT-2.09.c", "PT-2.21.d"
        ),
        arguments: StudentWork.Kind.allCases)
    func work(_ kind: StudentWork.Kind) async throws {
        let made = try await room.school.execute(
            CreateWork.self,
            [
                "studentId": .id(ana.id), "kind": .text(kind.rawValue), "title": .text("Golden beads"),
                "details": .text("Ten units"), "scheduledFor": .text(room.today.description),
            ], as: room.guide)
        #expect(made.studentId == ana.id && made.title == "Golden beads" && made.details == "Ten units")
        #expect(made.createdAt == room.school.clock.now)
        #expect(made.createdByGuideId == ClassroomFixture.id(room.guide))
        #expect(made.kind == kind && made.completedAt == nil && made.scheduledFor == room.today)
        room.school.clock.advance(by: 60)
        let done = try await room.school.execute(CompleteWork.self, ["workId": .id(made.id)], as: room.admin)
        #expect(done.completedAt == room.school.clock.now)
        #expect(done.completedByGuideId == ClassroomFixture.id(room.admin))
        room.school.clock.advance(by: 60)
        let again = try await room.school.execute(CompleteWork.self, ["workId": .id(made.id)], as: room.guide)
        #expect(again == done, "who was first stays")
        let open = try await room.school.execute(
            CompleteWork.self, ["workId": .id(made.id), "wish": .text("open")], as: room.guide)
        #expect(open.completedAt == nil && open.completedByGuideId == nil)
        let all = try await room.school.answer(ListWork.self, ["studentId": .id(ana.id)], as: room.guide).items
        #expect(all == [open])
    }

    @Test(
        "Quick Capture creates the chosen kind of note with the first line as its title, and sets child, guide and time",
        .requirement("PT-2.16.b", "PT-2.16.c"))
    func capture() async throws {
        for kind in Capture.Kind.allCases {
            try await room.school.execute(
                Capture.self,
                [
                    "studentId": .id(ana.id), "kind": .text(kind.rawValue),
                    "content": .text("Sandpaper letters\nBegin with m."),
                ], as: room.guide)
        }
        let (now, guide) = (room.school.clock.now, ClassroomFixture.id(room.guide))
        let seen = try await room.school.answer(ListObservations.self, ["studentId": .id(ana.id)], as: room.guide)
        #expect(seen.items.map(\.primaryStudentId) == [ana.id])
        #expect(seen.items.allSatisfy { $0.createdAt == now && $0.createdByGuideId == guide })
        #expect(try await list(ana) == ["Sandpaper letters\nBegin with m."])
        let work = try await room.school.answer(ListWork.self, ["studentId": .id(ana.id)], as: room.guide).items
        #expect(Set(work.map(\.kind)) == [.lesson, .task])
        #expect(work.allSatisfy { $0.studentId == ana.id && $0.createdAt == now && $0.createdByGuideId == guide })
        #expect(work.allSatisfy { $0.title == "Sandpaper letters" && $0.details == "Begin with m." })
        let long = String(repeating: "word ", count: 100)
        let draft = WorkDraft(note: long)
        #expect(draft.title.count <= StudentWork.titleLength && draft.title.hasSuffix("…"))
        #expect(draft.details == long.trimmingCharacters(in: .whitespaces), "nothing typed is lost")
    }

    @Test("a saved observation, lesson or task is celebrated", .requirement("PT-3.17.d"))
    func celebration() async throws {
        func feedback(_ command: String, _ more: [String: InputValue]) async throws -> Feedback? {
            let input: [String: InputValue] = ["studentId": .id(ana.id)]
            return try await room.school.execute(command, .object(input.merging(more) { $1 }), as: room.guide)
                .feedback
        }
        let note: InputValue = "Sandpaper letters"
        #expect(
            try await feedback("observations.create", ["content": note]) == Feedback(.burst, "Observation saved"))
        for (kind, words) in [
            ("observation", "Observation saved"), ("lesson", "Lesson saved"), ("task", "Task saved"),
        ] {
            #expect(
                try await feedback("capture.save", ["kind": .text(kind), "content": note])
                    == Feedback(.burst, words))
            guard kind != "observation" else { continue }
            #expect(
                try await feedback(CreateWork.contract.name, ["kind": .text(kind), "title": note])
                    == Feedback(.burst, words))
        }
    }

    // MARK: - Contacts

    @Test("contacts are added, changed and removed", .requirement("PT-2.06.a", "PT-2.06.b", "PT-2.30.a"))
    func contacts() async throws {
        let made = try await room.school.execute(
            CreateContact.self,
            ["studentId": .id(ana.id), "fullName": .text("Luz Ruiz"), "phone": .text("+1 (514) 555-0100")],
            as: room.guide)
        #expect(made.phone == "+1 (514) 555-0100")
        #expect(
            try await room.outline("/students/\(ana.id.text)", as: room.guide).contains(
                "- Luz Ruiz · +1 (514) 555-0100 [Call Luz Ruiz]"))
        let changed = try await room.school.execute(
            UpdateContact.self,
            ["contactId": .id(made.id), "fullName": .text("Luz Ruiz"), "email": .text("luz@home.example")],
            as: room.guide)
        #expect(changed.phone == nil)
        let page = try await room.outline("/students/\(ana.id.text)", as: room.guide)
        #expect(page.contains("- Luz Ruiz · luz@home.example [Write to Luz Ruiz]"))
        let refused = try await problem {
            try await self.room.school.execute(
                CreateContact.self,
                ["studentId": .id(self.ana.id), "fullName": .text("X"), "phone": .text("<script>")],
                as: self.room.guide)
        }
        #expect(refused?.faults.map(\.field) == ["phone"])
        try await room.school.execute(DeleteContact.self, ["contactId": .id(made.id)], as: room.guide)
        #expect(try await room.outline("/students/\(ana.id.text)", as: room.guide).contains("No contacts yet."))
    }

    @Test("a contact is changed and removed with the controls of the page", .requirement("PT-2.30.c"))
    func contactsPage() async throws {
        let made = try await room.school.execute(
            CreateContact.self,
            ["studentId": .id(ana.id), "fullName": .text("Luz Ruiz"), "phone": .text("+1 514 555 0100")],
            as: room.guide)
        let form = try #require(try await page("/contacts").forms.first { $0.id == "contact-\(made.id.text)" })
        #expect(form.action == UpdateContact.contract.path(filling: ["contactId": made.id.text]))
        var fields = form.fields.reduce(into: [String: InputValue]()) { $0[$1.name] = .text($1.value) }
        #expect(fields["fullName"] == "Luz Ruiz" && fields["phone"] == "+1 514 555 0100")
        fields["fullName"] = "Luz Maria Ruiz"
        fields["contactId"] = .text(made.id.text)
        try await room.school.execute(UpdateContact.contract.name, .object(fields), as: room.guide, isForm: true)
        let changed = try await page("/contacts")
        #expect(Outline(changed).contains("> Luz Maria Ruiz"))
        #expect(
            Outline(changed).lines.contains {
                $0.hasSuffix(
                    "[Remove contact] -> POST \(DeleteContact.contract.path(filling: ["contactId": made.id.text])) (asks: Remove Luz Maria Ruiz?)"
                )
            })
        try await room.school.execute(
            DeleteContact.contract.name, ["contactId": .text(made.id.text)], as: room.guide, isForm: true)
        #expect(try await !Outline(page("/contacts")).contains("Luz"))
    }

    @Test("an admin can let a contact read what is shared, and a guide cannot")
    func guardians() async throws {
        let contact = try await room.school.execute(
            CreateContact.self, ["studentId": .id(ana.id), "fullName": .text("Luz Ruiz")], as: room.guide)
        func invite(as caller: Caller) async throws {
            try await room.school.execute(InviteGuardian.self, ["contactId": .id(contact.id)], as: caller)
        }
        #expect(try await problem { try await invite(as: room.admin) }?.code == "guardian.noAddress")
        _ = try await room.school.execute(
            UpdateContact.self,
            ["contactId": .id(contact.id), "fullName": .text("Luz Ruiz"), "email": .text("luz@home.example")],
            as: room.guide)
        #expect(try await problem { try await invite(as: room.guide) }?.status == 403)
        #expect(room.guardians.invited.isEmpty)
        let path = "/students/\(ana.id.text)/contacts"
        #expect(try await room.outline(path, as: room.admin).contains("Invite Luz Ruiz"))
        #expect(try await !room.outline(path, as: room.guide).contains("Invite Luz Ruiz"))
        try await invite(as: room.admin)
        #expect(room.guardians.invited == ["luz@home.example"])
        let page = try await room.outline(path, as: room.admin)
        #expect(page.contains("Luz Ruiz · Invited by email") && !page.contains("Invite Luz Ruiz"))
        let reader = try #require(
            try await room.school.answer(ListGuardians.self, ["studentId": .id(ana.id)], as: room.guide).items.first
        )
        func remove(as caller: Caller) async throws {
            try await room.school.execute(
                RemoveGuardian.self, ["studentId": .id(ana.id), "personId": .id(reader.id)], as: caller)
        }
        #expect(try await problem { try await remove(as: room.guide) }?.status == 403)
        try await remove(as: room.admin)
        // The guardian's own page may be open and receives the change.
        let news = try await room.school.changes().map(\.change).first { $0.kind == "guardian.removed" }
        #expect(news?.topics.contains(FamilyTopic.of(ana.id)) == true)
        #expect(news?.audience.contains(.person(reader.id)) == true)
        #expect(try await problem { try await remove(as: room.admin) }?.status == 404)
        #expect(try await !room.outline(path, as: room.admin).contains("Invited by email"))
    }

    // MARK: - Pages

    @Test(
        "the page shows Quick Capture first, then today's actions, then observations, in both languages",
        .requirement(
            "PT-2.04.d", "PT-2.15.a", "PT-2.19.c", "PT-2.21.a", "PT-2.21.b", "PT-2.21.c", "PT-3.32.c", "PT-3.34.a"),
        arguments: Language.allCases)
    func page(_ language: Language) async throws {
        _ = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        _ = try await room.school.execute(
            CreateWork.self,
            [
                "studentId": .id(ana.id), "kind": .text("lesson"), "title": .text("Golden beads"),
                "details": .text("Ten units"), "scheduledFor": .text(room.today.description),
            ], as: room.guide)
        try await observe(ana, "Traced m", ["materialTag": .id(ShortList.material.id)])
        let page = try await room.outline("/students/\(ana.id.text)", as: room.guide, language: language)
        let lines = page.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let wanted =
            language == .english
            ? [
                "form capture", "## Today’s habits", "[ ] Coat · Not done today", "## Lessons",
                "[ ] Golden beads", "## Tasks", "## Observations", "\"Traced m\"", "## Contacts",
            ]
            : [
                "form capture", "## Habitudes du jour", "[ ] Coat · Pas faite aujourd’hui", "## Leçons",
                "[ ] Golden beads", "## Tâches", "## Observations", "\"Traced m\"", "## Contacts",
            ]
        let places = wanted.map { text in lines.firstIndex { $0.hasPrefix(text) } }
        #expect(places.compactMap(\.self).count == wanted.count, "\(page)")
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        let byline = lines.first { $0.hasPrefix("\"Traced m\"") }
        #expect(
            byline?.contains(language == .english ? "· Gil Guide, today at " : "· Gil Guide, aujourd’hui à ")
                == true)
        #expect(page.contains("> Ten units") && page.contains("{Sandpaper letters}"))
        #expect(page.contains(language == .english ? "{Due today}" : "{Pour aujourd’hui}"))
        let fan = lines.filter { $0.hasPrefix("menu [") && $0.contains("kind=") }
        #expect(fan.count == 3)
        for path in ["observations", "habits", "habits/overview", "contacts"] {
            let below = try await room.outline(
                "/students/\(ana.id.text)/\(path)", as: room.guide, language: language)
            #expect(below.contains("· Ana Ruiz") && below.contains("[Back] -> /students/\(ana.id.text)"))
        }
    }

    @Test("every control of the page calls a service of the block", .requirement("PT-2.15.c"))
    func controls() async throws {
        let habit = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        var work: [String] = []
        for kind in StudentWork.Kind.allCases {
            let made = try await room.school.execute(
                CreateWork.self,
                ["studentId": .id(ana.id), "kind": .text(kind.rawValue), "title": .text("Golden beads")],
                as: room.guide)
            work.append(CompleteWork.contract.path(filling: ["workId": made.id.text]))
        }
        let observation = try await observe(ana, "Traced m")
        let contact = try await room.school.execute(
            CreateContact.self, ["studentId": .id(ana.id), "fullName": .text("Luz Ruiz")], as: room.guide)

        let child = ["studentId": ana.id.text]
        #expect(
            try await page().endpoints()
                == Set(work).union([
                    Capture.contract.path(filling: child), RecordVoice.contract.path(filling: child),
                    ToggleHabit.contract.path(filling: ["habitId": habit.id.text]),
                ]))
        let note = ["studentId": ana.id.text, "observationId": observation.id.text]
        #expect(
            try await page("/observations/\(observation.id.text)").endpoints() == [
                UpdateObservation.contract.path(filling: note), DeleteObservation.contract.path(filling: note),
            ])
        #expect(
            try await page("/habits").endpoints() == [
                CreateHabit.contract.path(filling: child),
                UpdateHabit.contract.path(filling: ["habitId": habit.id.text]),
                DeleteHabit.contract.path(filling: ["habitId": habit.id.text]),
            ])
        #expect(
            try await page("/contacts").endpoints() == [
                CreateContact.contract.path(filling: child),
                UpdateContact.contract.path(filling: ["contactId": contact.id.text]),
                DeleteContact.contract.path(filling: ["contactId": contact.id.text]),
            ])
    }

    @Test("a reader who may not write sees the page without controls", .requirement("PT-2.24.b"))
    func readOnly() async throws {
        _ = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        _ = try await room.school.execute(
            CreateWork.self, ["studentId": .id(ana.id), "kind": .text("task"), "title": .text("Call home")],
            as: room.guide)
        try await observe(ana, "Traced m")
        let (id, today) = (ana.id, room.today)
        let membership = try #require(room.guide.membership)
        let data = try await room.school.database.read { sql in
            try StudentPageData(
                id, membership, today: today, language: .english, hasAllHabits: false,
                classrooms: SQLClassroomService(), students: SQLStudentService(people: TestPeople()),
                taxonomy: ShortList(), calendar: TestCalendar(), in: sql)
        }
        func shown(to caller: Caller) async throws -> Screen {
            let path = "/students/\(id.text)"
            return StudentPageViewModel(
                data: data, timeZone: membership.timeZone, canKeepVoice: true, others: [],
                request: ScreenRequest(
                    context: try await room.school.context(of: caller), path: path,
                    parameters: ["studentId": id.text], query: [:])
            ).screen
        }
        let reader = try await shown(to: room.school.makeCaller(.warden))
        #expect(try reader.endpoints() == [])
        #expect(reader.forms == [] && reader.floatingButton == nil && reader.cells.allSatisfy(\.menu.isEmpty))
        #expect(Outline(reader).contains("[ ] Coat") && Outline(reader).contains("[ ] Call home"))
        for control in ["[Manage]", "/edit", "/observations/", "/plans/"] {
            #expect(!Outline(reader).contains(control), "\(control)")
        }
        let guide = try await shown(to: room.guide)
        #expect(try guide.endpoints().count == 4 && guide.floatingButton != nil)
        #expect(Outline(guide).contains("[Manage]") && Outline(guide).contains("/observations/"))
    }

    @Test(
        "the overview shows the week and the month of every habit, day by day",
        .requirement("PT-2.28.a", "PT-2.28.b"))
    func overview() async throws {
        let habit = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Coat")], as: room.guide)
        try await room.school.execute(
            ToggleHabit.self,
            ["habitId": .id(habit.id), "day": .text(room.today.adding(days: -1).description)], as: room.guide)
        try await room.mark(ana, "absent", in: maple)
        let path = "/students/\(ana.id.text)/habits/overview"
        let week = try await room.outline(path, as: room.guide)
        let row = try #require(week.split(separator: "\n").first { $0.contains("Coat |") })
        #expect(row.components(separatedBy: " | ").count == 8)
        #expect(row.contains(": done") && row.hasSuffix("| absent"))
        let month = try await room.outline(path, as: room.guide, query: ["span": "month"])
        #expect(
            month.split(separator: "\n").first { $0.contains("Coat |") }?.components(separatedBy: " | ").count == 31
        )
    }

    @Test(
        "My Day lists due work, follow-ups, and the habits of children who are present",
        .requirement("PT-1.20.a", "PT-1.20.b", "PT-1.20.c"))
    func myDay() async throws {
        func plan(_ title: String, _ offset: Int?, _ kind: StudentWork.Kind = .task) async throws {
            var input: [String: InputValue] = [
                "studentId": .id(ana.id), "kind": .text(kind.rawValue), "title": .text(title),
            ]
            if let offset { input["scheduledFor"] = .text(room.today.adding(days: offset).description) }
            _ = try await room.school.execute(CreateWork.self, .object(input), as: room.guide)
        }
        try await plan("Late", -2)
        try await plan("Today", 0)
        try await plan("Tomorrow", 1)
        try await plan("Some day", nil)
        try await plan("Golden beads", -1, .lesson)
        try await plan("Long stair", 0, .lesson)
        try await plan("Sound boxes", 1, .lesson)
        let seen = try await observe(ana, "Look at the grip again", ["followUpOn": .text(room.today.description)])
        try await observe(ana, "Hers", ["followUpOn": .text(room.today.description)], as: room.admin)
        for child in [ana, ben] {
            _ = try await room.school.execute(
                CreateHabit.self, ["studentId": .id(child.id), "name": .text("Coat")], as: room.guide)
        }
        try await room.mark(ben, "absent", in: maple)
        let day = try await room.outline("/my-day", as: room.guide)
        #expect(day.contains("[ ] Late · Ana Ruiz") && day.contains("[ ] Today · Ana Ruiz"))
        #expect(!day.contains("Tomorrow") && !day.contains("Some day"))
        #expect(day.contains("[ ] Golden beads · Ana Ruiz") && day.contains("[ ] Long stair · Ana Ruiz"))
        #expect(!day.contains("Sound boxes"))
        #expect(day.contains("Look at the grip again") && !day.contains("Hers"))
        #expect(day.contains("[ ] Coat · Ana Ruiz") && !day.contains("[ ] Coat · Ben Ito"))
        let followed = try await room.school.execute(
            FollowUp.self,
            ["studentId": .id(ana.id), "observationId": .id(seen.id), "wish": .text("done")], as: room.guide)
        #expect(followed.followedUpAt != nil)
        #expect(try await !room.outline("/my-day", as: room.guide).contains("Look at the grip again"))
    }

    // MARK: - What others may read

    @Test("other blocks read the evidence by material, and plan a lesson")
    func record() async throws {
        let tag: [String: InputValue] = ["materialTag": .id(ShortList.material.id)]
        for number in 0..<5 {
            room.school.clock.advance(by: 60)
            try await observe(
                number % 2 == 0 ? ana : ben, "Note \(number)",
                tag.merging(["taggedStudentIds": .ids([ana.id])]) { $1 })
        }
        let record = SQLChildRecord()
        let id = ana.id
        let evidence = try await room.school.database.read {
            try record.evidence(of: id, materials: [ShortList.material.id], timeZone: .gmt, in: $0)
        }
        let others = try await room.school.database.read {
            try record.evidence(of: id, materials: [UUID()], timeZone: .gmt, in: $0)
        }
        #expect(others.isEmpty)
        #expect(evidence[ShortList.material.id]?.map(\.excerpt) == ["Note 4", "Note 3", "Note 2"])
        #expect("one two three".excerpt(9) == "one two…" && "one\ntwo".excerpt(9) == "one two")
    }

    @Test("deleting a child deletes the child's records, and removes only the tag from other observations")
    func deletion() async throws {
        try await observe(ana, "Mine", ["taggedStudentIds": .ids([ben.id])])
        try await observe(ben, "Ben's", ["taggedStudentIds": .ids([ana.id])])
        try await room.school.execute("students.delete", ["studentId": .id(ana.id)], as: room.admin)
        #expect(try await list(ben) == ["Ben's"])
    }
}
