import AssessmentModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

@Suite("The pages of the builder")
struct BuilderPageTests {
    @Test(
        "a question is multiple choice, true or false, a short answer or a text with blanks",
        .requirement("WW-5.05.b"))
    func kinds() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        func add(_ kind: String, _ fields: [String: InputValue]) async throws -> Question.Kind {
            let all: [String: InputValue] = ["quizId": .id(quiz.id), "kind": .text(kind), "text": "A {{blank}}?"]
            return try await fixture.school.execute(
                AddQuestion.self, .object(all.merging(fields) { $1 }), as: fixture.teacher
            ).kind
        }
        #expect(
            try await add("multipleChoice", ["option1": "a", "option2": "b", "isRight1": true]) == .multipleChoice)
        #expect(try await add("trueFalse", [:]) == .trueFalse)
        #expect(try await add("shortAnswer", ["accepted": "a"]) == .shortAnswer)
        #expect(try await add("fillInTheBlank", ["accepted": "a|b"]) == .fillInTheBlank)
    }

    @Test("with the toggle, attempts have the questions in orders of their own", .requirement("WW-5.04.a"))
    func shufflesQuestions() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz(["shufflesQuestions": true])
        for _ in 0..<12 { try await fixture.short(quiz) }
        try await fixture.publish(quiz)
        let mia = try await fixture.start(quiz, as: fixture.mia).questions.map(\.id)
        let noah = try await fixture.start(quiz, as: fixture.noah).questions.map(\.id)
        #expect(mia != noah && Set(mia) == Set(noah))
        #expect(try await fixture.start(quiz, as: fixture.mia).questions.map(\.id) == mia)
    }

    @Test("with the toggle, attempts have the options in orders of their own", .requirement("WW-5.04.b"))
    func shufflesOptions() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz(["shufflesOptions": true])
        for _ in 0..<6 { try await fixture.choice(quiz, ["a", "b", "c", "d", "e", "f"]) }
        try await fixture.publish(quiz)
        let mia = try await fixture.start(quiz, as: fixture.mia).questions
        let noah = try await fixture.start(quiz, as: fixture.noah).questions
        #expect(mia.map(\.id) == noah.map(\.id))
        #expect(mia.map(\.options) != noah.map(\.options))
    }

    @Test("questions are moved by dragging and by buttons that move them up and down", .requirement("WW-5.08.a"))
    func moves() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        for _ in 0..<3 { try await fixture.short(quiz) }
        let cells = try await fixture.school.environment.page(QuizPath.quiz(quiz.id), as: fixture.teacher).cells
        #expect(cells.count == 3 && cells.allSatisfy { $0.move?.path.hasSuffix("/move") == true })
        let titles = cells.map { $0.menu.map(\.title).filter { $0.hasPrefix("Move") } }
        #expect(titles == [["Move down"], ["Move up", "Move down"], ["Move up"]])
    }

    @Test("deleting a question asks first", .requirement("WW-5.08.c"))
    func asksBeforeDeleting() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        try await fixture.short(quiz)
        let cells = try await fixture.school.environment.page(QuizPath.quiz(quiz.id), as: fixture.teacher).cells
        guard case .perform(let call)? = cells.first?.menu.last?.action else {
            Issue.record("no action")
            return
        }
        #expect(call.path.hasSuffix("/delete") && call.confirmation?.confirm == "Delete question")
    }

    @Test("the preview has the questions in the element of the student's page", .requirement("WW-5.09"))
    func previews() async throws {
        let fixture = try await QuizFixture()
        let (quiz, _) = try await fixture.published()
        let state = try await fixture.start(quiz, as: fixture.mia)
        func island(_ path: String, _ caller: Caller) async throws -> PTIsland? {
            try await fixture.school.environment.page(path, as: caller).components.compactMap { component in
                if case .island(let island) = component { island } else { nil }
            }.first
        }
        let preview = try #require(try await island(QuizPath.preview(quiz.id), fixture.teacher))
        let page = try #require(try await island(QuizPath.attempt(state.attempt.id, at: quiz.id), fixture.mia))
        #expect(preview.name == page.name)
        for island in [preview, page] {
            #expect(island.properties.contains("Half of a half?") && !island.properties.contains("a quarter"))
        }
    }

    @Test("the link of a quiz in the gradebook leads to its page")
    func link() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let paths = try await fixture.school.database.read { sql in
            try [quiz.id, UUID()].map { try GradedQuizzes().path(ofItem: $0, in: sql) }
        }
        #expect(paths == ["/quizzes/\(quiz.id.text)", nil])
    }
}
