import CalendarFeedInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ResidenceModel
import TestKit
import Testing

@testable import Residence

@Suite("Asking for leave and deciding about it")
struct LeaveCommandTests {
    /// A resident with a mother, on Thursday 12 November 2026 at 18:00 in the school's time zone.
    private struct Setup {
        let clock: FixedClock
        let fixture: ResidenceFixture
        let residence: Residence
        let ana: Caller
        let mother: Caller

        init() async throws {
            clock = FixedClock()
            fixture = try await ResidenceFixture(clock: clock)
            try fixture.set(clock, to: "18:00")
            residence = try await fixture.residence()
            ana = try await fixture.student("Ana Diaz")
            try await fixture.moveIn(ana, residence)
            mother = try await fixture.parent("Luz Diaz", of: ana)
        }

        func request(
            as caller: Caller, from: (String, String) = ("2026-11-13", "17:00"),
            to: (String, String) = ("2026-11-15", "18:00"), child: Caller? = nil
        ) async throws -> Leave {
            var fields: [String: InputValue] = [
                "fromDay": .text(from.0), "fromTime": .text(from.1), "toDay": .text(to.0), "toTime": .text(to.1),
                "place": .text("Grandparents, Lyon"), "companion": .text("Omar Diaz"),
            ]
            fields["studentId"] = child.map { .id(ResidenceFixture.id($0)) }
            return try await fixture.school.execute(RequestLeave.self, .object(fields), as: caller)
        }

        @discardableResult
        func decide(_ leave: Leave, _ approves: Bool = true, as caller: Caller) async throws -> Leave {
            try await fixture.school.execute(
                DecideLeave.self, ["leaveId": .id(leave.id), "approves": .bool(approves)], as: caller)
        }

        func state(_ leave: Leave) async throws -> Leave.State? {
            let now = clock.now
            return try await fixture.school.database.read {
                try LeaveRepository.leave(leave.id, in: $0)?.state(at: now)
            }
        }
    }

    @Test("a leave is in the calendars of the resident and the mother once it is approved, and of no warden")
    func calendar() async throws {
        let setup = try await Setup()
        let leave = try await setup.request(as: setup.ana)
        let words = Words(.english, [setup.fixture.feature.catalog])
        func events(_ caller: Caller) async throws -> [CalendarEvent] {
            let membership = try #require(caller.membership)
            let day = Day(setup.clock.now, in: membership.timeZone)
            return try await setup.fixture.school.database.read {
                try LeaveCalendar(families: setup.fixture.families).events(
                    for: membership, on: day...day.adding(days: 365), words, in: $0)
            }
        }
        try await setup.decide(leave, as: setup.mother)
        #expect(try await events(setup.ana).isEmpty)
        try await setup.decide(leave, as: setup.fixture.warden)
        #expect(try await events(setup.ana).map(\.title) == ["Leave"])
        let mothers = try await events(setup.mother)
        #expect(mothers.map(\.title) == ["Leave: Child"])
        #expect(mothers.map(\.time) == [.span(leave.from..<leave.to)])
        #expect(mothers.map(\.place) == ["Grandparents, Lyon"])
        #expect(try await events(setup.fixture.warden).isEmpty)
    }

    @Test("a leave counts once the mother and a warden have approved it", .requirement("BY-1.06.c"))
    func approval() async throws {
        let setup = try await Setup()
        let leave = try await setup.request(as: setup.ana)
        #expect(leave.needsParent && leave.studentId == ResidenceFixture.id(setup.ana))
        #expect(try await setup.state(leave) == .waitingForParent)
        try await setup.decide(leave, as: setup.fixture.warden)
        #expect(try await setup.state(leave) == .waitingForParent)
        try await setup.decide(leave, as: setup.mother)
        #expect(try await setup.state(leave) == .approved)
    }

    @Test("a mother's request has her approval, and a resident of age needs none")
    func fewerApprovals() async throws {
        let setup = try await Setup()
        let asked = try await setup.request(as: setup.mother, child: setup.ana)
        #expect(try await setup.state(asked) == .waitingForWarden)
        try await setup.fixture.school.execute(
            UpdateResident.self,
            [
                "pgId": .id(setup.residence.id), "studentId": .id(ResidenceFixture.id(setup.ana)),
                "isOfAge": .bool(true),
            ], as: setup.fixture.warden)
        let own = try await setup.request(
            as: setup.ana, from: ("2026-11-20", "17:00"), to: ("2026-11-20", "23:00"))
        #expect(!own.needsParent)
        try await setup.decide(own, as: setup.fixture.warden)
        #expect(try await setup.state(own) == .approved)
    }

    @Test("strangers, other wardens and other parents find no leave")
    func access() async throws {
        let setup = try await Setup()
        let leave = try await setup.request(as: setup.ana)
        let ben = try await setup.fixture.student("Ben Ito")
        let father = try await setup.fixture.parent("Ken Ito", of: ben)
        for caller in [setup.fixture.otherWarden, father] {
            #expect(try await problem { try await setup.decide(leave, as: caller) } == .notFound)
        }
        #expect(
            try await problem { _ = try await setup.request(as: father, child: setup.ana) } == .notFound)
        #expect(
            try await problem {
                _ = try await setup.fixture.school.execute(
                    WithdrawLeave.self, ["leaveId": .id(leave.id)], as: father)
            } == .notFound)
        let own = try await setup.fixture.school.answer(ListOwnLeaves.self, as: father).items
        #expect(own.isEmpty)
        #expect(
            try await setup.fixture.school.answer(ListOwnLeaves.self, as: setup.mother).items.map(\.id) == [
                leave.id
            ])
    }

    @Test("a leave that overlaps another, ends first, is past or lasts too long is refused at its field")
    func refusals() async throws {
        let setup = try await Setup()
        _ = try await setup.request(as: setup.ana)
        func fault(_ from: (String, String), _ to: (String, String)) async throws -> String? {
            try await problem { _ = try await setup.request(as: setup.ana, from: from, to: to) }?
                .faults.map { "\($0.field) \($0.code)" }.first
        }
        #expect(
            try await fault(("2026-11-15", "10:00"), ("2026-11-15", "20:00")) == "fromDay residence.leaveOverlaps")
        #expect(
            try await fault(("2026-11-20", "10:00"), ("2026-11-20", "9:00")) == "toDay residence.leaveEndsFirst")
        #expect(try await fault(("2026-11-10", "10:00"), ("2026-11-11", "9:00")) == "toDay residence.leavePast")
        #expect(try await fault(("2026-11-20", "10:00"), ("2027-02-20", "9:00")) == "toDay residence.leaveTooLong")
        #expect(try await fault(("2026-11-20", "25:00"), ("2026-11-21", "9:00")) == "fromTime time")
        #expect(try await fault(("2026-11-15", "18:00"), ("2026-11-15", "22:00")) == nil, "it only touches")
    }

    @Test("two wardens cannot both approve, and an approval can be taken back by declining")
    func twice() async throws {
        let setup = try await Setup()
        let leave = try await setup.request(as: setup.mother, child: setup.ana)
        try await setup.decide(leave, as: setup.fixture.warden)
        let second = try await problem { try await setup.decide(leave, as: setup.fixture.admin) }
        #expect(second?.code == "residence.leaveDecided")
        try await setup.decide(leave, false, as: setup.fixture.admin)
        #expect(try await setup.state(leave) == .declined)
        let late = try await problem { try await setup.decide(leave, as: setup.fixture.warden) }
        #expect(late?.code == "residence.leaveOver")
    }

    @Test("a leave that is approved after its beginning excuses the resident from its beginning")
    func lateApproval() async throws {
        let setup = try await Setup()
        let leave = try await setup.request(as: setup.mother, child: setup.ana)
        setup.clock.advance(by: 26 * 3600)
        func absence() async throws -> AttendanceStudent? {
            try await setup.fixture.school.answer(
                ReadDailyAttendance.self, ["pgId": .id(setup.residence.id)], as: setup.fixture.warden
            ).students.first
        }
        #expect(try await absence()?.absence == .notSeen)
        let outcome = try await setup.fixture.school.execute(
            "residence.decideLeave", ["leaveId": .id(leave.id), "approves": true], as: setup.fixture.warden)
        #expect(outcome.feedback?.text.contains("It counts from") == true)
        #expect(try await absence()?.absence == .onLeave)
    }

    @Test("parents have the latest passages of their own child without places, and other parents have none")
    func passages() async throws {
        let setup = try await Setup()
        let record = try await setup.fixture.school.execute(
            CheckIn.self, ["pgId": .id(setup.residence.id), "nfcTagId": "T-1"], as: setup.ana)
        let other = try await setup.fixture.parent("Ken Ito", of: setup.fixture.student("Ben Ito"))
        func passages(_ caller: Caller) async throws -> [CheckInOutRecord] {
            try await setup.fixture.school.answer(ListOwnPassages.self, as: caller).items
        }
        for caller in [setup.mother, setup.ana] {
            let found = try await passages(caller)
            #expect(found.map(\.id) == [record.id])
            #expect(found.allSatisfy { $0.nfcTagId == nil && $0.location == nil })
        }
        #expect(try await passages(other).isEmpty)
        let page = try await setup.fixture.school.environment.outline(LeaveScreens.own, as: setup.mother)
        #expect(page.contains("Ana Diaz"))
        let foreign = try await setup.fixture.school.environment.outline(LeaveScreens.own, as: other)
        #expect(!foreign.contains("Ana Diaz"))
        for guide in [setup.fixture.school.makeCaller(.guide), setup.fixture.warden] {
            #expect(try await problem { _ = try await passages(guide) }?.status == 403)
        }
    }

    @Test("parents see the rooms and days of their own child's stays, and other parents see none")
    func stays() async throws {
        let setup = try await Setup()
        let other = try await setup.fixture.parent("Ken Ito", of: setup.fixture.student("Ben Ito"))
        let room = try await setup.fixture.room("7", in: setup.residence)
        setup.clock.advance(by: 2 * 86_400)
        try await setup.fixture.assign(setup.ana, room, in: setup.residence)
        for (caller, sees) in [(setup.mother, true), (setup.ana, true), (other, false)] {
            let page = try await setup.fixture.school.environment.outline(LeaveScreens.own, as: caller)
            #expect(page.contains("Room 7: Since ") == sees, "\(page)")
            #expect(page.contains("No room: ") == sees)
        }
    }

    @Test("a withdrawn leave excuses nobody and cannot be decided")
    func withdrawal() async throws {
        let setup = try await Setup()
        let leave = try await setup.request(as: setup.ana)
        try await setup.fixture.school.execute(WithdrawLeave.self, ["leaveId": .id(leave.id)], as: setup.mother)
        #expect(try await setup.state(leave) == .withdrawn)
        let refused = try await problem { try await setup.decide(leave, as: setup.fixture.warden) }
        #expect(refused?.code == "residence.leaveOver")
        let again = try await setup.request(as: setup.ana)
        #expect(again.id != leave.id)
    }

    @Test(
        "the wardens' page has who is late, who asks and who is out, and the parent's page the request",
        arguments: Language.allCases)
    func pages(language: Language) async throws {
        let setup = try await Setup()
        let leave = try await setup.request(as: setup.ana)
        let warden = LeaveScreens.path(setup.residence.id)
        func outline(_ path: String, as caller: Caller) async throws -> Outline {
            try await setup.fixture.school.environment.outline(path, as: caller, language: language)
        }
        let words = Words(language, [setup.fixture.feature.catalog])
        var page = try await outline(warden, as: setup.fixture.warden)
        #expect(page.contains("Ana Diaz") && page.contains("Grandparents, Lyon"))
        #expect(page.contains(words("residence.leave.waitingForParent")))
        #expect(page.contains(words("residence.leave.approve")))
        #expect(try await outline(LeaveScreens.own, as: setup.mother).contains(words("residence.leave.approve")))
        try await setup.decide(leave, as: setup.mother)
        try await setup.decide(leave, as: setup.fixture.warden)
        setup.clock.advance(by: 24 * 3600)
        page = try await outline(warden, as: setup.fixture.warden)
        #expect(page.contains(words("residence.leave.out")))
        setup.clock.advance(by: 3 * 86_400)
        page = try await outline(warden, as: setup.fixture.warden)
        #expect(page.contains(words("residence.leave.late")))
        #expect(try await outline(LeaveScreens.own, as: setup.ana).contains("Grandparents, Lyon"))
    }
}
