import AssessmentModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The texts about quizzes that several pages show.
struct QuizWords {
    let words: Words
    let timeZone: TimeZone

    init(_ request: ScreenRequest) {
        words = request.words
        timeZone = request.context.caller.timeZone
    }

    func points(_ points: Int) -> String {
        points == 100 ? words("assessment.onePoint") : words("assessment.points", Points.shown(points, words))
    }

    func score(_ score: Int, of maximum: Int) -> String {
        words("assessment.scoreOf", Points.shown(score, words), Points.shown(maximum, words))
    }

    func percent(_ part: Double) -> String { words.percent(Int((part * 100).rounded())) }

    func kind(_ kind: Question.Kind) -> String { words("assessment.kind.\(kind.rawValue)") }

    /// The text of a question on one line, without the marks of Markdown and with its blanks as lines.
    func line(_ question: Question, _ markdown: any MarkdownReader) -> String {
        SearchSource.excerpt(
            QuestionReader(markdown: markdown).read(
                question.text.replacing(Blanks.mark, with: "\\_\\_\\_\\_"), question.pictures
            ) { $0.name }.plainText)
    }

    /// The rules of a quiz that a student should know.
    func facts(_ quiz: Quiz, questionCount: Int) -> [PTDefinitionList.Item] {
        var items = [
            PTDefinitionList.Item(
                term: words("assessment.questions"),
                value: words("assessment.questionsWithPoints", questionCount, points(quiz.maximum))),
            .init(
                term: words("assessment.limit"),
                value: quiz.minutes.map { words("assessment.minutes", $0) } ?? words("assessment.noLimit")),
            .init(
                term: words("assessment.attempts"),
                value: quiz.attempts.map { $0.shown(in: words.locale) } ?? words("assessment.unlimited")),
        ]
        if let opens = quiz.opensAt {
            items.append(.init(term: words("assessment.opens"), value: words.dateAndTime(opens, in: timeZone)))
        }
        if let due = quiz.dueAt {
            items.append(.init(term: words("assessment.due"), value: words.dateAndTime(due, in: timeZone)))
        }
        if let passing = quiz.passing {
            items.append(.init(term: words("assessment.passing"), value: words.percent(passing)))
        }
        items.append(
            .init(term: words("assessment.results"), value: words("assessment.results.\(quiz.results.rawValue)")))
        return items
    }

    /// The score of a closed attempt with whether it is passed; `nil` while it is open.
    func result(_ attempt: QuizAttempt, of quiz: Quiz) -> String? {
        guard let score = attempt.score else { return nil }
        let passed = quiz.isPassed(score: score, of: attempt.maximum).map {
            words($0 ? "assessment.passed" : "assessment.notPassed")
        }
        return ([self.score(score, of: attempt.maximum)] + [passed].compactMap(\.self)).joined(separator: " · ")
    }

    /// An answer in words: the texts of its options, or what was typed.
    func answer(_ answer: QuizAnswer?, to question: Question) -> String {
        guard let answer, !answer.isEmpty else { return words("assessment.noAnswer") }
        switch question.kind {
        case .multipleChoice, .trueFalse:
            let chosen = question.options.filter { answer.optionIds.contains($0.id) }
            return chosen.map { optionText($0, of: question) }.joined(separator: " · ")
        case .shortAnswer, .numeric: return answer.texts.first ?? ""
        case .fillInTheBlank:
            return answer.texts.map { $0.isEmpty ? "____" : $0 }.joined(separator: " · ")
        }
    }

    /// The right answer in words.
    func key(of question: Question) -> String {
        switch question.kind {
        case .multipleChoice, .trueFalse:
            return question.options.filter(\.isRight).map { optionText($0, of: question) }.joined(separator: " · ")
        case .shortAnswer: return (question.accepted.first ?? []).joined(separator: " / ")
        case .fillInTheBlank: return question.accepted.map { $0.joined(separator: " / ") }.joined(separator: " · ")
        case .numeric:
            let point = words.language == .french ? "," : "."
            let numbers = (question.accepted.first ?? []).map { $0.replacing(".", with: point) }
            let tolerance = question.tolerance.map { " ± " + $0.replacing(".", with: point) } ?? ""
            return numbers.joined(separator: " / ") + tolerance
        }
    }

    func optionText(_ option: QuestionOption, of question: Question) -> String {
        guard question.kind == .trueFalse else {
            return OptionText(option.text, pictures: question.pictures).plainText
        }
        return words(question.options.first?.id == option.id ? "assessment.true" : "assessment.false")
    }

    /// The state of a quiz for those who lead its course, or for its students.
    func tag(_ quiz: Quiz, now: Date) -> PTTag? {
        if !quiz.isPublished { return PTTag(text: words("assessment.draft"), tone: .attention) }
        if let due = quiz.dueAt, due <= now { return PTTag(text: words("assessment.closedTag")) }
        if let opens = quiz.opensAt, opens > now { return PTTag(text: words("assessment.notOpenTag"), tone: .info) }
        return nil
    }
}
