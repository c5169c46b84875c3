public import Domain
import Foundation

/// The scores of answers, in whole hundredths of a point (decision 47).
///
/// - A question with one right option, true or false, a short answer and a number give all points or none.
/// - With several right options, each right choice gives an equal part of the points and each wrong choice takes one
///   away.
/// - Options with shares of their own give or take the sum of these shares. A sum of at least 99.9 % counts as all, so
///   that three shares of 33.33 % are enough.
/// - Each blank gives an equal part of the points.
///
/// A question never gives less than nothing or more than its points. The result is rounded once, half up.
public enum QuestionScoring {
    /// Returns the score of an answer; an answer that is missing gets nothing.
    ///
    /// - Parameters:
    ///   - points: the points of the question, in hundredths.
    ///   - language: the language of the student, in which numbers are read.
    public static func score(_ answer: QuizAnswer?, to question: Question, points: Int, in language: Language)
        -> Int
    {
        if question.isFullForAll { return points }
        guard let answer, !answer.isEmpty else { return 0 }
        switch question.kind {
        case .multipleChoice, .trueFalse: return choice(Set(answer.optionIds), question, points)
        case .shortAnswer:
            let isRight = matches(answer.texts.first ?? "", question.accepted.first ?? [], question)
            return isRight ? points : 0
        case .fillInTheBlank:
            let right = zip(answer.texts, question.accepted).count { matches($0, $1, question) }
            return portion(of: points, right, of: question.accepted.count)
        case .numeric: return isRightNumber(answer, question, language) ? points : 0
        }
    }

    /// Returns for each blank whether it is filled rightly.
    public static func rightBlanks(_ answer: QuizAnswer?, of question: Question) -> [Bool] {
        question.accepted.indices.map { place in
            guard let texts = answer?.texts, texts.indices.contains(place) else { return false }
            return matches(texts[place], question.accepted[place], question)
        }
    }

    private static func matches(_ typed: String, _ accepted: [String], _ question: Question) -> Bool {
        AnswerText.matches(typed, accepted, ignoringAccents: question.ignoresAccents)
    }

    private static func choice(_ chosen: Set<UUID>, _ question: Question, _ points: Int) -> Int {
        let options = question.options.filter { chosen.contains($0.id) }
        guard options.count < 2 || question.takesSeveral else { return 0 }
        if question.options.contains(where: { $0.share != nil }) {
            let sum = options.reduce(0) { $0 + ($1.share ?? 0) }
            return sum >= 9990 ? points : portion(of: points, max(sum, 0), of: 10_000)
        }
        let all = question.options.count(where: \.isRight)
        let right = options.count(where: \.isRight)
        return portion(of: points, max(right - (options.count - right), 0), of: all)
    }

    private static func isRightNumber(_ answer: QuizAnswer, _ question: Question, _ language: Language) -> Bool {
        guard let typed = answer.texts.first,
            let number = NumberReading(typed).number(in: language, typed: typed, chosen: answer.number)
        else { return false }
        let tolerance = question.tolerance.flatMap { ExactNumber($0) } ?? .zero
        return (question.accepted.first ?? []).contains { key in
            ExactNumber(key).map { number.isWithin(tolerance, of: $0) } ?? false
        }
    }

    /// Returns a part of some points, rounded half up.
    static func portion(of points: Int, _ part: Int, of whole: Int) -> Int {
        guard whole > 0 else { return 0 }
        return (2 * points * part + whole) / (2 * whole)
    }
}
