import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

@Suite("Marking")
struct MarkingTests {
    /// A quiz that Mia answered rightly and Noah wrongly.
    private func taken() async throws -> (QuizFixture, Quiz, Question, [AttemptState]) {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published()
        var states: [AttemptState] = []
        for (student, text) in [(fixture.mia, "a quarter"), (fixture.noah, "one fourth")] {
            let state = try await fixture.start(quiz, as: student)
            try await fixture.answer(state, question.id, texts: [text], as: student)
            try await fixture.handIn(state, as: student)
            states.append(state)
        }
        return (fixture, quiz, question, states)
    }

    @Test("a changed key changes no score until the teacher scores again, and the preview says whose")
    func regrades() async throws {
        let (fixture, quiz, question, states) = try await taken()
        try await fixture.school.execute(
            UpdateQuestion.self,
            [
                "quizId": .id(quiz.id), "questionId": .id(question.id), "kind": "shortAnswer",
                "text": "Half of a half?", "accepted": "a quarter\none fourth", "points": "2",
            ], as: fixture.teacher)
        #expect(Set(try await fixture.scores(quiz)) == [100, 0])
        let preview = try await fixture.school.answer(
            PreviewRegrade.self, ["quizId": .id(quiz.id)], as: fixture.teacher
        ).items
        #expect(Set(preview.map(\.attemptId)) == Set(states.map(\.attempt.id)))
        #expect(preview.allSatisfy { $0.after == 200 && $0.maximumAfter == 200 })
        try await fixture.school.execute(RegradeQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(try await fixture.scores(quiz) == [200, 200])
        let again = try await fixture.school.execute(
            RegradeQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(again.items.isEmpty)
    }

    @Test("everyone gets the full points of a faulty question, also those who come later")
    func fullPoints() async throws {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published(["attempts": "unlimited"])
        let first = try await fixture.start(quiz, as: fixture.mia)
        try await fixture.answer(first, question.id, texts: ["wrong"], as: fixture.mia)
        try await fixture.handIn(first, as: fixture.mia)
        #expect(try await fixture.scores(quiz) == [0])
        try await fixture.school.execute(
            GiveFullPoints.self, ["quizId": .id(quiz.id), "questionId": .id(question.id), "isOn": true],
            as: fixture.teacher)
        #expect(try await fixture.scores(quiz) == [100])
        // Later, Noah answers wrongly, and Mia does not answer at all.
        let second = try await fixture.start(quiz, as: fixture.noah)
        try await fixture.answer(second, question.id, texts: ["wrong"], as: fixture.noah)
        try await fixture.handIn(second, as: fixture.noah)
        try await fixture.handIn(fixture.start(quiz, as: fixture.mia), as: fixture.mia)
        #expect(try await fixture.scores(quiz) == [100, 100, 100])
        try await fixture.school.execute(
            GiveFullPoints.self, ["quizId": .id(quiz.id), "questionId": .id(question.id)], as: fixture.teacher)
        #expect(try await fixture.scores(quiz) == [0, 0, 0])
    }

    @Test("points by hand count instead of the key, and survive a new scoring")
    func byHand() async throws {
        let (fixture, quiz, question, states) = try await taken()
        func mark(_ points: InputValue) async throws {
            try await fixture.school.execute(
                MarkAnswer.self,
                [
                    "quizId": .id(quiz.id), "attemptId": .id(states[1].attempt.id), "questionId": .id(question.id),
                    "points": points,
                ], as: fixture.teacher)
        }
        try await mark("0,5")
        #expect(Set(try await fixture.scores(quiz)) == [100, 50])
        try await fixture.school.execute(RegradeQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(Set(try await fixture.scores(quiz)) == [100, 50])
        #expect(try await problem { try await mark("1.5") }?.status == 422)
        try await mark(nil)
        #expect(Set(try await fixture.scores(quiz)) == [100, 0])
    }

    @Test("the results page shows the students, the average and the frequent errors")
    func page() async throws {
        let (fixture, quiz, _, _) = try await taken()
        let page = try await fixture.school.environment.outline(QuizPath.results(quiz.id), as: fixture.teacher)
        for text in ["Mia Roy", "Noah Roy", "50\u{00A0}%", "one fourth (1)", "2 of 2 finished"] {
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test("the statistics of 252 students count each answer once")
    func statistics() async throws {
        let (fixture, quiz, question, _) = try await taken()
        let now = fixture.school.clock.now
        let sums: [UUID: MarkRepository.AnswerSums] = try await fixture.school.database.write { sql in
            let known = try #require(try AttemptRepository.attempts(at: quiz.id, in: sql).first)
            for number in 0..<250 {
                let stored = StoredAttempt(
                    attempt: QuizAttempt(
                        id: UUID(), quizId: quiz.id, studentId: UUID(), number: 1, startedAt: now, endsAt: nil,
                        maximum: known.attempt.maximum),
                    versionId: known.versionId, seed: 1, language: .english)
                try AttemptRepository.insert(stored, in: sql)
                let isRight = number < 50
                let text = isRight ? "a quarter" : number < 110 ? "a half" : number < 180 ? "a third" : "one fourth"
                try AttemptRepository.put(
                    StoredAnswer(
                        questionId: question.id, answer: QuizAnswer(texts: [text]), isMarked: false, isLate: false,
                        deviceId: nil, points: isRight ? 100 : 0, givenPoints: nil, savedAt: now),
                    of: stored.attempt.id, in: sql)
                try AttemptRepository.close(stored.attempt.id, .handedIn, at: now, in: sql)
            }
            return try MarkRepository.sums(at: quiz.id, errorLimit: 2, in: sql)
        }
        let own = try #require(sums[question.id])
        // Mia's answer is right, and Noah's is "one fourth".
        #expect(own.own == 51 * 100 && own.squares == 51 * 10_000 && own.totals == 51 * 10_000)
        #expect(own.errors.map(\.answer.texts) == [["one fourth"], ["a third"]])
        #expect(own.errors.map(\.count) == [71, 70] as [Int])
    }

    @Test("only those who lead the course see keys, results and other attempts")
    func rights() async throws {
        let (fixture, quiz, question, states) = try await taken()
        let environment = fixture.school.environment
        for caller in [fixture.stranger, fixture.mia] {
            let status = try await problem {
                _ = try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: caller)
            }?.status
            #expect([403, 404].contains(status))
            for path in [QuizPath.results(quiz.id), QuizPath.question(question.id, of: quiz.id)] {
                let refused = try await problem { _ = try await environment.outline(path, as: caller) }?.status
                #expect([403, 404].contains(refused), "\(path)")
            }
        }
        let foreign = QuizPath.attempt(states[1].attempt.id, at: quiz.id)
        #expect(
            try await problem { _ = try await environment.outline(foreign, as: fixture.mia) }?.status == 404)
    }
}
