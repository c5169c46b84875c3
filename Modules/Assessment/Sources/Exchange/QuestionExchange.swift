import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Imports questions from a text in GIFT.
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

/// Imports questions from a file.
struct ImportQuestions: Command {
    static let contract = Contract(
        "assessment.import", "/api/v1/quizzes/{quizId}/import", access: .member(.teachCourses),
        bodyLimit: QuestionFileReader.largest + (64 << 10),
        summary: """
            Adds the questions of a file to a quiz: GIFT, Moodle XML, or QTI 2.1 to 3.0 as XML or as a ZIP package. If \
            some have no counterpart, nothing is added and they are named, unless leavesOut is set.
            """)
    typealias Result = ImportAnswer

    let quizId: UUID
    /// The file. A request without one is refused after the caller's rights were checked.
    let file: UploadedFile?
    let leavesOut: Bool

    init(_ fields: inout FieldReader) {
        quizId = fields.id("quizId")
        file = fields.optionalFiles("file", max: 1).first
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
    let files: QuestionFileReader
    let pictures: ImportedPictureStore
    let packer: any Packing

    static func path(_ quizId: UUID) -> String { "\(QuizPath.quiz(quizId))/exchange" }

    var commands: [CommandRegistration] {
        [
            .handle(
                ImportGIFT.self,
                prepare: { command, context in
                    try await prepare(command.quizId, context) {
                        GIFT.read(command.gift, newId: UUID.init)
                    }
                },
                run: { command, read, context in
                    try add(read, to: command.quizId, command.leavesOut, field: "gift", &context)
                }),
            .handle(
                ImportQuestions.self,
                prepare: { command, context in
                    try await prepare(command.quizId, context) {
                        guard let file = command.file else { throw Problem.invalid("file", "required") }
                        return try files.read(file, newId: UUID.init)
                    }
                },
                run: { command, read, context in
                    try add(read, to: command.quizId, command.leavesOut, field: "file", &context)
                }),
        ]
    }

    /// Reads questions and stores their pictures before the transaction, after a check that the caller leads the course.
    private func prepare(
        _ quizId: UUID, _ context: RequestContext, _ read: () throws -> ImportedQuestions
    ) async throws -> ImportedQuestions {
        let membership = try context.membership
        _ = try await context.school.read { try access.quiz(quizId, ledBy: membership, in: $0) }
        return try await pictures.store(try read(), in: context.files)
    }

    /// Adds questions to the end of a quiz. Throws `Problem` 422 with the names of those that have no counterpart,
    /// unless these are left out.
    private func add(
        _ read: ImportedQuestions, to quizId: UUID, _ leavesOut: Bool, field: String,
        _ context: inout CommandContext
    ) throws -> ImportAnswer {
        var (quiz, _) = try access.quiz(quizId, ledBy: context.membership, in: context.sql)
        guard leavesOut || read.leftOut.isEmpty else {
            throw Problem.invalid(
                field, "assessment.leftOut",
                [.number(read.leftOut.count), .text(Self.names(read.leftOut, context.words))])
        }
        guard !read.questions.isEmpty else { throw Problem.invalid(field, "assessment.nothingRead") }
        var questions = try QuizRepository.questions(of: quiz.id, in: context.sql)
        guard questions.count + read.questions.count <= QuestionHandlers.most else {
            throw Problem(409, "assessment.tooManyQuestions", [.number(QuestionHandlers.most)])
        }
        // The ids of the transaction replace those of the preparation.
        questions += read.questions.map { $0.renewed(context.newId) }
        try QuizRepository.replace(questions, of: &quiz, in: context.sql)
        context.record(QuizChange.change("assessment.questionsChanged", quiz))
        context.feedback = Feedback(.toast, context.words("assessment.said.imported", read.questions.count))
        context.destination = QuizPath.quiz(quiz.id)
        return ImportAnswer(count: read.questions.count, leftOut: read.leftOut)
    }

    /// The number of questions that a refusal names.
    private static let named = 40

    /// The titles of questions, each with the reason why it has no counterpart.
    private static func names(_ leftOut: [ImportedQuestions.LeftOut], _ words: Words) -> String {
        let names = leftOut.prefix(named).map {
            words("assessment.leftOutNamed", $0.title, words("assessment.leftOut.\($0.reason.rawValue)"))
        }
        return (names + (leftOut.count > named ? ["…"] : [])).joined(separator: "; ")
    }

    var downloads: [DownloadRoute] {
        [
            DownloadRoute("/quizzes/{quizId}/questions.gift", access: .member(.teachCourses)) {
                parameters, context in
                let (quiz, questions) = try await read(parameters["quizId"], context)
                return DownloadedFile(
                    .bytes(Array(GIFT.write(questions).utf8)), name: "\(quiz.title).gift",
                    contentType: "text/plain; charset=utf-8")
            },
            DownloadRoute("/quizzes/{quizId}/questions.zip", access: .member(.teachCourses)) {
                parameters, context in
                let (quiz, questions) = try await read(parameters["quizId"], context)
                var parts = files.qti.package(questions, title: quiz.title, points: quiz.points).map {
                    ArchivePart($0.name, .bytes(Data($0.text.utf8)))
                }
                var known: Set<BlobHash> = []
                for picture in questions.flatMap(\.pictures) where known.insert(picture.hash).inserted {
                    guard let url = try await context.files.file(picture.hash) else { continue }
                    parts.append(ArchivePart(QTI.fileName(picture), .bytes(try Data(contentsOf: url))))
                }
                return DownloadedFile(
                    .bytes(Array(try packer.zip(parts))), name: "\(quiz.title).zip", contentType: "application/zip")
            },
        ]
    }

    private func read(_ id: String?, _ context: RequestContext) async throws -> (Quiz, [Question]) {
        guard let quizId = id.flatMap(UUID.init(text:)) else { throw Problem.notFound }
        let membership = try context.membership
        return try await context.school.read { sql in
            let quiz = try access.quiz(quizId, ledBy: membership, in: sql).quiz
            return (quiz, try QuizRepository.questions(of: quiz.id, in: sql))
        }
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
        let (quiz, left) = try await request.context.school.read { sql in
            let quiz = try access.quiz(quizId, ledBy: membership, in: sql).quiz
            return (quiz, try QuizRepository.questions(of: quiz.id, in: sql).filter { !$0.isInGIFT })
        }
        let ids = ["quizId": quiz.id.text]
        let leavesOut = PTField(
            .toggle, name: "leavesOut", label: words("assessment.leavesOut"), value: "false",
            hint: words("assessment.leavesOutTip"))
        func section(_ title: String, _ body: Component) -> Component {
            .section(PTSection(title: words(title), body: [body]))
        }
        var body: [Component] = [
            section(
                "assessment.importFile",
                .form(
                    request.form(
                        ImportQuestions.self, ids, id: "import",
                        fields: [
                            PTField(
                                .file(accept: Self.accepted), name: "file", label: words("assessment.file"),
                                hint: words("assessment.fileTip"), isRequired: true), leavesOut,
                        ], submit: SubmitButton(title: words("assessment.import"), icon: .cloudUp), style: .card))),
            section(
                "assessment.importText",
                .form(
                    request.form(
                        ImportGIFT.self, ids, id: "import-text",
                        fields: [
                            PTField(
                                .multiline, name: "gift", label: words("assessment.gift"),
                                hint: words("assessment.giftTip"), isRequired: true, maxLength: 1_000_000),
                            leavesOut,
                        ], submit: SubmitButton(title: words("assessment.import"), role: .neutral), style: .card))),
        ]
        if quiz.maximum > 0 {
            body.append(
                section(
                    "assessment.exportTitle",
                    .links(
                        PTLinks(links: [
                            .init(
                                title: words("assessment.exportQTI"),
                                action: .open("\(QuizPath.quiz(quiz.id))/questions.zip")),
                            .init(
                                title: words("assessment.export"),
                                action: .open("\(QuizPath.quiz(quiz.id))/questions.gift")),
                        ]))))
            if !left.isEmpty {
                body.append(
                    .text(
                        PTText(
                            words(
                                "assessment.notInGIFT", left.count,
                                left.prefix(Self.named).map { QuizWords(request).line($0, files.markdown) }
                                    .joined(separator: "; ")), role: .note)))
            }
        }
        return Screen(
            title: words("assessment.exchange"), subtitle: quiz.title, back: QuizPath.quiz(quiz.id), body: body)
    }

    /// What the chooser of files offers. Exports of GIFT are often named `.txt`.
    private static let accepted = [
        ".gift", ".txt", ".xml", ".zip", "text/plain", "text/xml", "application/xml", "application/zip",
    ]
}
