import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Classroom

@Suite("The search for children and their records")
struct ChildSearchTests {
    let room: ClassroomFixture
    let maple: Classroom
    let ana: Student

    init() async throws {
        room = try await ClassroomFixture()
        maple = try await room.classroom("Maple", guides: [room.guide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
    }

    private func source(_ category: String) throws -> SearchSource {
        try #require(room.feature.pages.searchSources.first { $0.category == category })
    }

    private func documents(_ category: String) async throws -> [SearchDocument] {
        let (source, id) = (try source(category), room.school.organization.id)
        return try await room.school.database.read { sql in
            try source.documents(try source.ids(nil, 50, sql), id, sql)
        }
    }

    private func touch(_ category: String, by kind: String) async throws -> SearchTouch {
        let source = try source(category)
        let change = try #require(try await room.school.changes().last { $0.change.kind == kind })
        #expect(source.kinds.contains(kind))
        return try await room.school.database.read { try source.touched(change, $0) }
    }

    @Test("a student is found by name and email address", .requirement("WW-14.03.d"))
    func student() async throws {
        let mia = try await room.school.execute(
            CreateStudent.self, ["firstName": "Mia", "lastName": "Roy", "email": "mia@maple.example"],
            as: room.admin)
        let document = try #require(try await documents("people").first { $0.id == mia.id })
        #expect(document.title == "Mia Roy" && document.text.split(separator: " ").contains("mia@maple.example"))
    }

    @Test("the guides of a child find its lessons, tasks and habits")
    func found() async throws {
        let input: (String) -> InputValue = { kind in
            [
                "studentId": .id(ana.id), "kind": .text(kind), "title": .text("Golden beads \(kind)"),
                "details": "Ten of each",
            ]
        }
        let lesson = try await room.school.execute(CreateWork.self, input("lesson"), as: room.guide)
        let task = try await room.school.execute(CreateWork.self, input("task"), as: room.guide)
        let habit = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": "Waters the plants", "cadence": "daily"],
            as: room.guide)
        let readers: Set<Audience> = [.classroom(maple.id), .role(.admin), .role(.superAdmin)]
        let plans = try await documents("plans")
        #expect(Set(plans.map(\.title)) == ["Golden beads lesson", "Golden beads task"])
        #expect(
            plans.allSatisfy { $0.subtitle == "Ana Ruiz" && $0.text == "Ten of each" && Set($0.readers) == readers }
        )
        #expect(
            Set(plans.map(\.path)) == Set([lesson, task].map { "/students/\(ana.id.text)/plans/\($0.id.text)" }))
        let habits = try await documents("habits")
        #expect(habits.map(\.title) == ["Waters the plants"])
        #expect(habits.map { Set($0.readers) } == [readers])
        #expect(try await touch("plans", by: "lesson.created") == .some([lesson.id]))
        #expect(try await touch("habits", by: "habit.created") == .some([habit.id]))
    }

    @Test("deleted records are removed from the search, also when their child is deleted")
    func deleted() async throws {
        let habit = try await room.school.execute(
            CreateHabit.self, ["studentId": .id(ana.id), "name": "Waters the plants", "cadence": "daily"],
            as: room.guide)
        try await room.school.execute(DeleteHabit.self, ["habitId": .id(habit.id)], as: room.guide)
        #expect(try await touch("habits", by: "habit.deleted") == .some([habit.id]))
        try await room.school.execute(DeleteStudent.self, ["studentId": .id(ana.id)], as: room.admin)
        for category in ["plans", "habits", "observations"] {
            #expect(try await touch(category, by: "student.deleted") == .everything)
            #expect(try source(category).kinds.contains("records.personErased"))
        }
    }
}
