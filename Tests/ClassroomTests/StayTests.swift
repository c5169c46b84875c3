import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Classroom

@Suite("The days in a class")
struct StayTests {
    let room: ClassroomFixture
    let maple: Classroom
    let birch: Classroom
    let ana: Student
    /// The first day of the test, from which the school's clock is moved forward.
    let start: Day

    init() async throws {
        room = try await ClassroomFixture()
        maple = try await room.classroom("Maple", guides: [room.guide])
        birch = try await room.classroom("Birch", guides: [room.otherGuide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
        start = room.today
    }

    private func wait(days: Int) { room.school.clock.advance(by: Double(days) * 86_400) }

    private func move(_ student: Student, from: Classroom, to: Classroom) async throws {
        try await put(student, into: to)
        try await take(student, out: from)
    }

    private func put(_ student: Student, into classroom: Classroom) async throws {
        try await room.school.execute(
            AddToClass.self, ["classroomId": .id(classroom.id), "studentId": .id(student.id)], as: room.admin)
    }

    private func take(_ student: Student, out classroom: Classroom) async throws {
        try await room.school.execute(
            RemoveFromClass.self, ["classroomId": .id(classroom.id), "studentId": .id(student.id)], as: room.admin)
    }

    private func sheet(
        _ classroom: Classroom, _ day: Day, as caller: Caller? = nil
    ) async throws -> [RosterEntry] {
        try await room.school.answer(
            ClassRoster.self, ["classroomId": .text(classroom.id.text), "day": .text(day.description)],
            as: caller ?? room.admin
        ).items
    }

    private func names(_ classroom: Classroom, _ day: Day) async throws -> [String] {
        try await sheet(classroom, day).map(\.student.firstName)
    }

    private func markRest(_ classroom: Classroom, _ day: Day) async throws -> Int {
        try await room.school.execute(
            MarkTheRest.self, ["classroomId": .id(classroom.id), "day": .text(day.description)], as: room.admin
        ).marked
    }

    private func register(_ classroom: Classroom, from first: Day, through last: Day) async throws -> [RegisterLine]
    {
        let orgId = room.orgId
        return try await room.school.database.read {
            try SQLClassRecord().register(of: classroom.id, orgId: orgId, from: first, through: last, in: $0)
        }
    }

    private func stays(of student: Student) async throws -> [ClassroomStay] {
        try await room.school.database.read { try StayRepository.stays(ofStudents: [student.id], in: $0) }
    }

    @Test("a child who joined later is not on an earlier sheet, also when the rest of that day is marked")
    func joinedLater() async throws {
        wait(days: 5)
        let ben = try await room.student("Ben", in: maple)
        let joined = room.today
        wait(days: 2)
        #expect(try await names(maple, start) == ["Ana"])
        #expect(try await names(maple, joined) == ["Ana", "Ben"])
        #expect(try await markRest(maple, joined.adding(days: -1)) == 1)
        #expect(try await markRest(maple, joined) == 2)
        let refusal = try await problem {
            try await room.mark(ben, "present", in: maple, on: joined.adding(days: -1))
        }
        #expect(refusal?.faults == [Fault("day", "attendance.notInClass")])
        let marks = try await room.school.database.read {
            try AttendanceRepository.history(of: ben.id, limit: 9, in: $0)
        }
        #expect(marks.map(\.day) == [joined])
    }

    @Test("a child who has left stays on past sheets and prints by name and marks, and is not on today's sheet")
    func left() async throws {
        try await room.school.execute(
            UpdateStudent.self,
            ["studentId": .id(ana.id), "firstName": "Ana", "lastName": "Ruiz", "notes": "Allergic to nuts"],
            as: room.admin)
        try await room.mark(ana, "absent", in: maple)
        wait(days: 3)
        try await take(ana, out: maple)
        #expect(try await names(maple, room.today).isEmpty)
        let old = try #require(try await sheet(maple, start, as: room.guide).first)
        #expect(old.student.displayName == "Ana Ruiz" && old.mark?.status == .absent)
        #expect(!old.isMember && old.student.notes == nil)
        let line = try #require(try await register(maple, from: start, through: room.today).first)
        #expect(line.marks == [start: false])
        #expect(line.belongs(on: room.today.adding(days: -1)) && !line.belongs(on: room.today))
        // Marking the rest of an earlier day includes everyone who was a member then, and changes no mark.
        #expect(try await markRest(maple, start) == 0)
        #expect(try await markRest(maple, start.adding(days: 1)) == 1)
    }

    @Test("after a move, each day is shown under the class of that day")
    func move() async throws {
        try await room.mark(ana, "present", in: maple)
        wait(days: 4)
        try await move(ana, from: maple, to: birch)
        wait(days: 1)
        try await room.mark(ana, "present", in: birch, as: room.otherGuide)
        #expect(try await names(maple, start) == ["Ana"])
        #expect(try await names(birch, start).isEmpty)
        #expect(try await names(maple, room.today).isEmpty)
        #expect(try await names(birch, room.today) == ["Ana"])
        #expect(try await register(maple, from: start, through: room.today).map(\.marks) == [[start: true]])
        #expect(try await register(birch, from: start, through: room.today).map(\.marks) == [[room.today: true]])
    }

    @Test("a mark made on the morning of a move stays in the class in which it was made", arguments: [true, false])
    func markedBeforeMove(placedFirst: Bool) async throws {
        wait(days: 2)
        let day = room.today
        try await room.mark(ana, "present", in: maple)
        if placedFirst {
            try await move(ana, from: maple, to: birch)
        } else {
            try await take(ana, out: maple)
            try await put(ana, into: birch)
        }
        #expect(try await sheet(maple, day).map(\.mark?.status) == [.present])
        #expect(
            try await sheet(birch, day).map(\.mark?.classroomId) == [maple.id], "one mark, made in the other class")
        #expect(try await markRest(birch, day) == 0)
        #expect(try await register(maple, from: start, through: day).map(\.marks) == [[day: true]])
        #expect(try await register(birch, from: start, through: day).map(\.marks) == [[:]])
        // A correction by the new class changes the mark, and its classroom stays the same.
        try await room.mark(ana, "absent", in: birch, as: room.otherGuide)
        #expect(try await register(maple, from: start, through: day).map(\.marks) == [[day: false]])
        #expect(try await register(birch, from: start, through: day).map(\.marks) == [[:]])
    }

    @Test("a child in two classes at the same time counts in both")
    func twoClasses() async throws {
        try await put(ana, into: birch)
        wait(days: 1)
        try await room.mark(ana, "present", in: maple)
        for one in [maple, birch] {
            #expect(try await register(one, from: start, through: room.today).map(\.marks) == [[room.today: true]])
        }
    }

    @Test("a child who is removed by mistake and added again has one stay, and a day without a mark leaves none")
    func backAgain() async throws {
        wait(days: 3)
        try await take(ana, out: maple)
        try await put(ana, into: maple)
        #expect(try await stays(of: ana).map(\.firstDay) == [start])
        #expect(try await stays(of: ana).map(\.lastDay) == [nil])
        try await put(ana, into: birch)
        try await take(ana, out: birch)
        #expect(try await stays(of: ana).map(\.classroomId) == [maple.id])
        try await take(ana, out: maple)
        wait(days: 5)
        try await put(ana, into: maple)
        #expect(try await stays(of: ana).map(\.lastDay) == [start.adding(days: 2), nil])
    }

    @Test("the office corrects the first day and ends a stay with its last day")
    func corrected() async throws {
        wait(days: 10)
        func set(_ first: Day?, _ last: Day?) async throws {
            var input: [String: InputValue] = ["classroomId": .id(maple.id), "studentId": .id(ana.id)]
            if let first { input["firstDay"] = .text(first.description) }
            if let last { input["lastDay"] = .text(last.description) }
            try await room.school.execute(SetClassDays.self, .object(input), as: room.admin)
        }
        try await set(start.adding(days: -20), nil)
        #expect(try await names(maple, start.adding(days: -20)) == ["Ana"])
        #expect(try await names(maple, start.adding(days: -21)).isEmpty)
        try await set(nil, nil)
        #expect(try await names(maple, start.adding(days: -300)) == ["Ana"])
        let today = room.today
        let future = try await problem { try await set(start, today.adding(days: 1)) }
        #expect(future?.faults == [Fault("lastDay", "students.lastDayFuture")])
        let reversed = try await problem { try await set(today, start) }
        #expect(reversed?.faults == [Fault("lastDay", "students.lastBeforeFirst")])
        try await set(start, start.adding(days: 4))
        #expect(try await names(maple, start.adding(days: 4)) == ["Ana"])
        #expect(try await names(maple, start.adding(days: 5)).isEmpty)
        let members = try await room.school.database.read { [maple] in
            try ClassroomRepository.classroom(maple.id, orgId: UUID(), in: $0)?.studentIds
        }
        #expect(members == [])
        #expect(try await problem { try await set(start, nil) } == .notFound, "who left is no member")
        let page = try await room.outline("/students/\(ana.id.text)/edit", as: room.admin)
        #expect(page.contains("Maple"), "the office sees the earlier stay")
    }

    @Test("a child's streaks use the school days of the class that the child was in on each day")
    func schoolDays() async throws {
        let (cleo, dora) = (try await room.student("Cleo", in: maple), try await room.student("Dora", in: birch))
        try await room.mark(dora, "present", in: birch, on: start, as: room.otherGuide)
        wait(days: 1)
        let second = room.today
        try await room.mark(cleo, "present", in: maple)
        wait(days: 1)
        try await move(ana, from: maple, to: birch)
        try await room.mark(dora, "present", in: birch, as: room.otherGuide)
        let third = room.today
        let (ana, start) = (ana, start)
        let (days, before, after) = try await room.school.database.read { sql in
            (
                try AttendanceRepository.schoolDays(of: ana.id, since: start, in: sql),
                try AttendanceRepository.isKnown(of: ana.id, since: start, before: second, in: sql),
                try AttendanceRepository.isKnown(of: ana.id, since: start, before: third, in: sql)
            )
        }
        #expect(days == [second, third])
        #expect(!before && after)
    }

    @Test("an import begins and ends stays, and its undo takes both back")
    func importing() async throws {
        let ben = try await room.student("Ben")
        wait(days: 10)
        var additions = ClassroomAdditions()
        let (coming, leaving) = (
            ClassroomPlace(classroomId: maple.id, personId: ben.id),
            ClassroomPlace(classroomId: maple.id, personId: ana.id)
        )
        additions.studentPlaces = [coming]
        additions.firstDays = [coming: start.adding(days: 3)]
        additions.departures = [leaving: start.adding(days: 5)]
        let (done, today, now) = (additions, room.today, room.school.clock.now)
        try await room.school.database.write {
            try SQLClassroomService().apply(done, on: today, at: now, in: $0)
        }
        #expect(try await names(maple, start.adding(days: 2)) == ["Ana"])
        #expect(try await names(maple, start.adding(days: 4)) == ["Ana", "Ben"])
        #expect(try await names(maple, today) == ["Ben"])
        try await room.school.database.write { try SQLClassroomService().revert(done, in: $0) }
        #expect(try await stays(of: ben).isEmpty)
        #expect(try await stays(of: ana).map(\.lastDay) == [nil])
        #expect(try await names(maple, today) == ["Ana"])
    }

    @Test("undoing an import does not change an earlier stay")
    func undoAfterReturn() async throws {
        wait(days: 5)
        try await room.mark(ana, "present", in: maple)
        try await take(ana, out: maple)
        var additions = ClassroomAdditions()
        additions.studentPlaces = [ClassroomPlace(classroomId: maple.id, personId: ana.id)]
        let (done, today, now) = (additions, room.today, room.school.clock.now)
        try await room.school.database.write {
            try SQLClassroomService().apply(done, on: today, at: now, in: $0)
        }
        #expect(try await names(maple, today) == ["Ana"], "once, although both stays touch this day")
        try await room.school.database.write { try SQLClassroomService().revert(done, in: $0) }
        #expect(try await stays(of: ana).map(\.lastDay) == [today])
    }

    @Test("children who joined before stays were recorded are on every earlier sheet")
    func migrated() async throws {
        let (maple, ana) = (maple, ana)
        try await room.school.database.write { sql in
            try sql.execute("DELETE FROM classroom_stays")
            let migration = try #require(ClassroomMigrations.school.first { $0.name == "011-stays" })
            let filling = try #require(migration.statements.first { $0.hasPrefix("INSERT") })
            try sql.execute(SQL(stringLiteral: filling))
        }
        #expect(try await names(maple, start.adding(days: -40)) == ["Ana"])
        #expect(
            try await stays(of: ana) == [
                ClassroomStay(studentId: ana.id, classroomId: maple.id, firstDay: nil, lastDay: nil)
            ])
    }

    @Test("a deleted student leaves no stay, and every member has exactly one open stay")
    func deleted() async throws {
        _ = try await room.student("Ben", in: maple)
        try await move(ana, from: maple, to: birch)
        try await room.school.execute(DeleteStudent.self, ["studentId": .id(ana.id)], as: room.admin)
        #expect(try await stays(of: ana).isEmpty)
        let (open, members) = try await room.school.database.read { sql in
            (
                try sql.rows(
                    "SELECT classroom_id, student_id FROM classroom_stays WHERE last_day IS NULL ORDER BY 1, 2"
                ).map { try $0.get("student_id", as: UUID.self) },
                try sql.rows("SELECT classroom_id, student_id FROM classroom_students ORDER BY 1, 2")
                    .map { try $0.get("student_id", as: UUID.self) }
            )
        }
        #expect(open == members && open.count == 1)
    }

    @Test(
        "a first day in an implausible year is refused", arguments: ["0001-01-01", "9999-12-31", "2199-01-01"])
    func farDays(day: String) async throws {
        let refusal = try await problem {
            try await room.school.execute(
                SetClassDays.self,
                ["classroomId": .id(maple.id), "studentId": .id(ana.id), "firstDay": .text(day)], as: room.admin)
        }
        #expect(refusal?.faults == [Fault("firstDay", "dayFar")])
        let planned = try await problem {
            try await room.school.execute(
                CreateWork.self,
                [
                    "studentId": .id(ana.id), "kind": "task", "title": "Fractions", "scheduledFor": .text(day),
                ], as: room.guide)
        }
        #expect(planned?.faults == [Fault("scheduledFor", "dayFar")])
    }

    @Test("the queries about stays scan no whole table")
    func indexed() async throws {
        try await room.school.expectIndexed(StayRepository.belongsQuery(ana.id, maple.id, start))
        try await room.school.expectIndexed(StayRepository.staysQuery(maple.id, start, start))
        try await room.school.expectIndexed("SELECT * FROM classroom_stays WHERE student_id IN \(list: [ana.id])")
        try await room.school.expectIndexed(
            "SELECT DISTINCT attendance_marks.day \(AttendanceRepository.markedTogether(ana.id, since: start))")
    }
}
