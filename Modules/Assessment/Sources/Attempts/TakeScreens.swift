import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page of an attempt: the questions while it is open, the result afterwards. Those who lead the course see every
/// attempt and mark it; and they see the questions as students do in the preview.
struct TakeScreens: Sendable {
    static let island = "quiz"

    let access: QuizAccess
    let attempts: AttemptHandlers
    let people: any PeopleService
    let markdown: any MarkdownReader

    private var reader: QuestionReader { QuestionReader(markdown: markdown) }

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/quizzes/{quizId}/attempts/{attemptId}", access: .member(.viewCourses), tab: "/courses") {
                try await attempt($0)
            },
            ScreenRoute("/quizzes/{quizId}/preview", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await preview($0))
            },
        ]
    }

    // MARK: - Taking

    private func attempt(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (membership, now) = (try request.context.membership, request.context.now)
        let (quizId, attemptId) = (try request.id("quizId"), try request.id("attemptId"))
        let found = try await request.context.school.read { sql in
            let (quiz, course, leads) = try access.quiz(quizId, enteredBy: membership, in: sql)
            guard let stored = try AttemptRepository.attempt(attemptId, in: sql), stored.attempt.quizId == quiz.id,
                leads || stored.attempt.studentId == membership.personId
            else { throw Problem.notFound }
            let person = try people.people(
                [stored.attempt.studentId], of: membership.organization.id, in: sql)[stored.attempt.studentId]
            return AttemptPage(
                quiz: quiz, course: course, leads: leads, stored: stored,
                questions: try attempts.questions(of: stored, quiz, in: sql),
                answers: try AttemptRepository.answers(of: attemptId, in: sql),
                studentName: person?.name.display ?? "")
        }
        if found.leads || !found.stored.attempt.accepts(at: now) {
            return .screen(result(found, request))
        }
        return .screen(try take(found, request))
    }

    private func take(_ page: AttemptPage, _ request: ScreenRequest) throws -> Screen {
        let (quiz, attempt) = (page.quiz, page.stored.attempt)
        let questions = page.questions.map { question in
            let saved = page.answers[question.id]
            return AskedQuestion(
                question, points: question.points ?? 0, answer: saved?.answer, isMarked: saved?.isMarked ?? false,
                savedAt: saved?.savedAt)
        }
        return Screen(
            title: quiz.title, subtitle: page.course.name, back: QuizPath.quiz(quiz.id),
            live: [AttemptChange.topic(quiz.id, attempt.studentId)],
            body: [
                .island(
                    try PTIsland(
                        Self.island,
                        properties: TakeProperties(
                            path: SaveAnswer.contract.path.replacing("/answers", with: "")
                                .replacing("{quizId}", with: quiz.id.text)
                                .replacing("{attemptId}", with: attempt.id.text),
                            isPreview: false, startedAt: attempt.startedAt, endsAt: attempt.endsAt, questions,
                            of: quiz.id, reader, request), fallback: request.words("assessment.noScript"),
                        isWide: true))
            ])
    }

    private func preview(_ request: ScreenRequest) async throws -> Screen {
        let (membership, quizId) = (try request.context.membership, try request.id("quizId"))
        let (quiz, questions) = try await request.context.school.read { sql in
            let (quiz, course) = try access.quiz(quizId, ledBy: membership, in: sql)
            let pool = try QuizPool(of: quiz, course, in: sql)
            let version = QuestionVersion(
                questions: try QuizRepository.questions(of: quiz.id, in: sql)
                    + DrawRepository.questions(pool.ids, of: quiz.id, in: sql), pool: pool.ids)
            return (quiz, version.questions(drawn: pool.draw(quiz)))
        }
        let now = request.context.now
        let asked = QuestionOrder.questions(
            questions, seed: 1, shuffles: quiz.shufflesQuestions, options: quiz.shufflesOptions
        ).map {
            AskedQuestion($0, points: $0.points ?? quiz.points, answer: nil, isMarked: false, savedAt: nil)
        }
        var body: [Component] = [
            .banner(
                PTBanner(
                    icon: .eye, title: request.words("assessment.isPreview"),
                    message: request.words("assessment.isPreviewTip")))
        ]
        if !asked.isEmpty {
            body.append(
                .island(
                    try PTIsland(
                        Self.island,
                        properties: TakeProperties(
                            path: QuizPath.quiz(quiz.id), isPreview: true, startedAt: now,
                            endsAt: quiz.minutes.map { now.addingTimeInterval(Double($0) * 60) }, asked,
                            of: quiz.id,
                            reader, request), fallback: request.words("assessment.noScript"), isWide: true)))
        }
        return Screen(
            title: quiz.title, subtitle: request.words("assessment.preview"), back: QuizPath.quiz(quiz.id),
            body: body)
    }

    // MARK: - Results

    private func result(_ page: AttemptPage, _ request: ScreenRequest) -> Screen {
        let (words, texts) = (request.words, QuizWords(request))
        let (quiz, attempt) = (page.quiz, page.stored.attempt)
        let back = page.leads ? QuizPath.results(quiz.id) : QuizPath.quiz(quiz.id)
        let isClosed = attempt.closedAt != nil
        let isShown = page.leads || (quiz.areResultsShown && isClosed)
        var body: [Component] = []
        if isShown, isClosed, let score = attempt.score {
            body.append(
                .greeting(
                    PTGreeting(
                        eyebrow: words("assessment.attemptNumber", attempt.number),
                        title: texts.score(score, of: attempt.maximum),
                        detail: [
                            attempt.maximum > 0 ? texts.percent(Double(score) / Double(attempt.maximum)) : nil,
                            quiz.isPassed(score: score, of: attempt.maximum).map {
                                words($0 ? "assessment.passed" : "assessment.notPassed")
                            },
                            attempt.ending == .timeOver ? words("assessment.timeOver") : nil,
                        ].compactMap(\.self).joined(separator: " · "))))
        } else {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: isClosed ? .check : .clock,
                        title: words(isClosed ? "assessment.isHandedIn" : "assessment.isOpen"),
                        message: isClosed
                            ? quiz.dueAt.map {
                                words("assessment.resultsAfter", words.dateAndTime($0, in: texts.timeZone))
                            } ?? words("assessment.resultsLater")
                            : words("assessment.isOpenTip"))))
        }
        if isShown {
            for (number, question) in page.questions.enumerated() {
                body.append(.card(card(question, number + 1, page, request)))
            }
        }
        return Screen(
            title: page.leads ? page.studentName : quiz.title, subtitle: page.leads ? quiz.title : page.course.name,
            back: back,
            live: [QuizChange.topic(quiz.id), AttemptChange.topic(quiz.id, attempt.studentId)], body: body,
            listPath: page.leads ? back : nil)
    }

    /// A question with the answer, its points, and what the quiz shows of the key.
    private func card(
        _ question: Question, _ number: Int, _ page: AttemptPage, _ request: ScreenRequest
    ) -> PTCard {
        let (words, texts) = (request.words, QuizWords(request))
        let saved = page.answers[question.id]
        let points = question.points ?? 0
        let score = saved?.score ?? (question.isFullForAll ? points : 0)
        var facts = [
            PTDefinitionList.Item(
                term: words(page.leads ? "assessment.answer" : "assessment.yourAnswer"),
                value: texts.answer(saved?.answer, to: question))
        ]
        if page.leads || page.quiz.showsAnswers {
            facts.append(.init(term: words("assessment.rightAnswer"), value: texts.key(of: question)))
        }
        facts.append(.init(term: words("assessment.score"), value: texts.score(score, of: points)))
        var body: [Component] = [
            .text(PTText(words("assessment.questionNumber", number), role: .note)),
            .richText(
                reader.read(
                    question.text.replacing(Blanks.mark, with: "\\_\\_\\_\\_"), of: question, in: page.quiz.id)),
        ]
        if QuestionReader.hasRichOptions(question), let options = reader.options(of: question, in: page.quiz.id) {
            body.append(.richText(options))
        }
        body.append(.definitionList(PTDefinitionList(items: facts)))
        var notes: [String] = []
        if question.isFullForAll { notes.append(words("assessment.isFullForAll")) }
        if saved?.givenPoints != nil { notes.append(words("assessment.isMarkedByHand")) }
        if saved?.isLate == true { notes.append(words("assessment.arrivedLate")) }
        if !notes.isEmpty { body.append(.text(PTText(notes.joined(separator: " · "), role: .note))) }
        if page.leads || page.quiz.showsExplanations, let explanation = question.explanation {
            body.append(.richText(reader.read(explanation, of: question, in: page.quiz.id)))
        }
        if page.leads, page.stored.attempt.closedAt != nil {
            body.append(
                .form(
                    request.form(
                        MarkAnswer.self,
                        ["quizId": page.quiz.id.text, "attemptId": page.stored.attempt.id.text],
                        id: "mark-\(question.id.text)",
                        fields: [
                            PTField(
                                name: "points", label: words("assessment.givePoints"),
                                value: saved?.givenPoints.map { Points.shown($0, words) } ?? "",
                                hint: words("assessment.givePointsTip"), maxLength: 12),
                            .hidden("questionId", question.id.text),
                        ], submit: SubmitButton(title: words("assessment.save"), role: .neutral), style: .inline)))
        }
        return PTCard(label: words("assessment.questionNumber", number), body: body)
    }
}

/// An attempt as the pages show it.
private struct AttemptPage: Sendable {
    let quiz: Quiz
    let course: Course
    let leads: Bool
    let stored: StoredAttempt
    let questions: [Question]
    let answers: [UUID: StoredAnswer]
    let studentName: String
}

/// The data of the island in which a quiz is taken.
private struct TakeProperties: Encodable {
    struct Option: Encodable {
        let id: UUID
        let text: String
        /// The parts of an option with pictures or formulas; `nil` for a plain one.
        let parts: [PTRichText.Inline]?
    }

    struct Item: Encodable {
        let id: String
        let kind: Question.Kind
        let text: PTRichText
        let options: [Option]
        let several: Bool
        let blanks: Int
        let points: String
        let answer: QuizAnswer?
        let isMarked: Bool
        let saved: String?
        /// The instant at which the answer was stored, in milliseconds since 1970.
        let savedAt: Int?
    }

    let api: String
    let isPreview: Bool
    /// Instants in milliseconds since 1970 of the server's clock.
    let started: Int
    let ends: Int?
    let now: Int
    let language: Language
    let questions: [Item]
    let words: [String: String]

    init(
        path: String, isPreview: Bool, startedAt: Date, endsAt: Date?, _ questions: [AskedQuestion],
        of quizId: UUID, _ reader: QuestionReader, _ request: ScreenRequest
    ) {
        func milliseconds(_ instant: Date) -> Int { Int((instant.timeIntervalSince1970 * 1000).rounded()) }
        let (words, texts) = (request.words, QuizWords(request))
        api = path
        self.isPreview = isPreview
        started = milliseconds(startedAt)
        ends = endsAt.map(milliseconds)
        now = milliseconds(request.context.now)
        language = words.language
        self.questions = questions.map { question in
            Item(
                id: question.id.text, kind: question.kind,
                text: reader.read(question.text, of: question, in: quizId),
                options: question.options.enumerated().map { place, option in
                    if question.kind == .trueFalse {
                        return Option(
                            id: option.id, text: words(place == 0 ? "assessment.true" : "assessment.false"),
                            parts: nil)
                    }
                    let isRich = OptionText(option.text, pictures: question.pictures).isRich
                    return Option(
                        id: option.id, text: option.text,
                        parts: isRich
                            ? reader.inlines(option.text, question.pictures) { $0.path(of: quizId) } : nil)
                }, several: question.takesSeveral, blanks: question.textCount,
                points: texts.points(question.points), answer: question.answer, isMarked: question.isMarked,
                saved: question.savedAt.map { words.time($0, in: texts.timeZone) },
                savedAt: question.savedAt.map(milliseconds))
        }
        self.words = Dictionary(
            uniqueKeysWithValues: Self.keys.map { ($0, words("assessment.take.\($0)")) })
    }

    private static let keys = [
        "answered", "back", "blank", "changedElsewhere", "chooseOne", "chooseSeveral", "clear", "done", "end",
        "ends", "failed",
        "fiveMinutes", "half", "handIn", "handInOpen", "handInAsk", "handInWaits", "hide", "isAnswered", "isMarked",
        "isOpen", "kept", "late", "left", "mark", "meaning", "next", "number", "oneMinute", "otherDevice",
        "previewEnd",
        "question", "questions", "saved", "saving", "seconds", "show", "stay", "time", "unmark", "yourAnswer",
    ]
}
