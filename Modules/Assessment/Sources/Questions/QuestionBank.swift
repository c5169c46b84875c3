import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// A question of the bank (`quiz_question_bank`), from which copies are inserted into quizzes.
struct BankQuestion: Identifiable, Codable, Sendable {
    let id: UUID
    let question: Question
    let tags: [String]
    /// Whether all teachers of the school see the question.
    let isShared: Bool
    let personId: UUID
    /// The number of questions in quizzes that are copies of this one.
    let useCount: Int
}

/// Lists the questions of the bank.
struct ListBank: Query {
    static let contract = Contract(
        "assessment.bank", "/api/v1/question-bank", access: .member(.teachCourses),
        summary: "The caller's questions of the bank and shared ones, newest first, by words and by a tag.")
    typealias Result = Page<BankQuestion>

    let query: String?
    let tag: String?

    init(_ fields: inout FieldReader) {
        query = fields.optionalText("q", max: 100)
        tag = fields.optionalText("tag", max: 40)
    }
}

/// Saves a copy of a question in the bank.
struct SaveToBank: Command {
    static let contract = Contract(
        "assessment.saveToBank", "/api/v1/quizzes/{quizId}/questions/{questionId}/bank",
        access: .member(.teachCourses), isCreation: true,
        summary: "Saves a copy of a question in the bank, with tags, for oneself or for all teachers.")
    typealias Result = BankQuestion

    let quizId: UUID
    let questionId: UUID
    let tags: [String]
    let isShared: Bool

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        questionId = fields.id("questionId")
        let typed = fields.optionalText("tags", max: 200) ?? ""
        tags = typed.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        isShared = fields.flag("isShared")
    }
}

/// Inserts a copy of a question of the bank into a quiz.
struct InsertFromBank: Command {
    static let contract = Contract(
        "assessment.insertFromBank", "/api/v1/quizzes/{quizId}/bank/{bankId}", access: .member(.teachCourses),
        isCreation: true, summary: "Adds a copy of a question of the bank to the end of a quiz.")
    typealias Result = Question

    let quizId: UUID
    let bankId: UUID

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        bankId = fields.id("bankId")
    }
}

/// Deletes an own question from the bank.
struct DeleteFromBank: Command {
    static let contract = Contract(
        "assessment.deleteFromBank", "/api/v1/question-bank/{bankId}/delete", access: .member(.teachCourses),
        replay: .natural, summary: "Deletes an own question from the bank. Copies in quizzes stay.")
    typealias Result = Done

    let bankId: UUID

    init(_ fields: inout FieldReader) { bankId = fields.id("bankId") }
}

/// Reads and writes the question bank.
enum BankRepository {
    /// The most questions that a search returns.
    static let limit = 200

    /// The questions that a person sees, newest first.
    static func questions(
        for personId: UUID, query: String?, tag: String?, in sql: any SQLReading
    ) throws -> [BankQuestion] {
        let pattern = query.map { "%\(AnswerText.folded($0, ignoringAccents: true).likeEscaped)%" } ?? "%"
        return try sql.rows(
            """
            SELECT b.*, (SELECT COUNT(*) FROM assessment_questions q WHERE q.origin_id = b.id) AS use_count
            FROM assessment_bank b WHERE (b.person_id = \(personId) OR b.is_shared = 1)
                AND b.folded LIKE \(pattern) ESCAPE '\\'
            ORDER BY b.created_at DESC, b.id LIMIT \(limit)
            """
        ).map(question).filter { question in tag.map { question.tags.contains($0) } ?? true }
    }

    static func question(_ id: UUID, in sql: any SQLReading) throws -> BankQuestion? {
        try sql.row(
            """
            SELECT b.*, (SELECT COUNT(*) FROM assessment_questions q WHERE q.origin_id = b.id) AS use_count
            FROM assessment_bank b WHERE b.id = \(id)
            """
        ).map(question)
    }

    static func insert(_ question: BankQuestion, at instant: Date, in sql: any SQLWriting) throws {
        let words = ([question.question.text] + question.tags).joined(separator: " ")
        try sql.execute(
            """
            INSERT INTO assessment_bank (id, person_id, is_shared, tags, folded, body, created_at)
            VALUES (\(question.id), \(question.personId), \(question.isShared),
                \(question.tags.joined(separator: ",")), \(AnswerText.folded(words, ignoringAccents: true)),
                \(try QuizRepository.encode(question.question)), \(instant))
            """)
        try PictureRepository.add(question.question, toBank: question.id, in: sql)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM assessment_bank WHERE id = \(id)")
        try PictureRepository.removeFromBank(id, in: sql)
    }

    private static func question(_ row: SQLRow) throws -> BankQuestion {
        try BankQuestion(
            id: row.get("id"), question: QuizRepository.decode(Question.self, row.get("body")),
            tags: row.get("tags", as: String.self).split(separator: ",").map(String.init),
            isShared: row.get("is_shared"), personId: row.get("person_id"), useCount: row.get("use_count"))
    }
}

/// The endpoints of the question bank.
struct BankHandlers: Sendable {
    let access: QuizAccess

    var queries: [QueryRegistration] {
        [
            .handle(ListBank.self) { query, context in
                let personId = try context.membership.personId
                return try await context.school.read { sql in
                    Page(
                        items: try BankRepository.questions(
                            for: personId, query: query.query, tag: query.tag, in: sql),
                        next: nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(SaveToBank.self) { command, context in
                let membership = try context.membership
                let quiz = try access.quiz(command.quizId, ledBy: membership, in: context.sql).quiz
                guard
                    let question = try QuizRepository.questions(of: quiz.id, in: context.sql).first(where: {
                        $0.id == command.questionId
                    })
                else { throw Problem.notFound }
                let saved = BankQuestion(
                    id: context.newId(), question: question.copy(newId: context.newId), tags: command.tags,
                    isShared: command.isShared, personId: membership.personId, useCount: 0)
                try BankRepository.insert(saved, at: context.now, in: context.sql)
                context.record(
                    Change(
                        "assessment.banked", topics: [BankScreens.topic],
                        audience: command.isShared ? [.role(.guide)] : [.person(membership.personId)],
                        payload: ["quiz": quiz.id.text, "course": quiz.courseId.text]))
                context.feedback = Feedback(.toast, context.words("assessment.said.banked"))
                return saved
            },
            .handle(InsertFromBank.self) { command, context in
                let membership = try context.membership
                var (quiz, _) = try access.quiz(command.quizId, ledBy: membership, in: context.sql)
                guard let saved = try BankRepository.question(command.bankId, in: context.sql),
                    saved.isShared || saved.personId == membership.personId
                else { throw Problem.notFound }
                var questions = try QuizRepository.questions(of: quiz.id, in: context.sql)
                guard questions.count < QuestionHandlers.most else {
                    throw Problem(409, "assessment.tooManyQuestions", [.number(QuestionHandlers.most)])
                }
                var copy = saved.question.copy(newId: context.newId)
                // The origin is the question of the bank, by which its use is known.
                copy.originId = saved.id
                questions.append(copy)
                try QuizRepository.replace(questions, of: &quiz, in: context.sql)
                context.record(QuizChange.change("assessment.questionsChanged", quiz))
                context.feedback = Feedback(.toast, context.words("assessment.said.inserted"))
                return copy
            },
            .handle(DeleteFromBank.self) { command, context in
                let personId = try context.membership.personId
                guard let saved = try BankRepository.question(command.bankId, in: context.sql),
                    saved.personId == personId
                else { throw Problem.notFound }
                try BankRepository.delete(saved.id, in: context.sql)
                context.record(
                    Change(
                        "assessment.unbanked", topics: [BankScreens.topic],
                        audience: saved.isShared ? [.role(.guide)] : [.person(personId)]))
                context.feedback = Feedback(.toast, context.words("assessment.said.unbanked"))
                return Done()
            },
        ]
    }
}
