import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Imports questions in GIFT.
struct ImportGIFT: Command {
    static let contract = Contract(
        "assessment.importGIFT", "/api/v1/quizzes/{quizId}/import/gift", access: .member(.teachCourses),
        bodyLimit: 2 << 20,
        summary: """
            Adds the questions of a GIFT text to a quiz. If some have no counterpart, nothing is added and they are \
            named, unless leavesOut is set.
            """)
    typealias Result = ImportAnswer

    let quizId: UUID
    let gift: String
    let leavesOut: Bool

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        gift = fields.text("gift", max: 1_000_000, multiline: true)
        leavesOut = fields.flag("leavesOut")
    }
}

/// The result of an import.
struct ImportAnswer: Codable, Sendable {
    /// The number of questions that were added.
    let count: Int
    let leftOut: [ImportedQuestions.LeftOut]
}

/// Import and export of questions.
struct ExchangeHandlers: Sendable {
    let access: QuizAccess

    static func path(_ quizId: UUID) -> String { "\(QuizPath.quiz(quizId))/exchange" }

    var commands: [CommandRegistration] {
        [
            .handle(ImportGIFT.self) { command, context in
                var (quiz, _) = try access.quiz(command.quizId, ledBy: context.membership, in: context.sql)
                let read = GIFT.read(command.gift, newId: context.newId)
                let titles = read.leftOut.map(\.title).joined(separator: "; ")
                guard command.leavesOut || read.leftOut.isEmpty else {
                    throw Problem.invalid(
                        "gift", "assessment.leftOut", [.number(read.leftOut.count), .text(titles)])
                }
                guard !read.questions.isEmpty else { throw Problem.invalid("gift", "assessment.nothingRead") }
                var questions = try QuizRepository.questions(of: quiz.id, in: context.sql)
                guard questions.count + read.questions.count <= QuestionHandlers.most else {
                    throw Problem(409, "assessment.tooManyQuestions", [.number(QuestionHandlers.most)])
                }
                questions += read.questions
                try QuizRepository.replace(questions, of: &quiz, in: context.sql)
                context.record(QuizChange.change("assessment.questionsChanged", quiz))
                context.feedback = Feedback(.toast, context.words("assessment.said.imported", read.questions.count))
                context.destination = QuizPath.quiz(quiz.id)
                return ImportAnswer(count: read.questions.count, leftOut: read.leftOut)
            }
        ]
    }

    var downloads: [DownloadRoute] {
        [
            DownloadRoute("/quizzes/{quizId}/questions.gift", access: .member(.teachCourses)) {
                parameters, context in
                guard let quizId = parameters["quizId"].flatMap(UUID.init(text:)) else { throw Problem.notFound }
                let membership = try context.membership
                let (quiz, questions) = try await context.school.read { sql in
                    let quiz = try access.quiz(quizId, ledBy: membership, in: sql).quiz
                    return (quiz, try QuizRepository.questions(of: quiz.id, in: sql))
                }
                return DownloadedFile(
                    .bytes(Array(GIFT.write(questions).utf8)), name: "\(quiz.title).gift",
                    contentType: "text/plain; charset=utf-8")
            }
        ]
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/quizzes/{quizId}/exchange", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await exchange($0))
            }
        ]
    }

    private func exchange(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, quizId) = (
            request.words, try request.context.membership, try request.id("quizId")
        )
        let quiz = try await request.context.school.read { try access.quiz(quizId, ledBy: membership, in: $0).quiz }
        var body: [Component] = [
            .form(
                request.form(
                    ImportGIFT.self, ["quizId": quiz.id.text], id: "import",
                    fields: [
                        PTField(
                            .multiline, name: "gift", label: words("assessment.gift"),
                            hint: words("assessment.giftTip"), isRequired: true, maxLength: 1_000_000),
                        PTField(
                            .toggle, name: "leavesOut", label: words("assessment.leavesOut"), value: "false",
                            hint: words("assessment.leavesOutTip")),
                    ], submit: SubmitButton(title: words("assessment.import"))))
        ]
        if quiz.maximum > 0 {
            body.append(
                .links(
                    PTLinks(links: [
                        .init(
                            title: words("assessment.export"),
                            action: .open("\(QuizPath.quiz(quiz.id))/questions.gift"))
                    ])))
        }
        return Screen(
            title: words("assessment.exchange"), subtitle: quiz.title, back: QuizPath.quiz(quiz.id), body: body)
    }
}
