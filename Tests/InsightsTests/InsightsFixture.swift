import ClassroomInterface
import ClassroomTesting
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit
import Synchronization
import TestKit
import Testing

@testable import Insights

/// The block in a school with an admin, a guide with two children, another guide with one, and parents.
struct InsightsFixture {
    let school: TestSchool
    let feature: Feature
    let history = TestHistory()
    let materials = TestMaterials()
    let record = TestRecord()
    let families = TestFamilies()
    let model = TestModel()
    let admin: Caller
    let guide: Caller
    let otherGuide: Caller
    let parent: Caller
    let otherParent: Caller
    let maple: UUID
    let noah: UUID
    let mia: UUID
    let tom: UUID

    var today: Day { Day(school.clock.now, in: school.organization.resolvedTimeZone) }

    /// Makes the fixture.
    ///
    /// - Parameter serverKey: the server's key; without one no model is asked.
    init(clock: FixedClock = FixedClock(), serverKey: String? = nil) async throws {
        let rooms = TestClassrooms()
        let place = SchoolHolder()
        feature = try InsightsFeature.make(
            classrooms: rooms, students: rooms, record: record, history: history, materials: materials,
            taxonomy: TestTaxonomy(), families: families,
            models: ServerModels(
                text: model, speech: model, key: serverKey, cryptography: TestCryptography()),
            names: { _, _ in
                [
                    PersonName(given: "Noah", family: "Ruiz"), PersonName(given: "Mia", family: "Ruiz"),
                    PersonName(given: "Ana", family: "Kovač"),
                ]
            }, school: { id in place.find(id) })
        school = try await TestSchool([Self.classrooms(), feature], clock: clock)
        place.set(school.organization)
        admin = school.makeCaller(.admin)
        guide = school.makeCaller(.guide)
        otherGuide = school.makeCaller(.guide)
        parent = school.makeCaller(.parent)
        otherParent = school.makeCaller(.parent)
        maple = try await TestClassrooms.room(
            "Maple room", of: guide, id: school.ids.id(at: school.clock.now), in: school.database)
        let birch = try await TestClassrooms.room(
            "Birch room", of: otherGuide, id: school.ids.id(at: school.clock.now), in: school.database)
        noah = try await TestClassrooms.child(
            "Noah Ruiz", in: maple, id: school.ids.id(at: school.clock.now), in: school.database)
        mia = try await TestClassrooms.child(
            "Mia Ruiz", in: maple, id: school.ids.id(at: school.clock.now), in: school.database)
        tom = try await TestClassrooms.child(
            "Tom Ruiz", in: birch, id: school.ids.id(at: school.clock.now), in: school.database)
        families.link(try #require(parent.membership?.personId), to: [noah])
        families.link(try #require(otherParent.membership?.personId), to: [tom])
    }

    /// The classrooms of the test, with a child's page that shows other blocks' sections.
    private static func classrooms() throws -> Feature {
        var feature = try TestClassrooms.feature()
        feature.pages.screens = [
            ScreenRoute("/students/{studentId}", access: .member(viewChildren)) { request in
                .screen(
                    Screen(
                        title: "Child", body: try await request.sections(about: .student, request.id("studentId"))))
            }
        ]
        return feature
    }

    static let viewChildren = Permission("classrooms.view", Set(Role.guideRoles))

    /// Adds the guide's note about a child, by default today.
    @discardableResult
    func note(
        _ child: UUID, _ content: String, daysAgo: Int = 0, with others: [UUID] = [], subject: UUID? = nil
    ) -> RecordedObservation {
        let note = RecordedObservation(
            id: school.ids.id(at: school.clock.now), studentId: child, taggedStudentIds: others,
            day: today.adding(days: -daysAgo), content: content, subjectTag: subject, materialTag: nil,
            followUpOn: nil)
        history.add(note)
        return note
    }

    func summary(
        of child: UUID? = nil, _ span: Span = .week, language: Language = .english, as caller: Caller? = nil
    ) async throws -> FamilyText {
        try await school.execute(
            DraftSummary.self,
            [
                "studentId": .id(child ?? noah), "span": .text(span.rawValue), "language": .text(language.rawValue),
            ], as: caller ?? guide)
    }

    func approve(_ text: FamilyText, _ words: String? = nil) async throws -> FamilyText {
        try await school.execute(ApproveText.self, edit(text, words), as: guide)
    }

    func edit(_ text: FamilyText, _ words: String? = nil) -> InputValue {
        ["textId": .id(text.id), "text": .text(words ?? text.text), "version": .number(Double(text.version))]
    }

    @discardableResult
    func share(_ text: FamilyText) async throws -> SharedItem {
        try await school.execute(
            ShareText.self, ["textId": .id(text.id), "version": .number(Double(text.version))], as: guide)
    }

    /// Shares a summary about Noah with his parent.
    @discardableResult
    func shared(_ words: String = "Noah built the tower.", language: Language = .english) async throws -> SharedItem
    {
        try await share(approve(summary(language: language), words))
    }

    func read(as caller: Caller? = nil) async throws -> [SharedItem] {
        try await school.answer(ReadFamilyItems.self, as: caller ?? parent).items
    }

    func outline(
        _ path: String, as caller: Caller? = nil, query: [String: String] = [:], language: Language = .english
    ) async throws -> [String] {
        try await school.environment.outline(path, as: caller ?? guide, query: query, language: language).lines
    }
}

/// Holds the school for a closure that is made before it.
final class SchoolHolder: Sendable {
    private let organization = Mutex<Organization?>(nil)
    func set(_ found: Organization) { organization.withLock { $0 = found } }
    func find(_ id: UUID) -> Organization? { organization.withLock { $0?.id == id ? $0 : nil } }
}

/// A history with the records that a test sets.
final class TestHistory: ChildHistory {
    private struct State {
        var notes: [RecordedObservation] = []
        var completed: [UUID: [RecordedWork]] = [:]
        var open: [UUID: [RecordedWork]] = [:]
        var habits: [UUID: [RecordedHabit]] = [:]
        var photos: [UUID: [RecordedPhoto]] = [:]
    }
    private let state = Mutex(State())

    func add(_ note: RecordedObservation) { state.withLock { $0.notes.append(note) } }
    func set(habits: [RecordedHabit], of child: UUID) { state.withLock { $0.habits[child] = habits } }
    func set(photos: [RecordedPhoto], of note: UUID) { state.withLock { $0.photos[note] = photos } }
    func set(open: [RecordedWork], of child: UUID) { state.withLock { $0.open[child] = open } }

    func period(
        of studentId: UUID, from first: Day, through last: Day, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> ChildPeriod {
        state.withLock { state in
            ChildPeriod(
                observations: state.notes.filter {
                    ($0.studentId == studentId || $0.taggedStudentIds.contains(studentId))
                        && (first...last).contains($0.day)
                }.sorted { $0.day < $1.day },
                completed: state.completed[studentId] ?? [], open: state.open[studentId] ?? [],
                habits: state.habits[studentId] ?? [], absentOn: [])
        }
    }

    func observation(_ id: UUID, timeZone: TimeZone, in sql: any SQLReading) throws -> RecordedObservation? {
        state.withLock { $0.notes.first { $0.id == id } }
    }

    func photos(ofObservation id: UUID, in sql: any SQLReading) throws -> [RecordedPhoto] {
        state.withLock { $0.photos[id] ?? [] }
    }
}

final class TestMaterials: MaterialRecord {
    private let steps = Mutex<[UUID: [MaterialStep]]>([:])

    func add(_ step: MaterialStep, of child: UUID) { steps.withLock { $0[child, default: []].append(step) } }

    func steps(
        of studentId: UUID, from first: Day, through last: Day, in language: Language, _ sql: any SQLReading
    ) throws -> [MaterialStep] {
        steps.withLock { ($0[studentId] ?? []).filter { (first...last).contains($0.day) } }
    }
}

/// A record that collects the planned lessons and tasks.
final class TestRecord: ChildRecord {
    struct Unexpected: Error {}
    struct Planned: Sendable, Hashable {
        let isLesson: Bool
        let title: String
        let studentId: UUID
    }
    private let all = Mutex<[Planned]>([])

    var planned: [Planned] { all.withLock { $0 } }

    func evidence(
        of studentId: UUID, materials: Set<UUID>, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]] { throw Unexpected() }
    func openLessons(of studentId: UUID, in sql: any SQLReading) throws -> Set<String> { throw Unexpected() }

    func plan(
        lesson title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        all.withLock { $0.append(Planned(isLesson: true, title: title, studentId: studentId)) }
    }

    func plan(
        task title: String, details: String?, for studentId: UUID, in context: inout CommandContext
    ) throws {
        all.withLock { $0.append(Planned(isLesson: false, title: title, studentId: studentId)) }
    }
}

/// A model that answers as a test says and records the questions.
final class TestModel: TextModel, SpeechToText {
    private struct State {
        var answer: Result<ModelAnswer, ModelFault>?
        var asked: [(question: ModelQuestion, key: String)] = []
        var spoken: Transcript?
        var heardWith: [String] = []
    }
    private let state = Mutex(State())

    var asked: [(question: ModelQuestion, key: String)] { state.withLock { $0.asked } }
    /// The models that transcribed speech, in order.
    var heardWith: [String] { state.withLock { $0.heardWith } }
    func say(_ text: String, tokens: Int = 1000) {
        state.withLock { $0.answer = .success(ModelAnswer(text: text, inputTokens: tokens, outputTokens: tokens)) }
    }
    func fail(_ fault: ModelFault) { state.withLock { $0.answer = .failure(fault) } }
    func hear(_ transcript: Transcript) { state.withLock { $0.spoken = transcript } }

    func answer(_ question: ModelQuestion, key: String) async throws -> ModelAnswer {
        let answer = state.withLock { state in
            state.asked.append((question, key))
            return state.answer
        }
        guard let answer else {
            Issue.record("The model was asked, which this test did not expect.")
            throw ModelFault.unreachable
        }
        return try answer.get()
    }

    func transcribe(
        _ audio: UploadedFile, in language: Language, model: String, key: String
    ) async throws -> Transcript {
        guard let spoken = state.withLock({ $0.spoken }) else { throw ModelFault.unreachable }
        state.withLock { $0.heardWith.append(model) }
        return spoken
    }
}

/// Family links that a test sets.
final class TestFamilies: FamilyLinks {
    private let children = Mutex<[UUID: [UUID]]>([:])

    func link(_ parent: UUID, to these: [UUID]) { children.withLock { $0[parent] = these } }

    func children(ofParent personId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Person] {
        try children.withLock { $0[personId] ?? [] }.compactMap { id in
            try TestClassrooms.student(id, orgId: orgId, in: sql).map { student in
                Person(
                    id: id, orgId: orgId, name: PersonName(given: student.firstName, family: student.lastName),
                    email: nil, avatarTint: student.avatarTint, createdAt: student.createdAt)
            }
        }.sorted { $0.name.display < $1.name.display }
    }

    func parents(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        children.withLock { all in Set(all.filter { $0.value.contains(studentId) }.keys) }
    }
}

struct TestTaxonomy: Taxonomy {
    static let mathematics = UUID(uuidString: "01999999-0000-7000-8000-000000000001")!

    func tags(in language: Language, _ sql: any SQLReading) throws -> [CurriculumInterface.Tag] { [] }
    func tags(
        _ ids: Set<UUID>, in language: Language, _ sql: any SQLReading
    ) throws -> [UUID: CurriculumInterface.Tag] {
        ids.contains(Self.mathematics)
            ? [
                Self.mathematics: CurriculumInterface.Tag(
                    id: Self.mathematics, kind: .subject,
                    name: language == .english ? "Mathematics" : "Mathématiques")
            ] : [:]
    }
}
