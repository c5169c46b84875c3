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
    private struct House {
        let clock: FixedClock
        let fixture: ResidenceFixture
        let residence: Residence
        let ana: Caller

        init() async throws {
            clock = FixedClock()
            fixture = try await ResidenceFixture(clock: clock)
            let zone = try #require(TimeZone(identifier: fixture.school.organization.timeZone))
            clock.set(try #require(ClockTime("18:00")).instant(on: try #require(Day("2026-11-12")), in: zone))
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
        let house = try await House()
        let id = UUID()
        let records = try await withThrowingTaskGroup(of: CheckInOutRecord.self) { group in
            for _ in 0..<30 { group.addTask { try await house.record(.checkIn, id: id) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(records.map(\.id)) == [id])
        #expect(try await house.passages().count == 1)
        #expect(try await house.attendance().summary.checkedIn == 1)
    }

    @Test("two gates that read a tag within 10 s record one passage")
    func twoGates() async throws {
        let house = try await House()
        let first = try await house.record(.checkIn)
        house.clock.advance(by: 9)
        #expect(try await house.record(.checkOut).id == first.id)
        house.clock.advance(by: 2)
        #expect(try await house.record(.checkOut).id != first.id)
        #expect(try await house.passages().map(\.type) == [.checkOut, .checkIn])
    }

    @Test("a device that was offline is put in order by the times of its passages, whatever its clock says")
    func late() async throws {
        let house = try await House()
        let now = house.clock.now
        try await house.record(.checkIn)
        // The device's clock is a day behind, and the passage is an hour old.
        let wrong = now.addingTimeInterval(-86_400)
        let late = try await house.record(
            .checkOut, recordedAt: wrong.addingTimeInterval(-3600), sentAt: wrong)
        #expect(late.timestamp == now.addingTimeInterval(-3600))
        #expect(try await house.attendance().students.map(\.status) == [.checkedIn])
        let problem = try await problem {
            try await house.record(.checkOut, recordedAt: wrong.addingTimeInterval(-15 * 86_400), sentAt: wrong)
        }
        #expect(problem?.faults.map(\.code) == ["residence.tooOld"])
    }

    @Test("a resident checks in and out for herself alone", .requirement("PG-1.06.c"))
    func own() async throws {
        let house = try await House()
        let ben = try await house.fixture.student("Ben Ito")
        let fields: InputValue = ["pgId": .id(house.residence.id), "method": .text("qr"), "nfcTagId": .text("T-1")]
        let record = try await house.fixture.school.execute(CheckIn.self, fields, as: house.ana)
        #expect(record.studentId == ResidenceFixture.id(house.ana))
        #expect(record.method == .qr && record.type == .checkIn && record.nfcTagId == "T-1")
        house.clock.advance(by: 60)
        #expect(try await house.fixture.school.execute(CheckOut.self, fields, as: house.ana).type == .checkOut)
        let foreign = try await problem {
            _ = try await house.fixture.school.execute(CheckIn.self, fields, as: ben)
        }
        #expect(foreign?.code == "residence.studentNotFound")
        #expect(try await house.attendance().summary.total == 1)
    }

    @Test("the place of a passage is dropped unless the residence records it and the resident agreed")
    func location() async throws {
        let house = try await House()
        let record = try await house.fixture.school.execute(
            CheckIn.self,
            ["pgId": .id(house.residence.id), "latitude": .number(48.85), "longitude": .number(2.35)],
            as: house.ana)
        #expect(record.location == nil)
    }

    @Test("a correction changes where the resident is and keeps the record")
    func correction() async throws {
        let house = try await House()
        let record = try await house.record(.checkIn)
        func correct(_ fields: [String: InputValue]) async throws {
            try await house.fixture.school.execute(
                CorrectPassage.self,
                .object(
                    fields.merging([
                        "pgId": .id(house.residence.id), "recordId": .id(record.id), "reason": .text("Wrong tag"),
                    ]) { $1 }), as: house.fixture.warden)
        }
        try await correct([:])
        #expect(try await house.attendance().students.map(\.absence) == [.notSeen])
        try await correct(["type": .text("checkIn")])
        #expect(try await house.attendance().summary.checkedIn == 1)
        #expect(try await house.passages() == [record], "the record itself never changes")
    }

    @Test("a resident who moved out is not recorded any more")
    func movedOut() async throws {
        let house = try await House()
        try await house.fixture.school.execute(
            MoveOut.self, ["pgId": .id(house.residence.id), "studentId": .id(ResidenceFixture.id(house.ana))],
            as: house.fixture.warden)
        house.clock.advance(by: 86_400)
        let refused = try await problem { try await house.record(.checkIn) }
        #expect(refused?.code == "residence.movedOut")
    }

    @Test("a resident who moves in after midnight is recorded at once, and on the day of moving out still")
    func nightOfMoving() async throws {
        let house = try await House()
        house.clock.advance(by: 7 * 3600)
        let ben = try await house.fixture.student("Ben Ito")
        try await house.fixture.moveIn(ben, house.residence)
        func record(_ type: RecordType) async throws -> Problem? {
            try await problem {
                _ = try await house.fixture.school.execute(
                    RecordPassage.self,
                    [
                        "pgId": .id(house.residence.id), "studentId": .id(ResidenceFixture.id(ben)),
                        "type": .text(type.rawValue),
                    ], as: house.fixture.warden)
            }
        }
        #expect(try await record(.checkIn) == nil)
        house.clock.advance(by: 86_400)
        try await house.fixture.school.execute(
            MoveOut.self, ["pgId": .id(house.residence.id), "studentId": .id(ResidenceFixture.id(ben))],
            as: house.fixture.warden)
        #expect(try await record(.checkOut) == nil)
        house.clock.advance(by: 30 * 3600)
        #expect(try await record(.checkIn)?.code == "residence.movedOut")
    }

    @Test("the day shows each resident in one of four states, and yesterday as it ended")
    func day() async throws {
        let house = try await House()
        let day = try #require(Day("2026-11-12"))
        try await house.record(.checkIn)
        house.clock.advance(by: 60)
        try await house.record(.checkOut)
        #expect(
            try await house.attendance().summary == .init(checkedIn: 0, checkedOut: 1, notReturned: 0, absent: 0))
        house.clock.advance(by: 2 * 3600)
        #expect(try await house.attendance().summary.notReturned == 1)
        // At 1:00 it is still the same evening.
        house.clock.advance(by: 5 * 3600)
        #expect(try await house.attendance().date == day)
        try await house.record(.checkIn)
        house.clock.advance(by: 12 * 3600)
        try await house.record(.checkOut)
        #expect(try await house.attendance().date == day.adding(days: 1))
        #expect(try await house.attendance(on: day).students.map(\.status) == [.checkedIn])
        let future = try await problem { _ = try await house.attendance(on: day.adding(days: 2)) }
        #expect(future?.faults.map(\.code) == ["residence.dayToCome"])
    }

    @Test("the day's page names who is late and offers to check them in", .requirement("PG-6.03"))
    func page() async throws {
        let house = try await House()
        try await house.record(.checkIn)
        house.clock.advance(by: 60)
        try await house.record(.checkOut)
        house.clock.advance(by: 2 * 3600)
        let outline = try await house.fixture.school.environment.outline(
            ResidenceScreens.path(house.residence.id), as: house.fixture.warden)
        #expect(outline.contains("0 of 1 in"))
        #expect(outline.contains("Ana Diaz"))
        #expect(outline.contains("Late"))
        #expect(outline.contains("Check in"))
    }
}
