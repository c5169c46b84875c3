import AssessmentModel
import Domain
import Foundation
import TestKit
import Testing

@Suite("Scores of answers")
struct ScoringTests {
    private func question(_ right: Int, of count: Int, shares: [Int]? = nil) -> Question {
        Question(
            id: UUID(), kind: .multipleChoice, text: "Which?",
            options: (0..<count).map {
                QuestionOption(id: UUID(), text: "Option \($0)", isRight: $0 < right, share: shares?[$0])
            })
    }

    private func score(_ question: Question, _ chosen: [Int], _ points: Int) -> Int {
        QuestionScoring.score(
            QuizAnswer(optionIds: chosen.map { question.options[$0].id }), to: question, points: points,
            in: .english)
    }

    @Test("one right option gives all points or none")
    func oneRight() {
        let question = question(1, of: 4)
        #expect(score(question, [0], 250) == 250)
        #expect(score(question, [1], 250) == 0)
        #expect(score(question, [0, 1], 250) == 0)
        #expect(score(question, [], 250) == 0)
    }

    @Test("with several right options each gives a part, and each wrong choice takes one away")
    func severalRight() {
        let question = question(3, of: 5)
        #expect(score(question, [0, 1, 2], 100) == 100)
        #expect(score(question, [0, 1], 100) == 67)
        #expect(score(question, [0], 100) == 33)
        #expect(score(question, [0, 1, 3], 100) == 33)
        #expect(score(question, [0, 3, 4], 100) == 0)
    }

    @Test("shares give and take parts, and three thirds are the whole")
    func shares() {
        let question = question(3, of: 4, shares: [3333, 3333, 3333, -5000])
        #expect(score(question, [0, 1, 2], 300) == 300)
        #expect(score(question, [0], 300) == 100)
        #expect(score(question, [0, 3], 300) == 0)
    }

    @Test("each blank gives its part of the points", .requirement("WW-5.05.e"))
    func blanks() {
        let question = Question(
            id: UUID(), kind: .fillInTheBlank, text: "{{blank}} and {{blank}} are {{blank}}",
            accepted: [["Tyre", "Sur"], ["Rome"], ["cities"]])
        func points(_ texts: [String]) -> Int {
            QuestionScoring.score(QuizAnswer(texts: texts), to: question, points: 100, in: .english)
        }
        #expect(points([" SUR ", "rome", "Cities"]) == 100)
        #expect(points(["Tyre", "Rome", "ports"]) == 67)
        #expect(points(["Tyre"]) == 33)
        #expect(points(["", "", ""]) == 0)
    }

    @Test(
        "a number counts within its tolerance",
        arguments: [
            ("3,14", 100), ("3.15", 100), ("3.1301", 100), ("3.2", 0), ("pi", 0), ("3.13", 100), ("3.12", 0),
        ])
    func tolerance(case typed: (String, Int)) {
        let question = Question(
            id: UUID(), kind: .numeric, text: "Pi?", accepted: [["3.14"]], tolerance: "0.01")
        #expect(
            QuestionScoring.score(QuizAnswer(texts: [typed.0]), to: question, points: 100, in: .english) == typed.1)
    }

    @Test("50 questions of 0.14 points are exactly 7")
    func exactSum() {
        let question = question(1, of: 2)
        #expect((0..<50).reduce(0) { sum, _ in sum + score(question, [0], 14) } == 700)
    }

    @Test("a question with full points for everyone needs no answer")
    func fullForAll() {
        var question = question(1, of: 2)
        question.isFullForAll = true
        #expect(QuestionScoring.score(nil, to: question, points: 200, in: .english) == 200)
    }

    @Test(
        "a question needs options, one of them right, and answers for its blanks", .requirement("WW-5.06.a"),
        .requirement("WW-5.05.c"))
    func faults() {
        #expect(question(1, of: 1).fault == .optionCount)
        #expect(question(1, of: 7).fault == .optionCount)
        #expect(question(0, of: 3).fault == .noRightOption)
        #expect(question(1, of: 2).fault == nil && question(3, of: 6).fault == nil)
        func text(_ kind: Question.Kind, _ text: String, _ accepted: [[String]]) -> QuestionFault? {
            Question(id: UUID(), kind: kind, text: text, accepted: accepted).fault
        }
        #expect(text(.fillInTheBlank, "No blank", [["x"]]) == .blankCount)
        #expect(text(.fillInTheBlank, "{{blank}} {{blank}}", [["x"]]) == .blankCount)
        #expect(text(.fillInTheBlank, "{{blank}}", [[]]) == .noAnswer)
        #expect(text(.fillInTheBlank, "{{blank}}", [["x"]]) == nil)
        #expect(text(.shortAnswer, "Which?", [[]]) == .noAnswer)
        #expect(text(.numeric, "Which?", [["x"]]) == .notANumber)
        #expect(text(.numeric, "Which?", [["-2.5e3"]]) == nil)
    }

    @Test("the order follows from the seed, and a removed question moves no other one")
    func order() {
        let questions = (0..<20).map { _ in question(1, of: 6) }
        let first = QuestionOrder.questions(questions, seed: 7, shuffles: true, options: true)
        #expect(first == QuestionOrder.questions(questions, seed: 7, shuffles: true, options: true))
        #expect(first.map(\.id) != questions.map(\.id))
        #expect(
            QuestionOrder.questions(questions, seed: 8, shuffles: true, options: false).map(\.id) != first.map(\.id)
        )
        let rest = questions.filter { $0.id != first[3].id }
        #expect(
            QuestionOrder.questions(rest, seed: 7, shuffles: true, options: true)
                == first.filter { $0.id != first[3].id })
        #expect(
            zip(first, first.map { one in questions.first { $0.id == one.id } }).contains {
                $0.options != $1?.options
            })
    }

    @Test("extra time lengthens the limit and moves the due time")
    func ends() {
        let start = Date(timeIntervalSince1970: 1000)
        let due = start.addingTimeInterval(20 * 60)
        func end(_ minutes: Int?, _ due: Date?, _ extra: Int) -> TimeInterval? {
            AttemptTime.end(start: start, minutes: minutes, due: due, extraMinutes: extra)?.timeIntervalSince(start)
        }
        #expect(end(nil, nil, 10) == nil)
        #expect(end(30, nil, 0) == 1800)
        #expect(end(30, due, 0) == 1200)
        #expect(end(30, due, 10) == 1800)
        #expect(end(15, due, 10) == 1500)
    }

    @Test("the statistics tell hard questions and questions that separate strong from weak students")
    func statistics() throws {
        var (good, bad) = (ItemStatistics.Sums(), ItemStatistics.Sums())
        for strength in 0..<10 {
            good.add(own: strength < 5 ? 0 : 100, total: strength * 100)
            bad.add(own: strength < 5 ? 100 : 0, total: strength * 100)
        }
        let strong = try #require(ItemStatistics(good, points: 100))
        #expect(strong.difficulty == 0.5)
        #expect(try #require(strong.discrimination) > 0.5)
        #expect(try #require(ItemStatistics(bad, points: 100)?.discrimination) < 0)
        #expect(ItemStatistics(ItemStatistics.Sums(), points: 100) == nil)
        let same = ItemStatistics.Sums(
            count: 10, own: good.own, ownSquares: good.ownSquares, ownTotals: good.products + good.ownSquares,
            totals: good.own + good.rest, totalSquares: good.restSquares + 2 * good.products + good.ownSquares)
        #expect(same == good)
    }
}
