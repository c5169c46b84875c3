import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Grading

@Suite("Scores that another person has changed meanwhile")
struct ScoreConflictTests {
    // MARK: - A pasted column

    @Test(
        "a pasted column over a score that changed meanwhile is refused with both values and the person's name",
        arguments: [Language.english, .french])
    func paste(_ language: Language) async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.paste("10\n11", item)
        let seen = try await fixture.stored(item).map(\.version)
        try await fixture.mark(fixture.noah, "12", item, version: 1, as: fixture.admin)
        let refused = try await problem {
            try await fixture.paste("13\n14", item, replaces: true, versions: seen)
        }
        #expect((refused?.status, refused?.code) == (409, "grading.clashes"))
        #expect(refused?.faults.map(\.field) == ["lines[1]"])
        let sentence = try #require(refused?.faults.first).sentence(try fixture.school.environment.words(language))
        for part in ["Noah Roy", "Essay", "Ada Admin", "12", "14"] {
            #expect(sentence.contains(part), "\(sentence)")
        }
        #expect(try await fixture.marks(item) == ["Mia": "10", "Noah": "12"], "none of it is stored")
        #expect(
            try await fixture.stored(item).last
                == StoredScore(studentId: GradingFixture.id(fixture.noah), text: "12", version: 2, by: "Ada Admin"))
        #expect(
            try await fixture.paste("13\n12", item, replaces: true, versions: seen) == 2,
            "the same score is no conflict")
        #expect(try await fixture.marks(item) == ["Mia": "13", "Noah": "12"])
    }

    @Test("a paste without versions replaces no score")
    func unseen() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.mark(fixture.mia, "10", item)
        let refused = try await problem { try await fixture.paste("13", item, replaces: true, versions: []) }
        #expect(refused?.code == "grading.clashes")
        #expect(try await fixture.marks(item) == ["Mia": "10"])
    }

    @Test("a pasted column that names its students stays with them after another student joined")
    func joined() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.join("Abel Roy")
        try await fixture.paste("10\n11", item, versions: [0, 0], students: [fixture.mia, fixture.noah])
        #expect(try await fixture.stored(item).map(\.text) == ["", "10", "11"])
        let gone = try await problem { try await fixture.paste("9", item, students: [fixture.stranger]) }
        #expect(gone?.code == "grading.studentLeft")
    }

    @Test("only those who lead a course read the scores of its items")
    func rights() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        let refused = try await problem { _ = try await fixture.stored(item, as: fixture.stranger) }
        #expect(refused == .notFound)
    }

    // MARK: - A curve

    @Test("a curve over a score that changed since its preview is refused with both values and the person's name")
    func curve() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.mark(fixture.mia, "10", item)
        try await fixture.mark(fixture.mia, "12", item, version: 1, as: fixture.admin)
        func apply(_ seen: String) async throws -> Int {
            try await fixture.school.execute(
                CurveScores.self,
                [
                    "courseId": .id(fixture.course.id), "itemId": .id(item.id), "method": .text("best"),
                    "seen": .text(seen),
                ], as: fixture.teacher
            ).count
        }
        let mia = GradingFixture.id(fixture.mia)
        for seen in ["\(mia.text)=10", ""] {
            let refused = try await problem { _ = try await apply(seen) }
            #expect((refused?.status, refused?.code) == (409, "grading.clashes"))
            let sentence = try #require(refused?.faults.first).sentence(
                try fixture.school.environment.words(.english))
            for part in ["Mia Roy", "12", "Ada Admin"] { #expect(sentence.contains(part), "\(sentence)") }
        }
        #expect(try await fixture.marks(item) == ["Mia": "12"])
        #expect(try await apply("\(mia.text)=12") == 1)
        #expect(try await fixture.marks(item) == ["Mia": "20"])
    }

    // MARK: - A file

    @Test("importing an older export does not restore a score that changed since")
    func oldFile() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.mark(fixture.mia, "10", item)
        try await fixture.mark(fixture.noah, "7 l", item)
        let exported = try await fixture.export()
        try await fixture.mark(fixture.mia, "12", item, version: 1, as: fixture.admin)
        let changed = exported.replacingOccurrences(of: "Noah Roy,7 l", with: "Noah Roy,9")
        let preview = try await fixture.preview(changed)
        #expect(preview.changes.map { [$0.student, $0.theirs, $0.yours] } == [["Noah Roy", "7 l", "9"]])
        #expect(preview.clashes.isEmpty)
        #expect(preview.keptCount == 1)
        #expect(try await fixture.marks(item) == ["Mia": "12", "Noah": "7 l"], "a preview changes nothing")
        #expect(try await fixture.apply(preview).isApplied)
        #expect(try await fixture.marks(item) == ["Mia": "12", "Noah": "9"])
    }

    @Test("a score that both the file and another person changed stays unless the file's is chosen")
    func conflictOfFile() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        for student in [fixture.mia, fixture.noah] { try await fixture.mark(student, "10", item) }
        let exported = try await fixture.export()
        for student in [fixture.mia, fixture.noah] {
            try await fixture.mark(student, "12", item, version: 1, as: fixture.admin)
        }
        let changed = exported.replacingOccurrences(of: "Roy,10,", with: "Roy,11,")
        let preview = try await fixture.preview(changed)
        #expect(preview.changes.isEmpty)
        #expect(
            preview.clashes.map { [$0.student, $0.theirs, $0.yours, $0.by] } == [
                ["Mia Roy", "12", "11", "Ada Admin"], ["Noah Roy", "12", "11", "Ada Admin"],
            ])
        let choice = try await fixture.school.environment.outline(
            "/courses/\(fixture.course.id.text)/marks-import", as: fixture.teacher)
        #expect(choice.contains("Check file"))
        let path = GradebookScreens.importPath(fixture.course.id, preview.uploadId)
        let page = try await fixture.school.environment.outline(path, as: fixture.teacher)
        #expect(page.contains("Mia Roy, Essay: take 11 from the file"))
        let french = try await fixture.school.environment.outline(path, as: fixture.teacher, language: .french)
        #expect(french.contains("Mia Roy, Essay\u{A0}: prendre 11 du fichier"))
        _ = try await fixture.apply(preview, taken: Array(preview.clashes.suffix(1)))
        #expect(try await fixture.marks(item) == ["Mia": "12", "Noah": "11"])
    }

    @Test("a score that changes between preview and import is shown as a conflict, and nothing is stored")
    func outdated() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        let rows = [fixture.mia, fixture.noah].map { "\(GradingFixture.id($0).text),15\n" }.joined()
        let preview = try await fixture.preview("Student id,Essay\n" + rows)
        #expect(preview.changes.count == 2)
        try await fixture.mark(fixture.mia, "12", item, as: fixture.admin)
        let again = try await fixture.apply(preview)
        #expect((again.isApplied, again.isOutdated) == (false, true))
        #expect(again.changes.map(\.student) == ["Noah Roy"])
        #expect(
            again.clashes.map { [$0.student, $0.theirs, $0.yours, $0.by] } == [
                ["Mia Roy", "12", "15", "Ada Admin"]
            ])
        #expect(try await fixture.marks(item) == ["Mia": "12"])
        #expect(try await fixture.apply(again).isApplied)
        #expect(try await fixture.marks(item) == ["Mia": "12", "Noah": "15"])
        let gone = try await problem { _ = try await fixture.apply(again) }
        #expect(gone?.status == 410, "an imported file is gone")
    }

    @Test(
        "a row with the wrong number of cells is a fault with its line, and no score moves to another column",
        arguments: [Language.english, .french])
    func shifted(_ language: Language) async throws {
        let fixture = try await GradingFixture()
        let (essay, quiz) = (try await fixture.item(), try await fixture.item("Quiz", .quizzes))
        let (mia, noah) = (GradingFixture.id(fixture.mia).text, GradingFixture.id(fixture.noah).text)
        let refused = try await problem {
            _ = try await fixture.preview("Student id,Essay,Quiz\n\(mia),12\n\(noah),1,2,3\n")
        }
        #expect(
            refused?.faults == [
                Fault("file[2]", "grading.csv.cells", [.number(2), .number(2), .number(3)]),
                Fault("file[3]", "grading.csv.cells", [.number(3), .number(4), .number(3)]),
            ])
        let sentence = try #require(refused?.faults.first).sentence(try fixture.school.environment.words(language))
        #expect(sentence.contains("2") && sentence.contains("3"), "\(sentence)")
        for item in [essay, quiz] { #expect(try await fixture.marks(item).isEmpty) }
    }

    @Test("an edited column of exported scores is a fault with its line")
    func written() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.mark(fixture.mia, "10", item)
        let exported = try await fixture.export()
        let broken = exported.replacingOccurrences(of: "=10\r\n", with: "\r\n")
        let refused = try await problem { _ = try await fixture.preview(broken) }
        #expect(refused?.faults.map(\.code) == ["grading.csv.seen"])
    }

    // MARK: - Percentages

    @Test("a percentage below 100 is never shown as 100, however it is rounded", arguments: 0...2)
    func full(_ places: Int) {
        let almost = ["99", "99.9", "99.99"].compactMap { Hundredths($0) }[places]
        for mode in RoundingRule.Mode.allCases {
            let rule = RoundingRule(places: places, mode: mode)
            #expect(rule.shown(Quotient(19_999_900, over: 200_000)) == almost, "\(mode): 99.9995 %")
            #expect(rule.shown(Quotient(100)) == 100)
            #expect(rule.shown(Quotient(10_006, over: 100)) >= 100)
        }
    }

    @Test("1999 of 2000 points are 99 %, which does not reach the letter for 100 %")
    func almostFull() throws {
        var scale = GradingScale.standard
        scale.cutOffs[0] = 100
        let service = GradeCalculationService(scale: scale)
        func grade(_ points: Hundredths) -> GradeCalculationService.CourseGrade? {
            service.calculateCourseGrade(
                grades: [GradeEntry(category: .assignments, points: points, maximum: 2000)], weights: .standard)
        }
        let almost = try #require(grade(1999))
        #expect((almost.shown, almost.letter) == (99, .a))
        let full = try #require(grade(2000))
        #expect((full.shown, full.letter) == (100, .aPlus))
    }
}
