import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// The fields of a question's form.
struct QuestionDraft: Sendable {
    /// One option as it is typed; without a text it is left out.
    struct Option: Sendable {
        let id: UUID?
        let text: String?
        let isRight: Bool
    }

    /// The name of a field that there is once for each option: `option1`.
    static func field(_ name: String, _ number: Int) -> String { name + String(number) }

    let kind: Question.Kind
    let text: String
    let options: [Option]
    let isTrue: Bool
    let accepted: [String]
    let tolerance: String?
    let ignoresAccents: Bool
    let points: Int?
    let explanation: String?
    let picture: PictureDraft

    init(_ fields: inout FieldReader) {
        kind = fields.choice("kind")
        text = fields.text("text", max: Question.longestText, multiline: true)
        options = (1...6).map { number in
            Option(
                id: fields.optionalId("id\(number)"),
                text: fields.optionalText("option\(number)", max: Question.longestOption),
                isRight: fields.flag("isRight\(number)"))
        }
        isTrue = fields.flag("isTrue")
        accepted = (fields.optionalText("accepted", max: Question.longestExplanation, multiline: true) ?? "")
            .split(whereSeparator: \.isNewline).map(String.init)
        tolerance = fields.optionalText("tolerance", max: 40)
        ignoresAccents = fields.flag("ignoresAccents")
        points = Points.read("points", &fields)
        explanation = fields.optionalText("explanation", max: Question.longestExplanation, multiline: true)
        picture = PictureDraft(&fields)
    }

    /// Returns the question with the draft's content and its new picture. Throws `Problem` 422 if it cannot be asked.
    func question(
        _ old: Question?, _ added: StoredPicture?, id: UUID, newId: () -> UUID
    ) throws -> Question {
        var question = Question(
            id: id, kind: kind, text: text, pictures: old?.pictures ?? [], ignoresAccents: ignoresAccents,
            points: points,
            explanation: explanation,
            isFullForAll: old?.isFullForAll ?? false, originId: old?.originId)
        var options = self.options
        if let added { try Self.add(added, to: &question, options: &options) }
        switch kind {
        case .multipleChoice:
            let known = Dictionary(uniqueKeysWithValues: (old?.options ?? []).map { ($0.id, $0) })
            question.options = options.compactMap { option in
                guard let text = option.text else { return nil }
                let stored = option.id.flatMap { known[$0] }
                // A share that was imported is kept while the option stays right or wrong.
                let share = stored.flatMap { $0.isRight == option.isRight ? $0.share : nil }
                return QuestionOption(id: stored?.id ?? newId(), text: text, isRight: option.isRight, share: share)
            }
        case .trueFalse:
            let ids = old?.kind == .trueFalse ? old?.options.map(\.id) ?? [] : []
            question.options = Question.trueFalseOptions(
                isTrue: isTrue, ids: ids.count == 2 ? (ids[0], ids[1]) : (newId(), newId()))
        case .shortAnswer: question.accepted = [accepted.map(Self.trimmed).filter { !$0.isEmpty }]
        case .fillInTheBlank:
            question.accepted = accepted.map { line in
                line.split(separator: "|").map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
            }
        case .numeric:
            question.accepted = [accepted.map { NumberText.stored($0) }]
            question.tolerance = tolerance.map { NumberText.stored($0) }
        }
        if let fault = question.fault { throw Problem.invalid(fault.field, fault.code) }
        return question.withoutUnusedPictures
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }
}

/// Converts the numbers of an answer key to the form in which they are stored: with a decimal point.
enum NumberText {
    static func stored(_ typed: String) -> String {
        let text = typed.trimmingCharacters(in: .whitespaces)
        if ExactNumber(text) != nil { return text }
        // A comma is the decimal separator of a key, because a key has no groups.
        let pointed = text.replacing(",", with: ".").replacing("\u{2212}", with: "-")
        return ExactNumber(pointed) != nil ? pointed : text
    }
}

extension QuestionFault {
    /// The code of the fault, by which its sentence is found.
    var code: String {
        switch self {
        case .optionCount: "assessment.optionCount"
        case .noRightOption: "assessment.noRightOption"
        case .sameOptions: "assessment.sameOptions"
        case .blankCount: "assessment.blankCount"
        case .noAnswer: "assessment.noAnswer"
        case .notANumber: "assessment.notANumber"
        }
    }

    /// The field of the form that shows the fault.
    var field: String {
        switch self {
        case .optionCount, .sameOptions: "option1"
        case .noRightOption: "isRight1"
        case .blankCount, .noAnswer, .notANumber: "accepted"
        }
    }
}

/// Adds a question to a quiz.
struct AddQuestion: Command {
    static let contract = Contract(
        "assessment.addQuestion", "/api/v1/quizzes/{quizId}/questions", access: .member(.teachCourses),
        isCreation: true, bodyLimit: QuestionPictures.bodyLimit,
        summary: "Adds a question to the end of a quiz, with a picture if there is one.")
    typealias Result = Question

    let quizId: UUID
    let draft: QuestionDraft

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        draft = QuestionDraft(&fields)
    }
}

/// Changes a question.
struct UpdateQuestion: Command {
    static let contract = Contract(
        "assessment.updateQuestion", "/api/v1/quizzes/{quizId}/questions/{questionId}",
        access: .member(.teachCourses), bodyLimit: QuestionPictures.bodyLimit,
        summary:
            "Changes a question. Attempts that have started keep the question as it was. Refused with 409 if a version is given and someone has changed the question since."
    )
    typealias Result = Question

    let quizId: UUID
    let questionId: UUID
    let draft: QuestionDraft
    /// The `Question.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        questionId = fields.id("questionId")
        draft = QuestionDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Duplicates a question.
struct DuplicateQuestion: Command {
    static let contract = Contract(
        "assessment.duplicateQuestion", "/api/v1/quizzes/{quizId}/questions/{questionId}/duplicate",
        access: .member(.teachCourses), isCreation: true, summary: "Adds a copy of a question after it.")
    typealias Result = Question

    let quizId: UUID
    let questionId: UUID

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        questionId = fields.id("questionId")
    }
}

/// Moves a question.
struct MoveQuestion: Command {
    static let contract = Contract(
        "assessment.moveQuestion", "/api/v1/quizzes/{quizId}/questions/{questionId}/move",
        access: .member(.teachCourses), replay: .natural,
        summary: "Moves a question before another one, or to the end.")
    typealias Result = Done

    let quizId: UUID
    let questionId: UUID
    let before: UUID?

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        questionId = fields.id("questionId")
        before = fields.optionalId("before")
    }
}

/// Deletes a question.
struct DeleteQuestion: Command {
    static let contract = Contract(
        "assessment.deleteQuestion", "/api/v1/quizzes/{quizId}/questions/{questionId}/delete",
        access: .member(.teachCourses),
        summary: "Deletes a question from a quiz. Attempts that have started keep it.")
    typealias Result = Done

    let quizId: UUID
    let questionId: UUID

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        questionId = fields.id("questionId")
    }
}

/// The endpoints of a quiz's questions.
struct QuestionHandlers: Sendable {
    /// The most questions of a quiz.
    static let most = 1000

    let access: QuizAccess
    let pictures: QuestionPictures

    var commands: [CommandRegistration] {
        [
            .handle(
                AddQuestion.self,
                prepare: { command, context in
                    try await store(command.draft.picture, in: command.quizId, context)
                },
                run: { command, added, context in
                    var (quiz, questions) = try read(command.quizId, context)
                    guard questions.count < Self.most else {
                        throw Problem(409, "assessment.tooManyQuestions", [.number(Self.most)])
                    }
                    let question = try command.draft.question(
                        nil, added, id: context.newId(), newId: context.newId)
                    questions.append(question)
                    try save(questions, of: &quiz, &context)
                    answer(question, added, in: quiz, &context)
                    return question
                }),
            .handle(
                UpdateQuestion.self,
                prepare: { command, context in
                    try await store(command.draft.picture, in: command.quizId, context)
                },
                run: { command, added, context in
                    var (quiz, questions) = try read(command.quizId, context)
                    let place = try Self.place(of: command.questionId, in: questions)
                    try questions[place].version.check(command.version, "assessment.questionChanged")
                    let question = try command.draft.question(
                        questions[place], added, id: command.questionId, newId: context.newId)
                    questions[place] = question
                    try save(questions, of: &quiz, changed: question.id, &context)
                    answer(question, added, in: quiz, &context)
                    return question
                }),
            .handle(DuplicateQuestion.self) { command, context in
                var (quiz, questions) = try read(command.quizId, context)
                let place = try Self.place(of: command.questionId, in: questions)
                guard questions.count < Self.most else {
                    throw Problem(409, "assessment.tooManyQuestions", [.number(Self.most)])
                }
                let copy = questions[place].copy(newId: context.newId)
                questions.insert(copy, at: place + 1)
                try save(questions, of: &quiz, &context)
                context.feedback = Feedback(.toast, context.words("assessment.said.duplicated"))
                return copy
            },
            .handle(MoveQuestion.self) { command, context in
                var (quiz, questions) = try read(command.quizId, context)
                let question = questions.remove(at: try Self.place(of: command.questionId, in: questions))
                let place = try command.before.map { try Self.place(of: $0, in: questions) } ?? questions.endIndex
                questions.insert(question, at: place)
                try save(questions, of: &quiz, &context)
                return Done()
            },
            .handle(DeleteQuestion.self) { command, context in
                var (quiz, questions) = try read(command.quizId, context)
                questions.remove(at: try Self.place(of: command.questionId, in: questions))
                try save(questions, of: &quiz, &context)
                guard quiz.maximum > 0 || !quiz.isPublished else { throw Problem(409, "assessment.noQuestions") }
                context.feedback = Feedback(.toast, context.words("assessment.said.questionDeleted"))
                context.destination = QuizPath.quiz(quiz.id)
                return Done()
            },
        ]
    }

    /// Stores the picture of a form before the transaction, after a check that the caller leads the course.
    private func store(
        _ draft: PictureDraft, in quizId: UUID, _ context: RequestContext
    ) async throws -> StoredPicture? {
        let membership = try context.membership
        _ = try await context.school.read { try access.quiz(quizId, ledBy: membership, in: $0) }
        return try await pictures.store(draft, context)
    }

    /// Confirms a saved question. Its own page follows if there is something to look at there: a new picture, or a
    /// formula that cannot be read.
    private func answer(
        _ question: Question, _ added: StoredPicture?, in quiz: Quiz, _ context: inout CommandContext
    ) {
        context.feedback = Feedback(.toast, context.words("assessment.said.questionSaved"))
        context.destination =
            added == nil && question.unreadableFormulas.isEmpty
            ? QuizPath.quiz(quiz.id) : QuizPath.question(question.id, of: quiz.id)
    }

    private func read(_ quizId: UUID, _ context: CommandContext) throws -> (Quiz, [Question]) {
        let quiz = try access.quiz(quizId, ledBy: context.membership, in: context.sql).quiz
        return (quiz, try QuizRepository.questions(of: quiz.id, in: context.sql))
    }

    /// Stores the questions of a quiz. The change names the question whose content changed, if it is one.
    private func save(
        _ questions: [Question], of quiz: inout Quiz, changed: UUID? = nil, _ context: inout CommandContext
    ) throws {
        try QuizRepository.replace(questions, of: &quiz, in: context.sql)
        context.record(QuizChange.change("assessment.questionsChanged", quiz, question: changed))
    }

    private static func place(of questionId: UUID, in questions: [Question]) throws -> Int {
        guard let place = questions.firstIndex(where: { $0.id == questionId }) else { throw Problem.notFound }
        return place
    }
}

extension Question {
    /// The version of the fields that the form of a question edits.
    var version: ContentVersion {
        ContentVersion(
            [kind.rawValue, text, tolerance, String(ignoresAccents), points.map(String.init), explanation]
                + options.flatMap { [$0.text, String($0.isRight)] } + ["accepted"]
                + accepted.map { $0.joined(separator: "\n") })
    }

    /// Returns a copy with new ids, which names this question as its origin.
    func copy(newId: () -> UUID) -> Question {
        Question(
            id: newId(), kind: kind, text: text, pictures: pictures,
            options: options.map {
                QuestionOption(id: newId(), text: $0.text, isRight: $0.isRight, share: $0.share)
            }, accepted: accepted, tolerance: tolerance, ignoresAccents: ignoresAccents, points: points,
            explanation: explanation, originId: id)
    }
}
