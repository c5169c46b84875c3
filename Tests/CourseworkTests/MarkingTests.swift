import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit
import TestKit
import Testing

@testable import Coursework

@Suite("Marking")
struct MarkingTests {
    /// The items of the gradebook with Mia's scores.
    private func item(_ fixture: CourseworkFixture) async throws -> GradedItem {
        try #require(
            try await fixture.school.database.read { try fixture.grades.items(of: fixture.course.id, in: $0) }.first
        )
    }

    @Test("a score is in the gradebook at once and hidden from the student until the work is returned")
    func hidden() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let mia = CourseworkFixture.id(fixture.mia)
        try await fixture.handIn(one, as: fixture.mia)
        try await fixture.mark(one, fixture.mia, "17.5", comment: "Strong sources")
        let before = try await item(fixture)
        #expect(before.marks[mia] == Hundredths("17.5") && !before.isShown(to: mia))
        #expect(before.path == AssignmentScreens.path(one.id) && before.maximum == 20)
        for caller in [fixture.mia, fixture.mother] {
            for path in [AssignmentScreens.path(one.id), AssignmentScreens.home] {
                let page = try await fixture.outline(path, as: caller)
                #expect(!page.contains("17.5") && !page.contains("Strong sources"), "\(path)")
            }
            let work = try await fixture.work(caller)
            #expect(work.first?.score == nil && work.first?.status == .handedIn)
        }
        #expect(
            try await !fixture.told(fixture.mia).contains { $0.hasSuffix("marked") || $0.hasSuffix("returned") })
        #expect(try await fixture.returnAll(one) == [mia])
        #expect(try await item(fixture).isShown(to: mia))
        let page = try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.mia)
        #expect(page.contains("17.5 of 20") && page.contains("Strong sources"))
        #expect(try await fixture.work(fixture.mother).first?.score == "17.5")
        #expect(try await fixture.returnAll(one).isEmpty)
    }

    @Test("no change, search document or export of a person tells of a score that was not returned")
    func leaks() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.handIn(one, as: fixture.mia)
        let before = try await fixture.told(fixture.mia)
        try await fixture.mark(one, fixture.mia, "7.25", comment: "Weak")
        #expect(try await fixture.told(fixture.mia) == before)
        let payloads = try await fixture.school.changes().map { $0.change.payload.values.joined(separator: " ") }
        #expect(!payloads.contains { $0.contains("7.25") || $0.contains("Weak") })
        let subject = RecordSubject(
            schoolId: fixture.school.organization.id, personId: CourseworkFixture.id(fixture.mia), accountId: nil,
            placeholder: "Someone")
        let table = try #require(
            CourseworkRecordStore.kinds.flatMap(\.tables).first { $0.name == "coursework_marks" })
        func exported() async throws -> Int {
            try await fixture.school.database.read { sql in
                try table.about.map { try sql.rows($0(subject)).count } ?? -1
            }
        }
        #expect(try await exported() == 0)
        _ = try await fixture.returnAll(one)
        #expect(try await exported() == 1)
    }

    @Test("returning notifies the student and the parents with the assignment and the course")
    func notification() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign("Silk road")
        try await fixture.mark(one, fixture.mia, "20", returns: true)
        let logged = try #require(
            try await fixture.school.changes().first { $0.change.kind == "coursework.returned" })
        #expect(
            Set(logged.change.audience)
                == [.person(CourseworkFixture.id(fixture.mia)), .person(CourseworkFixture.id(fixture.mother))])
        let kind = try #require(fixture.feature.notifications.kinds.first { $0.kind == "coursework.returned" })
        let (text, path) = try await kind.show(logged, fixture.school.context(of: fixture.mother))
        #expect(text.contains("Silk road") && text.contains("Algebra") && !text.contains("20"))
        #expect(path == "\(AssignmentScreens.path(one.id))?student=\(CourseworkFixture.id(fixture.mia).text)")
    }

    @Test(
        "of two teachers who score one submission, the later is told of the other and the score, and nothing is lost"
    )
    func twoTeachers() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.handIn(one, as: fixture.mia)
        try await fixture.mark(one, fixture.mia, "18")
        let refusal = try #require(
            try await problem { try await fixture.mark(one, fixture.mia, "9", as: fixture.colleague) })
        #expect(refusal.status == 409 && refusal.code == "coursework.markChanged")
        let sentence = refusal.sentence(try fixture.school.environment.words())
        #expect(sentence.contains("Tea Cher") && sentence.contains("18"))
        #expect(try await item(fixture).marks.values.map { "\($0)" } == ["18"])
        #expect(try await fixture.mark(one, fixture.mia, "9", version: 1, as: fixture.colleague).version == 2)
    }

    @Test("a score above the maximum, a negative one and one of an ungraded assignment are refused")
    func badScores() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let ungraded = try await fixture.assign(points: nil)
        for text in ["20.01", "-1", "abc", "1.234"] {
            #expect(
                try await problem { try await fixture.mark(one, fixture.mia, text) }?.faults.first?.field
                    == "points", "\(text)")
        }
        #expect(
            try await problem { try await fixture.mark(ungraded, fixture.mia, "3") }?.faults.first?.code
                == "coursework.ungraded")
        #expect(try await fixture.mark(ungraded, fixture.mia, nil, comment: "Good").comment == "Good")
        #expect(try await fixture.mark(one, fixture.mia, "12,5").points == "12.5")
    }

    @Test("work waits to be scored until it has a score, and again after another attempt")
    func toMark() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(with: ["attempts": 0])
        func count() async throws -> Int {
            try await fixture.school.database.read {
                try MarkRepository.unmarkedCounts(of: [one.id], in: $0)[one.id] ?? 0
            }
        }
        #expect(try await count() == 0)
        try await fixture.handIn(one, as: fixture.mia)
        try await fixture.handIn(one, as: fixture.mia)
        try await fixture.handIn(one, as: fixture.noah)
        #expect(try await count() == 2)
        fixture.school.clock.advance(by: 60)
        try await fixture.mark(one, fixture.mia, "10")
        #expect(try await count() == 1)
        fixture.school.clock.advance(by: 60)
        try await fixture.handIn(one, as: fixture.mia)
        #expect(try await count() == 2)
        #expect(
            try await fixture.outline(AssignmentScreens.path(one.id), as: fixture.teacher).contains("2 to mark"))
    }

    @Test("thirty students are scored one after the other: each page leads to the next")
    func order() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        for student in [fixture.mia, fixture.noah] { try await fixture.handIn(one, as: student) }
        let (mia, noah) = (CourseworkFixture.id(fixture.mia), CourseworkFixture.id(fixture.noah))
        let first = try await fixture.school.environment.page(
            AssignmentScreens.marking(one.id, mia), as: fixture.teacher)
        let form = try #require(first.forms.first)
        #expect(form.alternate?.action?.to == AssignmentScreens.marking(one.id, noah))
        #expect(form.fields.first?.name == "points")
        let last = try await fixture.school.environment.page(
            AssignmentScreens.marking(one.id, noah), as: fixture.teacher)
        #expect(last.forms.first?.alternate?.action?.to == AssignmentScreens.path(one.id))
    }

    @Test(
        "the teacher's page shows attachments with preview and download, their size, time and lateness",
        .requirement("WW-3.04.a", "WW-3.04.b", "WW-3.04.c"))
    func attachments() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        fixture.go(to: try #require(one.dueDay).adding(days: 1), seconds: 3600)
        let made = try await fixture.handIn(
            one, as: fixture.mia, nil,
            files: [
                fixture.file("notes.txt", "First the sources"),
                UploadedFile(name: "map.jpg", contentType: "image/jpeg", bytes: TestPictures.photo),
            ])
        let page = try await fixture.school.environment.page(
            AssignmentScreens.marking(one.id, CourseworkFixture.id(fixture.mia)), as: fixture.teacher)
        let components = page.components
        let tiles = components.compactMap { if case .file(let tile) = $0 { tile } else { nil } }
        #expect(tiles.map(\.name) == ["notes.txt", "map.jpg"] && tiles.allSatisfy { $0.detail == "1 KB" })
        #expect(tiles.first?.action == .external(SubmissionFiles.path(made.files[0], of: one.id)))
        let outline = try await fixture.outline(
            AssignmentScreens.marking(one.id, CourseworkFixture.id(fixture.mia)), as: fixture.teacher)
        #expect(outline.contains("First the sources") && outline.contains("1 h late"))
        // The island for notes shows the picture.
        let shown = components.flatMap { if case .island(let island) = $0 { island.body } else { [Component]() } }
        let pictures = shown.compactMap { if case .image(let picture) = $0 { picture } else { nil } }
        #expect(pictures.first?.large == "\(SubmissionFiles.path(made.files[1], of: one.id))/shown")
    }

    @Test(
        "the completion of assignments counts what was handed in, whether or not it is scored",
        .requirement("WW-12.06.b"))
    func completion() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        try await fixture.assign(points: nil)
        try await fixture.assign("On paper", with: ["kinds": .list([])])
        try await fixture.assign("Draft", published: false)
        try await fixture.handIn(one, as: fixture.mia)
        func work(_ caller: Caller) async throws -> [Bool] {
            try await fixture.school.database.read {
                try fixture.grades.work(
                    for: CourseworkFixture.id(caller), in: [fixture.course.id], $0)[fixture.course.id] ?? []
            }.map(\.isDone)
        }
        #expect(try await work(fixture.mia).sorted { $0 && !$1 } == [true, false])
        #expect(try await work(fixture.noah) == [false, false])
    }
}
