import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Assessment

@Suite("The builder")
struct BuilderTests {
    @Test("the block speaks both languages", arguments: Language.allCases)
    func speaksBothLanguages(language: Language) async throws {
        let words = Words(language, [try await QuizFixture().feature.catalog])
        #expect(words.has("assessment.title") && words.has("assessment.take.handIn"))
    }

    @Test("a quiz has a title, a description and a course", .requirement("WW-5.01.a"))
    func creates() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz(["details": "Chapters 1 to 3"])
        #expect(
            quiz.title == "Silk road" && quiz.details == "Chapters 1 to 3" && quiz.courseId == fixture.course.id)
        #expect(!quiz.isPublished)
    }

    @Test("the time limit is none, 15, 30, 45, 60, 90 or 120 minutes", .requirement("WW-5.01.b"))
    func limits() async throws {
        let fixture = try await QuizFixture()
        var minutes: [Int?] = []
        for limit in ["none", "15", "30", "45", "60", "90", "120"] {
            minutes.append(try await fixture.quiz(["limit": .text(limit)]).minutes)
        }
        #expect(minutes == [nil, 15, 30, 45, 60, 90, 120])
        #expect(try await problem { try await fixture.quiz(["limit": "20"]) }?.status == 422)
    }

    @Test("a quiz has default points per question", .requirement("WW-5.02.a"))
    func defaultPoints() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz(["points": "2,5"])
        _ = try await fixture.short(quiz)
        _ = try await fixture.short(quiz)
        let read = try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(read.quiz.maximum == 500)
    }

    @Test("a question may override the default points", .requirement("WW-5.02.b"))
    func ownPoints() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz(["points": "2"])
        _ = try await fixture.short(quiz)
        _ = try await fixture.short(quiz, points: "0.14")
        let read = try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(read.quiz.maximum == 214)
    }

    @Test("a quiz has a passing score in percent", .requirement("WW-5.03.a"))
    func passing() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz(["passing": 60])
        #expect(quiz.isPassed(score: 60, of: 100) == true && quiz.isPassed(score: 59, of: 100) == false)
        #expect(try await fixture.quiz().isPassed(score: 0, of: 100) == nil)
    }

    @Test("the allowed attempts are 1, 2, 3 or unlimited", .requirement("WW-5.03.b"))
    func attempts() async throws {
        let fixture = try await QuizFixture()
        var counts: [Int?] = []
        for attempts in ["1", "2", "3", "unlimited"] {
            counts.append(try await fixture.quiz(["attempts": .text(attempts)]).attempts)
        }
        #expect(counts == [1, 2, 3, nil])
    }

    @Test("true or false makes its two options by itself", .requirement("WW-5.07.a"))
    func trueFalse() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let question = try await fixture.school.execute(
            AddQuestion.self,
            ["quizId": .id(quiz.id), "kind": "trueFalse", "text": "Rome is in Italy.", "isTrue": true],
            as: fixture.teacher)
        #expect(question.options.map(\.isRight) == [true, false])
    }

    @Test("one or several options are right", .requirement("WW-5.06.b"))
    func rightOptions() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        #expect(try await !fixture.choice(quiz, right: 1).takesSeveral)
        #expect(try await fixture.choice(quiz, right: 2).takesSeveral)
    }

    @Test("signs and quotes in options survive five saves", .requirement("WW-5.05.a"))
    func savesTexts() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let texts = ["Tom & Jerry", "x < 3", "100 %", "L'été \"chaud\"", "√2", "&amp;"]
        var question = try await fixture.choice(quiz, texts)
        let ids = question.options.map(\.id)
        for _ in 0..<5 {
            var fields: [String: InputValue] = [
                "quizId": .id(quiz.id), "questionId": .id(question.id), "kind": "multipleChoice",
                "text": "First line\nSecond line",
            ]
            for (index, option) in question.options.enumerated() {
                fields["option\(index + 1)"] = .text(option.text)
                fields["id\(index + 1)"] = .id(option.id)
                fields["isRight\(index + 1)"] = .bool(option.isRight)
            }
            question = try await fixture.school.execute(UpdateQuestion.self, .object(fields), as: fixture.teacher)
        }
        #expect(question.options.map(\.text) == texts && question.options.map(\.id) == ids)
        #expect(question.text == "First line\nSecond line")
    }

    @Test("of two teachers who change one quiz or question, the second is refused and shown both texts")
    func twoEditors() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let environment = fixture.school.environment
        try await environment.expectVersions(
            of: "quiz", at: QuizPath.settings(quiz.id), changing: "details", as: fixture.teacher,
            code: "assessment.changed")
        for question in [try await fixture.choice(quiz), try await fixture.short(quiz)] {
            try await environment.expectVersions(
                of: "question", at: QuizPath.question(question.id, of: quiz.id), changing: "text",
                as: fixture.teacher, code: "assessment.questionChanged")
        }
    }

    @Test(
        "questions are moved, duplicated with their origin, and deleted after a question", .requirement("WW-5.08.b")
    )
    func arranges() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let (first, second) = (try await fixture.short(quiz), try await fixture.choice(quiz))
        func order() async throws -> [UUID] {
            try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
                .questions.map(\.id)
        }
        try await fixture.school.execute(
            MoveQuestion.self,
            ["quizId": .id(quiz.id), "questionId": .id(second.id), "before": .id(first.id)], as: fixture.teacher)
        #expect(try await order() == [second.id, first.id])
        let copy = try await fixture.school.execute(
            DuplicateQuestion.self, ["quizId": .id(quiz.id), "questionId": .id(second.id)], as: fixture.teacher)
        #expect(copy.originId == second.id && copy.options.map(\.text) == second.options.map(\.text))
        #expect(Set(copy.options.map(\.id)).isDisjoint(with: second.options.map(\.id)))
        #expect(try await order() == [second.id, copy.id, first.id])
        try await fixture.school.execute(
            DeleteQuestion.self, ["quizId": .id(quiz.id), "questionId": .id(second.id)], as: fixture.teacher)
        #expect(try await order() == [copy.id, first.id])
    }

    /// A quiz whose question is saved in the bank.
    private func banked(isShared: Bool) async throws -> (QuizFixture, Quiz, BankQuestion) {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let question = try await fixture.choice(quiz)
        let saved = try await fixture.school.execute(
            SaveToBank.self,
            [
                "quizId": .id(quiz.id), "questionId": .id(question.id), "tags": "Maps, Été",
                "isShared": .bool(isShared),
            ], as: fixture.teacher)
        return (fixture, quiz, saved)
    }

    @Test("a question is saved in the bank with tags, and found by words and by a tag", .requirement("WW-5.10.a"))
    func savesToBank() async throws {
        let (fixture, _, saved) = try await banked(isShared: false)
        func found(_ fields: InputValue, _ caller: Caller) async throws -> [UUID] {
            try await fixture.school.answer(ListBank.self, fields, as: caller).items.map(\.id)
        }
        #expect(
            saved.tags == ["Maps", "Été"] && saved.question.options.map(\.text) == ["Rome", "Tyre", "Kashgar"])
        for fields: InputValue in [[:], ["q": "WHICH"], ["q": "ete"], ["tag": "Maps"]] {
            #expect(try await found(fields, fixture.teacher) == [saved.id])
        }
        #expect(try await found(["q": "%"], fixture.teacher).isEmpty)
        #expect(try await found(["tag": "maps"], fixture.teacher).isEmpty)
        #expect(try await found([:], fixture.stranger).isEmpty)
    }

    @Test("a copy from the bank is inserted into another quiz, and its use is known", .requirement("WW-5.10.b"))
    func insertsFromBank() async throws {
        let (fixture, _, saved) = try await banked(isShared: true)
        let other = try await fixture.quiz(["title": "Second"])
        let copy = try await fixture.school.execute(
            InsertFromBank.self, ["quizId": .id(other.id), "bankId": .id(saved.id)], as: fixture.teacher)
        #expect(copy.originId == saved.id && copy.id != saved.question.id)
        let page = try await fixture.school.environment.outline(QuizPath.bank(other.id), as: fixture.teacher)
        #expect(page.contains("used 1 time"))
        #expect(try await fixture.school.answer(ListBank.self, as: fixture.stranger).items.map(\.useCount) == [1])
        let refused = try await problem {
            try await fixture.school.execute(
                DeleteFromBank.self, ["bankId": .id(saved.id)], as: fixture.stranger)
        }
        #expect(refused?.status == 404)
        try await fixture.school.execute(DeleteFromBank.self, ["bankId": .id(saved.id)], as: fixture.teacher)
        #expect(try await fixture.school.answer(ListBank.self, as: fixture.teacher).items.isEmpty)
    }

    @Test("the pages of a quiz are shown to those whom they concern")
    func pages() async throws {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published(["limit": "30"])
        let environment = fixture.school.environment
        #expect(
            try await environment.outline(QuizPath.quiz(quiz.id), as: fixture.teacher).contains("Half of a half?"))
        let start = try await environment.outline(QuizPath.quiz(quiz.id), as: fixture.mia)
        #expect(start.contains("Start") && start.contains("30 minutes") && !start.contains("Half of a half?"))
        for path in [
            QuizPath.settings(quiz.id), QuizPath.question(question.id, of: quiz.id),
            "\(QuizPath.quiz(quiz.id))/new-question", QuizPath.preview(quiz.id),
            "/courses/\(fixture.course.id.text)/new-quiz",
        ] { #expect(try await !environment.outline(path, as: fixture.teacher).contains("«"), "\(path)") }
        let state = try await fixture.start(quiz, as: fixture.mia)
        let take = try await environment.outline(QuizPath.attempt(state.attempt.id, at: quiz.id), as: fixture.mia)
        #expect(!take.contains("a quarter"))
    }

    @Test("the search finds a draft for those who lead the course, and a published quiz for everyone in it")
    func search() async throws {
        let fixture = try await QuizFixture()
        let (quiz, question) = try await fixture.published(["details": "Trade routes"])
        let source = try #require(fixture.feature.pages.searchSources.first)
        func document() async throws -> SearchDocument? {
            try await fixture.school.database.read {
                #expect(try source.ids(nil, 10, $0) == [quiz.id])
                return try source.documents([quiz.id], UUID(), $0).first
            }
        }
        let found = try #require(try await document())
        #expect(
            found.title == "Silk road" && found.text == "Trade routes"
                && found.readers.contains(.course(fixture.course.id)))
        #expect(!found.text.contains(question.text))
        try await fixture.school.execute(PublishQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        let hidden = try #require(try await document())
        #expect(hidden.readers.contains(.teachers(of: fixture.course.id)))
        #expect(!hidden.readers.contains(.course(fixture.course.id)))
    }

    @Test("publishing notifies the course, and a notification names no quiz that was hidden again")
    func notification() async throws {
        let fixture = try await QuizFixture()
        let (quiz, _) = try await fixture.published()
        let logged = try #require(
            try await fixture.school.changes().first { $0.change.kind == "assessment.published" })
        #expect(logged.change.audience.contains(.course(fixture.course.id)))
        let kind = try #require(fixture.feature.notifications.kinds.first { $0.kind == "assessment.published" })
        let (text, path) = try await kind.show(logged, fixture.school.context(of: fixture.mia))
        #expect(text.contains("Silk road") && text.contains("Algebra") && path == QuizPath.quiz(quiz.id))
        try await fixture.school.execute(PublishQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        let (gone, none) = try await kind.show(logged, fixture.school.context(of: fixture.mia))
        #expect(!gone.contains("Silk road") && none == nil)
    }

    @Test("students are notified once results that waited for the due time are out, without a score")
    func released() async throws {
        let fixture = try await QuizFixture()
        let day = Day(fixture.school.clock.now, in: .gmt)
        let (quiz, question) = try await fixture.published([
            "results": "afterDue", "dueDay": .text(day.adding(days: 1).description), "attempts": "1",
        ])
        let state = try await fixture.start(quiz, as: fixture.mia)
        try await fixture.answer(state, question.id, texts: ["a quarter"], as: fixture.mia)
        try await fixture.handIn(state, as: fixture.mia)
        func released() async throws -> [LoggedChange] {
            try await fixture.school.changes().filter { $0.change.kind == "assessment.released" }
        }
        try await fixture.runJobs()
        #expect(try await released().isEmpty)
        fixture.school.clock.advance(by: 3 * 86_400)
        try await fixture.runJobs()
        let logged = try #require(try await released().first)
        let kind = try #require(fixture.feature.notifications.kinds.first { $0.kind == "assessment.released" })
        let (text, path) = try await kind.show(logged, fixture.school.context(of: fixture.mia))
        #expect(text == "Results of the quiz “Silk road” in Algebra" && path == QuizPath.quiz(quiz.id))
    }
}
