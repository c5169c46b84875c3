import Domain
import Foundation
import ResidenceModel
import TestKit
import Testing

@Suite("The decision of a gate")
struct GateDecisionTests {
    /// Thursday 12 November 2026 at 18:00 UTC, two hours before the curfew.
    private static let evening = Date(timeIntervalSince1970: 1_794_506_400)
    private static let zone = TimeZone.gmt
    private static let residence = Residence.makeBirch()
    private static let calendar = ResidenceCalendar(timeZone: zone)

    private static func hours(_ count: Double) -> Date { evening.addingTimeInterval(count * 3600) }

    private static func last(_ type: RecordType, _ at: Double) -> LastPassage {
        LastPassage(type: type, at: hours(at), changedAt: hours(at))
    }

    private static var days: [GateList.Day] {
        (0..<3).map { number in
            let day = calendar.day(of: evening).adding(days: number)
            return GateList.Day(
                start: calendar.start(of: day), curfew: calendar.curfew(of: residence, on: day))
        }
    }

    private static func resident(_ leaves: [(Double, Double)]) -> GateList.Resident {
        GateList.Resident(
            id: UUID(), name: "Bea", initials: "B", room: nil, photo: nil, type: nil, lastPassage: nil,
            changedAt: nil, tags: [], leaves: leaves.map { GateList.Leave(from: hours($0.0), to: hours($0.1)) })
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let last: LastPassage?
        let leaves: [(Double, Double)]
        let now: Double
        let wanted: GateDecision
    }

    static let cases = [
        Case(
            testDescription: "never seen", last: nil, leaves: [], now: 0, wanted: GateDecision(type: .checkIn)),
        Case(
            testDescription: "in", last: last(.checkIn, -1), leaves: [], now: 0,
            wanted: GateDecision(type: .checkOut)),
        Case(
            testDescription: "out before the curfew", last: last(.checkOut, -1), leaves: [], now: 1.9,
            wanted: GateDecision(type: .checkIn)),
        Case(
            testDescription: "out at the curfew", last: last(.checkOut, -1), leaves: [], now: 2,
            wanted: GateDecision(type: .checkIn, due: hours(2))),
        Case(
            testDescription: "out after midnight", last: last(.checkOut, -1), leaves: [], now: 8,
            wanted: GateDecision(type: .checkIn, due: hours(2))),
        Case(
            testDescription: "out since yesterday, which today's curfew does not concern",
            last: last(.checkOut, -30),
            leaves: [], now: 3, wanted: GateDecision(type: .checkIn)),
        Case(
            testDescription: "back during a leave", last: last(.checkOut, -1), leaves: [(-1, 24)], now: 3,
            wanted: GateDecision(type: .checkIn, leaveEnd: hours(24))),
        Case(
            testDescription: "going on leave", last: last(.checkIn, -1), leaves: [(-0.5, 24)], now: 0,
            wanted: GateDecision(type: .checkOut, leaveEnd: hours(24))),
        Case(
            testDescription: "late from a leave, before the curfew", last: last(.checkOut, -30), leaves: [(-30, 0)],
            now: 1, wanted: GateDecision(type: .checkIn, due: hours(0))),
        Case(
            testDescription: "at the last moment of a leave", last: last(.checkOut, -30), leaves: [(-30, 0)],
            now: -0.001, wanted: GateDecision(type: .checkIn, leaveEnd: hours(0))),
        Case(
            testDescription: "back from a leave, and out again", last: last(.checkOut, 0.5), leaves: [(-30, 0)],
            now: 1, wanted: GateDecision(type: .checkIn)),
        Case(
            testDescription: "beyond the days of the list", last: last(.checkOut, -1), leaves: [], now: -40,
            wanted: GateDecision(type: .checkIn)),
    ]

    @Test("a gate decides the direction, the leave and the lateness", arguments: cases)
    func decides(_ one: Case) {
        let found = GateDecision(
            of: Self.resident(one.leaves), last: one.last, at: Self.hours(one.now), days: Self.days)
        #expect(found == one.wanted)
    }

    @Test("a gate calls late whom the server counts as not returned, with the same time")
    func agrees() throws {
        var random = SeededGenerator(seed: 26)
        let engine = AttendanceEngine(residence: Self.residence, calendar: Self.calendar)
        var late = 0
        for _ in 0..<2_000 {
            let now = Double.random(in: -10...40, using: &random)
            let last =
                Bool.random(using: &random)
                ? Self.last(.checkOut, now - .random(in: 0.1...30, using: &random)) : nil
            let begin = Double.random(in: -40...30, using: &random)
            let leaves = Bool.random(using: &random) ? [(begin, begin + .random(in: 1...20, using: &random))] : []
            let found = GateDecision(
                of: Self.resident(leaves), last: last, at: Self.hours(now), days: Self.days)
            let day = Self.calendar.day(of: Self.hours(now))
            guard day >= Self.calendar.day(of: Self.evening) else { continue }
            let status = engine.student(
                UUID(), on: day, at: Self.hours(now),
                presence: last.map { Presence(type: $0.type, lastPassage: $0.at, changedAt: $0.changedAt) },
                leaves: leaves.map { Leave.makeApproved(from: Self.hours($0.0), to: Self.hours($0.1)) })
            #expect((found.due != nil) == (status.status == .notReturned))
            if let due = found.due {
                late += 1
                #expect(due == status.due)
            }
        }
        #expect(late > 100)
    }

    @Test("of what the server knew and what the gate recorded, the later passage counts")
    func latest() {
        let (early, late) = (Self.last(.checkIn, 1), Self.last(.checkOut, 2))
        #expect(LastPassage.latest(early, late) == late && LastPassage.latest(late, early) == late)
        #expect(LastPassage.latest(nil, early) == early && LastPassage.latest(early, nil) == early)
        #expect(LastPassage.latest(nil, nil) == nil)
    }
}

extension Residence {
    fileprivate static func makeBirch() -> Residence {
        Residence(
            id: UUID(), name: "Birch", schoolNightCurfew: ClockTime("20:00")!,
            weekendCurfew: ClockTime("22:00")!)
    }
}

extension Leave {
    fileprivate static func makeApproved(from: Date, to: Date) -> Leave {
        let decision = Decision(isApproved: true, by: UUID(), at: from)
        return Leave(
            id: UUID(), pgId: UUID(), studentId: UUID(), from: from, to: to, place: "Lyon", requestedBy: UUID(),
            requestedAt: from, needsParent: false, wardenDecision: decision)
    }
}
