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
    let opensTime: DayTime?
    let dueDay: Day?
    let dueTime: DayTime?

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
        opensTime = DayTime.read("opensTime", &fields)
        dueDay = fields.optionalDay("dueDay")
        dueTime = DayTime.read("dueTime", &fields)
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

/// A time of day on the school's wall clock, such as `8:05`.
struct DayTime: Sendable, Hashable {
    static let midnight = DayTime(minutes: 0)
    static let lastMinute = DayTime(minutes: 23 * 60 + 59)

    let minutes: Int

    init(minutes: Int) { self.minutes = minutes }

    /// Reads `20:00`, `8:05` or `8h05`; `nil` for any other text.
    init?(_ text: String) {
        let parts = text.lowercased().split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "h" }
        let isDigits = { (part: Substring) in part.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy(isDigits), let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    init(_ instant: Date, in timeZone: TimeZone) {
        let seconds = Int(instant.timeIntervalSince1970.rounded(.down)) + timeZone.secondsFromGMT(for: instant)
        minutes = ((seconds % 86_400) + 86_400) % 86_400 / 60
    }

    static func read(_ name: String, _ fields: inout FieldReader) -> DayTime? {
        let text = fields.optionalText(name, max: 5)
        let time = text.flatMap(DayTime.init)
        fields.refuse(name, "assessment.time", unless: text == nil || time != nil)
        return time
    }

    /// Returns the instant at which the wall clock shows this time on a day. A time that a change of clocks skips is
    /// the first instant after the gap.
    func instant(on day: Day, in timeZone: TimeZone) -> Date {
        let midnight = day.start(in: timeZone)
        let guess = midnight.addingTimeInterval(Double(minutes) * 60)
        // On a day on which the clocks change, the day's start has another offset.
        let shift = timeZone.secondsFromGMT(for: midnight) - timeZone.secondsFromGMT(for: guess)
        return guess.addingTimeInterval(Double(shift))
    }

    var text: String { "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)" }
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
