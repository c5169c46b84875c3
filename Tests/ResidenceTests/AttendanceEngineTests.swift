import Domain
import Foundation
import ResidenceModel
import Testing

/// The table of decision record 0038.
@Suite("A residence's daily attendance")
struct AttendanceEngineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var passages: [(RecordType, String)] = []
        /// Approved leaves.
        var leaves: [(from: String, to: String)] = []
        /// The instant to look at; a day's end is 05:30 of the next day.
        let at: String
        let status: AttendanceStudent.Status
        var absence: AttendanceStudent.Absence?
        var due: String?

        var testDescription: String { name }
    }

    /// The day is Thursday 12 November 2026; the curfew is 20:00.
    static let cases: [Case] = [
        Case(
            name: "in since yesterday", passages: [(.checkIn, "2026-11-11 18:00")], at: "2026-11-12 18:00",
            status: .checkedIn),
        Case(
            name: "out before the curfew",
            passages: [(.checkIn, "2026-11-11 18:00"), (.checkOut, "2026-11-12 16:10")],
            at: "2026-11-12 19:59", status: .checkedOut, due: "2026-11-12 20:00"),
        Case(
            name: "out at the curfew", passages: [(.checkOut, "2026-11-12 16:10")], at: "2026-11-12 20:00",
            status: .notReturned, due: "2026-11-12 20:00"),
        Case(
            name: "back late", passages: [(.checkOut, "2026-11-12 16:10"), (.checkIn, "2026-11-12 21:42")],
            at: "2026-11-13 05:30", status: .checkedIn),
        Case(
            name: "back after midnight",
            passages: [(.checkOut, "2026-11-12 16:10"), (.checkIn, "2026-11-13 00:40")],
            at: "2026-11-13 05:30", status: .checkedIn),
        Case(
            name: "out after midnight",
            passages: [(.checkIn, "2026-11-12 18:00"), (.checkOut, "2026-11-13 01:00")],
            at: "2026-11-13 05:30", status: .notReturned, due: "2026-11-12 20:00"),
        Case(
            name: "not in the residence at all", passages: [(.checkOut, "2026-11-11 16:10")],
            at: "2026-11-12 21:00",
            status: .absent, absence: .notSeen),
        Case(name: "never seen", at: "2026-11-12 21:00", status: .absent, absence: .notSeen),
        Case(
            name: "on leave", passages: [(.checkOut, "2026-11-12 16:10")],
            leaves: [("2026-11-12 16:00", "2026-11-15 18:00")], at: "2026-11-12 21:00", status: .absent,
            absence: .onLeave, due: "2026-11-15 18:00"),
        Case(
            name: "on leave, and not gone yet", passages: [(.checkIn, "2026-11-12 15:00")],
            leaves: [("2026-11-12 16:00", "2026-11-15 18:00")], at: "2026-11-12 21:00", status: .checkedIn),
        Case(
            name: "leave begins later that day", passages: [(.checkOut, "2026-11-12 14:00")],
            leaves: [("2026-11-12 17:00", "2026-11-15 18:00")], at: "2026-11-12 16:59", status: .checkedOut,
            due: "2026-11-12 20:00"),
        Case(
            name: "leave ended, not back", passages: [(.checkOut, "2026-11-11 16:10")],
            leaves: [("2026-11-11 16:00", "2026-11-12 18:00")], at: "2026-11-12 18:00", status: .notReturned,
            due: "2026-11-12 18:00"),
        Case(
            name: "leave ended, back and out again",
            passages: [
                (.checkOut, "2026-11-11 16:10"), (.checkIn, "2026-11-12 17:52"), (.checkOut, "2026-11-12 18:30"),
            ],
            leaves: [("2026-11-11 16:00", "2026-11-12 18:00")], at: "2026-11-12 19:00", status: .checkedOut,
            due: "2026-11-12 20:00"),
        Case(
            name: "leave ended yesterday, still not back", passages: [(.checkOut, "2026-11-10 16:10")],
            leaves: [("2026-11-10 16:00", "2026-11-11 18:00")], at: "2026-11-12 09:00", status: .absent,
            absence: .notSeen),
        Case(
            name: "leave to the end of the day", passages: [(.checkOut, "2026-11-12 16:10")],
            leaves: [("2026-11-12 16:00", "2026-11-13 05:30")], at: "2026-11-13 05:30", status: .absent,
            absence: .onLeave, due: "2026-11-13 05:30"),
        Case(
            name: "seen again after going out",
            passages: [(.checkOut, "2026-11-12 16:10"), (.checkOut, "2026-11-12 19:00")],
            at: "2026-11-12 19:30", status: .checkedOut, due: "2026-11-12 20:00"),
    ]

    private func engine() throws -> AttendanceEngine {
        AttendanceEngine(
            residence: Residence(
                id: UUID(), name: "Birch", schoolNightCurfew: try #require(ClockTime("20:00")),
                weekendCurfew: try #require(ClockTime("22:00"))),
            calendar: Paris.calendar)
    }

    private func leave(_ from: String, _ to: String, approved: Bool = true) throws -> Leave {
        let decision = Leave.Decision(isApproved: true, by: UUID(), at: try Paris.at("2026-11-01 08:00"))
        return Leave(
            id: UUID(), pgId: UUID(), studentId: UUID(), from: try Paris.at(from), to: try Paris.at(to),
            place: "Lyon",
            requestedBy: UUID(), requestedAt: try Paris.at("2026-10-30 08:00"), needsParent: true,
            parentDecision: decision, wardenDecision: approved ? decision : nil)
    }

    @Test("each resident is in exactly one of the four states, by the documented rule", arguments: cases)
    func table(row: Case) throws {
        let moment = try Paris.at(row.at)
        let found = try engine().student(
            UUID(), on: try #require(Day("2026-11-12")), at: moment,
            presence: Presence(PassageMaker().log(row.passages), at: moment),
            leaves: row.leaves.map { try leave($0.from, $0.to) })
        #expect(found.status == row.status)
        #expect(found.absence == row.absence)
        #expect(try found.due == row.due.map(Paris.at))
    }

    @Test("a leave that waits for a warden excuses nobody")
    func undecided() throws {
        let moment = try Paris.at("2026-11-12 21:00")
        let found = try engine().student(
            UUID(), on: try #require(Day("2026-11-12")), at: moment,
            presence: Presence(PassageMaker().log([(.checkOut, "2026-11-12 16:10")]), at: moment),
            leaves: [leave("2026-11-12 16:00", "2026-11-15 18:00", approved: false)])
        #expect(found.status == .notReturned)
    }

    @Test("the counts of the four states add up to the total, for any residents, passages and leaves")
    func sums() throws {
        let (engine, day) = (try engine(), try #require(Day("2026-11-12")))
        let start = Paris.calendar.start(of: day.adding(days: -2))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let moment = start.addingTimeInterval(.random(in: 0...5 * 86_400, using: &generator))
            let students = try (0..<20).map { _ in
                let make = PassageMaker()
                let records = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                    CheckInOutRecord(
                        id: UUID(), studentId: make.studentId, pgId: make.pgId, method: .kiosk,
                        type: Bool.random(using: &generator) ? .checkIn : .checkOut,
                        timestamp: start.addingTimeInterval(.random(in: 0...5 * 86_400, using: &generator)))
                }
                return engine.student(
                    make.studentId, on: day, at: moment, presence: Presence(PassageLog(records), at: moment),
                    leaves: Bool.random(using: &generator)
                        ? [try leave("2026-11-12 16:00", "2026-11-13 08:00")] : [])
            }
            let summary = DailyAttendance(date: day, students: students).summary
            #expect(summary.total == 20)
            #expect(summary.checkedIn + summary.checkedOut + summary.notReturned + summary.absent == summary.total)
            #expect(students.allSatisfy { ($0.absence != nil) == ($0.status == .absent) })
        }
    }
}
