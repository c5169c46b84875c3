import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import TestKit
import Testing

@testable import Classroom

@Suite("The page of a child of many years")
struct FirstScreenfulTests {
    private let room: ClassroomFixture
    private let maple: Classroom
    private let ana: Student

    init() async throws {
        room = try await ClassroomFixture()
        maple = try await room.classroom("Maple", guides: [room.guide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
    }

    private var page: String { "/students/\(ana.id.text)" }

    private func lines(_ path: String, _ query: [String: String] = [:], with text: String) async throws -> [String]
    {
        try await room.outline(path, as: room.guide, query: query).split(separator: "\n").map(String.init)
            .filter { $0.contains(text) }
    }

    @Test(
        "lessons are listed in the order of their days, one screenful at a time", .requirement("PT-2.25.a"),
        arguments: [false, true])
    func work(isDone: Bool) async throws {
        for number in 0..<25 {
            room.school.clock.advance(by: 60)
            // Lessons that were added later are due earlier.
            let day = room.today.adding(days: 100 - number)
            let made = try await room.school.execute(
                CreateWork.self,
                [
                    "studentId": .id(ana.id), "kind": "lesson", "title": .text("Lesson \(number)."),
                    "scheduledFor": .text(day.description),
                ], as: room.guide)
            guard isDone else { continue }
            _ = try await room.school.execute(CompleteWork.self, ["workId": .id(made.id)], as: room.guide)
        }
        let first = try await lines(page, with: "Lesson ")
        #expect(first.count == (isDone ? StudentPageData.doneCount : StudentPageData.workCount))
        #expect(first.first?.contains("Lesson 24.") == true)
        #expect(try await lines(page, with: "\(page)/plans?kind=lesson").count == 1)

        let state = isDone ? ["state": "done"] : [:]
        let top = try await lines("\(page)/plans", state.merging(["kind": "lesson"]) { $1 }, with: "Lesson ")
        let rest = try await lines(
            "\(page)/plans", state.merging(["kind": "lesson", "from": "20"]) { $1 }, with: "Lesson ")
        #expect(top.count == 20 && rest.count == 5)
        let found = (top + rest).compactMap { line in (0..<25).first { line.contains("Lesson \($0).") } }
        #expect(found == (0..<25).reversed())
        let more = try await lines("\(page)/plans", state.merging(["kind": "lesson"]) { $1 }, with: "from=20")
        #expect(more.count == 1 && more[0].contains("state=done") == isDone)
        #expect(try await lines("\(page)/plans", ["kind": "task"], with: "Lesson ").isEmpty)
    }

    @Test("open lessons and tasks are read in order from an index")
    func plan() async throws {
        let plan = try await room.school.queryPlan(
            WorkRepository.openQuery(ana.id, .lesson, after: 0, limit: 9))
        #expect(plan.contains { $0.contains("student_work_open") })
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test("a page with many habits shows the first twenty, and all after a tap", .requirement("PT-2.25.a"))
    func habits() async throws {
        for number in 0..<23 {
            _ = try await room.school.execute(
                CreateHabit.self, ["studentId": .id(ana.id), "name": .text("Habit \(number).")], as: room.guide)
        }
        #expect(try await lines(page, with: "[ ] Habit ").count == 20)
        #expect(try await lines(page, with: "[All 23 habits] -> \(page)?habits=all").count == 1)
        #expect(try await lines(page, ["habits": "all"], with: "[ ] Habit ").count == 23)
    }

    @Test(
        "a streak has the same length as if all days had been read, for any attendance and log", arguments: 0..<12)
    func streaks(seed: Int) async throws {
        // Some habits have many gaps and some none. Attendance begins late, pauses for weeks, or is never taken.
        var dice = SeededGenerator(seed: UInt64(seed))
        let today = room.today
        let skips = [0, 1, 3, 30][seed % 4]
        let taken = [0..<0, 2..<40, 35..<200, 0..<399][Int(dice.next() % 4)]
        for cadence in Habit.Cadence.allCases {
            let habit = try await room.school.execute(
                CreateHabit.self,
                ["studentId": .id(ana.id), "name": "Coat", "cadence": .text(cadence.rawValue)], as: room.guide)
            let begun = Int(dice.next() % 390)
            let days = (0...begun).filter { _ in dice.next() % 100 >= UInt64(skips) }
                .map { today.adding(days: -$0) }.filter(SchoolDays.usual.isSchoolDay)
            try await room.school.database.write { sql in
                for day in days {
                    try HabitRepository.set(
                        HabitLog(
                            habitId: habit.id, day: day, isDone: true, createdByGuideId: habit.createdByGuideId,
                            createdAt: habit.createdAt), in: sql)
                }
            }
        }
        let (away, ana, maple) = (dice.next() % 7, ana.id, maple.id)
        try await room.school.database.write { sql in
            for back in taken where SchoolDays.usual.isSchoolDay(today.adding(days: -back)) {
                let status = UInt64(back) % 7 == away ? "absent" : "present"
                try sql.execute(
                    """
                    INSERT INTO attendance_marks (student_id, day, status, marked_at, marked_by)
                    VALUES (\(ana), \(today.adding(days: -back)), \(status), \(0), \(maple))
                    """)
            }
        }
        let calendar = room.calendar
        calendar.days = .usual
        let (shown, whole) = try await room.school.database.read { sql in
            let first = today.adding(days: -HabitStreak.horizon)
            let habits = try HabitRepository.habits(of: [ana], in: sql)
            let done = try HabitRepository.doneDays(of: habits.map(\.id), since: first, in: sql)
            let away = try AttendanceRepository.absences(of: ana, since: first, in: sql)
            let known = try AttendanceRepository.schoolDays(of: ana, since: first, in: sql)
            return (
                try StudentPageData.streaks(of: habits, of: ana, today: today, calendar: calendar, in: sql)
                    .map(\.streak),
                habits.map {
                    HabitStreak(
                        $0, done: done[$0.id] ?? [], excused: away, schoolDays: known, knownSince: known.min(),
                        calendar: .usual,
                        since: done[$0.id]?.min() ?? today, today: today)
                }
            )
        }
        #expect(shown.map(\.length) == whole.map(\.length))
        #expect(shown.map(\.isDone) == whole.map(\.isDone) && shown.map(\.recent) == whole.map(\.recent))
    }
}
