import CalendarFeedInterface
import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Classroom

@Suite("Plans in the calendar feed")
struct WorkCalendarTests {
    @Test("a guide's feed has the plans of the guide's own classes, and nobody else's does")
    func ownClasses() async throws {
        let room = try await ClassroomFixture()
        let maple = try await room.classroom("Maple room", guides: [room.guide])
        let birch = try await room.classroom("Birch room", guides: [room.otherGuide])
        let (mia, tom) = (try await room.student("Mia", in: maple), try await room.student("Tom", in: birch))
        for (child, title) in [(mia, "Beads"), (tom, "Map")] {
            _ = try await room.school.execute(
                CreateWork.self,
                [
                    "studentId": .id(child.id), "kind": "lesson", "title": .text(title),
                    "scheduledFor": .text(room.today.adding(days: 2).description),
                ], as: room.admin)
        }
        _ = try await room.school.execute(
            CreateWork.self, ["studentId": .id(mia.id), "kind": "task", "title": "Some day"], as: room.guide)
        let words = Words(.english, [room.feature.catalog])
        let days = room.today.adding(days: -30)...room.today.adding(days: 30)
        func titles(_ caller: Caller) async throws -> [String] {
            let membership = try #require(caller.membership)
            return try await room.school.database.read {
                try WorkCalendar().events(for: membership, on: days, words, in: $0).map(\.title)
            }
        }
        #expect(try await titles(room.guide) == ["Beads · Mia"])
        #expect(try await titles(room.otherGuide) == ["Map · Tom"])
        #expect(try await titles(room.admin) == [])
        for role in [Role.student, .parent] {
            #expect(try await titles(room.school.makeCaller(role, personId: mia.id)) == [])
        }
    }

    @Test("the plans of a guide are found by an index")
    func plan() async throws {
        let room = try await ClassroomFixture()
        try await room.school.expectIndexed(
            WorkRepository.plannedQuery(UUID(), room.today...room.today.adding(days: 30)))
    }
}
