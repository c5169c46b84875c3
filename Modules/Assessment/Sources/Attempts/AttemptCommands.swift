import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Starts an attempt.
struct StartQuiz: Command {
    static let contract = Contract(
        "assessment.start", "/api/v1/quizzes/{quizId}/start", access: .member(.takeQuizzes), replay: .natural,
        summary: "Starts an attempt, or returns the open one, so that a lost answer uses up no attempt.")
    typealias Result = AttemptState

    let quizId: UUID

    init(_ fields: inout FieldReader) { quizId = fields.id("quizId") }
}

/// Stores the answer to one question.
struct SaveAnswer: Command {
    static let contract = Contract(
        "assessment.answer", "/api/v1/quizzes/{quizId}/attempts/{attemptId}/answers",
        access: .member(.takeQuizzes), isOfflineCapable: true, replay: .natural,
        summary: "Stores the answer to one question of an open attempt. The latest answer counts.")
    typealias Result = SavedAnswer

    let quizId: UUID
    let attemptId: UUID
    let questionId: UUID
    let answer: QuizAnswer
    let isMarked: Bool

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        attemptId = fields.id("attemptId")
        questionId = fields.id("questionId")
        answer = QuizAnswer(
            optionIds: fields.ids("optionIds", max: 6),
            texts: fields.list("texts", max: 50) { $0.optionalText("text", max: 2000) ?? "" },
            number: fields.optionalText("number", max: 40))
        isMarked = fields.flag("isMarked")
    }
}

/// Hands in an attempt.
struct HandInQuiz: Command {
    static let contract = Contract(
        "assessment.handIn", "/api/v1/quizzes/{quizId}/attempts/{attemptId}/hand-in",
        access: .member(.takeQuizzes), isOfflineCapable: true, replay: .natural,
        summary: "Closes an attempt with the stored answers. A second time changes nothing.")
    typealias Result = Done

    let quizId: UUID
    let attemptId: UUID

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        attemptId = fields.id("attemptId")
    }
}

/// Reads an own attempt.
struct ReadAttempt: Query {
    static let contract = Contract(
        "assessment.attempt", "/api/v1/quizzes/{quizId}/attempts/{attemptId}", access: .member(.takeQuizzes),
        summary: "An attempt of the caller with its questions in its order, and the stored answers.")
    typealias Result = AttemptState

    let quizId: UUID
    let attemptId: UUID

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        attemptId = fields.id("attemptId")
    }
}

/// An attempt as its student sees it. The score is left out until results are shown.
struct AttemptState: Codable, Sendable {
    let attempt: QuizAttempt
    /// The time of the server, from which a device counts the remaining time.
    let now: Date
    let questions: [AskedQuestion]
}

/// The confirmation that an answer is stored.
struct SavedAnswer: Codable, Sendable {
    let questionId: UUID
    let savedAt: Date
    /// Whether the answer arrived after the end, within the grace period. It counts.
    let isLate: Bool
    /// Whether the answer replaced one that was given on another device.
    let replacedOtherDevice: Bool
    /// The end of the attempt, which extra time may have moved.
    let endsAt: Date?
}

/// The endpoints of attempts.
struct AttemptHandlers: Sendable {
    let access: QuizAccess
    let versions: QuestionVersions

    var queries: [QueryRegistration] {
        [
            .handle(ReadAttempt.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let (stored, quiz) = try own(query.attemptId, of: query.quizId, membership, in: sql)
                    return try state(stored, quiz, at: context.now, in: sql)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(StartQuiz.self) { command, context in
                let membership = try context.membership
                let (quiz, course) = try access.quiz(command.quizId, takenBy: membership, in: context.sql)
                let stored = try start(quiz, course, membership.personId, &context)
                context.destination = QuizPath.attempt(stored.attempt.id, at: quiz.id)
                return try state(stored, quiz, at: context.now, in: context.sql)
            },
            .handle(SaveAnswer.self) { command, context in
                let (stored, quiz) = try own(
                    command.attemptId, of: command.quizId, context.membership, in: context.sql)
                guard stored.attempt.accepts(at: context.now) else { throw Problem(409, "assessment.closed") }
                return try save(command, stored, quiz, &context)
            },
            .handle(HandInQuiz.self) { command, context in
                let (stored, quiz) = try own(
                    command.attemptId, of: command.quizId, context.membership, in: context.sql)
                context.destination = QuizPath.attempt(stored.attempt.id, at: quiz.id)
                guard stored.attempt.closedAt == nil else { return Done() }
                let ending: QuizAttempt.Ending = stored.attempt.accepts(at: context.now) ? .handedIn : .timeOver
                let changes = try AttemptClosing.close(
                    stored, ending, of: quiz, versions, at: context.now, in: context.sql)
                for change in changes { context.record(change) }
                context.feedback = Feedback(.burst, context.words("assessment.said.handedIn"))
                return Done()
            },
        ]
    }

    /// Returns the open attempt of a student, or a new one.
    private func start(
        _ quiz: Quiz, _ course: Course, _ studentId: UUID, _ context: inout CommandContext
    ) throws -> StoredAttempt {
        let (sql, now) = (context.sql, context.now)
        let attempts = try AttemptRepository.attempts(of: studentId, at: quiz.id, in: sql)
        if let last = attempts.last, last.attempt.closedAt == nil {
            if last.attempt.accepts(at: now) { return last }
            let changes = try AttemptClosing.close(last, .timeOver, of: quiz, versions, at: now, in: sql)
            for change in changes { context.record(change) }
        }
        guard !course.isArchived else { throw Problem(409, "assessment.isArchived") }
        if let opens = quiz.opensAt, now < opens { throw Problem(409, "assessment.notOpen") }
        let extra = try AttemptRepository.extraMinutes(of: studentId, at: quiz.id, in: sql)
        if let due = quiz.dueAt, now >= due.addingTimeInterval(Double(extra) * 60) {
            throw Problem(409, "assessment.isOver")
        }
        if let allowed = quiz.attempts, attempts.count >= allowed { throw Problem(409, "assessment.noAttemptLeft") }
        let pool = try QuizPool(of: quiz, course, in: sql)
        let versionId = try currentVersion(of: quiz, pool, &context)
        let drawn = pool.draws.isEmpty ? nil : pool.draw(quiz)
        let asked = try versions.version(versionId, in: sql).questions(drawn: drawn)
        let stored = StoredAttempt(
            attempt: QuizAttempt(
                id: context.newId(), quizId: quiz.id, studentId: studentId,
                number: (attempts.last?.attempt.number ?? 0) + 1, startedAt: now,
                endsAt: AttemptTime.end(
                    start: now, minutes: quiz.minutes, due: quiz.dueAt, extraMinutes: extra),
                maximum: asked.reduce(0) { $0 + ($1.points ?? 0) }),
            versionId: versionId, seed: Int64.random(in: 0...Int64.max), language: context.words.language,
            drawn: drawn)
        try AttemptRepository.insert(stored, in: sql)
        context.record(AttemptChange.change("assessment.started", stored.attempt, of: quiz))
        return stored
    }

    /// Returns the version with the current questions, which is stored when the first attempt needs it. Its questions
    /// have their points.
    private func currentVersion(
        of quiz: Quiz, _ pool: QuizPool, _ context: inout CommandContext
    ) throws -> UUID {
        let ids = pool.ids
        if let id = try QuizRepository.currentVersion(of: quiz.id, in: context.sql) {
            // Questions were added to the bank, or deleted from it.
            if try versions.version(id, in: context.sql).pool == ids { return id }
            try QuizRepository.retireVersion(of: quiz.id, in: context.sql)
        }
        var questions = try QuizRepository.questions(of: quiz.id, in: context.sql)
        if !ids.isEmpty { questions += try DrawRepository.questions(ids, of: quiz.id, in: context.sql) }
        guard !questions.isEmpty else { throw Problem(409, "assessment.noQuestions") }
        let id = context.newId()
        try QuizRepository.insertVersion(
            id, of: quiz.id, QuestionVersion(questions: questions.map { $0.priced(quiz) }, pool: ids),
            isCurrent: true, at: context.now, in: context.sql)
        return id
    }

    private func save(
        _ command: SaveAnswer, _ stored: StoredAttempt, _ quiz: Quiz, _ context: inout CommandContext
    ) throws -> SavedAnswer {
        let questions = try versions.questions(of: stored, in: context.sql)
        guard let question = questions.first(where: { $0.id == command.questionId }) else { throw Problem.notFound }
        let answer = command.answer
        let known = Set(question.options.map(\.id))
        guard answer.optionIds.allSatisfy(known.contains) else {
            throw Problem.invalid("optionIds", "assessment.unknownOption")
        }
        guard answer.optionIds.count < 2 || question.takesSeveral, answer.texts.count <= question.textCount else {
            throw Problem.invalid("optionIds", "assessment.tooMuch")
        }
        let old = try AttemptRepository.answer(to: question.id, of: stored.attempt.id, in: context.sql)
        let isLate = stored.attempt.endsAt.map { context.now > $0 } ?? false
        try AttemptRepository.put(
            StoredAnswer(
                questionId: question.id, answer: answer, isMarked: command.isMarked, isLate: isLate,
                deviceId: context.deviceId,
                points: QuestionScoring.score(
                    answer, to: question, points: question.points ?? 0, in: stored.language),
                givenPoints: old?.givenPoints, savedAt: context.now),
            of: stored.attempt.id, in: context.sql)
        if old?.answer.isEmpty ?? true, !answer.isEmpty {
            // Pages of teachers count the answers; the log has only the start and the end of an attempt.
            context.send(
                Signal(
                    "assessment.answered", topics: [QuizChange.topic(quiz.id)],
                    audience: QuizChange.staff(of: quiz.courseId), from: stored.attempt.studentId))
        }
        let replacesOther = old.map { $0.deviceId != context.deviceId } ?? false
        if let deviceId = context.deviceId,
            try replacesOther
                || AttemptRepository.hasAnswers(
                    stored.attempt.id, fromOtherDeviceThan: deviceId, in: context.sql)
        {
            // The student's other devices show the answer. The sender is the attempt, because a signal does not reach
            // the person who sent it.
            context.send(
                Signal(
                    "assessment.answeredElsewhere",
                    topics: [AttemptChange.topic(quiz.id, stored.attempt.studentId)],
                    audience: [.person(stored.attempt.studentId)], from: stored.attempt.id))
        }
        return SavedAnswer(
            questionId: question.id, savedAt: context.now, isLate: isLate,
            replacedOtherDevice: old.map { $0.deviceId != context.deviceId && $0.answer != answer } ?? false,
            endsAt: stored.attempt.endsAt)
    }

    /// Returns an attempt of the member. Throws `Problem.notFound` for all others.
    func own(
        _ attemptId: UUID, of quizId: UUID, _ membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (StoredAttempt, Quiz) {
        guard let stored = try AttemptRepository.attempt(attemptId, in: sql), stored.attempt.quizId == quizId,
            stored.attempt.studentId == membership.personId, let quiz = try QuizRepository.quiz(quizId, in: sql)
        else { throw Problem.notFound }
        return (stored, quiz)
    }

    /// Returns an attempt as its student sees it.
    func state(
        _ stored: StoredAttempt, _ quiz: Quiz, at now: Date, in sql: any SQLReading
    ) throws -> AttemptState {
        let answers = try AttemptRepository.answers(of: stored.attempt.id, in: sql)
        var attempt = stored.attempt
        if !quiz.areResultsShown { attempt.score = nil }
        return AttemptState(
            attempt: attempt, now: now,
            questions: try questions(of: stored, quiz, in: sql).map { question in
                let saved = answers[question.id]
                return AskedQuestion(
                    question, points: question.points ?? 0, answer: saved?.answer,
                    isMarked: saved?.isMarked ?? false,
                    savedAt: saved?.savedAt)
            })
    }

    /// The questions of an attempt in its order.
    func questions(of stored: StoredAttempt, _ quiz: Quiz, in sql: any SQLReading) throws -> [Question] {
        QuestionOrder.questions(
            try versions.questions(of: stored, in: sql), seed: stored.seed, shuffles: quiz.shufflesQuestions,
            options: quiz.shufflesOptions)
    }
}

extension Question {
    /// Returns the question with its points, which are the quiz's default if it has none of its own.
    func priced(_ quiz: Quiz) -> Question {
        var question = self
        question.points = points ?? quiz.points
        return question
    }
}
