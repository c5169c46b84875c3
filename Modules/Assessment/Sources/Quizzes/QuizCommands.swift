import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Lists the quizzes of a course.
struct ListQuizzes: Query {
    static let contract = Contract(
        "assessment.quizzes", "/api/v1/courses/{courseId}/quizzes", access: .member(.viewCourses),
        summary: "The quizzes of a course, oldest first; drafts only for those who lead the course.")
    typealias Result = Page<Quiz>

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// Reads a quiz with its questions and their keys.
struct ReadQuiz: Query {
    static let contract = Contract(
        "assessment.quiz", "/api/v1/quizzes/{quizId}", access: .member(.teachCourses),
        summary: "A quiz with its questions and their keys.")

    struct Result: Codable, Sendable {
        let quiz: Quiz
        let questions: [Question]
        /// The parts of the quiz whose questions are drawn from the bank for each attempt.
        let draws: [QuizDraw]
    }

    let quizId: UUID

    init(_ fields: inout FieldReader) { quizId = fields.id("quizId") }
}

/// Creates a quiz.
struct CreateQuiz: Command {
    static let contract = Contract(
        "assessment.create", "/api/v1/courses/{courseId}/quizzes", access: .member(.teachCourses), isCreation: true,
        summary: "Creates a quiz as a draft.")
    typealias Result = Quiz

    let courseId: UUID
    let draft: QuizDraft

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        draft = QuizDraft(&fields)
    }
}

/// Changes the rules of a quiz.
struct UpdateQuiz: Command {
    static let contract = Contract(
        "assessment.update", "/api/v1/quizzes/{quizId}", access: .member(.teachCourses),
        summary:
            "Changes the rules of a quiz. Open attempts get the new end. Refused with 409 if a version is given and someone has changed the rules since."
    )
    typealias Result = Quiz

    let quizId: UUID
    let draft: QuizDraft
    /// The `Quiz.content` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        draft = QuizDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Publishes a quiz, or hides it again.
struct PublishQuiz: Command {
    static let contract = Contract(
        "assessment.publish", "/api/v1/quizzes/{quizId}/publish", access: .member(.teachCourses), replay: .natural,
        summary: "Publishes a quiz to the students of the course, or hides it again with isPublished=false.")
    typealias Result = Quiz

    let quizId: UUID
    let isPublished: Bool

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        isPublished = fields.flag("isPublished")
    }
}

/// Deletes a quiz.
struct DeleteQuiz: Command {
    static let contract = Contract(
        "assessment.delete", "/api/v1/quizzes/{quizId}/delete", access: .member(.teachCourses),
        summary: "Deletes a quiz with its questions, attempts and scores.")
    typealias Result = Done

    let quizId: UUID

    init(_ fields: inout FieldReader) { quizId = fields.id("quizId") }
}

/// Gives a student extra time.
struct SetExtraTime: Command {
    static let contract = Contract(
        "assessment.extraTime", "/api/v1/quizzes/{quizId}/extra-time", access: .member(.teachCourses),
        replay: .natural,
        summary: "Sets a student's extra minutes for a quiz, also during an attempt. 0 takes them away.")
    typealias Result = Done

    let quizId: UUID
    let studentId: UUID
    let minutes: Int

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        studentId = fields.id("studentId")
        minutes = fields.integer("minutes", in: 0...600, default: 0)
    }
}

extension Quiz {
    /// The version of the rules that the form of a quiz edits.
    var content: ContentVersion {
        ContentVersion([
            title, details, minutes.map(String.init), String(points), passing.map(String.init),
            attempts.map(String.init), String(shufflesQuestions), String(shufflesOptions), results.rawValue,
            String(showsAnswers), String(showsExplanations), opensAt.map { String($0.timeIntervalSince1970) },
            dueAt.map { String($0.timeIntervalSince1970) },
        ])
    }
}

/// The endpoints of quizzes and their rules.
struct QuizHandlers: Sendable {
    /// The most quizzes of a course.
    static let most = 500

    let access: QuizAccess

    var queries: [QueryRegistration] {
        [
            .handle(ListQuizzes.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let course = try access.courses.course(query.courseId, enteredBy: membership, in: sql)
                    let leads = course.isLed(by: membership)
                    return Page(
                        items: try QuizRepository.quizzes(of: course.id, in: sql).filter {
                            leads || $0.isPublished
                        },
                        next: nil)
                }
            },
            .handle(ReadQuiz.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let quiz = try access.quiz(query.quizId, ledBy: membership, in: sql).quiz
                    return ReadQuiz.Result(
                        quiz: quiz, questions: try QuizRepository.questions(of: quiz.id, in: sql),
                        draws: try DrawRepository.draws(of: quiz.id, in: sql))
                }
            },
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(CreateQuiz.self) { command, context in
                let course = try access.courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                guard !course.isArchived else { throw Problem(409, "assessment.isArchived") }
                guard try QuizRepository.quizzes(of: course.id, in: context.sql).count < Self.most else {
                    throw Problem(409, "assessment.full", [.number(Self.most)])
                }
                var quiz = Quiz(id: context.newId(), courseId: course.id, title: "", createdAt: context.now)
                try checkDays(command.draft, context)
                try command.draft.apply(to: &quiz, in: context.caller.timeZone)
                try QuizRepository.save(quiz, in: context.sql)
                context.record(QuizChange.change("assessment.created", quiz))
                context.destination = QuizPath.quiz(quiz.id)
                return quiz
            },
            .handle(UpdateQuiz.self) { command, context in
                var (quiz, _) = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql)
                let before = quiz
                try before.content.check(command.version, "assessment.changed")
                try checkDays(command.draft, context)
                try command.draft.apply(to: &quiz, in: context.caller.timeZone)
                if quiz.points != before.points {
                    quiz.maximum = try QuizRepository.maximum(
                        of: quiz, QuizRepository.questions(of: quiz.id, in: context.sql), in: context.sql)
                    try QuizRepository.retireVersion(of: quiz.id, in: context.sql)
                }
                // Results that were hidden until an earlier due time stay hidden until the new one.
                if quiz.results == .afterDue, quiz.dueAt.map({ $0 > context.now }) ?? true { quiz.releasedAt = nil }
                quiz.version += 1
                try QuizRepository.save(quiz, in: context.sql)
                if quiz.minutes != before.minutes || quiz.dueAt != before.dueAt {
                    try setEnds(of: quiz, in: context.sql)
                }
                context.record(QuizChange.change("assessment.changed", quiz, isForCourse: quiz.isPublished))
                context.feedback = Feedback(.toast, context.words("assessment.said.saved", quiz.title))
                context.destination = QuizPath.quiz(quiz.id)
                return quiz
            },
            .handle(PublishQuiz.self) { command, context in
                var (quiz, course) = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql)
                guard quiz.isPublished != command.isPublished else { return quiz }
                if command.isPublished {
                    guard quiz.maximum > 0 else { throw Problem(409, "assessment.noQuestions") }
                    let missing = try QuizPool(of: quiz, course, in: context.sql).missing
                    guard missing == 0 else { throw Problem(409, "assessment.bankTooSmall", [.number(missing)]) }
                } else if try AttemptRepository.hasAttempts(at: quiz.id, in: context.sql) {
                    throw Problem(409, "assessment.hasAttempts")
                }
                quiz.publishedAt = command.isPublished ? context.now : nil
                try QuizRepository.save(quiz, in: context.sql)
                context.record(
                    QuizChange.change(
                        command.isPublished ? "assessment.published" : "assessment.hidden", quiz, isForCourse: true)
                )
                context.feedback = Feedback(
                    .toast,
                    context.words(command.isPublished ? "assessment.said.published" : "assessment.said.hidden"))
                return quiz
            },
            .handle(DeleteQuiz.self) { command, context in
                let (quiz, _) = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql)
                let students = Set(
                    try AttemptRepository.attempts(at: quiz.id, in: context.sql).map(\.attempt.studentId))
                try QuizRepository.delete(quiz.id, in: context.sql)
                context.record(QuizChange.change("assessment.deleted", quiz, isForCourse: quiz.isPublished))
                for student in students.sorted() {
                    context.record(AttemptChange.scored(quiz, student))
                }
                context.feedback = Feedback(.toast, context.words("assessment.said.deleted", quiz.title))
                context.destination = QuizPath.course(quiz.courseId)
                return Done()
            },
            .handle(SetExtraTime.self) { command, context in
                let (quiz, _) = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql)
                guard try access.roster.students(of: quiz.courseId, in: context.sql).contains(command.studentId)
                else { throw Problem.notFound }
                try AttemptRepository.setExtraMinutes(
                    command.minutes, of: command.studentId, at: quiz.id, in: context.sql)
                try setEnds(of: quiz, student: command.studentId, in: context.sql)
                context.record(
                    Change(
                        "assessment.extraTime",
                        topics: [QuizChange.topic(quiz.id), AttemptChange.topic(quiz.id, command.studentId)],
                        audience: QuizChange.staff(of: quiz.courseId) + [.person(command.studentId)],
                        payload: [
                            "quiz": quiz.id.text, "course": quiz.courseId.text, "student": command.studentId.text,
                            "minutes": String(command.minutes),
                        ]))
                context.feedback = Feedback(.toast, context.words("assessment.said.extraTime", command.minutes))
                return Done()
            },
        ]
    }

    private func checkDays(_ draft: QuizDraft, _ context: CommandContext) throws {
        try context.checkNear(draft.opensDay, "opensDay", years: 2)
        try context.checkNear(draft.dueDay, "dueDay", years: 2)
    }

    /// Computes the ends of open attempts again, after a change of the rules or of extra time.
    private func setEnds(of quiz: Quiz, student: UUID? = nil, in sql: any SQLWriting) throws {
        let extra = try AttemptRepository.extraMinutes(at: quiz.id, in: sql)
        for stored in try AttemptRepository.attempts(at: quiz.id, in: sql) {
            let attempt = stored.attempt
            guard attempt.closedAt == nil, student == nil || attempt.studentId == student else { continue }
            let end = AttemptTime.end(
                start: attempt.startedAt, minutes: quiz.minutes, due: quiz.dueAt,
                extraMinutes: extra[attempt.studentId] ?? 0)
            if end != attempt.endsAt { try AttemptRepository.setEnd(attempt.id, end, in: sql) }
        }
    }
}

/// The paths of the block's pages.
enum QuizPath {
    static func course(_ courseId: UUID) -> String { "/courses/\(courseId.text)" }
    static func quiz(_ quizId: UUID) -> String { "/quizzes/\(quizId.text)" }
    static func settings(_ quizId: UUID) -> String { "\(quiz(quizId))/settings" }
    static func preview(_ quizId: UUID) -> String { "\(quiz(quizId))/preview" }
    static func results(_ quizId: UUID) -> String { "\(quiz(quizId))/results" }
    static func bank(_ quizId: UUID) -> String { "\(quiz(quizId))/bank" }
    static func question(_ questionId: UUID, of quizId: UUID) -> String {
        "\(quiz(quizId))/questions/\(questionId.text)"
    }
    static func drawn(_ questionId: UUID, of quizId: UUID) -> String {
        "\(quiz(quizId))/drawn/\(questionId.text)"
    }
    static func newQuestion(_ kind: Question.Kind, of quizId: UUID) -> String {
        "\(quiz(quizId))/new-question?kind=\(kind.rawValue)"
    }
    static func attempt(_ attemptId: UUID, at quizId: UUID) -> String {
        "\(quiz(quizId))/attempts/\(attemptId.text)"
    }
}
