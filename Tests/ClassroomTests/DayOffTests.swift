import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import OrganizationTesting
import TestKit
import Testing

@testable import Classroom

@Suite("Attendance on a day without school")
struct DayOffTests {
    let room: ClassroomFixture
    let maple: Classroom
    let birch: Classroom
    let ana: Student
    let ben: Student

    init() async throws {
        room = try await ClassroomFixture()
        maple = try await room.classroom("Maple", guides: [room.guide])
        birch = try await room.classroom("Birch", guides: [room.guide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
        ben = try await room.student("Ben", "Ito", in: maple)
        try await room.open(ana, in: maple)
        let today = room.today
        room.calendar.days = SchoolDays(
            weekdays: [1, 2, 3, 4, 5],
            daysOff: [DaysOff(id: UUID(), name: "Autumn holidays", firstDay: today, lastDay: today)])
    }

    @discardableResult
    private func mark(
        _ student: Student, in classroom: Classroom? = nil, on day: Day? = nil, isConfirmed: Bool = false
    ) async throws -> AttendanceMark {
        var input: [String: InputValue] = [
            "classroomId": .id((classroom ?? maple).id), "studentId": .id(student.id), "status": "present",
            "onDayOff": .bool(isConfirmed),
        ]
        if let day { input["day"] = .text(day.description) }
        return try await room.school.execute(MarkAttendance.self, .object(input), as: room.guide)
    }

    private func markRest(isConfirmed: Bool) async throws -> Int {
        try await room.school.execute(
            MarkTheRest.self, ["classroomId": .id(maple.id), "onDayOff": .bool(isConfirmed)], as: room.guide
        ).marked
    }

    private func page(_ language: Language = .english) async throws -> String {
        try await room.outline("/classrooms/\(maple.id.text)", as: room.guide, language: language)
    }

    @Test("an unconfirmed mark is refused with its sentence, and nothing is stored")
    func refused() async throws {
        let refusal = try await problem { try await mark(ana) }
        #expect(refusal == Problem(409, "attendance.dayOff", [.day(room.today)]))
        #expect(
            refusal?.sentence(try room.environment.words())
                == "Monday, November 2 is a day off. To mark attendance anyway, confirm on the class page."
        )
        #expect(try await problem { _ = try await markRest(isConfirmed: false) } == refusal)
        #expect(try await room.roster(maple).allSatisfy { $0.mark == nil })
    }

    @Test("a confirmed mark is stored, and later marks of that class and day need no confirmation")
    func confirmed() async throws {
        #expect(try await mark(ana, isConfirmed: true).status == .present)
        try await mark(ben)
        #expect(try await room.roster(maple).allSatisfy { $0.mark?.status == .present })
        let cleo = try await room.student("Cleo", in: birch)
        #expect(try await problem { try await mark(cleo, in: birch) }?.code == "attendance.dayOff")
    }

    @Test("marking the rest present with a confirmation marks all other children")
    func rest() async throws { #expect(try await markRest(isConfirmed: true) == 2) }

    @Test("a mark on an earlier Sunday needs a confirmation, and one on a Friday does not")
    func earlier() async throws {
        let sunday = room.today.adding(days: -1)
        #expect(try await problem { try await mark(ana, on: sunday) }?.code == "attendance.dayOff")
        try await mark(ana, on: sunday, isConfirmed: true)
        try await mark(ana, on: room.today.adding(days: -3))
    }

    @Test("a mark can be cleared without a confirmation")
    func cleared() async throws {
        try await mark(ana, isConfirmed: true)
        try await room.school.execute(
            ClearAttendance.self, ["classroomId": .id(maple.id), "studentId": .id(ana.id)], as: room.guide)
        #expect(try await problem { try await mark(ana) }?.code == "attendance.dayOff")
    }

    @Test("the page names the holidays and asks for a confirmation until the class has a mark")
    func holidayPage() async throws {
        let before = try await page()
        #expect(before.contains("Day off: Autumn holidays."))
        #expect(before.contains("[Mark] (asks: Mark attendance anyway?)"))
        #expect(before.contains("Mark 2 students present on a day off?"))
        #expect(try await page(.french).contains("Jour sans école\u{A0}: Autumn holidays."))
        #expect(try await room.outline("/my-day", as: room.guide).contains("No school today"))
        try await mark(ana, isConfirmed: true)
        let after = try await page()
        #expect(after.contains("Autumn holidays"))
        #expect(!after.contains("asks: Mark"))
        #expect(try await room.outline("/my-day", as: room.guide).contains("1 child to mark"))
    }

    @Test("the page names a weekday without school, and has no note on a school day")
    func weekday() async throws {
        room.calendar.days = SchoolDays(weekdays: [2, 3, 4, 5], daysOff: [])
        #expect(try await page().contains("Today is Monday, a day off."))
        room.calendar.days = .usual
        let monday = try await page(.french)
        #expect(!monday.contains("sans école") && !monday.contains("(asks: Noter"))
    }

    @Test("the query for any mark of a day scans no whole table")
    func indexed() async throws {
        try await room.school.expectIndexed(AttendanceRepository.anyMarkQuery(maple.id, room.today))
    }
}
