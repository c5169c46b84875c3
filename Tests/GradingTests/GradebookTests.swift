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

@Suite("Gradebook")
struct GradebookTests {
    @Test(
        "a score is stored as it was typed, and its cell has the student's course grade", .requirement("WW-0.10.a"))
    func storedScore() async throws {
        let fixture = try await GradingFixture()
        let (essay, quiz) = (try await fixture.item(), try await fixture.item("Quiz", .quizzes, maximum: "10"))
        try await fixture.mark(fixture.mia, "16,5", essay)
        let cell = try await fixture.mark(fixture.mia, "9 l", quiz)
        // (0.4 x 82.5 + 0.3 x 90) / 0.7 = 85.71...
        #expect((cell.text, cell.shown, cell.letter) == ("9 l", "86", "B"))
        #expect(try await fixture.mark(fixture.mia, "ex", quiz, version: 1).shown == "83")
        #expect(try await fixture.mark(fixture.mia, "", quiz, version: 2).shown == "83")
    }

    @Test("changing a score that has changed since is refused with the stored value")
    func conflict() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        try await fixture.mark(fixture.mia, "12", essay)
        try await fixture.mark(fixture.mia, "13", essay, version: 1, as: fixture.admin)
        await #expect(throws: Problem(409, "grading.changed", [.text("13")])) {
            try await fixture.mark(fixture.mia, "14", essay, version: 1)
        }
        #expect(try await fixture.marks(essay) == ["Mia": "13"])
    }

    @Test(
        "an invalid score is refused with a sentence in both languages",
        arguments: [("-1", "negative"), ("20.5", "aboveMaximum"), ("1.234", "tooFine"), ("good", "unreadable")])
    func refuses(text: String, code: String) async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        await #expect(throws: Problem.invalid("text", "grading.mark.\(code)", [.text("20")])) {
            try await fixture.mark(fixture.mia, text, essay)
        }
        for language in Language.allCases {
            #expect(Words(language, [fixture.feature.catalog]).has("fault.grading.mark.\(code)"))
        }
    }

    @Test("extra credit may exceed its maximum and raises the grade above 100 %", .requirement("WW-6.02.e"))
    func extraCredit() async throws {
        let fixture = try await GradingFixture()
        let (essay, bonus) = (try await fixture.item(), try await fixture.item("Bonus", maximum: "2", extra: true))
        try await fixture.mark(fixture.mia, "20", essay)
        #expect(try await fixture.mark(fixture.mia, "3", bonus).shown == "115")
    }

    @Test("a pasted column reports all faults by line and stores nothing")
    func pasteFaults() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        await #expect(
            throws: Problem.invalid([
                Fault("lines[0]", "grading.paste.unreadable", [.number(1), .text("x"), .text("20")]),
                Fault("lines[1]", "grading.paste.aboveMaximum", [.number(2), .text("21"), .text("20")]),
                Fault("lines[2]", "grading.paste.nobody", [.number(3)]),
            ])
        ) { _ = try await fixture.paste("x\r\n21\r\n5\r\n", essay) }
        #expect(try await fixture.marks(essay) == [:])
    }

    @Test("a pasted column keeps its rows and replaces scores only on request")
    func pastes() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        #expect(try await fixture.paste("\n7", essay) == 2)
        #expect(try await fixture.marks(essay) == ["Noah": "7"])
        await #expect(
            throws: Problem.invalid([
                Fault("lines[1]", "grading.paste.taken", [.number(2), .text("7")])
            ])
        ) { _ = try await fixture.paste("6\n8", essay) }
        #expect(try await fixture.marks(essay) == ["Noah": "7"])
        #expect(try await fixture.paste("6\n8", essay, replaces: true) == 2)
        #expect(try await fixture.marks(essay) == ["Mia": "6", "Noah": "8"])
    }

    @Test("a pasted column answers with the stored texts and the versions for the next change")
    func pasteAnswer() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        let first = try await fixture.pasted("excused\n17,50", essay)
        #expect(first.scores.map(\.text) == ["ex", "17.5"])
        let second = try await fixture.pasted("manquant\n17.5", essay, replaces: true)
        #expect(second.scores.map(\.text) == ["m", "17.5"])
        let stored = try await fixture.stored(essay)
        #expect(second.scores.map(\.version) == stored.map(\.version), "an unchanged score keeps its version")
        #expect(second.scores.map(\.studentId) == stored.map(\.studentId))
        #expect(second.scores.map(\.version) == [2, 1])
    }

    @Test("all hidden items with scores are released at once, and families are notified of each")
    func releaseAll() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item(released: false)
        let quiz = try await fixture.item("Quiz", .quizzes, released: false)
        _ = try await fixture.item("Empty", released: false)
        try await fixture.mark(fixture.mia, "18", essay)
        let path = GradebookScreens.path(fixture.course.id)
        #expect(
            try await !fixture.school.environment.outline(path, as: fixture.teacher).contains("Release 1 column"))
        try await fixture.mark(fixture.mia, "5", quiz)
        #expect(
            try await fixture.school.environment.outline(path, as: fixture.teacher).contains(
                "Release 2 columns of scores"))
        func release(_ caller: Caller) async throws -> [UUID] {
            try await fixture.school.execute(
                ReleaseGradebook.self, ["courseId": .id(fixture.course.id)], as: caller
            ).itemIds
        }
        #expect(try await problem { _ = try await release(fixture.stranger) } == .notFound)
        #expect(try await fixture.grades(fixture.mia).entries.isEmpty)
        #expect(try await release(fixture.teacher) == [essay.id, quiz.id])
        #expect(try await fixture.grades(fixture.mia).entries.map(\.title) == ["Essay", "Quiz"])
        #expect(try await fixture.heard(fixture.mother).filter { $0 == "grades.released" }.count == 2)
        #expect(try await release(fixture.teacher).isEmpty, "a second time releases nothing")
    }

    @Test("missing work counts as 0 only in courses that say so", .requirement("WW-6.02.d"))
    func missing() async throws {
        let fixture = try await GradingFixture()
        let (essay, second) = (try await fixture.item(), try await fixture.item("Second"))
        try await fixture.mark(fixture.mia, "20", essay)
        #expect(try await fixture.mark(fixture.mia, "m", second).shown == "100")
        try await settings(fixture, missingCounts: true)
        #expect(try await fixture.grades(fixture.mia).shown == "50")
    }

    @Test("weights that sum to 100 are stored, and others are refused with their sum")
    func weights() async throws {
        let fixture = try await GradingFixture()
        let (essay, quiz) = (try await fixture.item(), try await fixture.item("Quiz", .quizzes))
        try await fixture.mark(fixture.mia, "20", essay)
        try await fixture.mark(fixture.mia, "10", quiz)
        #expect(try await fixture.grades(fixture.mia).shown == "79")
        try await settings(fixture, assignments: 10, quizzes: 60)
        #expect(try await fixture.grades(fixture.mia).shown == "57")
        await #expect(throws: Problem.invalid("assignments", "grading.weights", [.text("105")])) {
            try await settings(fixture, assignments: 45)
        }
    }

    @Test("each course has its own weights", .requirement("WW-6.01.b"))
    func ownWeights() async throws {
        let fixture = try await GradingFixture()
        let other = Course(
            id: fixture.school.ids.id(at: fixture.school.clock.now), name: "Chemistry", subject: "Science",
            teacherIds: fixture.course.teacherIds, tint: .sky, createdAt: fixture.course.createdAt)
        try await TestCourses.put(other, in: fixture.school.database)
        try await TestCourses.enrol(GradingFixture.id(fixture.mia), in: other.id, fixture.school.database)
        for course in [fixture.course, other] {
            for (category, text) in [(GradeCategory.assignments, "20"), (.quizzes, "10")] {
                let item = try await fixture.school.execute(
                    AddGradebookItem.self,
                    [
                        "courseId": .id(course.id), "title": "Work", "category": .text(category.rawValue),
                        "maximum": "20",
                    ], as: fixture.teacher)
                try await fixture.school.execute(
                    SetScore.self,
                    [
                        "courseId": .id(course.id), "itemId": .id(item.id),
                        "studentId": .id(GradingFixture.id(fixture.mia)), "text": .text(text),
                    ], as: fixture.teacher)
            }
            try await fixture.school.execute(
                ReleaseGradebook.self, ["courseId": .id(course.id)], as: fixture.teacher)
        }
        func shown(_ course: Course) async throws -> String? {
            try await fixture.school.answer(ReadCourseGrades.self, ["courseId": .id(course.id)], as: fixture.mia)
                .shown
        }
        #expect(try await shown(fixture.course) == "79")
        #expect(try await shown(other) == "79")
        try await settings(fixture, assignments: 10, quizzes: 60)
        #expect(try await shown(fixture.course) == "57")
        #expect(try await shown(other) == "79")
    }

    @Test("a maximum cannot be lowered below a stored score")
    func maximum() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        try await fixture.mark(fixture.mia, "18", essay)
        await #expect(throws: Problem.invalid("maximum", "grading.maximumBelow", [.text("18")])) {
            try await fixture.school.execute(
                EditGradebookItem.self,
                [
                    "courseId": .id(fixture.course.id), "itemId": .id(essay.id), "title": "Essay",
                    "category": "assignments", "maximum": "10",
                ], as: fixture.teacher)
        }
    }

    @Test("of two teachers who change one grade item, the second is refused and shown both texts")
    func twoEditorsOfItem() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        try await fixture.school.environment.expectVersions(
            of: "edit-item", at: "/courses/\(fixture.course.id.text)/gradebook/\(essay.id.text)",
            changing: "title", as: fixture.teacher, code: "grading.itemChanged")
    }

    @Test("a maximum of 0 is refused, for extra credit too", arguments: [false, true])
    func zeroMaximum(extra: Bool) async throws {
        let fixture = try await GradingFixture()
        await #expect(throws: Problem.invalid("maximum", "grading.maximum", [])) {
            try await fixture.item("Essay", maximum: "0", extra: extra)
        }
    }

    @Test("an extra-credit item with a score above its maximum cannot become an ordinary item")
    func extraBecomesOrdinary() async throws {
        let fixture = try await GradingFixture()
        let bonus = try await fixture.item("Bonus", extra: true)
        try await fixture.mark(fixture.mia, "23", bonus)
        await #expect(throws: Problem.invalid("maximum", "grading.maximumBelow", [.text("23")])) {
            try await fixture.school.execute(
                EditGradebookItem.self,
                [
                    "courseId": .id(fixture.course.id), "itemId": .id(bonus.id), "title": "Bonus",
                    "category": "assignments", "maximum": "20", "isExtraCredit": .bool(false),
                ], as: fixture.teacher)
        }
    }

    @Test("an item that is deleted, of another course or of a course one does not lead is not found")
    func notFound() async throws {
        let fixture = try await GradingFixture()
        let essay = try await fixture.item()
        await #expect(throws: Problem.notFound) {
            try await fixture.mark(fixture.mia, "1", essay, as: fixture.stranger)
        }
        await #expect(throws: Problem.notFound) { try await fixture.mark(fixture.mother, "1", essay) }
        await #expect(throws: Problem.notFound) { try await fixture.grades(fixture.stranger) }
        try await fixture.school.execute(
            DeleteGradebookItem.self, ["courseId": .id(fixture.course.id), "itemId": .id(essay.id)],
            as: fixture.teacher)
        await #expect(throws: Problem.notFound) { try await fixture.mark(fixture.mia, "1", essay) }
    }

    private func settings(
        _ fixture: GradingFixture, assignments: Int = 40, quizzes: Int = 30, missingCounts: Bool = false
    ) async throws {
        try await fixture.school.execute(
            SetGradeSettings.self,
            [
                "courseId": .id(fixture.course.id), "assignments": .number(Double(assignments)),
                "quizzes": .number(Double(quizzes)), "participation": 10, "midterm": 10, "final": 10,
                "missingCounts": .bool(missingCounts),
            ], as: fixture.teacher)
    }
}
