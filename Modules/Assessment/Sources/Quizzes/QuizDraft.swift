import AssessmentModel
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// The fields of a quiz's form.
struct QuizDraft: Sendable {
    /// The time limits that a quiz may have, in minutes.
    enum Limit: String, CaseIterable, Sendable {
        case none, fifteen = "15", thirty = "30", fortyFive = "45", sixty = "60", ninety = "90", hundredTwenty =
            "120"

        var minutes: Int? { Int(rawValue) }
        init(_ minutes: Int?) { self = minutes.flatMap { Limit(rawValue: String($0)) } ?? .none }
    }

    /// The numbers of attempts that a quiz may allow.
    enum Attempts: String, CaseIterable, Sendable {
        case one = "1", two = "2", three = "3", unlimited

        var count: Int? { Int(rawValue) }
        init(_ count: Int?) { self = count.flatMap { Attempts(rawValue: String($0)) } ?? .unlimited }
    }

    let title: String
    let details: String?
    let limit: Limit
    let points: Int
    let passing: Int?
    let attempts: Attempts
    let shufflesQuestions: Bool
    let shufflesOptions: Bool
    let results: Quiz.Results
    let showsAnswers: Bool
    let showsExplanations: Bool
    let opensDay: Day?
    let opensTime: ClockTime?
    let dueDay: Day?
    let dueTime: ClockTime?

    init(_ fields: inout FieldReader) {
        title = fields.text("title", max: 120)
        details = fields.optionalText("details", max: 2000, multiline: true)
        limit = fields.optionalChoice("limit") ?? .none
        points = Points.read("points", &fields) ?? 100
        let percent = fields.integer("passing", in: 0...100, default: 0)
        passing = percent == 0 ? nil : percent
        attempts = fields.optionalChoice("attempts") ?? .one
        shufflesQuestions = fields.flag("shufflesQuestions")
        shufflesOptions = fields.flag("shufflesOptions")
        results = fields.optionalChoice("results") ?? .atOnce
        showsAnswers = fields.flag("showsAnswers")
        showsExplanations = fields.flag("showsExplanations")
        opensDay = fields.optionalDay("opensDay")
        opensTime = fields.optionalClockTime("opensTime")
        dueDay = fields.optionalDay("dueDay")
        dueTime = fields.optionalClockTime("dueTime")
        fields.refuse("dueDay", "assessment.dueNeeded", unless: results == .atOnce || dueDay != nil)
    }

    /// Applies the draft to a quiz. Throws `Problem` 422 if the quiz would close before it opens.
    func apply(to quiz: inout Quiz, in timeZone: TimeZone) throws {
        quiz.title = title
        quiz.details = details
        quiz.minutes = limit.minutes
        quiz.points = points
        quiz.passing = passing
        quiz.attempts = attempts.count
        quiz.shufflesQuestions = shufflesQuestions
        quiz.shufflesOptions = shufflesOptions
        quiz.results = results
        quiz.showsAnswers = showsAnswers
        quiz.showsExplanations = showsExplanations
        quiz.opensAt = opensDay.map { (opensTime ?? .midnight).instant(on: $0, in: timeZone) }
        quiz.dueAt = dueDay.map { (dueTime ?? .lastMinute).instant(on: $0, in: timeZone) }
        quiz.dueDay = dueDay
        if let opens = quiz.opensAt, let due = quiz.dueAt, opens >= due {
            throw Problem.invalid("dueDay", "assessment.dueBeforeOpening")
        }
    }
}

/// Points in hundredths, as they are typed: `1`, `0.5`, `0,14`.
enum Points {
    /// The most points of a question.
    static let most = 100_000

    /// Reads points; `nil` if the field is empty.
    static func read(_ name: String, _ fields: inout FieldReader) -> Int? {
        let text = fields.optionalText(name, max: 12)
        let points = text.flatMap(hundredths)
        fields.refuse(name, "assessment.points", unless: text == nil || points.map { $0 <= most } ?? false)
        return points
    }

    /// Returns the points as a person types them, in the reader's language.
    static func shown(_ points: Int, _ words: Words) -> String { Hundredths(count: points).shown(words) }

    static func hundredths(_ text: String) -> Int? {
        Hundredths(text.replacing(",", with: ".")).map(\.count)
    }
}
