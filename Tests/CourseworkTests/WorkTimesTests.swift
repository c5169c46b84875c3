import CourseworkModel
import Domain
import Foundation
import Testing

@testable import Coursework

@Suite("The times of an assignment")
struct WorkTimesTests {
    private let due = Date(timeIntervalSince1970: 1_793_000_040)
    private let day: TimeInterval = 86_400

    private func assignment(
        _ late: Assignment.LateWork = .always, until: Date? = nil, penalty: Int = 0, hasDue: Bool = true
    ) -> Assignment {
        Assignment(
            id: UUID(), courseId: UUID(), title: "Essay", dueAt: hasDue ? due : nil, lateWork: late,
            lateUntil: until, latePenalty: penalty, createdAt: due)
    }

    @Test("the due minute counts whole: 59 seconds after its beginning is on time, 60 is late")
    func dueMinute() {
        let times = WorkTimes(of: assignment())
        for seconds in [-1_000, 0, 59, 59.999] as [TimeInterval] {
            #expect(times.isOnTime(due + seconds), "\(seconds)")
        }
        for seconds in [60, 61, 4_000] as [TimeInterval] { #expect(!times.isOnTime(due + seconds), "\(seconds)") }
    }

    @Test(
        "late work is refused, accepted until a time, or always accepted", arguments: Assignment.LateWork.allCases)
    func lateWork(_ late: Assignment.LateWork) {
        let times = WorkTimes(of: assignment(late, until: due + 2 * day))
        #expect(times.accepts(at: due + 59))
        #expect(times.accepts(at: due + 60) == (late != .never))
        #expect(times.accepts(at: due + 2 * day + 59) == (late != .never))
        #expect(times.accepts(at: due + 2 * day + 60) == (late == .always))
    }

    @Test("each begun day of lateness deducts the percentage once, down to nothing")
    func penalty() {
        let times = WorkTimes(of: assignment(penalty: 40))
        #expect(times.remainingPercent(at: due + 59) == 100)
        #expect(times.remainingPercent(at: due + 60) == 60)
        #expect(times.remainingPercent(at: due + 60 + day - 1) == 60)
        #expect(times.remainingPercent(at: due + 60 + day) == 20)
        #expect(times.remainingPercent(at: due + 60 + 2 * day) == 0)
        #expect(times.remainingPercent(at: due + 60 + 900 * day) == 0)
    }

    @Test("an extension moves the due time, the deduction and the end of late work; an earlier one changes nothing")
    func extensions() {
        let one = assignment(.until, until: due + day, penalty: 10)
        let longer = WorkTimes(of: one, extendedTo: due + 3 * day)
        #expect(longer.isOnTime(due + 3 * day + 59))
        #expect(longer.remainingPercent(at: due + 2 * day) == 100)
        #expect(longer.accepts(at: due + 3 * day + 59) && !longer.accepts(at: due + 3 * day + 60))
        #expect(WorkTimes(of: assignment(.never), extendedTo: due + day).accepts(at: due + day))
        #expect(WorkTimes(of: one, extendedTo: due - day) == WorkTimes(of: one))
    }

    @Test("without a due time nothing is late")
    func noDueTime() {
        let times = WorkTimes(of: assignment(.never, hasDue: false))
        #expect(times.isOnTime(due + 900 * day) && times.accepts(at: due + 900 * day))
        #expect(times.daysLate(at: due + 900 * day) == 0)
    }

    @Test("a late second attempt never replaces one on time; of two on time the later counts")
    func counted() {
        let times = WorkTimes(of: assignment())
        func attempt(_ number: Int, _ seconds: TimeInterval) -> Submission {
            Submission(
                id: UUID(), assignmentId: UUID(), studentId: UUID(), attempt: number, handedInAt: due + seconds)
        }
        let (early, later, late, latest) = (attempt(1, -500), attempt(2, 59), attempt(3, 60), attempt(4, 900))
        #expect([latest, early, late, later].counted(by: times) == later)
        #expect([early, late].counted(by: times) == early)
        #expect([latest, late].counted(by: times) == latest)
        #expect([Submission]().counted(by: times) == nil)
    }

    @Test("work is missed, due today, this week or later, or done")
    func groups() throws {
        let zone = TimeZone.gmt
        // A Tuesday.
        let today = try #require(Day("2026-11-24"))
        let now = today.midday(in: zone)
        func group(
            due days: Int?, handedIn: [Date] = [], returned: Bool = false,
            kinds: Set<Assignment.HandInKind> = [.text]
        ) -> AssignedWork.Group {
            let one = Assignment(
                id: UUID(), courseId: UUID(), title: "Essay", dueAt: days.map { now + Double($0) * day + 60 },
                kinds: kinds, createdAt: now)
            return AssignedWork(
                one, times: WorkTimes(of: one), handedInAt: handedIn, hasDraft: false, isReturned: returned, at: now
            ).group(on: today, in: zone)
        }
        #expect(group(due: -1) == .missed)
        #expect(group(due: 0) == .today)
        #expect(group(due: 5) == .week)
        #expect(group(due: 6) == .later)
        #expect(group(due: nil) == .later)
        #expect(group(due: 3, handedIn: [now]) == .done)
        #expect(group(due: -3, handedIn: [now]) == .done)
        #expect(group(due: -3, returned: true) == .done)
        #expect(group(due: -1, kinds: []) == .done)
        #expect(group(due: 0, kinds: []) == .today)
    }
}
