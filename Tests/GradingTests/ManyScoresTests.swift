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

@Suite("Setting many scores at once")
struct ManyScoresTests {
    private func decimals(_ texts: String...) -> [Hundredths] { texts.compactMap { Hundredths($0) } }

    // MARK: - A curve

    @Test("a curve raises scores by its rule, never above the maximum, and lowers none")
    func curves() {
        let scores = decimals("10", "15.5", "18")
        #expect(GradeCurve.add(points: 3).applied(to: scores, maximum: 20) == decimals("13", "18.5", "20"))
        #expect(GradeCurve.best.applied(to: scores, maximum: 20) == decimals("12", "17.5", "20"))
        #expect(GradeCurve.scale.applied(to: scores, maximum: 20) == decimals("11.11", "17.22", "20"))
        #expect(
            GradeCurve.add(points: 3).applied(to: scores, maximum: 20, isExtraCredit: true)
                == decimals("13", "18.5", "21"))
        #expect(GradeCurve.best.applied(to: decimals("20", "3"), maximum: 20) == decimals("20", "3"))
        #expect(GradeCurve.scale.applied(to: decimals("0", "0"), maximum: 20) == decimals("0", "0"))
        #expect(GradeCurve.scale.applied(to: [], maximum: 20).isEmpty)
    }

    @Test("a curve is previewed before it is applied to all scores")
    func curve() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.mark(fixture.mia, "10", item)
        try await fixture.mark(fixture.noah, "ex", item)
        let path = "/courses/\(fixture.course.id.text)/gradebook/\(item.id.text)/curve"
        let page = try await fixture.school.environment.outline(
            path, as: fixture.teacher, query: ["method": "add", "points": "2,5"])
        #expect(page.contains("Mia Roy | 10 | 12.5"))
        #expect(try await fixture.marks(item)["Mia"] == "10", "the preview changes nothing")
        let french = try await fixture.school.environment.outline(
            path, as: fixture.teacher, query: ["method": "add", "points": "2,5"], language: .french)
        #expect(french.contains("12,5"))
        let input: [String: InputValue] = [
            "courseId": .id(fixture.course.id), "itemId": .id(item.id), "method": .text("add"),
            "points": .text("2.5"), "seen": .text("\(GradingFixture.id(fixture.mia).text)=10"),
        ]
        #expect(try await fixture.school.execute(CurveScores.self, .object(input), as: fixture.teacher).count == 1)
        #expect(try await fixture.marks(item) == ["Mia": "12.5", "Noah": "ex"])
        let refused = try await problem {
            try await fixture.school.execute(
                CurveScores.self, .object(input.merging(["points": .text("-1")]) { $1 }), as: fixture.teacher)
        }
        #expect(refused?.faults.map(\.field) == ["points"])
        #expect(
            try await problem {
                try await fixture.school.execute(CurveScores.self, .object(input), as: fixture.stranger)
            }
                == .notFound)
    }

    // MARK: - A file

    /// Imports a file without conflicts, and returns the number of changed scores.
    private func load(_ text: String, into fixture: GradingFixture) async throws -> Int {
        let preview = try await fixture.preview(text)
        let report = try await fixture.apply(preview)
        #expect(report.isApplied)
        #expect(report.changes == preview.changes)
        #expect(report.clashes.isEmpty)
        return report.changes.count
    }

    @Test("an exported file is imported again, changing edited scores only, and empty cells change nothing")
    func roundTrip() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item("=Essay, \"long\"")
        let other = try await fixture.item("Quiz", .quizzes, maximum: "10")
        let twin = try await fixture.item("Quiz", .quizzes, maximum: "10")
        try await fixture.mark(fixture.mia, "18.5", essay)
        try await fixture.mark(fixture.noah, "7 l", other)
        let text = try await fixture.export()
        #expect(
            text.hasPrefix(
                "\u{FEFF}Student id,Student,\"'=Essay, \"\"long\"\"\",Quiz,Quiz (2),Total,Letter,Exported marks (do not change)\r\n"
            ))
        #expect(text.contains("Mia Roy,18.5,,,"))
        #expect(try await load(text, into: fixture) == 0, "nothing is different")
        let changed = text.replacingOccurrences(of: "Mia Roy,18.5,,,", with: "Mia Roy,,9,8 l,")
        #expect(try await load(changed, into: fixture) == 2)
        #expect(try await fixture.marks(essay) == ["Mia": "18.5"])
        #expect(try await fixture.marks(other) == ["Mia": "9", "Noah": "7 l"])
        #expect(try await fixture.marks(twin) == ["Mia": "8 l"])
        let semicolons = "Student id;Quiz\n\(GradingFixture.id(fixture.noah).text);6,5\n"
        #expect(try await load(semicolons, into: fixture) == 1)
        #expect(try await fixture.marks(other)["Noah"] == "6.5")
        await #expect(throws: Problem.notFound) { try await fixture.export(as: fixture.stranger) }
    }

    @Test(
        "an import reports all faults by line in both languages and stores nothing",
        arguments: [Language.english, .french])
    func faults(_ language: Language) async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        let (mia, noah) = (GradingFixture.id(fixture.mia).text, GradingFixture.id(fixture.noah).text)
        let text = "Student id,Essay,Song\n\(mia),12,\n\(noah),21,\n\(UUID().text),3,\n\(mia),lots,\n"
        let refused = try await problem { _ = try await load(text, into: fixture) }
        #expect(refused?.faults.map(\.field) == ["file[1]", "file[3]", "file[4]", "file[5]"])
        let words = try fixture.school.environment.words(language)
        for fault in refused?.faults ?? [] {
            #expect(!fault.sentence(words).contains("«fault."), "a sentence for \(fault.code)")
        }
        #expect(try await fixture.marks(essay).isEmpty)
        let bare = try await problem { _ = try await load("Essay\n12\n", into: fixture) }
        #expect(bare?.faults.map(\.code).contains("grading.csv.noId") == true)
        let huge = "Student id,Essay\n" + (0..<6000).map { "\($0),1\n" }.joined()
        let many = try await problem { _ = try await load(huge, into: fixture) }
        #expect(many?.faults.count == GradebookCSV.faultLimit, "a long list is cut, and nothing is stored")
    }

    // MARK: - The sheet

    @Test("setting a score in the sheet leaves its comment unchanged")
    func comments() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        func set(_ text: String, _ version: Int, _ more: [String: InputValue]) async throws -> GradeCell {
            try await fixture.school.execute(
                SetScore.self,
                .object(
                    [
                        "courseId": .id(fixture.course.id), "itemId": .id(item.id),
                        "studentId": .id(GradingFixture.id(fixture.mia)), "text": .text(text),
                        "version": .number(Double(version)),
                    ].merging(more) { $1 }), as: fixture.teacher)
        }
        _ = try await set("12", 0, ["comment": .text("Well argued.")])
        let cell = try await set("13", 1, ["keepsComment": .bool(true)])
        #expect(cell.comment == "Well argued.")
        let texts = try await fixture.school.database.read { try freeTexts(of: GradingRecordStore.kinds, in: $0) }
        #expect(texts.contains("Well argued.") && texts.contains(item.title), "names are replaced in them")
        #expect((cell.shown, cell.letter, cell.color) == ("65", "D", .orange))
        #expect(try await set("13", 2, [:]).comment == nil, "a form without a comment has none")
    }

    @Test("a pasted column may clear cells, and a line after the last student is refused")
    func emptyLines() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        _ = try await fixture.paste("12\n13\n", item)
        #expect(try await fixture.paste("14\n\n", item, replaces: true) == 2)
        #expect(try await fixture.marks(item)["Noah"] == "")
        #expect(
            try await fixture.paste("14\n13\n\n\n\n", item, replaces: true) == 2, "empty lines at the end are none")
        let refused = try await problem { _ = try await fixture.paste("1\n2\n3", item, replaces: true) }
        #expect(refused?.faults.map(\.code) == ["grading.paste.nobody"])
    }

    // MARK: - What if

    @Test("the what-if page shows a grade with further scores and stores nothing")
    func whatIf() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.mark(fixture.mia, "10", item)
        let input: [String: InputValue] = ["courseId": .id(fixture.course.id), "final": .text("20 / 20")]
        let imagined = try await fixture.school.execute(
            CalculateHypotheticalGrade.self, .object(input), as: fixture.mia)
        #expect(
            imagined == HypotheticalGrade(shown: "60", letter: "D-"),
            "0.4 of 50\u{00A0}% and 0.1 of 100\u{00A0}%, renormalized")
        #expect(try await fixture.grades(fixture.mia).shown == "50")
        let page = try await fixture.school.environment.outline(
            "/courses/\(fixture.course.id.text)/what-if", as: fixture.mia, query: ["final": "20/20"])
        #expect(page.contains("60\u{00A0}% · D-"))
        #expect(page.contains("50\u{00A0}% · F"))
        for wrong in ["20", "21/20", "a/b", "1/0", "-1/20"] {
            let refused = try await problem {
                try await fixture.school.execute(
                    CalculateHypotheticalGrade.self, .object(input.merging(["final": .text(wrong)]) { $1 }),
                    as: fixture.mia)
            }
            #expect(refused?.faults.map(\.field) == ["final"], "\(wrong)")
        }
        #expect(
            try await problem {
                try await fixture.school.execute(
                    CalculateHypotheticalGrade.self, .object(input), as: fixture.stranger)
            }
                == .notFound)
        let noah = input.merging(["student": .id(GradingFixture.id(fixture.noah))]) { $1 }
        #expect(
            try await problem {
                try await fixture.school.execute(CalculateHypotheticalGrade.self, .object(noah), as: fixture.mia)
            }
                == .notFound)
    }

    @Test(
        "a report card lists each course with its letter and credits, and the average",
        .requirement("WW-6.07.b", "WW-0.10.e"))
    func report() async throws {
        let fixture = try await GradingFixture()
        let item = try await fixture.item()
        try await fixture.mark(fixture.mia, "18", item)
        let page = try await fixture.school.environment.outline("/grades/report", as: fixture.mother)
        #expect(page.contains("Algebra | 90\u{00A0}% | A- | 1 | –"))
        #expect(page.contains("3.70"))
        #expect(
            try await fixture.school.environment.outline("/grades/report", as: fixture.teacher).contains("empty:"))
    }

    @Test("a report card shows one term with its comments, and its PDF has lines for remarks and signatures")
    func term() async throws {
        let fixture = try await GradingFixture()
        var course = fixture.course
        course.termId = TestTerm.autumn.id
        try await TestCourses.put(course, in: fixture.school.database)
        let botany = Course(
            id: UUID(), name: "Botany", subject: "Science",
            teacherIds: [GradingFixture.id(fixture.teacher)], termId: TestTerm.spring.id, tint: .leaf,
            createdAt: fixture.school.clock.now)
        try await TestCourses.put(botany, in: fixture.school.database)
        try await TestCourses.enrol(GradingFixture.id(fixture.mia), in: botany.id, fixture.school.database)
        let item = try await fixture.item()
        try await fixture.school.execute(
            SetScore.self,
            [
                "courseId": .id(course.id), "itemId": .id(item.id),
                "studentId": .id(GradingFixture.id(fixture.mia)), "text": .text("18"),
                "comment": .text("Well argued."),
            ], as: fixture.teacher)
        let all = try await fixture.school.environment.outline("/grades/report", as: fixture.mother)
        #expect(
            all.contains("Algebra | 90\u{00A0}% | A- | 1 | Autumn") && all.contains("Botany | – | – | 1 | Spring"))
        #expect(all.contains("Well argued."))
        let spring = try await fixture.school.environment.outline(
            "/grades/report", as: fixture.mother, query: ["term": TestTerm.spring.id.text])
        #expect(spring.contains("Botany") && !spring.contains("Algebra") && !spring.contains("3.70"))
        let route = try #require(fixture.feature.endpoints.downloads.last)
        func paper(_ term: String, _ caller: Caller, _ language: Language = .english) async throws -> String {
            let file = try await route.file(
                ["studentId": GradingFixture.id(fixture.mia).text, "paper": "a4", "term": term],
                try await fixture.school.context(of: caller, language: language))
            guard case .bytes(let bytes) = file.content else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        let printed = try await paper(TestTerm.autumn.id.text, fixture.mother)
        for part in [
            "Mia · Autumn", "Algebra | 90\u{00A0}% | A- | 1 | Autumn", "3.70", "Algebra, Essay: Well argued.",
            "Remarks: 4 lines", "School’s signature: 1 lines",
        ] {
            #expect(printed.contains(part), "\(part) in \(printed)")
        }
        #expect(try await paper("all", fixture.mia, .french).contains("Signature de l’école"))
        for caller in [fixture.noah, fixture.teacher] {
            await #expect(throws: Problem.notFound) { try await paper("all", caller) }
        }
    }
}
