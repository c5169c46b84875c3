import AssessmentModel
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

@Suite("Questions in GIFT")
struct GIFTTests {
    private func read(_ text: String) -> ImportedQuestions { GIFT.read(text) { UUID() } }

    @Test("each kind of question is read", .requirement("BY-1.20.a"))
    func kinds() throws {
        let read = read(
            """
            // A comment.
            $CATEGORY: tests

            ::Tomb::Who is buried?{~Grant ~Jefferson =no one}

            Grant is buried in Grant's tomb.{FALSE}

            Who's buried?{=no one =nobody}

            When was Grant born?{#1822:5}

            Pi? {#3.1..3.2}

            Grant is {=buried} in the tomb.

            Select the continents\\: {
              ~%33.33333%Africa

              ~%33.33333%Asia # in the east
              ~%33.33333%Europe
              ~%-100%Rome
              ####Continents are large.
            }
            """)
        #expect(read.leftOut.isEmpty)
        #expect(
            read.questions.map(\.kind) == [
                .multipleChoice, .trueFalse, .shortAnswer, .numeric, .numeric, .fillInTheBlank, .multipleChoice,
            ])
        #expect(read.questions[0].options.map(\.text) == ["Grant", "Jefferson", "no one"])
        #expect(read.questions[0].options.map(\.isRight) == [false, false, true])
        #expect(read.questions[1].options.map(\.isRight) == [false, true])
        #expect(read.questions[2].accepted == [["no one", "nobody"]])
        #expect(read.questions[3].accepted == [["1822"]] && read.questions[3].tolerance == "5")
        #expect(read.questions[4].accepted == [["3.15"]] && read.questions[4].tolerance == "0.05")
        #expect(read.questions[5].text == "Grant is {{blank}} in the tomb.")
        let continents = read.questions[6]
        #expect(continents.text == "Select the continents:" && continents.explanation == "Continents are large.")
        #expect(continents.options.map(\.text) == ["Africa", "Asia", "Europe", "Rome"])
        let all = QuizAnswer(optionIds: continents.options.prefix(3).map(\.id))
        #expect(QuestionScoring.score(all, to: continents, points: 100, in: .english) == 100)
    }

    @Test("escaped signs and the markup of HTML become text")
    func escapes() {
        let read = read(
            """
            Which answer equals 5? { ~ \\= 2 + 2 = \\= 2 + 3 ~ \\{4\\} \\~ \\# \\: \\\\ }

            [html]<p>Is 3 &lt; 4 &amp; 5?</p>{T}
            """)
        #expect(read.questions.first?.options.map(\.text) == ["= 2 + 2", "= 2 + 3", "{4} ~ # : \\"])
        #expect(read.questions.last?.text == "Is 3 < 4 & 5?")
    }

    @Test("what has no counterpart is listed by its title", .requirement("BY-1.20.e"))
    func leftOut() {
        let read = read(
            """
            ::Capitals::Match.{=Canada -> Ottawa =Italy -> Rome}

            ::Essay::Write.{}

            ::Text::Only a description.

            ::Half::Where?{=Nazareth =%25%Bethlehem}

            ::One::Which?{=only}

            ::No key::Which?{~a ~b}

            ::Cut::Which?{~a =b
            """)
        #expect(read.leftOut.map(\.title) == ["Capitals", "Essay", "Text", "Half", "No key", "Cut"])
        #expect(read.questions.map(\.text) == ["Which?"])
    }

    @Test("an export that is imported again has the same questions", .requirement("BY-1.20.c"))
    func roundTrip() {
        let signs = "x < 3 & \"y\" = {z} ~ # : \\ 100 %\nLine two\n\n  L'été « oui »"
        func option(_ text: String, _ isRight: Bool, _ share: Int? = nil) -> QuestionOption {
            QuestionOption(id: UUID(), text: text, isRight: isRight, share: share)
        }
        let questions = [
            Question(
                id: UUID(), kind: .multipleChoice, text: signs, options: [option(signs, true), option("b", false)],
                points: 14, explanation: signs),
            Question(
                id: UUID(), kind: .multipleChoice, text: "Several?",
                options: [option("a", true, 3333), option("b", true, 6667), option("c", false, -5000)]),
            Question(
                id: UUID(), kind: .trueFalse, text: "True?",
                options: Question.trueFalseOptions(isTrue: false, ids: (UUID(), UUID()))),
            Question(
                id: UUID(), kind: .shortAnswer, text: "Word?", accepted: [["Élève", "a=b"]], ignoresAccents: true),
            Question(
                id: UUID(), kind: .fillInTheBlank, text: "{{blank}} and {{blank}}", accepted: [["a", "b"], ["c"]]),
            Question(id: UUID(), kind: .numeric, text: "Pi?", accepted: [["3.14", "-2e3"]], tolerance: "0.01"),
        ]
        let file = GIFT.write(questions)
        let again = read(file)
        #expect(again.leftOut.isEmpty)
        #expect(again.questions.map(ExchangeSample.content) == questions.map(ExchangeSample.content))
        #expect(Set(again.questions.map(\.id)).isDisjoint(with: questions.map(\.id)))
        // Programs that do not know the comments still read the kinds that GIFT has.
        let plain = read(file.split(separator: "\n").filter { !$0.hasPrefix("//") }.joined(separator: "\n\n"))
        #expect(plain.questions.count == questions.count)
    }

    @Test("a file of 1,000 questions is read, and a bomb of braces is refused in time")
    func large() {
        let file = (0..<1000).map { "::Question \($0)::What is \($0)?{=a\($0) ~b ~c ~d}" }.joined(separator: "\n\n")
        #expect(read(file).questions.count == 1000)
        #expect(read(String(repeating: "{", count: 100_000)).questions.isEmpty)
        #expect(read("\u{FEFF}\r\n\r\nQ?{T}\r\n").questions.count == 1)
    }

    @Test("an import names what it would leave out, and adds the rest only when told to")
    func imports() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let text = "::Essay::Write.{}\n\nTwo?{=2 ~3}"
        let refused = try await problem {
            try await fixture.school.execute(
                ImportGIFT.self, ["quizId": .id(quiz.id), "gift": .text(text)], as: fixture.teacher)
        }
        #expect(refused?.faults.first?.code == "assessment.leftOut")
        #expect(refused?.faults.first?.arguments.last == .text("Essay (no such kind of question here)"))
        let answer = try await fixture.school.execute(
            ImportGIFT.self, ["quizId": .id(quiz.id), "gift": .text(text), "leavesOut": true], as: fixture.teacher)
        #expect(answer.count == 1 && answer.leftOut.map(\.title) == ["Essay"])
        let read = try await fixture.school.answer(ReadQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(read.questions.map(\.text) == ["Two?"] && read.quiz.maximum == 100)
    }
}
