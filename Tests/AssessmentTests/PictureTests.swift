import AssessmentModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Assessment

@Suite("Pictures and formulas of questions")
struct PictureTests {
    private static let photo = InputValue.file(
        UploadedFile(name: "Carte d’Asie.JPG", contentType: "image/jpeg", bytes: TestPictures.photo))

    private func download(_ hash: BlobHash, in quizId: UUID, _ fixture: QuizFixture, as caller: Caller) async throws
        -> DownloadedFile
    {
        let route = try #require(
            fixture.feature.endpoints.downloads.first { $0.path.hasSuffix("/pictures/{hash}") })
        return try await route.file(
            ["quizId": quizId.text, "hash": hash.text], fixture.school.context(of: caller))
    }

    /// A question with a picture in its text.
    private func pictured(
        _ fixture: QuizFixture, _ quiz: Quiz, _ changes: [String: InputValue] = [:]
    ) async throws -> Question {
        var fields: [String: InputValue] = [
            "quizId": .id(quiz.id), "kind": "multipleChoice", "text": "Which city?", "option1": "Rome",
            "option2": "Tyre", "isRight1": true, "picture": Self.photo,
            "pictureAlternative": "A map",
        ]
        fields.merge(changes) { $1 }
        return try await fixture.school.execute(AddQuestion.self, .object(fields), as: fixture.teacher)
    }

    private func update(
        _ fixture: QuizFixture, _ quiz: Quiz, _ question: Question, _ changes: [String: InputValue]
    ) async throws -> Question {
        var fields: [String: InputValue] = [
            "quizId": .id(quiz.id), "questionId": .id(question.id), "kind": "multipleChoice",
            "text": .text(question.text),
        ]
        for (index, option) in question.options.enumerated() {
            fields["option\(index + 1)"] = .text(option.text)
            fields["isRight\(index + 1)"] = .bool(option.isRight)
            fields["id\(index + 1)"] = .id(option.id)
        }
        fields.merge(changes) { $1 }
        return try await fixture.school.execute(UpdateQuestion.self, .object(fields), as: fixture.teacher)
    }

    @Test("a picture is stored again from its pixels, and its Markdown follows the text")
    func adds() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let question = try await pictured(fixture, quiz)
        #expect(question.text == "Which city?\n\n![A map](carte-d-asie.jpg)")
        let picture = try #require(question.pictures.first)
        #expect(picture.name == "carte-d-asie.jpg" && picture.width == QuestionPicture.side)
        let page = try await fixture.school.environment.outline(
            QuizPath.question(question.id, of: quiz.id), as: fixture.teacher)
        #expect(page.contains("(picture: A map)"))
        #expect(picture.markdown(alternative: "A [1]\n$5!") == "![A \\[1\\] \\$5\\!](carte-d-asie.jpg)")
    }

    @Test("a second picture goes to an option under a name of its own")
    func addsToOption() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let first = try await pictured(fixture, quiz)
        let second = try await update(
            fixture, quiz, first,
            ["picture": Self.photo, "pictureAlternative": "A coin", "picturePlace": "option2"])
        #expect(second.options.map(\.text) == ["Rome", "Tyre ![A coin](carte-d-asie-2.jpg)"])
        #expect(second.pictures.map(\.name) == ["carte-d-asie.jpg", "carte-d-asie-2.jpg"])
    }

    @Test("a picture without a text alternative, and a file that is no picture, are refused")
    func refuses() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        for (field, changes) in [
            ("pictureAlternative", ["pictureAlternative": ""] as [String: InputValue]),
            (
                "picture",
                ["picture": .file(UploadedFile(name: "a.jpg", contentType: "image/jpeg", bytes: [1, 2, 3]))]
            ),
            ("picture", ["picture": .null]),
        ] {
            await #expect {
                try await pictured(fixture, quiz, changes)
            } throws: { error in
                (error as? Problem)?.faults.map(\.field) == [field]
            }
        }
    }

    @Test("only those who lead the course, and students with an attempt, see a picture")
    func isSeen() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let hash = try #require(try await pictured(fixture, quiz).pictures.first?.hash)
        try await fixture.publish(quiz)
        func sees(_ caller: Caller, _ hash: BlobHash, in id: UUID) async -> Bool {
            do {
                _ = try await download(hash, in: id, fixture, as: caller)
                return true
            } catch { return false }
        }
        #expect(await sees(fixture.teacher, hash, in: quiz.id))
        #expect(await !sees(fixture.stranger, hash, in: quiz.id))
        #expect(await !sees(fixture.mia, hash, in: quiz.id))
        try await fixture.start(quiz, as: fixture.mia)
        #expect(await sees(fixture.mia, hash, in: quiz.id))
        #expect(await !sees(fixture.noah, hash, in: quiz.id))
        #expect(await !sees(fixture.teacher, BlobHash(of: [7]), in: quiz.id))
        let other = try await fixture.quiz()
        #expect(await !sees(fixture.teacher, hash, in: other.id))
    }

    @Test("a picture stays with an attempt after it was removed from the question")
    func staysWithAttempt() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let question = try await pictured(fixture, quiz)
        try await fixture.publish(quiz)
        let state = try await fixture.start(quiz, as: fixture.mia)
        let changed = try await update(fixture, quiz, question, ["text": "Which one?"])
        #expect(changed.pictures.isEmpty)
        func cited() async throws -> [String] {
            try await fixture.school.database.read { sql in
                try sql.rows("SELECT sha256 FROM assessment_pictures").map { try $0.get("sha256") }
            }
        }
        #expect(try await cited() == question.pictures.map(\.hash.text))
        let again = try await fixture.start(quiz, as: fixture.mia)
        #expect(again.attempt.id == state.attempt.id && again.questions.first?.pictures == question.pictures)
        try await fixture.school.execute(DeleteQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        #expect(try await cited().isEmpty)
    }

    @Test("a picture that nobody has seen is forgotten once it is removed from the question")
    func isRemoved() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let question = try await pictured(fixture, quiz)
        _ = try await update(fixture, quiz, question, ["text": "Which one?"])
        let count = try await fixture.school.database.read { sql in
            try sql.rows("SELECT sha256 FROM assessment_pictures").count
        }
        #expect(count == 0)
    }

    @Test("copies, the bank and questions inserted from it have the pictures")
    func copies() async throws {
        let fixture = try await QuizFixture()
        let (quiz, other) = (try await fixture.quiz(), try await fixture.quiz())
        let question = try await pictured(fixture, quiz)
        let ids: InputValue = ["quizId": .id(quiz.id), "questionId": .id(question.id)]
        let copy = try await fixture.school.execute(DuplicateQuestion.self, ids, as: fixture.teacher)
        #expect(copy.pictures == question.pictures)
        let saved = try await fixture.school.execute(SaveToBank.self, ids, as: fixture.teacher)
        try await fixture.school.execute(DeleteQuiz.self, ["quizId": .id(quiz.id)], as: fixture.teacher)
        let inserted = try await fixture.school.execute(
            InsertFromBank.self, ["quizId": .id(other.id), "bankId": .id(saved.id)], as: fixture.teacher)
        #expect(inserted.pictures == question.pictures)
        let hash = try #require(inserted.pictures.first?.hash)
        _ = try await download(hash, in: other.id, fixture, as: fixture.teacher)
    }

    @Test("formulas are shown as formulas, and those that cannot be read are named in the builder")
    func formulas() async throws {
        let fixture = try await QuizFixture()
        let quiz = try await fixture.quiz()
        let question: Question = try await fixture.school.execute(
            AddQuestion.self,
            [
                "quizId": .id(quiz.id), "kind": "multipleChoice",
                "text": "What is $\\frac{1}{2}$ of $4? And $\\foo$?",
                "option1": "$x^2$", "option2": "2*3*4", "isRight1": true,
            ], as: fixture.teacher)
        let page = try await fixture.school.environment.outline(
            QuizPath.question(question.id, of: quiz.id), as: fixture.teacher)
        #expect(page.contains("What is (formula: 1/2) of $4? And $\\foo$?"))
        #expect(page.contains("(formula: x²)") && page.contains("2*3*4"))
        #expect(page.contains("1 formula cannot be read"))
    }

    @Test("a question that was stored before there were pictures is read")
    func readsOld() throws {
        let old = """
            {"id":"7B0B1C2E-9C1B-4B57-9C0D-2F0B7D3C1A11","kind":"shortAnswer","text":"A?","options":[],
            "accepted":[["a"]],"ignoresAccents":false,"isFullForAll":false}
            """
        #expect(try QuizRepository.decode(Question.self, old).pictures.isEmpty)
    }

    @Test("an option is shown as it was typed, apart from pictures of its question and formulas")
    func options() throws {
        let picture = QuestionPicture(name: "a.jpg", hash: BlobHash(of: [1]), width: 2, height: 3)
        let text = OptionText("*x* ![A \\[b\\]](a.jpg) ![no](b.jpg) $y$ \\$5", pictures: [picture])
        #expect(
            text.parts == [
                .text("*x* "), .picture(picture, alternative: "A [b]"), .text(" ![no](b.jpg)"), .text(" "),
                .formula(try #require(Formula("y"))), .text(" $5"),
            ])
        #expect(text.plainText == "*x* A [b] ![no](b.jpg) y $5")
    }
}
