import DesignSystem
import Domain
import FeatureKit
import Foundation
import ResidenceModel
import TestKit
import Testing

@testable import Residence

@Suite("The roll call")
struct RollCallTests {
    /// A residence with two residents in one room and one without, on Thursday 12 November 2026 at 21:00.
    private struct Setup {
        let clock: FixedClock
        let fixture: ResidenceFixture
        let residence: Residence
        let ana: Caller
        let ben: Caller
        let mei: Caller
        let second: Caller

        init() async throws {
            clock = FixedClock()
            fixture = try await ResidenceFixture(clock: clock)
            try fixture.set(clock, to: "21:00")
            // The admin is another warden of the residence.
            second = fixture.admin
            residence = try await fixture.residence()
            let room = try await fixture.room("101", in: residence)
            ana = try await fixture.student("Ana Diaz")
            ben = try await fixture.student("Ben Ito")
            mei = try await fixture.student("Mei Chen")
            try await fixture.moveIn(ben, residence, room: room)
            try await fixture.moveIn(ana, residence, room: room)
            try await fixture.moveIn(mei, residence)
        }

        func note(
            _ residents: [Caller], _ status: RollCall.Status?, reason: String? = nil, saidBy: String? = nil,
            at: Date? = nil, on day: String? = nil, as caller: Caller? = nil
        ) async throws {
            var fields: [String: InputValue] = [
                "pgId": .id(residence.id), "residentIds": .list(residents.map { .id(ResidenceFixture.id($0)) }),
            ]
            fields["status"] = status.map { .text($0.rawValue) }
            fields["reason"] = reason.map { .text($0) }
            fields["saidBy"] = saidBy.map { .text($0) }
            fields["recordedAt"] = at.map { .text($0.ISO8601Format()) }
            fields["day"] = day.map { .text($0) }
            try await fixture.school.execute(NoteRollCall.self, .object(fields), as: caller ?? fixture.warden)
        }

        @discardableResult
        func close(as caller: Caller? = nil) async throws -> RollCall.Closing {
            try await fixture.school.execute(
                CloseRollCall.self, ["pgId": .id(residence.id)], as: caller ?? fixture.warden)
        }

        func read(_ day: String? = nil, as caller: Caller? = nil) async throws -> RollCallRecord {
            var fields: [String: InputValue] = ["pgId": .id(residence.id)]
            fields["day"] = day.map { .text($0) }
            return try await fixture.school.answer(
                ReadRollCall.self, .object(fields), as: caller ?? fixture.warden)
        }

        @discardableResult
        func correct(_ resident: Caller, _ status: RollCall.Status, _ reason: String) async throws
            -> RollCall.Correction
        {
            try await fixture.school.execute(
                CorrectRollCall.self,
                [
                    "pgId": .id(residence.id), "studentId": .id(ResidenceFixture.id(resident)),
                    "status": .text(status.rawValue), "reason": .text(reason),
                ], as: fixture.warden)
        }
    }

    private func statuses(_ record: RollCallRecord) -> [RollCall.Status] { record.entries.map(\.status) }

    @Test(
        "a roll call cannot be closed while a member is unaccounted for, and the refusal names them",
        .requirement("BY-1.05.a"))
    func gap() async throws {
        let setup = try await Setup()
        let all = try await problem { try await setup.close() }
        #expect(all?.code == "residence.rollCallGap")
        #expect(all?.arguments == [.text("Ana Diaz, Ben Ito, Mei Chen")])
        try await setup.note([setup.ana, setup.ben], .here)
        let one = try await problem { try await setup.close() }
        #expect(one?.arguments == [.text("Mei Chen")])
        let unsaid = try await problem { try await setup.note([setup.mei], .out, reason: "Orchestra") }
        #expect(unsaid?.faults.map(\.field) == ["saidBy"])
        #expect(try await problem { try await setup.close() }?.code == "residence.rollCallGap")
        try await setup.note([setup.mei], .out, reason: "Orchestra", saidBy: "Ms Okoye")
        try await setup.close()
        #expect(statuses(try await setup.read()) == [.here, .here, .out])
    }

    @Test(
        "a closed roll call has its time and warden, and never changes",
        .requirement("BY-1.05.b"))
    func closing() async throws {
        let setup = try await Setup()
        try await setup.note([setup.ana, setup.ben, setup.mei], .here)
        let closing = try await setup.close()
        #expect(closing.by == ResidenceFixture.id(setup.fixture.warden))
        #expect(closing.at == setup.clock.now)
        let closed = try await setup.read()
        #expect(closed.closing == closing && closed.missing.isEmpty)
        setup.clock.advance(by: 60)
        for attempt in [
            { try await setup.note([setup.ana], .out, reason: "X", saidBy: "Y") },
            { try await setup.note([setup.ana], nil) }, { _ = try await setup.close(as: setup.second) },
        ] as [() async throws -> Void] {
            let refused = try await problem { try await attempt() }
            #expect(refused?.code == "residence.rollCallClosed")
            #expect(refused?.arguments.first == .text("Ines Costa"))
        }
        // A passage, a move and a new name of the room do not reach into the record.
        try await setup.fixture.assign(
            setup.mei, try await setup.fixture.room("202", in: setup.residence),
            in: setup.residence)
        try await setup.fixture.school.execute(
            MoveOut.self, ["pgId": .id(setup.residence.id), "studentId": .id(ResidenceFixture.id(setup.ben))],
            as: setup.fixture.warden)
        #expect(try await setup.read() == closed)
        let logged = try #require(
            try await setup.fixture.school.changes().map(\.change).last { $0.kind == "residence.rollCallClosed" })
        #expect(logged.payload["total"] == "3" && logged.payload["here"] == "3" && logged.payload["out"] == "0")
    }

    @Test("corrections are appended beside a closed roll call", .requirement("BY-1.05.c"))
    func corrections() async throws {
        let setup = try await Setup()
        let early = try await problem { try await setup.correct(setup.ana, .here, "Back at 21:42") }
        #expect(early?.code == "residence.rollCallOpen")
        try await setup.note([setup.ben, setup.mei], .here)
        try await setup.note([setup.ana], .out, reason: "Late train", saidBy: "Her father")
        try await setup.close()
        let entries = try await setup.read().entries
        setup.clock.advance(by: 600)
        let first = try await setup.correct(setup.ana, .here, "Back at 21:42")
        setup.clock.advance(by: 600)
        let second = try await setup.correct(setup.ben, .here, "Seen again")
        let record = try await setup.read()
        #expect(record.entries == entries)
        #expect(record.corrections == [first, second])
        #expect(first.entry.by == ResidenceFixture.id(setup.fixture.warden))
    }

    @Test("of two wardens who close at the same moment one wins, and the other is told who closed")
    func twoWardens() async throws {
        let setup = try await Setup()
        try await setup.note([setup.ana, setup.ben, setup.mei], .here)
        let outcomes = try await withThrowingTaskGroup(of: Problem?.self) { group in
            for caller in [setup.fixture.warden, setup.second] {
                group.addTask { try await problem { try await setup.close(as: caller) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        let told = try #require(outcomes.compactMap(\.self).first)
        #expect(told.code == "residence.rollCallClosed")
        let winner = try #require(try await setup.read().closing?.by)
        let name = winner == ResidenceFixture.id(setup.fixture.warden) ? "Ines Costa" : "Ada Admin"
        #expect(told.arguments.first == .text(name))
        #expect(
            try await setup.fixture.school.changes().count { $0.change.kind == "residence.rollCallClosed" } == 1)
    }

    @Test("a resident on approved leave is accounted for, and nobody else can be noted as on leave")
    func leave() async throws {
        let setup = try await Setup()
        let mother = try await setup.fixture.parent("Luz Diaz", of: setup.ana)
        let leave = try await setup.fixture.school.execute(
            RequestLeave.self,
            [
                "fromDay": "2026-11-12", "fromTime": "18:00", "toDay": "2026-11-15", "toTime": "18:00",
                "place": "Lyon", "studentId": .id(ResidenceFixture.id(setup.ana)),
            ], as: mother)
        #expect(try await setup.read().missing.count == 3)
        try await setup.fixture.school.execute(
            DecideLeave.self, ["leaveId": .id(leave.id), "approves": true], as: setup.fixture.warden)
        #expect(statuses(try await setup.read()) == [.onLeave])
        let refused = try await problem { try await setup.note([setup.ben], .onLeave) }
        #expect(refused?.faults.map(\.code) == ["residence.noLeave"])
        // She is here nevertheless; taking the note back leaves the leave.
        try await setup.note([setup.ana], .here)
        #expect(statuses(try await setup.read()) == [.here])
        try await setup.note([setup.ana], nil)
        #expect(statuses(try await setup.read()) == [.onLeave])
        try await setup.note([setup.ben, setup.mei], .here)
        try await setup.close()
        #expect(statuses(try await setup.read()) == [.onLeave, .here, .here])
    }

    @Test("of two notes the one made later counts, also if it arrives first")
    func order() async throws {
        let setup = try await Setup()
        let now = setup.clock.now
        try await setup.note([setup.ana], .out, reason: "Club", saidBy: "Ben", at: now.addingTimeInterval(-60))
        try await setup.note([setup.ana], .here, at: now.addingTimeInterval(-600), as: setup.second)
        #expect(statuses(try await setup.read()) == [.out])
        // A clock that is a day ahead cannot note the future.
        try await setup.note([setup.ana], .here, at: now.addingTimeInterval(86_400))
        #expect(try await setup.read().entries.first?.at == now)
        try await setup.note([setup.ana], nil)
        #expect(try await setup.read().missing.count == 3)
    }

    @Test("after midnight it is still the evening's roll call, and an older one can be closed late")
    func days() async throws {
        let setup = try await Setup()
        setup.clock.advance(by: 5 * 3600)
        #expect(try await setup.read().day.description == "2026-11-12")
        try await setup.note([setup.ana], .here)
        setup.clock.advance(by: 86_400)
        #expect(try await setup.read().day.description == "2026-11-13")
        try await setup.note([setup.ben, setup.mei], .here, on: "2026-11-12")
        #expect(try await setup.read("2026-11-12").missing.isEmpty)
        let future = try await problem { try await setup.note([setup.ana], .here, on: "2026-11-14") }
        #expect(future?.faults.map(\.code) == ["residence.dayToCome"])
        setup.clock.advance(by: 20 * 86_400)
        let old = try await problem { try await setup.note([setup.ana], .here, on: "2026-11-12") }
        #expect(old?.faults.map(\.code) == ["residence.rollCallTooOld"])
    }

    @Test("residents, parents and guides have no roll call, and another residence's warden finds none")
    func access() async throws {
        let setup = try await Setup()
        let mother = try await setup.fixture.parent("Luz Diaz", of: setup.ana)
        let guide = setup.fixture.school.makeCaller(.guide)
        for caller in [setup.ana, mother, guide] {
            #expect(try await problem { _ = try await setup.read(as: caller) }?.status == 403)
            #expect(try await problem { try await setup.note([setup.ana], .here, as: caller) }?.status == 403)
            #expect(try await problem { try await setup.close(as: caller) }?.status == 403)
        }
        let other = setup.fixture.otherWarden
        #expect(try await problem { _ = try await setup.read(as: other) } == .notFound)
        #expect(try await problem { try await setup.note([setup.ana], .here, as: other) } == .notFound)
        let stranger = try await setup.fixture.student("Sam Far")
        let unknown = try await problem { try await setup.note([stranger], .here) }
        #expect(unknown?.code == "residence.studentNotFound")
    }

    @Test(
        "the pages show the open roll call, its record with corrections, and an evening that was not closed",
        arguments: Language.allCases)
    func pages(language: Language) async throws {
        let setup = try await Setup()
        let words = Words(language, [setup.fixture.feature.catalog])
        let path = RollCallScreens.path(setup.residence.id)
        func outline(_ path: String, _ query: [String: String] = [:]) async throws -> Outline {
            try await setup.fixture.school.environment.outline(
                path, as: setup.fixture.warden, query: query, language: language)
        }
        #expect(try await outline(path).contains("island rollcall"))
        #expect(try await outline("\(path)/correct").contains(words("residence.rollCall.stillOpen")))
        try await setup.note([setup.ana, setup.ben], .here)
        setup.clock.advance(by: 86_400)
        #expect(try await outline(path).contains(words("residence.rollCall.notClosed")))
        try await setup.note([setup.ana, setup.ben], .here)
        try await setup.note([setup.mei], .out, reason: "Orchestra", saidBy: "Ms Okoye")
        try await setup.close()
        try await setup.correct(setup.mei, .here, "Back at 21:42")
        let page = try await outline(path)
        #expect(page.contains(words("residence.rollCall.isClosed")) && page.contains("Ines Costa"))
        #expect(page.contains(words("residence.rollCall.saidBy", "Orchestra", "Ms Okoye")))
        #expect(page.contains("Back at 21:42"))
        #expect(try await outline("\(path)/correct").contains("Mei Chen"))
        #expect(try await outline(path, ["day": "2026-11-12"]).contains("island rollcall"))
    }

    @Test("a roll call reads its evening by indexes")
    func plans() async throws {
        let setup = try await Setup()
        let (id, day) = (setup.residence.id, setup.fixture.today)
        try await setup.fixture.school.expectIndexed(
            "SELECT * FROM residence_roll_call_entries WHERE residence_id = \(id) AND day = \(day)")
        try await setup.fixture.school.expectIndexed(
            "SELECT * FROM residence_roll_call_corrections WHERE residence_id = \(id) AND day = \(day)")
        try await setup.fixture.school.expectIndexed(
            "SELECT MIN(day) FROM residence_roll_calls WHERE residence_id = \(id)")
    }
}
