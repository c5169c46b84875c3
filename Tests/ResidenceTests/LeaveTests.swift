import Domain
import Foundation
import ResidenceModel
import TestKit
import Testing

@Suite("Leave")
struct LeaveTests {
    private func leave(needsParent: Bool = true) throws -> Leave {
        Leave(
            id: UUID(), pgId: UUID(), studentId: UUID(), from: try Paris.at("2026-11-13 17:00"),
            to: try Paris.at("2026-11-15 18:00"), place: "Lyon", requestedBy: UUID(),
            requestedAt: try Paris.at("2026-11-10 08:00"), needsParent: needsParent)
    }

    private func decision(_ isApproved: Bool) throws -> Leave.Decision {
        Leave.Decision(isApproved: isApproved, by: UUID(), at: try Paris.at("2026-11-11 08:00"))
    }

    @Test("a leave counts once a parent and a warden approved, in any order")
    func approval() throws {
        let now = try Paris.at("2026-11-12 08:00")
        var leave = try leave()
        #expect(leave.state(at: now) == .waitingForParent)
        leave.wardenDecision = try decision(true)
        #expect(leave.state(at: now) == .waitingForParent)
        leave.parentDecision = try decision(true)
        #expect(leave.state(at: now) == .approved)
        #expect(try self.leave(needsParent: false).state(at: now) == .waitingForWarden)
    }

    @Test("one refusal declines a leave, and a withdrawal ends it whatever was decided")
    func refusal() throws {
        let now = try Paris.at("2026-11-12 08:00")
        var leave = try leave()
        leave.wardenDecision = try decision(true)
        leave.parentDecision = try decision(false)
        #expect(leave.state(at: now) == .declined)
        leave.withdrawnAt = now
        #expect(leave.state(at: now) == .withdrawn)
    }

    @Test("a leave that nobody decided lapses at its end, and one that was approved stays approved")
    func lapse() throws {
        let end = try Paris.at("2026-11-15 18:00")
        var leave = try leave()
        #expect(leave.state(at: end.addingTimeInterval(-1)) == .waitingForParent)
        #expect(leave.state(at: end) == .lapsed)
        leave.parentDecision = try decision(true)
        leave.wardenDecision = try decision(true)
        #expect(leave.state(at: end) == .approved)
        #expect(!leave.covers(end))
        #expect(leave.covers(end.addingTimeInterval(-1)))
        #expect(try leave.covers(Paris.at("2026-11-13 17:00")))
        #expect(try !leave.covers(Paris.at("2026-11-13 16:59")))
    }

    @Test("leaves that only touch do not overlap")
    func overlap() throws {
        var (first, second) = (try leave(), try leave())
        second.from = first.to
        second.to = first.to.addingTimeInterval(3600)
        #expect(!first.overlaps(second) && !second.overlaps(first))
        first.to += 1
        #expect(first.overlaps(second) && second.overlaps(first))
    }

    @Test("the kind follows from the nights away")
    func kind() throws {
        var leave = try leave()
        #expect(leave.kind(in: Paris.calendar) == .weekend)
        leave.to = try Paris.at("2026-11-14 18:00")
        #expect(leave.kind(in: Paris.calendar) == .night)
        leave.to = try Paris.at("2026-11-14 01:00")
        #expect(leave.kind(in: Paris.calendar) == .evening)
    }

    @Test("an approved leave counts a meal out, also if the resident chose to eat")
    func meals() throws {
        var leave = try leave(needsParent: false)
        func meal(_ day: String, _ time: String) throws -> Meal {
            Meal(
                id: UUID(), pgId: leave.pgId, day: try #require(Day(day)), kind: .dinner,
                time: try #require(ClockTime(time)), dish: "Ramen", cutOff: try Paris.at("2026-11-12 18:00"))
        }
        func choice(_ chosen: MealChoice?, _ meal: Meal) -> MealChoice {
            MealChoice.effective(chosen: chosen, meal: meal, leaves: [leave], in: Paris.calendar)
        }
        let (during, after) = (try meal("2026-11-14", "18:30"), try meal("2026-11-15", "18:30"))
        #expect(choice(.eat, during) == .eat)
        leave.wardenDecision = try decision(true)
        #expect(choice(.eat, during) == .onLeave)
        #expect(choice(nil, after) == .eat)
        #expect(choice(.skip, after) == .skip)
    }
}

@Suite("A roll call")
struct RollCallModelTests {
    @Test("a roll call cannot be closed while a resident is unaccounted for")
    func closing() throws {
        let (ana, ben, warden) = (UUID(), UUID(), UUID())
        let now = try Paris.at("2026-11-12 21:30")
        var roll = RollCall(pgId: UUID(), day: try #require(Day("2026-11-12")), studentIds: [ana, ben])
        #expect(roll.missing == [ana, ben])
        roll.entries[ana] = .init(studentId: ana, status: .here, by: warden, at: now)
        roll.entries[ben] = .init(
            studentId: ben, status: .out, reason: "Orchestra", saidBy: " ", by: warden, at: now)
        #expect(roll.missing == [ben], "who said so is missing")
        #expect(!roll.canClose)
        roll.entries[ben] = .init(
            studentId: ben, status: .out, reason: "Orchestra", saidBy: "Ms Okoye", by: warden, at: now)
        #expect(roll.canClose)
        #expect(roll.count(.here) == 1 && roll.count(.out) == 1 && roll.count(.onLeave) == 0)
        roll.closing = .init(by: warden, at: now)
        #expect(!roll.canClose)
    }

    @Test("a room's update changes only the given fields", .requirement("PG-5.02.a", "PG-5.02.b"))
    func roomUpdates() throws {
        let then = try Paris.at("2026-11-12 08:00")
        let room = Room(
            id: UUID(), pgId: UUID(), number: "101", type: "Twin", bedCount: 2, details: "South",
            studentIds: [UUID()],
            createdAt: then, updatedAt: then)
        let changed = room.withUpdates(bedCount: 3, at: then.addingTimeInterval(60))
        #expect(changed.availableBeds == 2)
        #expect((changed.number, changed.type, changed.details) == ("101", "Twin", "South"))
        #expect(changed.updatedAt == then.addingTimeInterval(60))
        #expect(changed.createdAt == then)
    }
}
