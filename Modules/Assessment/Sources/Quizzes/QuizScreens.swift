import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The pages of a quiz: its builder for teachers, its start for students, and its settings.
struct QuizScreens: Sendable {
    let access: QuizAccess
    let markdown: any MarkdownReader

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/courses/{courseId}/new-quiz", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await create($0))
            },
            ScreenRoute("/quizzes/{quizId}", access: .member(.viewCourses), tab: "/courses") {
                .screen(try await quiz($0))
            },
            ScreenRoute("/quizzes/{quizId}/settings", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await settings($0))
            },
        ]
    }

    // MARK: - A course's section

    /// The quizzes on the page of a course.
    func section(of courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership, now) = (QuizWords(request), try request.context.membership, request.context.now)
        let found = try await request.context.school.read { sql -> (course: Course, quizzes: [Quiz])? in
            guard let course = try access.courses.courses([courseId], in: sql)[courseId] else { return nil }
            return (course, try QuizRepository.quizzes(of: courseId, in: sql))
        }
        guard let (course, all) = found else { return [] }
        let leads = course.isLed(by: membership)
        let quizzes = leads ? all : all.filter(\.isPublished)
        guard leads || !quizzes.isEmpty else { return [] }
        let cells = quizzes.map { quiz in
            PTListCell(
                id: quiz.id.text, leading: .icon(.task, tint: course.tint), title: quiz.title,
                subtitle: [
                    quiz.dueAt.map {
                        words.words("assessment.dueAt", words.words.dateAndTime($0, in: words.timeZone))
                    },
                    quiz.minutes.map { words.words("assessment.minutes", $0) },
                ].compactMap(\.self).joined(separator: " · "),
                trailing: (words.tag(quiz, now: now).map { [.badge($0)] } ?? []) + [.chevron],
                action: .open(QuizPath.quiz(quiz.id)))
        }
        var body: [Component] =
            cells.isEmpty ? [] : [.list(PTList(cells: cells, label: request.words("assessment.title")))]
        if leads, !course.isArchived {
            body.append(
                .links(
                    PTLinks(links: [
                        .init(
                            title: request.words("assessment.add"),
                            action: .open("\(QuizPath.course(courseId))/new-quiz"))
                    ])))
        }
        return [.section(PTSection(title: request.words("assessment.title"), body: body))]
    }

    // MARK: - Forms

    private func create(_ request: ScreenRequest) async throws -> Screen {
        let (membership, courseId) = (try request.context.membership, try request.id("courseId"))
        let course = try await request.context.school.read {
            try access.courses.course(courseId, ledBy: membership, in: $0)
        }
        return Screen(
            title: request.words("assessment.add"), subtitle: course.name, back: QuizPath.course(courseId),
            body: [
                .form(
                    request.form(
                        CreateQuiz.self, ["courseId": courseId.text], id: "quiz", fields: fields(nil, request),
                        submit: SubmitButton(title: request.words("assessment.create"))))
            ])
    }

    private func settings(_ request: ScreenRequest) async throws -> Screen {
        let (words, quiz) = (request.words, try await led(request).quiz)
        let ids = ["quizId": quiz.id.text]
        let delete = PTButton(
            title: words("assessment.delete"), role: .quiet,
            action: .perform(
                request.call(
                    DeleteQuiz.self, ids,
                    confirmation: PTConfirmation(
                        title: words("assessment.delete.title", quiz.title),
                        message: words("assessment.delete.message"), confirm: words("assessment.delete")))))
        let fields = self.fields(quiz, request) + [.version(quiz.content)]
        let theirs = try await request.savedMeanwhile(
            "assessment.changed", ["assessment.changed"], of: quiz.id, fields)
        return Screen(
            title: words("assessment.settings"), subtitle: quiz.title, back: QuizPath.quiz(quiz.id),
            body: theirs + [
                .form(
                    request.form(
                        UpdateQuiz.self, ids, id: "quiz", fields: fields,
                        submit: SubmitButton(title: words("assessment.save")))), .button(delete),
            ])
    }

    private func fields(_ quiz: Quiz?, _ request: ScreenRequest) -> [PTField] {
        let (words, zone) = (request.words, request.context.caller.timeZone)
        func flag(_ value: Bool) -> String { value ? "true" : "false" }
        func day(_ instant: Date?) -> String { instant.map { Day($0, in: zone).description } ?? "" }
        func time(_ instant: Date?) -> String { instant.map { "\(ClockTime($0, in: zone))" } ?? "" }
        return [
            PTField(
                name: "title", label: words("assessment.name"), value: quiz?.title ?? "", isRequired: true,
                maxLength: 120),
            PTField(
                .multiline, name: "details", label: words("assessment.details"), value: quiz?.details ?? "",
                maxLength: 2000),
            PTField(
                .select(
                    QuizDraft.Limit.allCases.map { limit in
                        .init(
                            value: limit.rawValue,
                            title: limit.minutes.map { words("assessment.minutes", $0) }
                                ?? words("assessment.noLimit"))
                    }), name: "limit", label: words("assessment.limit"),
                value: QuizDraft.Limit(quiz?.minutes).rawValue, width: .half),
            PTField(
                .select(
                    QuizDraft.Attempts.allCases.map { attempts in
                        .init(
                            value: attempts.rawValue,
                            title: attempts.count.map { $0.shown(in: words.locale) }
                                ?? words("assessment.unlimited"))
                    }), name: "attempts", label: words("assessment.attempts"),
                value: QuizDraft.Attempts(quiz.map(\.attempts) ?? 1).rawValue, width: .half),
            PTField(
                name: "points", label: words("assessment.pointsEach"),
                value: Points.shown(quiz?.points ?? 100, words), maxLength: 12, width: .half),
            PTField(
                .number, name: "passing", label: words("assessment.passingPercent"),
                value: quiz?.passing.map(String.init) ?? "", width: .half),
            PTField(
                .date, name: "opensDay", label: words("assessment.opens"), value: day(quiz?.opensAt), width: .half),
            PTField(
                name: "opensTime", label: words("assessment.opensTime"), value: time(quiz?.opensAt), maxLength: 5,
                placeholder: words("assessment.timePlaceholder"), width: .half),
            PTField(.date, name: "dueDay", label: words("assessment.due"), value: day(quiz?.dueAt), width: .half),
            PTField(
                name: "dueTime", label: words("assessment.dueTime"), value: time(quiz?.dueAt), maxLength: 5,
                placeholder: words("assessment.dueTimePlaceholder"), width: .half),
            PTField(
                .choice(
                    Quiz.Results.allCases.reversed().map {
                        .init(value: $0.rawValue, title: words("assessment.results.\($0.rawValue)"))
                    }), name: "results", label: words("assessment.results"),
                value: (quiz?.results ?? .atOnce).rawValue),
            PTField(
                .toggle, name: "showsAnswers", label: words("assessment.showsAnswers"),
                value: flag(quiz?.showsAnswers ?? true)),
            PTField(
                .toggle, name: "showsExplanations", label: words("assessment.showsExplanations"),
                value: flag(quiz?.showsExplanations ?? true)),
            PTField(
                .toggle, name: "shufflesQuestions", label: words("assessment.shufflesQuestions"),
                value: flag(quiz?.shufflesQuestions ?? false)),
            PTField(
                .toggle, name: "shufflesOptions", label: words("assessment.shufflesOptions"),
                value: flag(quiz?.shufflesOptions ?? false)),
        ]
    }

    /// Returns the quiz of the address, in a course that the caller leads.
    private func led(_ request: ScreenRequest) async throws -> (quiz: Quiz, course: Course) {
        let (membership, quizId) = (try request.context.membership, try request.id("quizId"))
        return try await request.context.school.read { try access.quiz(quizId, ledBy: membership, in: $0) }
    }

    // MARK: - A quiz

    private func quiz(_ request: ScreenRequest) async throws -> Screen {
        let (membership, quizId) = (try request.context.membership, try request.id("quizId"))
        let (quiz, course, leads, questions, pool) = try await request.context.school.read { sql in
            let (quiz, course, leads) = try access.quiz(quizId, enteredBy: membership, in: sql)
            return (
                quiz, course, leads, try QuizRepository.questions(of: quiz.id, in: sql),
                try QuizPool(of: quiz, course, in: sql)
            )
        }
        if leads { return builder(quiz, course, questions, pool, request) }
        return try await start(quiz, course, questions.count + pool.count, request)
    }

    private func builder(
        _ quiz: Quiz, _ course: Course, _ questions: [Question], _ pool: QuizPool, _ request: ScreenRequest
    ) -> Screen {
        let (words, texts) = (request.words, QuizWords(request))
        let ids = ["quizId": quiz.id.text]
        var body: [Component] = []
        if !quiz.isPublished {
            body.append(
                .banner(
                    PTBanner(
                        icon: .eye, title: words("assessment.isDraft"), message: words("assessment.isDraftTip"),
                        action: quiz.maximum == 0
                            ? nil
                            : PTButton(
                                title: words("assessment.publish"),
                                action: .perform(
                                    request.call(PublishQuiz.self, ids, fields: ["isPublished": "true"]))))))
        }
        if let details = quiz.details { body.append(.richText(markdown.read(details))) }
        body.append(
            .links(
                PTLinks(links: [
                    .init(title: words("assessment.preview"), action: .open(QuizPath.preview(quiz.id))),
                    .init(title: words("assessment.resultsPage"), action: .open(QuizPath.results(quiz.id))),
                    .init(title: words("assessment.bank"), action: .open(QuizPath.bank(quiz.id))),
                    .init(title: words("assessment.exchange"), action: .open(ExchangeHandlers.path(quiz.id))),
                    .init(title: words("assessment.settings"), action: .open(QuizPath.settings(quiz.id))),
                ])))
        let missing = pool.missing
        if missing > 0 {
            body.append(
                .banner(
                    PTBanner(
                        tone: .warning, icon: .alert, title: words("assessment.bankTooSmall", missing),
                        message: words("assessment.bankTooSmallTip"))))
        }
        if questions.isEmpty, pool.draws.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .task, title: words("assessment.noQuestions"),
                        message: words("assessment.noQuestionsTip"),
                        action: PTButton(
                            title: words("assessment.addQuestion"), icon: .plus,
                            action: .open(QuizPath.newQuestion(.multipleChoice, of: quiz.id))))))
        } else if !questions.isEmpty {
            let cells = questions.indices.map { cell(questions, at: $0, quiz, request) }
            body.append(
                .section(
                    PTSection(
                        title: words("assessment.questions"),
                        detail: words(
                            "assessment.questionsWithPoints", questions.count,
                            texts.points(questions.reduce(0) { $0 + ($1.points ?? quiz.points) })),
                        body: [.list(PTList(cells: cells, label: words("assessment.questions")))])))
        }
        if !pool.draws.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("assessment.drawn"),
                        body: [
                            .list(
                                PTList(
                                    cells: zip(pool.draws, pool.candidates).map {
                                        cell($0, from: $1.count, quiz, request)
                                    }, label: words("assessment.drawn")))
                        ])))
        }
        let count = questions.count + pool.count
        body.append(.definitionList(PTDefinitionList(items: texts.facts(quiz, questionCount: count))))
        if quiz.isPublished {
            body.append(
                .button(
                    PTButton(
                        title: words("assessment.hide"), role: .quiet,
                        action: .perform(request.call(PublishQuiz.self, ids)))))
        }
        return Screen(
            title: quiz.title, subtitle: course.name, back: QuizPath.course(course.id),
            live: [CourseTopic.course(course.id)], body: body,
            floatingButton: PTFloatingActionButton(
                title: words("assessment.addQuestion"),
                fan: Self.kinds.map { kind in
                    PTMenuItem(
                        title: texts.kind(kind), icon: Self.icon(kind),
                        action: .open(QuizPath.newQuestion(kind, of: quiz.id)))
                }))
    }

    /// The kinds of questions in the order in which they are offered.
    static let kinds: [Question.Kind] = [.multipleChoice, .trueFalse, .shortAnswer, .fillInTheBlank, .numeric]

    static func icon(_ kind: Question.Kind) -> PTIcon {
        switch kind {
        case .multipleChoice: .checks
        case .trueFalse: .swap
        case .shortAnswer: .edit
        case .fillInTheBlank: .minus
        case .numeric: .calculator
        }
    }

    private func cell(_ questions: [Question], at place: Int, _ quiz: Quiz, _ request: ScreenRequest) -> PTListCell
    {
        let (words, texts, question) = (request.words, QuizWords(request), questions[place])
        let ids = ["quizId": quiz.id.text, "questionId": question.id.text]
        func move(_ key: String, _ icon: PTIcon, before: UUID?) -> PTMenuItem {
            PTMenuItem(
                title: words(key), icon: icon,
                action: .perform(
                    request.call(MoveQuestion.self, ids, fields: before.map { ["before": $0.text] } ?? [:])))
        }
        var menu = [
            PTMenuItem(
                title: words("assessment.edit"), icon: .edit,
                action: .open(QuizPath.question(question.id, of: quiz.id)))
        ]
        if place > 0 { menu.append(move("assessment.moveUp", .arrowUp, before: questions[place - 1].id)) }
        if place < questions.count - 1 {
            let before = place + 2 < questions.count ? questions[place + 2].id : nil
            menu.append(move("assessment.moveDown", .arrowDown, before: before))
        }
        menu += [
            PTMenuItem(
                title: words("assessment.duplicate"), icon: .copy,
                action: .perform(request.call(DuplicateQuestion.self, ids))),
            PTMenuItem(
                title: words("assessment.deleteQuestion"), icon: .trash, role: .destructive,
                action: .perform(deletion(question, quiz, request))),
        ]
        return PTListCell(
            id: question.id.text, leading: .icon(Self.icon(question.kind), tint: .sky),
            title: "\(place + 1). \(texts.line(question, markdown))",
            subtitle: [
                texts.kind(question.kind), texts.points(question.points ?? quiz.points),
                question.isFullForAll ? words("assessment.isFullForAll") : nil,
            ].compactMap(\.self).joined(separator: " · "),
            trailing: [.menu], action: .open(QuizPath.question(question.id, of: quiz.id)), menu: menu,
            move: request.call(MoveQuestion.self, ids))
    }

    /// Questions that are drawn from the bank for each attempt.
    private func cell(_ draw: QuizDraw, from candidates: Int, _ quiz: Quiz, _ request: ScreenRequest) -> PTListCell
    {
        let (words, texts) = (request.words, QuizWords(request))
        let title = words("assessment.drawLine", draw.count, draw.tag)
        let delete = PTMenuItem(
            title: words("assessment.deleteDraw"), icon: .trash, role: .destructive,
            action: .perform(
                request.call(
                    DeleteDraw.self, ["quizId": quiz.id.text, "drawId": draw.id.text],
                    confirmation: PTConfirmation(
                        title: words("assessment.deleteDraw.title"), message: title,
                        confirm: words("assessment.deleteDraw")))))
        return PTListCell(
            id: draw.id.text, leading: .icon(.book, tint: .sky), title: title,
            subtitle: [words("assessment.drawFrom", candidates), texts.points(draw.points ?? quiz.points)]
                .joined(separator: " · "), trailing: [.menu], menu: [delete])
    }

    /// The call that deletes a question after asking.
    private func deletion(_ question: Question, _ quiz: Quiz, _ request: ScreenRequest) -> PTCommandCall {
        let words = request.words
        return request.call(
            DeleteQuestion.self, ["quizId": quiz.id.text, "questionId": question.id.text],
            confirmation: PTConfirmation(
                title: words("assessment.deleteQuestion.title"),
                message: QuizWords(request).line(question, markdown), confirm: words("assessment.deleteQuestion")))
    }

    // MARK: - A student's start

    private func start(
        _ quiz: Quiz, _ course: Course, _ questionCount: Int, _ request: ScreenRequest
    ) async throws -> Screen {
        let (words, texts, membership) = (request.words, QuizWords(request), try request.context.membership)
        let (now, studentId) = (request.context.now, membership.personId)
        let (attempts, extra, learns) = try await request.context.school.read { sql in
            (
                try AttemptRepository.attempts(of: studentId, at: quiz.id, in: sql).map(\.attempt),
                try AttemptRepository.extraMinutes(of: studentId, at: quiz.id, in: sql),
                try access.roster.courseIds(ofStudent: studentId, in: sql).contains(quiz.courseId)
            )
        }
        var body: [Component] = []
        if let details = quiz.details { body.append(.richText(markdown.read(details))) }
        var facts = texts.facts(quiz, questionCount: questionCount)
        if extra > 0 {
            facts.append(.init(term: words("assessment.extraTime"), value: words("assessment.minutes", extra)))
        }
        body.append(.definitionList(PTDefinitionList(items: facts)))
        if learns { body += action(quiz, course, attempts, extra, now, request) }
        if !attempts.isEmpty {
            let cells = attempts.reversed().map { attempt -> PTListCell in
                let isOpen = attempt.accepts(at: now)
                let result = quiz.areResultsShown ? texts.result(attempt, of: quiz) : nil
                return PTListCell(
                    id: attempt.id.text, leading: .icon(isOpen ? .clock : .check, tint: isOpen ? .sand : .leaf),
                    title: words("assessment.attemptNumber", attempt.number),
                    subtitle: isOpen
                        ? words("assessment.isOpen") : result ?? words("assessment.waitsForResults"),
                    trailing: [.text(words.dateAndTime(attempt.startedAt, in: texts.timeZone)), .chevron],
                    action: .open(QuizPath.attempt(attempt.id, at: quiz.id)))
            }
            body.append(
                .section(
                    PTSection(
                        title: words("assessment.yourAttempts"),
                        body: [.list(PTList(cells: cells, label: words("assessment.yourAttempts")))])))
        }
        return Screen(
            title: quiz.title, subtitle: course.name, back: QuizPath.course(course.id),
            live: [CourseTopic.course(course.id), AttemptChange.topic(quiz.id, studentId)], body: body)
    }

    /// The button that starts or continues an attempt, or the reason why there is none.
    private func action(
        _ quiz: Quiz, _ course: Course, _ attempts: [QuizAttempt], _ extra: Int, _ now: Date,
        _ request: ScreenRequest
    ) -> [Component] {
        let (words, texts) = (request.words, QuizWords(request))
        func note(_ text: String) -> [Component] { [.banner(PTBanner(icon: .info, title: text))] }
        if let open = attempts.last, open.accepts(at: now) {
            return [
                .button(
                    PTButton(
                        title: words("assessment.continue"), icon: .play, size: .large, isWide: true,
                        action: .open(QuizPath.attempt(open.id, at: quiz.id))))
            ]
        }
        if course.isArchived { return note(words("problem.assessment.isArchived")) }
        if let opens = quiz.opensAt, now < opens {
            return note(words("assessment.opensAt", words.dateAndTime(opens, in: texts.timeZone)))
        }
        if let due = quiz.dueAt, now >= due.addingTimeInterval(Double(extra) * 60) {
            return note(words("problem.assessment.isOver"))
        }
        if let allowed = quiz.attempts, attempts.count >= allowed {
            return note(words("problem.assessment.noAttemptLeft"))
        }
        let confirmation = quiz.minutes.map {
            PTConfirmation(
                title: words("assessment.start.title", quiz.title),
                message: words("assessment.start.message", $0 + extra), confirm: words("assessment.start"),
                isDestructive: false)
        }
        return [
            .button(
                PTButton(
                    title: words(attempts.isEmpty ? "assessment.start" : "assessment.startAgain"), icon: .play,
                    size: .large, isWide: true,
                    action: .perform(
                        request.call(StartQuiz.self, ["quizId": quiz.id.text], confirmation: confirmation))))
        ]
    }
}
