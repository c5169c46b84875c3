import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import OrganizationTesting
import TestKit
import Testing

@testable import Classroom

@Suite("Attendance")
struct AttendanceTests {
    let room: ClassroomFixture
    let maple: Classroom
    let bea: Student
    var clock: FixedClock { room.school.clock }

    init() async throws {
        room = try await ClassroomFixture()
        maple = try await room.classroom("Maple", guides: [room.guide, room.otherGuide])
        bea = try await room.student("Bea", "Ruiz", in: maple)
    }

    func marks() async throws -> [LoggedChange] {
        try await room.school.changes().filter { $0.change.kind.hasPrefix("attendance.") }
    }

    @Test(
        "a child has one mark a day with its author and time, and a tap changes it for good",
        .requirement("PT-3.31.a"))
    func setAndFlip() async throws {
        #expect(try await room.roster(maple).first?.mark == nil)
        let first = try await room.mark(bea, "present", in: maple)
        #expect(first.status == .present)
        #expect(first.day == room.today)
        #expect(first.markedBy == ClassroomFixture.id(room.guide))
        #expect(first.markedAt == clock.now)
        #expect(try await room.roster(maple).first?.mark == first)
        clock.advance(by: 60)
        let flipped = try await room.mark(bea, "absent", in: maple, as: room.otherGuide)
        #expect(flipped.status == .absent)
        #expect(flipped.markedBy == ClassroomFixture.id(room.otherGuide))
        #expect(try await room.roster(maple).first?.mark == flipped)
        #expect(try await marks().map(\.change.payload["status"]) == ["present", "absent"])
    }

    @Test(
        "repeating a mark changes nothing: it keeps its first author, and nothing is logged",
        .requirement("BY-1.02.a", "PT-3.31.c"))
    func sameTwice() async throws {
        let first = try await room.mark(bea, "present", in: maple)
        clock.advance(by: 60)
        let again = try await room.mark(bea, "present", in: maple, as: room.otherGuide)
        #expect(again == first)
        #expect(try await marks().count == 1)
        #expect(try await room.roster(maple).first?.mark == first)
    }

    @Test("thirty simultaneous taps on two devices make one mark and one change", .requirement("BY-1.02.b"))
    func atOnce() async throws {
        let (room, maple, bea) = (room, maple, bea)
        let answers = try await withThrowingTaskGroup(of: AttendanceMark.self) { group in
            for index in 0..<30 {
                group.addTask {
                    try await room.mark(
                        bea, "present", in: maple, as: index % 2 == 0 ? room.guide : room.otherGuide)
                }
            }
            return try await group.reduce(into: Set<AttendanceMark>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(try await marks().count == 1)
        let rows: Int? = try await room.school.database.read {
            try $0.value("SELECT COUNT(*) FROM attendance_marks")
        }
        #expect(rows == 1)
    }

    @Test("marking thirty children at once makes thirty marks, each logged once")
    func wholeClassAtOnce() async throws {
        var children = [bea]
        for number in 1..<30 { children.append(try await room.student("Child \(number)", in: maple)) }
        let (room, maple) = (room, maple)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for child in children { group.addTask { try await room.mark(child, "present", in: maple) } }
            try await group.waitForAll()
        }
        #expect(try await room.roster(maple).count { $0.mark?.status == .present } == 30)
        let logged = try await marks()
        #expect(logged.count == 30)
        #expect(Set(logged.map(\.change.payload["student"])).count == 30)
        #expect(logged.map(\.seq) == logged.map(\.seq).sorted())
    }

    @Test(
        "a queue that two devices replay twice, in any order, leaves one mark a day",
        .requirement("BY-1.02.c"))
    func outOfOrder() async throws {
        try await room.open(bea, in: maple)
        let days = [0, -1, -2].map { room.today.adding(days: $0) }
        var taps: [(String, Day, Caller, String)] = []
        for (index, day) in days.enumerated() {
            for (device, caller) in [room.guide, room.otherGuide].enumerated() {
                taps.append(("present", day, caller, "device-\(device)-day-\(index)"))
            }
        }
        for (status, day, caller, key) in taps.reversed() + taps {
            try await room.mark(bea, status, in: maple, on: day, as: caller, key: key)
        }
        let history = try await room.school.database.read {
            try AttendanceRepository.history(of: bea.id, limit: 50, in: $0)
        }
        #expect(history.map(\.day) == days)
        #expect(history.allSatisfy { $0.status == .present })
        #expect(try await marks().count == 3)
    }

    @Test("a late repetition of an old tap does not undo the newer one", .requirement("BY-1.02.c"))
    func lateRepetition() async throws {
        let first = try await room.mark(bea, "present", in: maple, key: "the-first-tap")
        try await room.mark(bea, "absent", in: maple, key: "the-second-tap")
        let replayed = try await room.mark(bea, "present", in: maple, key: "the-first-tap")
        #expect(replayed == first, "the answer is that of then")
        #expect(try await room.roster(maple).first?.mark?.status == .absent)
    }

    @Test("clearing a mark twice leaves the day without a mark")
    func clear() async throws {
        try await room.mark(bea, "absent", in: maple)
        let input: InputValue = ["classroomId": .id(maple.id), "studentId": .id(bea.id)]
        for _ in 0..<2 { try await room.school.execute(ClearAttendance.self, input, as: room.guide) }
        #expect(try await room.roster(maple).first?.mark == nil)
        #expect(try await marks().map(\.change.kind) == ["attendance.marked", "attendance.cleared"])
        try await room.mark(bea, "present", in: maple)
        #expect(try await room.roster(maple).first?.mark?.status == .present)
    }

    @Test("marking the rest affects only children of this class without a mark")
    func rest() async throws {
        let ciro = try await room.student("Ciro", in: maple)
        _ = try await room.student("Dana", in: maple)
        let birch = try await room.classroom("Birch", guides: [room.guide])
        _ = try await room.student("Elsewhere", in: birch)
        let absent = try await room.mark(ciro, "absent", in: maple, as: room.otherGuide)
        let outcome = try await room.school.execute(
            "attendance.markRest", ["classroomId": .id(maple.id)], as: room.guide)
        #expect(try outcome.result(MarkedCount.self).marked == 2)
        #expect(outcome.feedback?.text == "2 students marked present")
        let roster = try await room.roster(maple)
        #expect(roster.count { $0.mark?.status == .present } == 2)
        #expect(roster.first { $0.student.id == ciro.id }?.mark == absent)
        #expect(try await room.roster(birch).first?.mark == nil)
        let again = try await room.school.execute(MarkTheRest.self, ["classroomId": .id(maple.id)], as: room.guide)
        #expect(again.marked == 0)
        #expect(try await marks().map(\.change.kind) == ["attendance.marked", "attendance.restMarked"])
    }

    @Test("future days and days before the correction window are refused with a sentence each")
    func days() async throws {
        try await room.open(bea, in: maple)
        let today = room.today
        let future = try await problem { try await room.mark(bea, "present", in: maple, on: today.adding(days: 1)) }
        #expect(future?.faults == [Fault("day", "attendance.future")])
        let old = try await problem { try await room.mark(bea, "present", in: maple, on: today.adding(days: -61)) }
        #expect(old?.faults == [Fault("day", "attendance.tooOld", [.number(60)])])
        #expect(try old?.faults.first?.sentence(room.environment.words()).contains("60 days") == true)
        #expect(try await room.mark(bea, "present", in: maple, on: today).day == today)
        let edge = today.adding(days: -60)
        #expect(try await room.mark(bea, "present", in: maple, on: edge).day == edge)
        for day in ["2026-02-30", "21.11.2026", "tomorrow"] {
            let refusal = try await problem {
                try await room.school.execute(
                    "attendance.mark",
                    [
                        "classroomId": .id(maple.id), "studentId": .id(bea.id), "status": "present",
                        "day": .text(day),
                    ], as: room.guide)
            }
            #expect(refusal?.faults.map(\.field) == ["day"])
        }
    }

    @Test("the day of a mark follows the school's time zone, not the server's")
    func timeZone() async throws {
        // 2026-11-10 02:30 UTC is the evening of the 9th in Toronto.
        clock.set(Date(timeIntervalSince1970: 1_794_277_800))
        let mark = try await room.mark(bea, "present", in: maple)
        #expect(mark.day.description == "2026-11-09")
        clock.advance(by: 3 * 3600)
        #expect(try await room.mark(bea, "present", in: maple).day.description == "2026-11-10")
    }

    @Test("a child of another class is not found, and deleting a child deletes its marks")
    func cascades() async throws {
        let birch = try await room.classroom("Birch", guides: [room.guide])
        let ciro = try await room.student("Ciro", in: birch)
        #expect(try await problem { try await room.mark(ciro, "present", in: maple) } == .notFound)
        try await room.mark(bea, "present", in: maple)
        try await room.mark(ciro, "present", in: birch)
        try await room.school.execute(DeleteStudent.self, ["studentId": .id(bea.id)], as: room.admin)
        #expect(try await problem { try await room.mark(bea, "present", in: maple) } == .notFound)
        let (marks, people): (Int?, Int?) = try await room.school.database.read { sql in
            try (
                sql.value("SELECT COUNT(*) FROM attendance_marks"),
                sql.value("SELECT COUNT(*) FROM people WHERE id = \(bea.id)")
            )
        }
        #expect(marks == 1)
        #expect(people == 0)
    }

    @Test("deleting a classroom does not delete its children's attendance")
    func classroomGoes() async throws {
        let mark = try await room.mark(bea, "present", in: maple)
        try await room.school.execute(DeleteClassroom.self, ["classroomId": .id(maple.id)], as: room.admin)
        let history = try await room.school.database.read {
            try AttendanceRepository.history(of: bea.id, limit: 5, in: $0)
        }
        #expect(history == [mark])
    }

    @Test("the change of a mark is sent to the classroom and to admins, with ids and without names")
    func audience() async throws {
        try await room.mark(bea, "present", in: maple)
        let change = try #require(try await marks().first)
        #expect(Set(change.change.audience) == [.classroom(maple.id), .role(.superAdmin), .role(.admin)])
        #expect(change.change.topics == ["classroom:\(maple.id.text)"])
        #expect(change.actorId == ClassroomFixture.id(room.guide))
        #expect(!change.change.payload.values.contains { $0.contains("Bea") })
        #expect(!change.change.reshapesAudience)
    }

    @Test("the queries of the page and of a mark scan no whole table")
    func indexed() async throws {
        try await room.school.expectIndexed(AttendanceRepository.rosterQuery(maple.id, room.today))
        try await room.school.expectIndexed(
            "SELECT * FROM attendance_marks WHERE student_id = \(bea.id) AND day = \(room.today)")
        try await room.school.expectIndexed(
            "SELECT 1 FROM classroom_students WHERE classroom_id = \(maple.id) AND student_id = \(bea.id)")
        try await room.school.expectIndexed(
            """
            SELECT 1 FROM classroom_students JOIN classroom_guides
                ON classroom_guides.classroom_id = classroom_students.classroom_id
            WHERE classroom_students.student_id = \(bea.id) AND classroom_guides.person_id = \(bea.id)
            """)
    }
}
