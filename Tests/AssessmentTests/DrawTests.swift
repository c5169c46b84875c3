import AssessmentModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

@Suite("Questions that are drawn from the bank")
struct DrawTests {
    /// Saves questions in the bank, each with a short answer that is its number.
    private func bank(
        _ fixture: QuizFixture, _ numbers: ClosedRange<Int>, _ tags: String, isShared: Bool = false
    ) async throws {
        let source = try await fixture.quiz(["title": "Source"])
        for number in numbers {
            let question: Question = try await fixture.school.execute(
                AddQuestion.self,
                [
                    "quizId": .id(source.id), "kind": "shortAnswer", "text": .text("Number \(number)?"),
                    "accepted": .text("\(number)"),
                ], as: fixture.teacher)
            try await fixture.school.execute(
                SaveToBank.self,
                [
                    "quizId": .id(source.id), "questionId": .id(question.id), "tags": .text(tags),
                    "isShared": .bool(isShared),
                ], as: fixture.teacher)
        }
    }

    private func draw(
        _ fixture: QuizFixture, _ quiz: Quiz, _ tag: String, _ count: Int, points: String? = nil
    ) async throws {
        try await fixture.school.execute(
            AddDraw.self,
            [
                "quizId": .id(quiz.id), "tag": .text(tag), "count": .number(Double(count)),
                "points": points.map { .text($0) } ?? .null,
            ], as: fixture.teacher)
    }

    private func read(_ fixture: QuizFixture, _ quiz: Quiz) async throws -> Quiz {
        try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher).quiz
    }

    @Test("an attempt draws once, no question twice, and keeps its questions")
    func draws() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 1...8, "maps, old")
        let quiz = try await fixture.quiz(["attempts": "unlimited"])
        try await fixture.short(quiz)
        try await draw(fixture, quiz, "maps", 3, points: "2")
        try await draw(fixture, quiz, "old", 4)
        #expect(try await read(fixture, quiz).maximum == 100 + 600 + 400)
        try await fixture.publish(quiz)
        let first = try await fixture.start(quiz, as: fixture.mia)
        #expect(first.questions.count == 8 && Set(first.questions.map(\.id)).count == 8)
        #expect(first.attempt.maximum == 1100)
        #expect(first.questions.count { $0.points == 200 } == 3)
        // The bank changes meanwhile.
        try await bank(fixture, 9...9, "maps")
        #expect(try await fixture.start(quiz, as: fixture.mia).questions.map(\.id) == first.questions.map(\.id))
        var seen: Set<Set<UUID>> = [Set(first.questions.map(\.id))]
        for _ in 0..<12 {
            let state = try await fixture.start(quiz, as: fixture.noah)
            seen.insert(Set(state.questions.map(\.id)))
            try await fixture.handIn(state, as: fixture.noah)
        }
        #expect(seen.count > 1)
    }

    @Test("a drawn question counts with the points of its draw")
    func scores() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 5...5, "maps")
        let quiz = try await fixture.quiz()
        try await draw(fixture, quiz, "maps", 1, points: "2.5")
        try await fixture.publish(quiz)
        let state = try await fixture.start(quiz, as: fixture.mia)
        let question = try #require(state.questions.first)
        try await fixture.answer(state, question.id, texts: ["5"], as: fixture.mia)
        try await fixture.handIn(state, as: fixture.mia)
        #expect(try await fixture.scores(quiz) == [250])
        let statistics = try await fixture.school.database.read {
            try QuizStatistics(of: quiz, QuestionVersions(), in: $0)
        }
        #expect(statistics.mean == 1 && statistics.items.map(\.isDrawn) == [true])
        #expect(statistics.items.first?.statistics?.difficulty == 1)
        let page = try await fixture.school.environment.outline(
            QuizPath.results(quiz.id), as: fixture.teacher)
        #expect(page.contains("1. Number 5?"))
    }

    @Test("statistics count a drawn question only in the attempts that have it")
    func statistics() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 1...6, "maps")
        let quiz = try await fixture.quiz(["attempts": "unlimited"])
        let fixed = try await fixture.short(quiz)
        try await draw(fixture, quiz, "maps", 2)
        try await fixture.publish(quiz)
        var drawn: [UUID: Int] = [:]
        for _ in 0..<9 {
            let state = try await fixture.start(quiz, as: fixture.mia)
            for question in state.questions where question.id != fixed.id {
                drawn[question.id, default: 0] += 1
                let number = question.text.filter(\.isNumber)
                try await fixture.answer(state, question.id, texts: [number], as: fixture.mia)
            }
            try await fixture.handIn(state, as: fixture.mia)
        }
        let statistics = try await fixture.school.database.read {
            try QuizStatistics(of: quiz, QuestionVersions(), in: $0)
        }
        #expect(statistics.attemptCount == 9)
        #expect(statistics.items.first?.statistics?.difficulty == 0)
        // Everybody who had a question answered it.
        #expect(statistics.items.dropFirst().allSatisfy { $0.statistics?.difficulty == 1 })
        #expect(Set(statistics.items.dropFirst().map(\.question.id)) == Set(drawn.keys))
    }

    @Test("scoring again changes the points of fixed questions and leaves the drawn ones")
    func regrades() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 1...4, "maps")
        let quiz = try await fixture.quiz()
        let fixed = try await fixture.short(quiz, "a quarter")
        try await draw(fixture, quiz, "maps", 2)
        try await fixture.publish(quiz)
        let state = try await fixture.start(quiz, as: fixture.mia)
        try await fixture.answer(state, fixed.id, texts: ["1/4"], as: fixture.mia)
        let other = try #require(state.questions.first { $0.id != fixed.id })
        try await fixture.answer(state, other.id, texts: [other.text.filter(\.isNumber)], as: fixture.mia)
        try await fixture.handIn(state, as: fixture.mia)
        #expect(try await fixture.scores(quiz) == [100])
        try await fixture.school.execute(
            UpdateQuestion.self,
            [
                "quizId": .id(quiz.id), "questionId": .id(fixed.id), "kind": "shortAnswer",
                "text": "Half of a half?",
                "accepted": "a quarter\n1/4", "points": "3",
            ], as: fixture.teacher)
        let changes = try await fixture.school.execute(
            RegradeQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(changes.items.map(\.after) == [400] && changes.items.map(\.maximumAfter) == [500])
        #expect(try await fixture.scores(quiz) == [400])
        let attempt = try await fixture.read(state, as: fixture.mia)
        #expect(attempt.maximum == 500)
        #expect(try await fixture.start(quiz, as: fixture.noah).questions.count == 3)
    }

    @Test("everyone gets the full points of a faulty drawn question in this quiz, also those who come later")
    func fullPoints() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 5...5, "maps")
        let (quiz, other) = (try await fixture.quiz(), try await fixture.quiz(["title": "Other"]))
        for one in [quiz, other] {
            try await draw(fixture, one, "maps", 1, points: "2.5")
            try await fixture.publish(one)
        }
        let state = try await fixture.start(quiz, as: fixture.mia)
        let question = try #require(state.questions.first)
        try await fixture.answer(state, question.id, texts: ["6"], as: fixture.mia)
        try await fixture.handIn(state, as: fixture.mia)
        func give(_ isOn: Bool, as caller: Caller) async throws -> [ScoreChange] {
            try await fixture.school.execute(
                GiveFullPoints.self,
                ["quizId": .id(quiz.id), "questionId": .id(question.id), "isOn": .bool(isOn)], as: caller
            ).items
        }
        let environment = fixture.school.environment
        let page = try await environment.outline(QuizPath.drawn(question.id, of: quiz.id), as: fixture.teacher)
        for text in ["Number 5?", "Right answer", "Full points for everyone"] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(try await problem { _ = try await give(true, as: fixture.stranger) }?.status == 404)
        #expect(try await give(true, as: fixture.teacher).map(\.after) == [250])
        #expect(try await give(true, as: fixture.teacher).isEmpty)
        #expect(try await fixture.scores(quiz) == [250])
        try await fixture.handIn(fixture.start(quiz, as: fixture.noah), as: fixture.noah)
        #expect(try await fixture.scores(quiz) == [250, 250])
        // The same question counts by its key in another quiz.
        try await fixture.handIn(fixture.start(other, as: fixture.noah), as: fixture.noah)
        #expect(try await fixture.scores(other) == [0])
        let again = try await fixture.school.execute(
            RegradeQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(again.items.isEmpty)
        #expect(try await give(false, as: fixture.teacher).map(\.after) == [0, 0])
        #expect(try await fixture.scores(quiz) == [0, 0])
    }

    @Test("the page of a drawn question shows its options to those who lead the course")
    func page() async throws {
        let fixture = try await QuizFixture()
        let source = try await fixture.quiz(["title": "Source"])
        let saved = try await fixture.choice(source)
        try await fixture.school.execute(
            SaveToBank.self, ["quizId": .id(source.id), "questionId": .id(saved.id), "tags": "maps"],
            as: fixture.teacher)
        let quiz = try await fixture.quiz()
        try await draw(fixture, quiz, "maps", 1)
        try await fixture.publish(quiz)
        let state = try await fixture.start(quiz, as: fixture.mia)
        let path = QuizPath.drawn(try #require(state.questions.first).id, of: quiz.id)
        let environment = fixture.school.environment
        // No attempt is closed yet.
        #expect(try await problem { _ = try await environment.outline(path, as: fixture.teacher) }?.status == 404)
        try await fixture.handIn(state, as: fixture.mia)
        let page = try await environment.outline(path, as: fixture.teacher)
        for option in ["Rome", "Tyre", "Kashgar"] { #expect(page.contains(option), "\(option)") }
        #expect(try await problem { _ = try await environment.outline(path, as: fixture.stranger) }?.status == 404)
    }

    @Test("a bank that is too small is told before the quiz is published")
    func tooSmall() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 1...2, "maps")
        let quiz = try await fixture.quiz()
        try await draw(fixture, quiz, "maps", 3)
        let page = try await fixture.school.environment.outline(QuizPath.quiz(quiz.id), as: fixture.teacher)
        #expect(
            page.contains("The bank has 1 question too few") && page.contains("3 questions with the tag “maps”"))
        await #expect(throws: Problem(409, "assessment.bankTooSmall", [.number(1)])) {
            try await fixture.publish(quiz)
        }
        try await bank(fixture, 3...3, "maps")
        try await fixture.publish(quiz)
        await #expect(throws: Problem(409, "assessment.bankTooSmall", [.number(1)])) {
            try await draw(fixture, quiz, "maps", 1)
        }
    }

    @Test("questions of strangers, of similar tags, and those that the quiz has a copy of are not drawn")
    func candidates() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 1...2, "maps")
        try await bank(fixture, 3...3, "map")
        let quiz = try await fixture.quiz()
        try await draw(fixture, quiz, "maps", 1)
        let saved = try await fixture.school.answer(ListBank.self, ["tag": "maps"], as: fixture.teacher).items
        try await fixture.school.execute(
            InsertFromBank.self, ["quizId": .id(quiz.id), "bankId": .id(saved[0].id)], as: fixture.teacher)
        try await fixture.publish(quiz)
        for caller in [fixture.mia, fixture.noah] {
            let state = try await fixture.start(quiz, as: caller)
            #expect(state.questions.count == 2 && state.questions.last?.id == saved[1].id)
        }
        let strangers = try await fixture.school.database.read {
            try DrawRepository.candidates("maps", of: [QuizFixture.id(fixture.stranger)], in: $0)
        }
        #expect(strangers.isEmpty)
    }

    @Test("a quiz draws as many different questions as there are, also from tags that overlap")
    func matching() {
        let ids = (0..<4).map { _ in UUID() }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            // The first two places could take what only the others have.
            let drawn = QuestionDrawing.draw(
                [ids, ids, [ids[0]], [ids[1]]], using: &generator)
            #expect(Set(drawn.compactMap(\.self)).count == 4 && drawn[2] == ids[0] && drawn[3] == ids[1])
        }
        #expect(QuestionDrawing.draw([[ids[0]], [ids[0]], []], using: &generator).count { $0 == nil } == 2)
    }

    @Test("each selection is equally likely")
    func isFair() {
        let ids = (0..<4).map { _ in UUID() }
        var generator = SeededGenerator(seed: 11)
        var counts: [Set<UUID>: Int] = [:]
        for _ in 0..<6000 {
            let drawn = QuestionDrawing.draw([ids, ids], using: &generator)
            counts[Set(drawn.compactMap(\.self)), default: 0] += 1
        }
        #expect(counts.count == 6 && counts.values.allSatisfy { (850...1150).contains($0) })
    }

    @Test("a draw is removed, and a published quiz keeps at least one question")
    func removes() async throws {
        let fixture = try await QuizFixture()
        try await bank(fixture, 1...3, "maps")
        let quiz = try await fixture.quiz()
        try await draw(fixture, quiz, "maps", 2)
        try await fixture.publish(quiz)
        let drawn = try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
            .draws
        let ids: InputValue = ["quizId": .id(quiz.id), "drawId": .id(try #require(drawn.first).id)]
        await #expect(throws: Problem(409, "assessment.noQuestions")) {
            try await fixture.school.execute(DeleteDraw.self, ids, as: fixture.teacher)
        }
        try await fixture.short(quiz)
        try await fixture.school.execute(DeleteDraw.self, ids, as: fixture.teacher)
        #expect(try await read(fixture, quiz).maximum == 100)
    }
}
