import CoursesInterface
import CoursesTesting
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ShellInterface
import TestKit
import Testing

@testable import Grading

@Suite("Counting graded work")
struct WorkCountTests {
    private let service = SQLGradeService(courses: TestCourses(), roster: TestCourses())

    @Test(
        "graded and released work counts regardless of its points; missing, excused and hidden work does not")
    func counts() async throws {
        let fixture = try await GradingFixture()
        let (essay, quiz) = (try await fixture.item(), try await fixture.item("Quiz", .quizzes))
        let (hidden, final) = (
            try await fixture.item("Secret", released: false), try await fixture.item("Final", .final)
        )
        try await fixture.mark(fixture.mia, "19", essay)
        try await fixture.mark(fixture.mia, "0", quiz)
        try await fixture.mark(fixture.mia, "20", hidden)
        try await fixture.mark(fixture.mia, "missing", final)
        try await fixture.mark(fixture.noah, "excused", essay)
        try await fixture.mark(fixture.noah, "3", quiz)
        let (mia, noah) = (GradingFixture.id(fixture.mia), GradingFixture.id(fixture.noah))
        let (all, own, other) = try await fixture.school.database.read { sql in
            (
                try service.workDone(inCourse: fixture.course.id, sql), try service.workDone(by: mia, in: sql),
                try service.workDone(by: noah, in: sql)
            )
        }
        #expect(all == [mia: 2, noah: 1])
        #expect(own == 2 && other == 1)
    }

    @Test("the counting queries use indexes")
    func usesIndexes() async throws {
        let fixture = try await GradingFixture()
        try await fixture.school.expectIndexed(WorkCounts.query(for: UUID()))
        try await fixture.school.expectIndexed(WorkCounts.query(ofCourse: fixture.course.id))
    }

    @Test("Home lists what is partly scored until every student has a score", arguments: Language.allCases)
    func toMark(language: Language) async throws {
        let fixture = try await GradingFixture()
        let (essay, quiz) = (try await fixture.item(), try await fixture.item("Quiz", .quizzes))
        func home(_ caller: Caller) async throws -> Outline {
            try await fixture.school.environment.sections(about: .home, as: caller, language: language).outline
        }
        #expect(try await home(fixture.teacher).lines.isEmpty, "nothing is scored or due")
        try await fixture.mark(fixture.mia, "19", essay)
        try await fixture.mark(fixture.mia, "7", quiz)
        try await fixture.mark(fixture.noah, "8", quiz)
        let open = try await home(fixture.teacher)
        #expect(open.contains(language == .english ? "Algebra, 1 of 2" : "Algebra, 1 sur 2"))
        #expect(open.contains("Essay") && !open.contains("Quiz"))
        for caller in [fixture.stranger, fixture.mia] { #expect(try await home(caller).lines.isEmpty) }
        try await fixture.mark(fixture.noah, "missing", essay)
        #expect(try await home(fixture.teacher).lines.isEmpty)
    }
}
