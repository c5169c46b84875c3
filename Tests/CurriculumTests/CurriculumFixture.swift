import ClassroomInterface
import ClassroomTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import Curriculum

/// The block in a school with an admin, two guides of different classrooms, and children as a test needs them.
struct CurriculumFixture {
    let school: TestSchool
    let record = TestRecord()
    let lists: [CurriculumEntry]
    let admin: Caller
    let guide: Caller
    let otherGuide: Caller
    let maple: UUID
    let birch: UUID

    var today: Day { Day(school.clock.now, in: school.organization.resolvedTimeZone) }

    init() async throws {
        let rooms = TestClassrooms()
        let feature = try CurriculumFeature.make(
            taxonomy: SchoolTaxonomy(), classrooms: rooms, students: rooms, record: record)
        school = try await TestSchool([Self.classrooms(), feature])
        lists = try StarterCurriculum.entries()
        admin = school.makeCaller(.admin)
        guide = school.makeCaller(.guide)
        otherGuide = school.makeCaller(.guide)
        maple = try await TestClassrooms.room(
            "Maple room", of: guide, id: school.ids.id(at: school.clock.now), in: school.database)
        birch = try await TestClassrooms.room(
            "Birch room", of: otherGuide, id: school.ids.id(at: school.clock.now), in: school.database)
    }

    /// Adds the two pages that show sections of other blocks.
    private static func classrooms() throws -> Feature {
        var feature = try TestClassrooms.feature()
        feature.pages.screens = [
            ScreenRoute("/students/{studentId}", access: .member(.viewClassrooms)) { request in
                .screen(
                    Screen(
                        title: "Child", body: try await request.sections(about: .student, request.id("studentId"))))
            },
            ScreenRoute("/classrooms/{classroomId}", access: .member(.viewClassrooms)) { request in
                .screen(
                    Screen(
                        title: "Class",
                        body: [
                            .links(
                                PTLinks(
                                    links: request.chips(.classroom, ["classroomId": try request.id("classroomId")])
                                        .map {
                                            .init(title: $0.title, action: $0.action)
                                        }))
                        ]))
            },
        ]
        return feature
    }

    func child(_ name: String, in room: UUID? = nil) async throws -> UUID {
        try await TestClassrooms.child(
            name, in: room ?? maple, id: school.ids.id(at: school.clock.now), in: school.database)
    }

    /// A material or subject of the starter curriculum by its English name.
    func id(_ name: String) throws -> UUID { try #require(lists.first { $0.name == name }?.id, "\(name)") }

    @discardableResult
    func note(
        _ child: UUID, _ material: String, _ state: ProgressState, daysAgo: Int = 0, as caller: Caller? = nil
    ) async throws -> MaterialProgress {
        try await school.execute(
            RecordProgress.self,
            [
                "studentId": .id(child), "materialId": .id(id(material)), "state": .text(state.rawValue),
                "day": .text(today.adding(days: -daysAgo).description),
            ], as: caller ?? guide)
    }

    func progress(of child: UUID) async throws -> [UUID: ProgressState] {
        try await school.answer(StudentProgress.self, ["studentId": .text(child.text)], as: guide).items
            .reduce(into: [:]) { $0[$1.materialId] = $1.state }
    }

    func suggestions(for child: UUID) async throws -> [MaterialSuggestion] {
        try await school.answer(StudentSuggestions.self, ["studentId": .text(child.text)], as: guide).items
    }

    func curriculum() async throws -> [CurriculumEntry] {
        try await school.answer(ListCurriculum.self, as: guide).items
    }

    func outline(
        _ path: String, as caller: Caller? = nil, query: [String: String] = [:], language: Language = .english
    ) async throws -> [String] {
        try await school.environment.outline(path, as: caller ?? guide, query: query, language: language).lines
    }

    func kinds() async throws -> [String] { try await school.changes().map(\.change.kind) }
}

/// The records about children: evidence that a test sets, and planned lessons.
final class TestRecord: ChildRecord {
    struct Lesson: Sendable, Hashable {
        let title: String
        let details: String?
        let studentId: UUID
    }
    private struct State {
        var evidence: [UUID: [Evidence]] = [:]
        var lessons: [Lesson] = []
    }
    private let state = Mutex(State())

    var lessons: [Lesson] { state.withLock { $0.lessons } }
    func completeAll() { state.withLock { $0.lessons = [] } }
    func observe(_ evidence: [UUID: [Evidence]]) { state.withLock { $0.evidence = evidence } }

    func evidence(
        of studentId: UUID, materials: Set<UUID>, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]] {
        state.withLock { $0.evidence.filter { materials.contains($0.key) } }
    }

    func openLessons(of studentId: UUID, in sql: any SQLReading) throws -> Set<String> {
        state.withLock { state in Set(state.lessons.filter { $0.studentId == studentId }.map(\.title)) }
    }

    func plan(
        lesson title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        state.withLock { $0.lessons.append(Lesson(title: title, details: details, studentId: studentId)) }
    }

    func plan(
        task title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        throw TestClassrooms.Unexpected()
    }
}
