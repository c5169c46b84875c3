import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// `CreateQuizView`: the page of a question in the builder.
struct QuestionScreens: Sendable {
    let access: QuizAccess
    let marks: MarkHandlers
    let markdown: any MarkdownReader

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/quizzes/{quizId}/new-question", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await create($0))
            },
            ScreenRoute("/quizzes/{quizId}/questions/{questionId}", access: .member(.teachCourses), tab: "/courses")
            {
                .screen(try await edit($0))
            },
            ScreenRoute("/quizzes/{quizId}/drawn/{questionId}", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await drawn($0))
            },
        ]
    }

    private func led(_ request: ScreenRequest) async throws -> (quiz: Quiz, questions: [Question], isTaken: Bool) {
        let (membership, quizId) = (try request.context.membership, try request.id("quizId"))
        return try await request.context.school.read { sql in
            let quiz = try access.quiz(quizId, ledBy: membership, in: sql).quiz
            return (
                quiz, try QuizRepository.questions(of: quiz.id, in: sql),
                try AttemptRepository.hasAttempts(at: quiz.id, in: sql)
            )
        }
    }

    private func create(_ request: ScreenRequest) async throws -> Screen {
        let (words, quiz) = (request.words, try await led(request).quiz)
        let kind = request.query["kind"].flatMap(Question.Kind.init) ?? .multipleChoice
        let path = "\(QuizPath.quiz(quiz.id))/new-question"
        return Screen(
            title: words("assessment.addQuestion"), subtitle: quiz.title, back: QuizPath.quiz(quiz.id),
            body: [
                .segments(
                    PTSegmentedControl(
                        label: words("assessment.kind"),
                        segments: QuizScreens.kinds.map {
                            .init(
                                title: words("assessment.kind.\($0.rawValue)"), path: "\(path)?kind=\($0.rawValue)",
                                isSelected: $0 == kind)
                        })),
                .form(
                    request.form(
                        AddQuestion.self, ["quizId": quiz.id.text], id: "question",
                        fields: fields(kind, nil, quiz, request),
                        submit: SubmitButton(title: words("assessment.saveQuestion")))),
            ])
    }

    private func edit(_ request: ScreenRequest) async throws -> Screen {
        let (words, questionId) = (request.words, try request.id("questionId"))
        let (quiz, questions, isTaken) = try await led(request)
        guard let place = questions.firstIndex(where: { $0.id == questionId }) else { throw Problem.notFound }
        let question = questions[place]
        let ids = ["quizId": quiz.id.text, "questionId": question.id.text]
        let fields = self.fields(question.kind, question, quiz, request) + [.version(question.version)]
        var body = try await request.savedMeanwhile(
            "assessment.questionChanged", ["assessment.questionsChanged"], of: question.id, fields)
        if isTaken {
            body.append(
                .banner(
                    PTBanner(
                        icon: .info, title: words("assessment.isTaken"), message: words("assessment.isTakenTip"))))
        }
        body += preview(question, of: quiz.id, words)
        body.append(
            .form(
                request.form(
                    UpdateQuestion.self, ids, id: "question", fields: fields,
                    submit: SubmitButton(title: words("assessment.saveQuestion")))))
        var buttons = [
            PTButton(
                title: words("assessment.duplicate"), icon: .copy, role: .neutral,
                action: .perform(request.call(DuplicateQuestion.self, ids, to: QuizPath.quiz(quiz.id))))
        ]
        if isTaken {
            buttons.append(fullPoints(question, ids, request))
        }
        buttons.append(
            PTButton(
                title: words("assessment.toBank"), icon: .book, role: .neutral, action: .present("to-bank")))
        body.append(.buttons(PTButtonGroup(buttons: buttons)))
        body.append(
            .button(
                PTButton(
                    title: words("assessment.deleteQuestion"), role: .quiet,
                    action: .perform(
                        request.call(
                            DeleteQuestion.self, ids,
                            confirmation: PTConfirmation(
                                title: words("assessment.deleteQuestion.title"),
                                message: QuizWords(request).line(question, markdown),
                                confirm: words("assessment.deleteQuestion")))))))
        return Screen(
            title: words("assessment.questionNumber", place + 1), subtitle: quiz.title,
            back: QuizPath.quiz(quiz.id),
            body: body,
            sheets: [
                PTBottomSheet(
                    id: "to-bank", title: words("assessment.toBank"),
                    body: [
                        .form(
                            request.form(
                                SaveToBank.self, ids, id: "to-bank",
                                fields: [
                                    PTField(
                                        name: "tags", label: words("assessment.tags"),
                                        hint: words("assessment.tagsTip"), maxLength: 200),
                                    PTField(
                                        .toggle, name: "isShared", label: words("assessment.isShared"),
                                        value: "false", hint: words("assessment.isSharedTip")),
                                ], submit: SubmitButton(title: words("assessment.save"))))
                    ])
            ], listPath: QuizPath.quiz(quiz.id))
    }

    /// The button that gives everyone the full points of a question, or takes this back.
    private func fullPoints(_ question: Question, _ ids: [String: String], _ request: ScreenRequest) -> PTButton {
        let (words, isOn) = (request.words, question.isFullForAll)
        let title = words(isOn ? "assessment.noFullPoints" : "assessment.fullPoints")
        return PTButton(
            title: title, icon: .star, role: .neutral,
            action: .perform(
                request.call(
                    GiveFullPoints.self, ids, fields: isOn ? [:] : ["isOn": "true"],
                    confirmation: PTConfirmation(
                        title: words(isOn ? "assessment.noFullPoints.title" : "assessment.fullPoints.title"),
                        message: words("assessment.fullPoints.message"), confirm: title, isDestructive: false))))
    }

    /// A question of the bank that attempts have. It is changed in the bank, and here counts fully for everyone.
    private func drawn(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (quizId, questionId) = (try request.id("quizId"), try request.id("questionId"))
        let (quiz, question) = try await request.context.school.read { sql in
            let quiz = try access.quiz(quizId, ledBy: membership, in: sql).quiz
            return (quiz, try marks.drawnQuestion(questionId, of: quiz, in: sql))
        }
        guard let question else { throw Problem.notFound }
        let ids = ["quizId": quiz.id.text, "questionId": question.id.text]
        return Screen(
            title: words("assessment.drawnQuestion"), subtitle: quiz.title, back: QuizPath.results(quiz.id),
            body: warnings(question, words) + [
                card(question, of: quiz.id, words),
                .definitionList(
                    PTDefinitionList(items: [
                        .init(
                            term: words("assessment.rightAnswer"), value: QuizWords(request).key(of: question))
                    ])),
                .banner(
                    PTBanner(
                        icon: .info, title: words("assessment.isTaken"),
                        message: words("assessment.drawnQuestionTip"))),
                .buttons(PTButtonGroup(buttons: [fullPoints(question, ids, request)])),
            ])
    }

    /// The question as students see it, if it has pictures or formulas, and the formulas that cannot be read.
    private func preview(_ question: Question, of quizId: UUID, _ words: Words) -> [Component] {
        let texts = [question.text, question.explanation ?? ""] + question.options.map(\.text)
        guard !question.pictures.isEmpty || texts.contains(where: { FormulaText($0).hasFormula }) else {
            return warnings(question, words)
        }
        return warnings(question, words) + [card(question, of: quizId, words)]
    }

    /// A warning about formulas that cannot be read.
    private func warnings(_ question: Question, _ words: Words) -> [Component] {
        let unreadable = question.unreadableFormulas
        guard !unreadable.isEmpty else { return [] }
        return [
            .banner(
                PTBanner(
                    tone: .warning, icon: .alert, title: words("assessment.unreadable", unreadable.count),
                    message: words("assessment.unreadableTip", unreadable.joined(separator: "  "))))
        ]
    }

    private func card(_ question: Question, of quizId: UUID, _ words: Words) -> Component {
        let reader = QuestionReader(markdown: markdown)
        var shown: [Component] = [
            .richText(
                reader.read(
                    question.text.replacing(Blanks.mark, with: "\\_\\_\\_\\_"), of: question, in: quizId))
        ]
        if let options = reader.options(of: question, in: quizId) { shown.append(.richText(options)) }
        if let explanation = question.explanation {
            shown.append(.richText(reader.read(explanation, of: question, in: quizId)))
        }
        return .card(PTCard(label: words("assessment.preview"), body: shown))
    }

    /// The fields that add a picture.
    private func pictureFields(_ kind: Question.Kind, _ words: Words) -> [PTField] {
        let options = kind == .multipleChoice ? Array(Question.optionCounts.upperBound.numbers) : []
        let places =
            [(PictureDraft.Place.text.rawValue, words("assessment.text"))]
            + options.map { (QuestionDraft.field("option", $0), words("assessment.option", $0)) }
            + [(PictureDraft.Place.explanation.rawValue, words("assessment.explanation"))]
        return [
            PTField(
                .photos(side: QuestionPicture.side, max: 1), name: "picture", label: words("assessment.addPicture")),
            PTField(
                name: "pictureAlternative", label: words("assessment.pictureAlternative"),
                hint: words("assessment.pictureAlternativeTip"), maxLength: QuestionPicture.longestAlternative),
            PTField(
                .select(places.map { .init(value: $0.0, title: $0.1) }), name: "picturePlace",
                label: words("assessment.picturePlace"), value: PictureDraft.Place.text.rawValue),
        ]
    }

    private func fields(
        _ kind: Question.Kind, _ question: Question?, _ quiz: Quiz, _ request: ScreenRequest
    ) -> [PTField] {
        let words = request.words
        var fields: [PTField] = [
            .hidden("kind", kind.rawValue),
            PTField(
                .multiline, name: "text", label: words("assessment.text"), value: question?.text ?? "",
                hint: words(kind == .fillInTheBlank ? "assessment.blankTip" : "assessment.textTip"),
                isRequired: true,
                maxLength: 10_000),
        ]
        switch kind {
        case .multipleChoice: fields += optionFields(question?.options ?? [], words)
        case .trueFalse:
            fields.append(
                PTField(
                    .toggle, name: "isTrue", label: words("assessment.isTrue"),
                    value: question?.options.first?.isRight == false ? "false" : "true"))
        case .shortAnswer, .fillInTheBlank:
            let isBlank = kind == .fillInTheBlank
            let lines = isBlank ? question?.accepted.map { $0.joined(separator: " | ") } : question?.accepted.first
            fields += [
                PTField(
                    .multiline, name: "accepted", label: words("assessment.accepted"),
                    value: (lines ?? []).joined(separator: "\n"),
                    hint: words(isBlank ? "assessment.acceptedPerBlank" : "assessment.acceptedTip"),
                    isRequired: true,
                    maxLength: 5000),
                PTField(
                    .toggle, name: "ignoresAccents", label: words("assessment.ignoresAccents"),
                    value: question?.ignoresAccents == true ? "true" : "false"),
            ]
        case .numeric:
            fields += [
                PTField(
                    name: "accepted", label: words("assessment.number"),
                    value: question?.accepted.first?.first ?? "", isRequired: true, maxLength: 40, width: .half),
                PTField(
                    name: "tolerance", label: words("assessment.tolerance"), value: question?.tolerance ?? "",
                    hint: words("assessment.toleranceTip"), maxLength: 40, width: .half),
            ]
        }
        fields += pictureFields(kind, words)
        fields += [
            PTField(
                name: "points", label: words("assessment.pointsOwn"),
                value: question?.points.map { Points.shown($0, words) } ?? "",
                hint: words("assessment.pointsOwnTip", QuizWords(request).points(quiz.points)), maxLength: 12),
            PTField(
                .multiline, name: "explanation", label: words("assessment.explanation"),
                value: question?.explanation ?? "", hint: words("assessment.explanationTip"), maxLength: 5000),
        ]
        return fields
    }

    private func optionFields(_ options: [QuestionOption], _ words: Words) -> [PTField] {
        Question.optionCounts.upperBound.numbers.flatMap { number -> [PTField] in
            let option = number <= options.count ? options[number - 1] : nil
            var fields = [
                PTField(
                    name: QuestionDraft.field("option", number), label: words("assessment.option", number),
                    value: option?.text ?? "",
                    hint: number == 1 ? words("assessment.optionTip") : nil, isRequired: number <= 2,
                    maxLength: 1000),
                PTField(
                    .toggle, name: QuestionDraft.field("isRight", number),
                    label: words("assessment.isRight", number),
                    value: option?.isRight == true ? "true" : "false"),
            ]
            if let option { fields.append(.hidden("id\(number)", option.id.text)) }
            return fields
        }
    }
}

extension Int {
    /// The numbers from 1 to this one.
    fileprivate var numbers: ClosedRange<Int> { 1...self }
}
