import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Gives points by hand.
struct MarkAnswer: Command {
    static let contract = Contract(
        "assessment.mark", "/api/v1/quizzes/{quizId}/attempts/{attemptId}/points", access: .member(.teachCourses),
        replay: .natural,
        summary: "Sets the points of an answer by hand; without points, those of the key count again.")
    typealias Result = Done

    let quizId: UUID
    let attemptId: UUID
    let questionId: UUID
    let points: Int?

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        attemptId = fields.id("attemptId")
        questionId = fields.id("questionId")
        points = Points.read("points", &fields)
    }
}

/// Reads the scores that a regrade would change.
struct PreviewRegrade: Query {
    static let contract = Contract(
        "assessment.regradePreview", "/api/v1/quizzes/{quizId}/regrade", access: .member(.teachCourses),
        summary: "The scores that would change if closed attempts were scored by the questions as they are now.")
    typealias Result = Page<ScoreChange>

    let quizId: UUID

    init(_ fields: inout FieldReader) { quizId = fields.id("quizId") }
}

/// Scores closed attempts again.
struct RegradeQuiz: Command {
    static let contract = Contract(
        "assessment.regrade", "/api/v1/quizzes/{quizId}/regrade", access: .member(.teachCourses), replay: .natural,
        summary: "Scores closed attempts again, by the questions as they are now.")
    typealias Result = Page<ScoreChange>

    let quizId: UUID

    init(_ fields: inout FieldReader) { quizId = fields.id("quizId") }
}

/// Gives everyone the full points of a question.
struct GiveFullPoints: Command {
    static let contract = Contract(
        "assessment.fullPoints", "/api/v1/quizzes/{quizId}/questions/{questionId}/full-points",
        access: .member(.teachCourses), replay: .natural,
        summary: "Gives all students the full points of a question, in past and later attempts, or takes this back."
    )
    typealias Result = Page<ScoreChange>

    let quizId: UUID
    let questionId: UUID
    let isOn: Bool

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        questionId = fields.id("questionId")
        isOn = fields.flag("isOn")
    }
}

/// The endpoints for marking by hand and for regrading.
struct MarkHandlers: Sendable {
    let access: QuizAccess
    let versions: QuestionVersions

    var queries: [QueryRegistration] {
        [
            .handle(PreviewRegrade.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let quiz = try access.quiz(query.quizId, ledBy: membership, in: sql).quiz
                    return Page(items: try regrade(quiz, in: sql).scores, next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(MarkAnswer.self) { command, context in
                let quiz = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql).quiz
                guard let stored = try AttemptRepository.attempt(command.attemptId, in: context.sql),
                    stored.attempt.quizId == quiz.id,
                    let question = try versions.questions(of: stored, in: context.sql).first(where: {
                        $0.id == command.questionId
                    })
                else { throw Problem.notFound }
                guard stored.attempt.closedAt != nil else { throw Problem(409, "assessment.stillOpen") }
                let most = question.points ?? 0
                guard command.points ?? 0 <= most else {
                    throw Problem.invalid("points", "assessment.pointsAbove", [.text("\(Double(most) / 100)")])
                }
                let old = try AttemptRepository.answer(to: question.id, of: stored.attempt.id, in: context.sql)
                var answer =
                    old
                    ?? StoredAnswer(
                        questionId: question.id, answer: QuizAnswer(), isMarked: false, isLate: false,
                        deviceId: nil,
                        points: question.isFullForAll ? most : 0, givenPoints: nil, savedAt: context.now)
                answer.givenPoints = command.points
                try AttemptRepository.put(answer, of: stored.attempt.id, in: context.sql)
                try AttemptRepository.addUp([stored.attempt.id], in: context.sql)
                context.record(AttemptChange.change("assessment.marked", stored.attempt, of: quiz))
                context.record(AttemptChange.scored(quiz, stored.attempt.studentId))
                context.feedback = Feedback(.toast, context.words("assessment.said.marked"))
                return Done()
            },
            .handle(RegradeQuiz.self) { command, context in
                let quiz = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql).quiz
                let changes = try apply(regrade(quiz, in: context.sql), to: quiz, &context)
                context.feedback = Feedback(.toast, context.words("assessment.said.regraded", changes.items.count))
                context.destination = QuizPath.results(quiz.id)
                return changes
            },
            .handle(GiveFullPoints.self) { command, context in
                var (quiz, _) = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql)
                var questions = try QuizRepository.questions(of: quiz.id, in: context.sql)
                if let place = questions.firstIndex(where: { $0.id == command.questionId }) {
                    guard questions[place].isFullForAll != command.isOn else { return Page(items: [], next: nil) }
                    questions[place].isFullForAll = command.isOn
                    try QuizRepository.replace(questions, of: &quiz, in: context.sql)
                } else {
                    guard let drawn = try drawnQuestion(command.questionId, of: quiz, in: context.sql) else {
                        throw Problem.notFound
                    }
                    guard drawn.isFullForAll != command.isOn else { return Page(items: [], next: nil) }
                    try DrawRepository.setFullPoints(command.isOn, to: drawn.id, of: quiz.id, in: context.sql)
                    // The next attempt stores the questions anew.
                    try QuizRepository.retireVersion(of: quiz.id, in: context.sql)
                }
                context.record(QuizChange.change("assessment.questionsChanged", quiz))
                let changes = try apply(
                    regrade(quiz, only: command.questionId, in: context.sql), to: quiz, &context)
                context.feedback = Feedback(
                    .toast,
                    context.words(
                        command.isOn ? "assessment.said.fullPoints" : "assessment.said.noFullPoints",
                        changes.items.count))
                return changes
            },
        ]
    }

    /// Computes the scores of closed attempts by the questions as they are now, or by one of them.
    func regrade(_ quiz: Quiz, only questionId: UUID? = nil, in sql: any SQLReading) throws -> Regrade {
        let questions = try QuizRepository.questions(of: quiz.id, in: sql).map { ($0.id, $0.priced(quiz)) }
        let fixed = Dictionary(uniqueKeysWithValues: questions)
        let full = try DrawRepository.fullPoints(of: quiz.id, in: sql)
        return try Regrade(of: quiz, versions, in: sql) { question, isDrawn in
            guard questionId == nil || question.id == questionId else { return question }
            guard isDrawn else { return fixed[question.id] ?? question }
            var drawn = question
            drawn.isFullForAll = full.contains(drawn.id)
            return drawn
        }
    }

    /// Returns a question of the bank that closed attempts at a quiz may have, as one of them has it, with whether
    /// everyone gets its full points now.
    func drawnQuestion(_ id: UUID, of quiz: Quiz, in sql: any SQLReading) throws -> Question? {
        for versionId in try AttemptRepository.versionsOfClosed(at: quiz.id, in: sql) {
            let version = try versions.version(versionId, in: sql)
            guard version.pool.contains(id), var question = version.questions.first(where: { $0.id == id }) else {
                continue
            }
            question.isFullForAll = try DrawRepository.fullPoints(of: quiz.id, in: sql).contains(id)
            return question
        }
        return nil
    }

    private func apply(
        _ regrade: Regrade, to quiz: Quiz, _ context: inout CommandContext
    ) throws -> Page<ScoreChange> {
        guard !regrade.isEmpty else { return Page(items: [], next: nil) }
        let students = try regrade.apply(to: quiz, in: context)
        context.record(QuizChange.change("assessment.regraded", quiz))
        for student in students { context.record(AttemptChange.scored(quiz, student)) }
        return Page(items: regrade.scores, next: nil)
    }
}
