import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

@Suite("Attempts")
struct AttemptTests {
    @Test("a student starts, answers by option id, hands in and sees the score")
    func journey() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz(["shufflesOptions": true, "shufflesQuestions": true])
        let cities = try await fixture.choice(quiz)
        let quarter = try await fixture.short(quiz, points: "0.5")
        try await fixture.publish(quiz)
        let state = try await fixture.start(quiz, as: fixture.mia)
        #expect(Set(state.questions.map(\.id)) == [cities.id, quarter.id])
        let rome = try #require(cities.options.first { $0.text == "Rome" })
        try await fixture.answer(state, cities.id, options: [rome.id], as: fixture.mia)
        try await fixture.answer(state, quarter.id, texts: ["A  Quarter "], as: fixture.mia)
        try await fixture.handIn(state, as: fixture.mia)
        let attempt = try await fixture.read(state, as: fixture.mia)
        #expect(attempt.score == 150 && attempt.maximum == 150 && attempt.ending == .handedIn)
        #expect(try await fixture.gradeItem(quiz) == [QuizFixture.id(fixture.mia): 150])
    }

    @Test(
        "a start whose answer was lost uses up no attempt, and no more attempts are allowed",
        .requirement("WW-5.03.c"))
    func startsOnce() async throws {
        let fixture = try await QuizFixture()
        let (quiz, _) = try await fixture.published(["attempts": "2"])
        let first = try await fixture.start(quiz, as: fixture.mia)
        #expect(try await fixture.start(quiz, as: fixture.mia).attempt.id == first.attempt.id)
        try await fixture.handIn(first, as: fixture.mia)
        let second = try await fixture.start(quiz, as: fixture.mia)
        #expect(second.attempt.number == 2)
        try await fixture.handIn(second, as: fixture.mia)
        #expect(
            try await problem { try await fixture.start(quiz, as: fixture.mia) }?.code
                == "assessment.noAttemptLeft")
    }

    @Test("200 starts at once make one attempt")
    func crowd() async throws {
        let fixture = try await QuizFixture()
        let (quiz, _) = try await fixture.published()
        let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
            for _ in 0..<200 {
                group.addTask { try await fixture.start(quiz, as: fixture.mia).attempt.id }
            }
            return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await fixture.scores(quiz).count == 1)
    }

    @Test("an answer that arrives within the grace period counts and says so, and a later one is refused")
    func grace() async throws {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published(["limit": "15"])
        let state = try await fixture.start(quiz, as: fixture.mia)
        #expect(state.attempt.endsAt == state.attempt.startedAt.addingTimeInterval(15 * 60))
        fixture.school.clock.advance(by: 15 * 60 + 30)
        #expect(try await fixture.answer(state, question.id, texts: ["a quarter"], as: fixture.mia).isLate)
        fixture.school.clock.advance(by: 31)
        let refused = try await problem {
            try await fixture.answer(state, question.id, texts: ["a half"], as: fixture.mia)
        }
        #expect(refused?.code == "assessment.closed")
        try await fixture.runJobs()
        let attempt = try await fixture.read(state, as: fixture.mia)
        #expect(attempt.ending == .timeOver && attempt.score == 100)
        #expect(attempt.closedAt == attempt.endsAt)
    }

    @Test("extra time also works during an attempt")
    func extraTime() async throws {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published(["limit": "15"])
        let state = try await fixture.start(quiz, as: fixture.mia)
        fixture.school.clock.advance(by: 10 * 60)
        try await fixture.school.execute(
            SetExtraTime.self,
            ["quizId": .id(quiz.id), "studentId": .id(QuizFixture.id(fixture.mia)), "minutes": 10],
            as: fixture.teacher)
        fixture.school.clock.advance(by: 10 * 60)
        let saved = try await fixture.answer(state, question.id, texts: ["a quarter"], as: fixture.mia)
        #expect(!saved.isLate && saved.endsAt == state.attempt.startedAt.addingTimeInterval(25 * 60))
    }

    @Test(
        "results that wait for the due time are in no answer, grade item or change before it",
        .requirement("WW-5.04.c"))
    func hidden() async throws {
        let fixture = try await QuizFixture()
        let day = Day(fixture.school.clock.now, in: .gmt).adding(days: 2)
        let (quiz, question) = try await fixture.published([
            "results": "afterDue", "dueDay": .text(day.description), "dueTime": "12:00",
        ])
        let state = try await fixture.start(quiz, as: fixture.mia)
        try await fixture.answer(state, question.id, texts: ["a quarter"], as: fixture.mia)
        try await fixture.handIn(state, as: fixture.mia)
        #expect(try await fixture.read(state, as: fixture.mia).score == nil)
        #expect(try await fixture.gradeItem(quiz).isEmpty)
        let mia = Audience.person(QuizFixture.id(fixture.mia))
        let before = try await fixture.school.changes().filter { $0.change.audience.contains(mia) }
        #expect(!before.contains { $0.change.kind == "assessment.scored" })
        let page = try await fixture.school.environment.outline(
            QuizPath.attempt(state.attempt.id, at: quiz.id), as: fixture.mia)
        #expect(!page.contains("1 of 1"))
        fixture.school.clock.advance(by: 3 * 86_400)
        try await fixture.runJobs()
        #expect(try await fixture.read(state, as: fixture.mia).score == 100)
        #expect(try await fixture.gradeItem(quiz) == [QuizFixture.id(fixture.mia): 100])
    }

    @Test("a question that was changed or deleted stays with an open attempt as it was")
    func snapshot() async throws {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published()
        let other = try await fixture.choice(quiz)
        let state = try await fixture.start(quiz, as: fixture.mia)
        try await fixture.school.execute(
            UpdateQuestion.self,
            [
                "quizId": .id(quiz.id), "questionId": .id(question.id), "kind": "shortAnswer", "text": "Changed?",
                "accepted": "changed",
            ], as: fixture.teacher)
        try await fixture.school.execute(
            DeleteQuestion.self, ["quizId": .id(quiz.id), "questionId": .id(other.id)], as: fixture.teacher)
        try await fixture.answer(state, question.id, texts: ["a quarter"], as: fixture.mia)
        try await fixture.answer(state, other.id, options: [other.options[0].id], as: fixture.mia)
        try await fixture.handIn(state, as: fixture.mia)
        #expect(try await fixture.scores(quiz) == [200])
        let later = try await fixture.start(quiz, as: fixture.noah)
        #expect(later.questions.map(\.text) == ["Changed?"])
    }

    @Test("positions, unknown options and foreign attempts are refused")
    func refusals() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let question = try await fixture.choice(quiz)
        try await fixture.publish(quiz)
        let state = try await fixture.start(quiz, as: fixture.mia)
        #expect(
            try await problem {
                try await fixture.school.execute(
                    SaveAnswer.self,
                    [
                        "quizId": .id(quiz.id), "attemptId": .id(state.attempt.id), "questionId": .id(question.id),
                        "optionIds": ["0"],
                    ], as: fixture.mia)
            }?.status == 422)
        #expect(
            try await problem {
                try await fixture.answer(state, question.id, options: [UUID()], as: fixture.mia)
            }?.status == 422)
        #expect(
            try await problem {
                try await fixture.answer(state, question.id, options: [question.options[0].id], as: fixture.noah)
            }?.status == 404)
        #expect(
            try await problem { try await fixture.read(state, as: fixture.noah) }?.status == 404)
    }

    @Test("a quiz opens and closes at its times, and a draft cannot be taken")
    func times() async throws {
        let fixture = try await QuizFixture()
        let day = Day(fixture.school.clock.now, in: .gmt)
        let (quiz, _) = try await fixture.published([
            "opensDay": .text(day.adding(days: 1).description), "dueDay": .text(day.adding(days: 2).description),
        ])
        #expect(
            try await problem { try await fixture.start(quiz, as: fixture.mia) }?.code
                == "assessment.notOpen")
        fixture.school.clock.advance(by: 4 * 86_400)
        #expect(
            try await problem { try await fixture.start(quiz, as: fixture.mia) }?.code
                == "assessment.isOver")
        let draft = try await fixture.quiz()
        #expect(try await problem { try await fixture.start(draft, as: fixture.mia) }?.status == 404)
    }

    @Test("the best attempt counts in the gradebook")
    func best() async throws {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published(["attempts": "unlimited"])
        for text in ["wrong", "a quarter", "wrong again"] {
            let state = try await fixture.start(quiz, as: fixture.mia)
            try await fixture.answer(state, question.id, texts: [text], as: fixture.mia)
            try await fixture.handIn(state, as: fixture.mia)
        }
        #expect(try await fixture.gradeItem(quiz) == [QuizFixture.id(fixture.mia): 100])
    }

    @Test("frequent statements use indexes")
    func indexed() async throws {
        let fixture = try await QuizFixture()
        let id = UUID()
        for sql: SQL in [
            "SELECT * FROM assessment_attempts WHERE quiz_id = \(id) AND student_id = \(id) ORDER BY number",
            "SELECT * FROM assessment_attempts WHERE closed_at IS NULL AND ends_at < \(1) ORDER BY ends_at LIMIT 1",
            "SELECT * FROM assessment_answers WHERE attempt_id = \(id)",
            "SELECT body FROM assessment_questions WHERE quiz_id = \(id) ORDER BY position, id",
        ] { try await fixture.school.expectIndexed(sql) }
    }
}
