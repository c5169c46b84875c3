import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Adds a part to a quiz whose questions are drawn from the bank.
struct AddDraw: Command {
    static let contract = Contract(
        "assessment.addDraw", "/api/v1/quizzes/{quizId}/draws", access: .member(.teachCourses), isCreation: true,
        summary: """
            Adds questions to a quiz that are drawn from the bank by a tag, once for each attempt, among shared ones and \
            those of the course's teachers.
            """)
    typealias Result = QuizDraw

    let quizId: UUID
    let tag: String
    let count: Int
    let points: Int?

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        tag = fields.text("tag", max: 40)
        count = fields.integer("count", in: 1...QuizDraw.most, default: 1)
        points = Points.read("points", &fields)
    }
}

/// Removes a part of a quiz whose questions are drawn from the bank.
struct DeleteDraw: Command {
    static let contract = Contract(
        "assessment.deleteDraw", "/api/v1/quizzes/{quizId}/draws/{drawId}/delete", access: .member(.teachCourses),
        replay: .natural, summary: "Removes a draw from a quiz. Attempts that have started keep their questions.")
    typealias Result = Done

    let quizId: UUID
    let drawId: UUID

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        drawId = fields.id("drawId")
    }
}

/// The draws of a quiz with the questions of the bank from which they choose.
struct QuizPool: Sendable {
    let draws: [QuizDraw]
    /// The ids of the questions among which each draw chooses.
    let candidates: [[UUID]]

    /// Reads the draws of a quiz. A question of the bank that the quiz has a copy of is not drawn.
    init(of quiz: Quiz, _ course: Course, in sql: any SQLReading) throws {
        draws = try DrawRepository.draws(of: quiz.id, in: sql)
        guard !draws.isEmpty else {
            candidates = []
            return
        }
        let copied = try DrawRepository.origins(of: quiz.id, in: sql)
        candidates = try draws.map { draw in
            try DrawRepository.candidates(draw.tag, of: course.teacherIds, in: sql).filter { !copied.contains($0) }
        }
    }

    /// The ids of all questions that may be drawn.
    var ids: Set<UUID> { Set(candidates.joined()) }
    /// The number of questions that the draws ask together.
    var count: Int { draws.reduce(0) { $0 + $1.count } }

    private var places: [[UUID]] {
        zip(draws, candidates).flatMap { Array(repeating: $1, count: $0.count) }
    }

    /// Draws the questions of an attempt, no question twice.
    func draw(_ quiz: Quiz) -> [DrawnQuestion] {
        var generator = SystemRandomNumberGenerator()
        let points = draws.flatMap { Array(repeating: $0.points ?? quiz.points, count: $0.count) }
        return zip(QuestionDrawing.draw(places, using: &generator), points).compactMap { id, points in
            id.map { DrawnQuestion(id: $0, points: points) }
        }
    }

    /// The number of questions that the bank has too few.
    var missing: Int {
        var generator = SystemRandomNumberGenerator()
        return QuestionDrawing.draw(places, using: &generator).count { $0 == nil }
    }
}

/// Reads and writes the draws of quizzes.
enum DrawRepository {
    static func draws(of quizId: UUID, in sql: any SQLReading) throws -> [QuizDraw] {
        try sql.rows("SELECT * FROM assessment_draws WHERE quiz_id = \(quizId) ORDER BY created_at, id").map {
            row in
            try QuizDraw(
                id: row.get("id"), quizId: quizId, tag: row.get("tag"), count: row.get("count"),
                points: row.optional("points"))
        }
    }

    /// The sum of the points of all drawn questions of a quiz, in hundredths.
    static func points(of quiz: Quiz, in sql: any SQLReading) throws -> Int {
        try draws(of: quiz.id, in: sql).reduce(0) { $0 + $1.count * ($1.points ?? quiz.points) }
    }

    static func insert(_ draw: QuizDraw, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO assessment_draws (id, quiz_id, tag, count, points, created_at)
            VALUES (\(draw.id), \(draw.quizId), \(draw.tag), \(draw.count), \(draw.points), \(instant))
            """)
    }

    static func delete(_ id: UUID, of quizId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM assessment_draws WHERE id = \(id) AND quiz_id = \(quizId)")
    }

    static func deleteAll(of quizId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM assessment_draws WHERE quiz_id = \(quizId)")
        try sql.execute("DELETE FROM assessment_full_points WHERE quiz_id = \(quizId)")
    }

    /// The ids of the drawn questions of a quiz whose full points everyone gets.
    static func fullPoints(of quizId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows("SELECT question_id FROM assessment_full_points WHERE quiz_id = \(quizId)").map {
                try $0.get("question_id")
            })
    }

    /// Sets whether everyone gets the full points of a drawn question.
    static func setFullPoints(
        _ isOn: Bool, to questionId: UUID, of quizId: UUID, in sql: any SQLWriting
    ) throws {
        if isOn {
            try sql.execute(
                "INSERT INTO assessment_full_points (quiz_id, question_id) VALUES (\(quizId), \(questionId))")
        } else {
            try sql.execute(
                """
                DELETE FROM assessment_full_points WHERE quiz_id = \(quizId) AND question_id = \(questionId)
                """)
        }
    }

    /// The questions of the bank of which a quiz has copies.
    static func origins(of quizId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows(
                "SELECT origin_id FROM assessment_questions WHERE quiz_id = \(quizId) AND origin_id IS NOT NULL"
            ).map { try $0.get("origin_id") })
    }

    /// The questions of the bank with a tag that are shared or belong to some teachers, oldest first.
    static func candidates(_ tag: String, of teacherIds: [UUID], in sql: any SQLReading) throws -> [UUID] {
        let pattern = "%,\(tag.likeEscaped),%"
        return try sql.rows(
            """
            SELECT id FROM assessment_bank WHERE (is_shared = 1 OR person_id IN \(list: teacherIds))
                AND ',' || tags || ',' LIKE \(pattern) ESCAPE '\\' ORDER BY created_at, id
            """
        ).map { try $0.get("id") }
    }

    /// The questions of the bank with some ids, which they have in the attempts at a quiz too.
    static func questions(_ ids: Set<UUID>, of quizId: UUID, in sql: any SQLReading) throws -> [Question] {
        guard !ids.isEmpty else { return [] }
        let full = try fullPoints(of: quizId, in: sql)
        return try sql.rows("SELECT * FROM assessment_bank ORDER BY created_at, id").compactMap { row in
            let id: UUID = try row.get("id")
            guard ids.contains(id) else { return nil }
            let saved = try QuizRepository.decode(Question.self, row.get("body"))
            var question = Question(
                id: id, kind: saved.kind, text: saved.text, pictures: saved.pictures, options: saved.options,
                accepted: saved.accepted, tolerance: saved.tolerance, ignoresAccents: saved.ignoresAccents,
                points: saved.points, explanation: saved.explanation, originId: id)
            question.isFullForAll = full.contains(id)
            return question
        }
    }
}

/// The endpoints of draws.
struct DrawHandlers: Sendable {
    let access: QuizAccess

    var commands: [CommandRegistration] {
        [
            .handle(AddDraw.self) { command, context in
                let (quiz, course) = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql)
                let draw = QuizDraw(
                    id: context.newId(), quizId: quiz.id, tag: command.tag, count: command.count,
                    points: command.points)
                let before = try QuizPool(of: quiz, course, in: context.sql)
                guard before.count + draw.count <= QuizDraw.most else {
                    throw Problem(409, "assessment.tooManyDrawn", [.number(QuizDraw.most)])
                }
                try DrawRepository.insert(draw, at: context.now, in: context.sql)
                let missing = try QuizPool(of: quiz, course, in: context.sql).missing
                if quiz.isPublished, missing > 0 {
                    throw Problem(409, "assessment.bankTooSmall", [.number(missing)])
                }
                try renew(quiz, &context)
                context.feedback = Feedback(.toast, context.words("assessment.said.drawSaved"))
                context.destination = QuizPath.quiz(quiz.id)
                return draw
            },
            .handle(DeleteDraw.self) { command, context in
                let quiz = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql).quiz
                try DrawRepository.delete(command.drawId, of: quiz.id, in: context.sql)
                try renew(quiz, &context)
                context.feedback = Feedback(.toast, context.words("assessment.said.drawDeleted"))
                return Done()
            },
        ]
    }

    /// Computes the quiz's points again, and lets the next attempt store the questions as they are then.
    private func renew(_ quiz: Quiz, _ context: inout CommandContext) throws {
        var quiz = quiz
        let questions = try QuizRepository.questions(of: quiz.id, in: context.sql)
        try QuizRepository.replace(questions, of: &quiz, in: context.sql)
        guard quiz.maximum > 0 || !quiz.isPublished else { throw Problem(409, "assessment.noQuestions") }
        context.record(QuizChange.change("assessment.questionsChanged", quiz))
    }
}
