import DesignSystem
import Domain
import FeatureKit
import Foundation
import ResidenceModel
import TestKit
import Testing

@testable import Residence

@Suite("Checking in and out")
struct PassageTests {
    /// A residence with one resident, on Thursday 12 November 2026 at 18:00 in the school's time zone.
    private struct Setup {
        let clock: FixedClock
        let fixture: ResidenceFixture
        let residence: Residence
        let ana: Caller

        init() async throws {
            clock = FixedClock()
            fixture = try await ResidenceFixture(clock: clock)
            try fixture.set(clock, to: "18:00")
            residence = try await fixture.residence()
            ana = try await fixture.student("Ana Diaz")
            try await fixture.moveIn(ana, residence)
        }

        @discardableResult
        func record(
            _ type: RecordType, id: UUID? = nil, recordedAt: Date? = nil, sentAt: Date? = nil,
            by method: CheckInMethod = .nfc, as caller: Caller? = nil
        ) async throws -> CheckInOutRecord {
            var fields: [String: InputValue] = [
                "pgId": .id(residence.id), "studentId": .id(ResidenceFixture.id(ana)), "type": .text(type.rawValue),
                "method": .text(method.rawValue),
            ]
            fields["id"] = id.map { .id($0) }
            fields["recordedAt"] = recordedAt.map { .text($0.ISO8601Format()) }
            fields["sentAt"] = sentAt.map { .text($0.ISO8601Format()) }
            return try await fixture.school.execute(
                RecordPassage.self, .object(fields), as: caller ?? fixture.warden)
        }

        func passages() async throws -> [CheckInOutRecord] {
            try await fixture.school.answer(ListPassages.self, ["pgId": .id(residence.id)], as: fixture.warden)
                .items
        }

        func attendance(on day: Day? = nil) async throws -> DailyAttendance {
            var fields: [String: InputValue] = ["pgId": .id(residence.id)]
            fields["date"] = day.map { .text($0.description) }
            return try await fixture.school.answer(ReadDailyAttendance.self, .object(fields), as: fixture.warden)
        }
    }

    @Test("a passage that arrives thirty times at once is recorded once", .requirement("BY-1.02.d"))
    func once() async throws {
        let setup = try await Setup()
        let id = UUID()
        let records = try await withThrowingTaskGroup(of: CheckInOutRecord.self) { group in
            for _ in 0..<30 { group.addTask { try await setup.record(.checkIn, id: id) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(records.map(\.id)) == [id])
        #expect(try await setup.passages().count == 1)
        #expect(try await setup.attendance().summary.checkedIn == 1)
    }

    @Test("two gates that read a tag within 10 s record one passage")
    func twoGates() async throws {
        let setup = try await Setup()
        let first = try await setup.record(.checkIn)
        setup.clock.advance(by: 9)
        #expect(try await setup.record(.checkOut).id == first.id)
        setup.clock.advance(by: 2)
        #expect(try await setup.record(.checkOut).id != first.id)
        #expect(try await setup.passages().map(\.type) == [.checkOut, .checkIn])
    }

    @Test("a device that was offline is put in order by the times of its passages, whatever its clock says")
    func late() async throws {
        let setup = try await Setup()
        let now = setup.clock.now
        try await setup.record(.checkIn)
        // The device's clock is a day behind, and the passage is an hour old.
        let wrong = now.addingTimeInterval(-86_400)
        let late = try await setup.record(
            .checkOut, recordedAt: wrong.addingTimeInterval(-3600), sentAt: wrong)
        #expect(late.timestamp == now.addingTimeInterval(-3600))
        #expect(try await setup.attendance().students.map(\.status) == [.checkedIn])
        let problem = try await problem {
            try await setup.record(.checkOut, recordedAt: wrong.addingTimeInterval(-15 * 86_400), sentAt: wrong)
        }
        #expect(problem?.faults.map(\.code) == ["residence.tooOld"])
    }

    @Test("a resident can check only herself in and out", .requirement("PG-1.06.c"))
    func own() async throws {
        let setup = try await Setup()
        let ben = try await setup.fixture.student("Ben Ito")
        let fields: InputValue = ["pgId": .id(setup.residence.id), "method": .text("qr"), "nfcTagId": .text("T-1")]
        let record = try await setup.fixture.school.execute(CheckIn.self, fields, as: setup.ana)
        #expect(record.studentId == ResidenceFixture.id(setup.ana))
        #expect(record.method == .qr && record.type == .checkIn && record.nfcTagId == "T-1")
        setup.clock.advance(by: 60)
        #expect(try await setup.fixture.school.execute(CheckOut.self, fields, as: setup.ana).type == .checkOut)
        let foreign = try await problem {
            _ = try await setup.fixture.school.execute(CheckIn.self, fields, as: ben)
        }
        #expect(foreign?.code == "residence.studentNotFound")
        #expect(try await setup.attendance().summary.total == 1)
    }

    @Test("a request that names another kind of person than its route is refused")
    func userType() async throws {
        let setup = try await Setup()
        func checkIn(_ userType: String) async throws -> Problem? {
            try await problem {
                _ = try await setup.fixture.school.execute(
                    CheckIn.self, ["pgId": .id(setup.residence.id), "userType": .text(userType)], as: setup.ana)
            }
        }
        #expect(try await checkIn("warden")?.faults.map(\.code) == ["residence.userType"])
        #expect(try await checkIn("student") == nil)
    }

    @Test("the place of a passage is dropped unless the residence records it and the resident agreed")
    func location() async throws {
        let setup = try await Setup()
        let record = try await setup.fixture.school.execute(
            CheckIn.self,
            ["pgId": .id(setup.residence.id), "latitude": .number(48.85), "longitude": .number(2.35)],
            as: setup.ana)
        #expect(record.location == nil)
    }

    @Test("a correction changes where the resident is and keeps the record")
    func correction() async throws {
        let setup = try await Setup()
        let record = try await setup.record(.checkIn)
        func correct(_ fields: [String: InputValue]) async throws {
            try await setup.fixture.school.execute(
                CorrectPassage.self,
                .object(
                    fields.merging([
                        "pgId": .id(setup.residence.id), "recordId": .id(record.id), "reason": .text("Wrong tag"),
                    ]) { $1 }), as: setup.fixture.warden)
        }
        try await correct([:])
        #expect(try await setup.attendance().students.map(\.absence) == [.notSeen])
        try await correct(["type": .text("checkIn")])
        #expect(try await setup.attendance().summary.checkedIn == 1)
        #expect(try await setup.passages() == [record], "the record itself never changes")
    }

    @Test("a correction takes a day and a time of the school's wall clock, and none that is to come")
    func correctedTime() async throws {
        let setup = try await Setup()
        let record = try await setup.record(.checkIn)
        func correct(_ fields: [String: InputValue]) async throws {
            try await setup.fixture.school.execute(
                CorrectPassage.self,
                .object(
                    fields.merging([
                        "pgId": .id(setup.residence.id), "recordId": .id(record.id), "reason": .text("Late entry"),
                        "type": .text("checkIn"),
                    ]) { $1 }), as: setup.fixture.warden)
        }
        let timeZone = setup.fixture.warden.timeZone
        let day = Day(record.timestamp, in: timeZone)
        let hourBefore = ClockTime(record.timestamp.addingTimeInterval(-3600), in: timeZone)
        try await correct(["day": .text(day.description), "time": .text(hourBefore.description)])
        #expect(try await setup.attendance().students.first?.since == hourBefore.instant(on: day, in: timeZone))
        try await correct([
            "day": .text(day.description), "time": .text("\(ClockTime(record.timestamp, in: timeZone))"),
        ])
        #expect(try await setup.attendance().students.first?.since == record.timestamp, "its seconds stay")
        let early = try await problem { try await correct(["day": .text(day.adding(days: 1).description)]) }
        #expect(early?.faults.map(\.field) == ["time"])
        let wrong = try await problem { try await correct(["time": .text("25:00")]) }
        #expect(wrong?.faults.map(\.code) == ["time"])
    }

    @Test("a resident who moved out is no longer recorded")
    func movedOut() async throws {
        let setup = try await Setup()
        try await setup.fixture.school.execute(
            MoveOut.self, ["pgId": .id(setup.residence.id), "studentId": .id(ResidenceFixture.id(setup.ana))],
            as: setup.fixture.warden)
        setup.clock.advance(by: 86_400)
        let refused = try await problem { try await setup.record(.checkIn) }
        #expect(refused?.code == "residence.movedOut")
    }

    @Test("a resident who moves in after midnight is recorded at once, and on the day of moving out still")
    func nightOfMoving() async throws {
        let setup = try await Setup()
        setup.clock.advance(by: 7 * 3600)
        let ben = try await setup.fixture.student("Ben Ito")
        try await setup.fixture.moveIn(ben, setup.residence)
        func record(_ type: RecordType) async throws -> Problem? {
            try await problem {
                _ = try await setup.fixture.school.execute(
                    RecordPassage.self,
                    [
                        "pgId": .id(setup.residence.id), "studentId": .id(ResidenceFixture.id(ben)),
                        "type": .text(type.rawValue),
                    ], as: setup.fixture.warden)
            }
        }
        #expect(try await record(.checkIn) == nil)
        setup.clock.advance(by: 86_400)
        try await setup.fixture.school.execute(
            MoveOut.self, ["pgId": .id(setup.residence.id), "studentId": .id(ResidenceFixture.id(ben))],
            as: setup.fixture.warden)
        #expect(try await record(.checkOut) == nil)
        setup.clock.advance(by: 30 * 3600)
        #expect(try await record(.checkIn)?.code == "residence.movedOut")
    }

    @Test("the day shows each resident in one of four states, and yesterday as it ended")
    func day() async throws {
        let setup = try await Setup()
        let day = try #require(Day("2026-11-12"))
        try await setup.record(.checkIn)
        setup.clock.advance(by: 60)
        try await setup.record(.checkOut)
        #expect(
            try await setup.attendance().summary == .init(checkedIn: 0, checkedOut: 1, notReturned: 0, absent: 0))
        setup.clock.advance(by: 2 * 3600)
        #expect(try await setup.attendance().summary.notReturned == 1)
        // At 1:00 it is still the same evening.
        setup.clock.advance(by: 5 * 3600)
        #expect(try await setup.attendance().date == day)
        try await setup.record(.checkIn)
        setup.clock.advance(by: 12 * 3600)
        try await setup.record(.checkOut)
        #expect(try await setup.attendance().date == day.adding(days: 1))
        #expect(try await setup.attendance(on: day).students.map(\.status) == [.checkedIn])
        let future = try await problem { _ = try await setup.attendance(on: day.adding(days: 2)) }
        #expect(future?.faults.map(\.code) == ["residence.dayToCome"])
    }

    @Test("the day's page names who is late and offers to check them in", .requirement("PG-6.03"))
    func page() async throws {
        let setup = try await Setup()
        try await setup.record(.checkIn)
        setup.clock.advance(by: 60)
        try await setup.record(.checkOut)
        setup.clock.advance(by: 2 * 3600)
        let outline = try await setup.fixture.school.environment.outline(
            ResidenceScreens.path(setup.residence.id), as: setup.fixture.warden)
        #expect(outline.contains("0 of 1 in"))
        #expect(outline.contains("Ana Diaz"))
        #expect(outline.contains("Late"))
        #expect(outline.contains("Check in"))
    }
}
