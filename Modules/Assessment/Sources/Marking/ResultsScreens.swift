import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// A teacher's page with the results of a quiz: who takes it now, the scores, the statistics of the questions, and
/// extra time.
struct ResultsScreens: Sendable {
    let access: QuizAccess
    let marks: MarkHandlers
    let people: any PeopleService
    let markdown: any MarkdownReader

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/quizzes/{quizId}/results", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await results($0))
            }
        ]
    }

    private struct Found: Sendable {
        let quiz: Quiz
        let course: Course
        let students: [Person]
        let attempts: [UUID: [QuizAttempt]]
        let answered: [UUID: Int]
        let extra: [UUID: Int]
        let statistics: QuizStatistics
        let regrade: [ScoreChange]
        /// The number of questions that an attempt asks.
        let asked: Int
    }

    private func find(_ request: ScreenRequest) async throws -> Found {
        let (membership, quizId) = (try request.context.membership, try request.id("quizId"))
        return try await request.context.school.read { sql in
            let (quiz, course) = try access.quiz(quizId, ledBy: membership, in: sql)
            let attempts = try AttemptRepository.attempts(at: quiz.id, in: sql).map(\.attempt)
            let ids = Set(try access.roster.students(of: course.id, in: sql)).union(attempts.map(\.studentId))
            let known = try people.people(Array(ids), of: membership.organization.id, in: sql)
            return Found(
                quiz: quiz, course: course,
                students: known.values.sorted { left, right in
                    let order = left.name.display.localizedStandardCompare(right.name.display)
                    return order == .orderedSame ? left.id < right.id : order == .orderedAscending
                }, attempts: Dictionary(grouping: attempts, by: \.studentId),
                answered: try AttemptRepository.answered(at: quiz.id, in: sql),
                extra: try AttemptRepository.extraMinutes(at: quiz.id, in: sql),
                statistics: try QuizStatistics(of: quiz, marks.versions, in: sql),
                regrade: try marks.regrade(quiz, in: sql).scores,
                asked: try QuizRepository.questions(of: quiz.id, in: sql).count
                    + DrawRepository.draws(of: quiz.id, in: sql).reduce(0) { $0 + $1.count })
        }
    }

    private func results(_ request: ScreenRequest) async throws -> Screen {
        let (found, words) = (try await find(request), request.words)
        var body: [Component] = [summary(found, request)]
        body += regrade(found, request)
        body.append(
            .section(
                PTSection(
                    title: words("assessment.students"), detail: found.students.count.shown(in: words.locale),
                    body: [students(found, request)])))
        if !found.statistics.items.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("assessment.questions"),
                        detail: found.statistics.items.count.shown(in: words.locale),
                        body: [statistics(found, request)])))
        }
        return Screen(
            title: words("assessment.resultsPage"), subtitle: found.quiz.title, back: QuizPath.quiz(found.quiz.id),
            live: [QuizChange.topic(found.quiz.id), CourseTopic.enrollmentCounts(of: found.course.id)], body: body,
            sheets: found.students.isEmpty ? [] : [extraTime(found, request)])
    }

    private func summary(_ found: Found, _ request: ScreenRequest) -> Component {
        let (words, texts, now) = (request.words, QuizWords(request), request.context.now)
        let all = found.attempts.values.flatMap(\.self)
        let open = all.count { $0.accepts(at: now) }
        let done = Set(all.filter { $0.closedAt != nil }.map(\.studentId)).count
        return .greeting(
            PTGreeting(
                eyebrow: words("assessment.average"),
                title: found.statistics.mean.map(texts.percent) ?? words("assessment.noResults"),
                detail: [
                    words("assessment.doneCount", done, found.students.count),
                    open > 0 ? words("assessment.openCount", open) : nil,
                    found.quiz.areResultsShown ? nil : words("assessment.resultsHidden"),
                ].compactMap(\.self).joined(separator: " · "),
                split: PTSplitBar(
                    parts: [
                        .init(count: done, tint: .leaf, title: words("assessment.done")),
                        .init(count: open, tint: .sky, title: words("assessment.takesNow")),
                    ], total: max(found.students.count, 1),
                    spoken: words("assessment.doneCount", done, found.students.count)),
                actions: found.students.isEmpty
                    ? []
                    : [PTButton(title: words("assessment.extraTime"), role: .quiet, action: .present("extra-time"))]
            ))
    }

    /// The scores that the changed questions would give, with the button that applies them.
    private func regrade(_ found: Found, _ request: ScreenRequest) -> [Component] {
        guard !found.regrade.isEmpty else { return [] }
        let (words, texts) = (request.words, QuizWords(request))
        let names = Dictionary(uniqueKeysWithValues: found.students.map { ($0.id, $0.name.display) })
        let cells = found.regrade.prefix(50).map { change in
            PTListCell(
                title: names[change.studentId] ?? "",
                subtitle: words(
                    "assessment.beforeAfter", texts.score(change.before, of: change.maximumBefore),
                    texts.score(change.after, of: change.maximumAfter)))
        }
        return [
            .banner(
                PTBanner(
                    tone: .warning, icon: .retry, title: words("assessment.regrade.title", found.regrade.count),
                    message: words("assessment.regrade.tip"),
                    action: PTButton(
                        title: words("assessment.regrade"),
                        action: .perform(
                            request.call(
                                RegradeQuiz.self, ["quizId": found.quiz.id.text],
                                confirmation: PTConfirmation(
                                    title: words("assessment.regrade.title", found.regrade.count),
                                    message: words("assessment.regrade.tip"), confirm: words("assessment.regrade"),
                                    isDestructive: false)))))),
            .disclosure(
                PTDisclosure(
                    title: words("assessment.regrade.who"),
                    body: [.list(PTList(cells: cells, label: words("assessment.regrade.who")))])),
        ]
    }

    private func students(_ found: Found, _ request: ScreenRequest) -> Component {
        let (words, texts, now) = (request.words, QuizWords(request), request.context.now)
        let count = found.asked
        guard !found.students.isEmpty else {
            return .empty(
                PTEmptyState(
                    icon: .people, title: words("assessment.noStudents"), message: words("assessment.noStudentsTip")
                ))
        }
        let cells = found.students.map { student -> PTListCell in
            let attempts = found.attempts[student.id] ?? []
            let best = attempts.filter { $0.score != nil }.max {
                ($0.score ?? 0) * max($1.maximum, 1) < ($1.score ?? 0) * max($0.maximum, 1)
            }
            let open = attempts.last { $0.closedAt == nil }
            let shown = open ?? best
            var split: PTSplitBar?
            if let open, open.accepts(at: now), count > 0 {
                let answered = found.answered[open.id] ?? 0
                split = PTSplitBar(
                    parts: [.init(count: answered, tint: .sky)], total: count,
                    spoken: words("assessment.answeredOf", answered, count))
            }
            let state: String =
                if let open, open.accepts(at: now) {
                    words("assessment.answeredOf", found.answered[open.id] ?? 0, count)
                } else if let best {
                    texts.result(best, of: found.quiz) ?? ""
                } else {
                    words(open == nil ? "assessment.notStarted" : "assessment.timeOver")
                }
            let extra = found.extra[student.id].map { words("assessment.plusMinutes", $0) }
            return PTListCell(
                id: student.id.text, leading: .avatar(PTAvatar(student)), title: student.name.display,
                subtitle: [
                    state, attempts.count > 1 ? words("assessment.attemptCount", attempts.count) : nil, extra,
                ].compactMap(\.self).joined(separator: " · "),
                split: split,
                trailing: shown == nil
                    ? []
                    : (open.map { $0.accepts(at: now) } == true
                        ? [.badge(PTTag(text: words("assessment.takesNow"), tone: .info)), .chevron] : [.chevron]),
                action: shown.map { .open(QuizPath.attempt($0.id, at: found.quiz.id)) })
        }
        return .list(PTList(cells: cells, columns: .two, label: words("assessment.students")))
    }

    private func statistics(_ found: Found, _ request: ScreenRequest) -> Component {
        let (words, texts) = (request.words, QuizWords(request))
        let rows = found.statistics.items.enumerated().map { place, item -> PTDataTable.Row in
            let errors = item.errors.map { error in
                "\(texts.answer(error.answer, to: item.question)) (\(error.count.shown(in: words.locale)))"
            }
            return PTDataTable.Row(
                id: item.question.id.text, header: "\(place + 1). \(texts.line(item.question, markdown))",
                action: .open(
                    item.isDrawn
                        ? QuizPath.drawn(item.question.id, of: found.quiz.id)
                        : QuizPath.question(item.question.id, of: found.quiz.id)),
                cells: [
                    .text(item.statistics.map { texts.percent($0.difficulty) } ?? "–"),
                    .text(
                        item.statistics?.discrimination.map {
                            $0.formatted(.number.precision(.fractionLength(2)).locale(words.locale))
                        } ?? "–"), .text(errors.isEmpty ? "–" : errors.joined(separator: ", ")),
                ])
        }
        return .table(
            PTDataTable(
                label: words("assessment.statistics"),
                columns: [
                    .init(title: words("assessment.question")),
                    .init(title: words("assessment.difficulty"), isNumeric: true),
                    .init(title: words("assessment.discrimination"), isNumeric: true),
                    .init(title: words("assessment.frequentErrors")),
                ], rows: rows))
    }

    private func extraTime(_ found: Found, _ request: ScreenRequest) -> PTBottomSheet {
        let words = request.words
        return PTBottomSheet(
            id: "extra-time", title: words("assessment.extraTime"),
            body: [
                .form(
                    request.form(
                        SetExtraTime.self, ["quizId": found.quiz.id.text], id: "extra-time",
                        fields: [
                            PTField(
                                .select(
                                    found.students.map { .init(value: $0.id.text, title: $0.name.display) }),
                                name: "studentId", label: words("assessment.student"),
                                value: found.students.first?.id.text ?? ""),
                            PTField(
                                .number, name: "minutes", label: words("assessment.extraMinutes"), value: "10",
                                hint: words("assessment.extraMinutesTip"), isRequired: true),
                        ], submit: SubmitButton(title: words("assessment.save"))))
            ])
    }
}
