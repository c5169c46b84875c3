import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ResidenceModel
import TestKit
import Testing

@testable import Residence

@Suite("Late returns")
struct LateReturnTests {
    /// A resident with a mother, and one who is out without leave, on Thursday 12 November 2026 at 18:00.
    private struct Setup {
        let clock: FixedClock
        let fixture: ResidenceFixture
        let residence: Residence
        let ana: Caller
        let ben: Caller
        let mother: Caller

        init(tellsParents: Bool = false) async throws {
            clock = FixedClock()
            fixture = try await ResidenceFixture(clock: clock)
            try fixture.set(clock, to: "18:00")
            residence = try await fixture.residence()
            if tellsParents {
                try await fixture.school.execute(
                    UpdateResidence.self,
                    [
                        "pgId": .id(residence.id), "name": "Birch House", "schoolNightCurfew": "20:00",
                        "weekendCurfew": "22:00", "tellsParents": true,
                        "wardenIds": .list([.id(ResidenceFixture.id(fixture.warden))]),
                    ], as: fixture.admin)
            }
            ana = try await fixture.student("Ana Diaz")
            ben = try await fixture.student("Ben Ito")
            try await fixture.moveIn(ana, residence)
            try await fixture.moveIn(ben, residence)
            mother = try await fixture.parent("Luz Diaz", of: ana)
            for resident in [ana, ben] { try await pass(resident, .checkIn) }
            clock.advance(by: 60)
            for resident in [ana, ben] { try await pass(resident, .checkOut) }
        }

        func pass(_ resident: Caller, _ type: RecordType) async throws {
            try await fixture.school.execute(
                RecordPassage.self,
                [
                    "pgId": .id(residence.id), "studentId": .id(ResidenceFixture.id(resident)),
                    "type": .text(type.rawValue),
                ], as: fixture.warden)
        }

        /// An approved leave of Ana until 21:00.
        func leave() async throws {
            let leave = try await fixture.school.execute(
                RequestLeave.self,
                [
                    "fromDay": "2026-11-12", "fromTime": "18:30", "toDay": "2026-11-12", "toTime": "21:00",
                    "place": "Cinema", "studentId": .id(ResidenceFixture.id(ana)),
                ], as: mother)
            try await fixture.school.execute(
                DecideLeave.self, ["leaveId": .id(leave.id), "approves": true], as: fixture.warden)
        }

        func runJobs() async throws {
            let school = fixture.school
            let id = school.organization.id
            let runner = JobRunner(
                school.environment.features.flatMap(\.jobs), directory: school.environment.directory,
                schools: school.environment.schools, allSchools: { [id] }, hub: school.environment.hub,
                clock: school.clock, ids: school.ids, report: { Issue.record("\($0.error)") })
            await runner.runDue()
        }

        func notices(_ kind: String) async throws -> [Change] {
            try await fixture.school.changes().map(\.change).filter { $0.kind == "residence.\(kind)" }
        }
    }

    @Test("wardens are told once of each resident who is not back, and once of the return")
    func told() async throws {
        let setup = try await Setup()
        try await setup.leave()
        try await setup.runJobs()
        #expect(try await setup.notices("late").isEmpty)
        // At 20:30 Ben is past the curfew, and Ana is on leave.
        setup.clock.advance(by: 2.5 * 3600)
        try await setup.runJobs()
        try await setup.runJobs()
        #expect(
            try await setup.notices("late").map { $0.payload["student"] } == [ResidenceFixture.id(setup.ben).text])
        setup.clock.advance(by: 3600)
        try await setup.runJobs()
        let late = try await setup.notices("late")
        #expect(late.map { $0.payload["student"] }.last == ResidenceFixture.id(setup.ana).text)
        #expect(late.count == 2)
        #expect(late.allSatisfy { $0.audience.contains(.wardens(of: setup.residence.id)) })
        #expect(try await setup.notices("returned").isEmpty)
        try await setup.pass(setup.ana, .checkIn)
        try await setup.runJobs()
        try await setup.runJobs()
        #expect(
            try await setup.notices("returned").map { $0.payload["student"] } == [
                ResidenceFixture.id(setup.ana).text
            ])
    }

    @Test("parents are told of late returns only where the school chose so", arguments: [false, true])
    func parents(tellsParents: Bool) async throws {
        let setup = try await Setup(tellsParents: tellsParents)
        setup.clock.advance(by: 2.5 * 3600)
        try await setup.runJobs()
        let mother = Audience.person(ResidenceFixture.id(setup.mother))
        let notices = try await setup.notices("late")
        #expect(notices.count == 2)
        #expect(notices.count { $0.audience.contains(mother) } == (tellsParents ? 1 : 0))
    }

    @Test(
        "the wardens' page lists who is out and who is late", .requirement("BY-1.06.d"),
        arguments: Language.allCases)
    func lists(language: Language) async throws {
        let setup = try await Setup()
        try await setup.leave()
        let words = Words(language, [setup.fixture.feature.catalog])
        func cells(_ title: String) async throws -> [String] {
            let page = try await setup.fixture.school.environment.page(
                LeaveScreens.path(setup.residence.id), as: setup.fixture.warden, language: language)
            return page.body.flatMap { part -> [String] in
                guard case .section(let section) = part, section.header.title == words(title),
                    case .list(let list)? = section.body.first
                else { return [] }
                return list.cells.map(\.title)
            }
        }
        setup.clock.advance(by: 3600)
        #expect(try await cells("residence.leave.out") == ["Ana Diaz", "Ben Ito"])
        #expect(try await cells("residence.leave.late") == [])
        setup.clock.advance(by: 1.5 * 3600)
        #expect(try await cells("residence.leave.out") == ["Ana Diaz"])
        #expect(try await cells("residence.leave.late") == ["Ben Ito"])
        setup.clock.advance(by: 3600)
        #expect(try await cells("residence.leave.out") == [])
        #expect(Set(try await cells("residence.leave.late")) == ["Ana Diaz", "Ben Ito"])
        // Two days later the end of the leave still counts.
        setup.clock.advance(by: 2 * 86_400)
        #expect(try await cells("residence.leave.late") == ["Ana Diaz"])
    }
}
