public import Domain
public import Foundation

/// A quiz of a course, with its rules.
public struct Quiz: Identifiable, Codable, Sendable, Hashable {
    /// The time at which students see their results.
    public enum Results: String, Codable, Sendable, Hashable, CaseIterable {
        /// Results are shown after the due time of the quiz.
        case afterDue
        /// Results are shown as soon as an attempt is closed.
        case atOnce
    }

    public let id: UUID
    public let courseId: UUID
    public var title: String
    public var details: String?
    /// The time limit in minutes; `nil` for none.
    public var minutes: Int?
    /// The points of a question that has none of its own, in hundredths.
    public var points: Int
    /// The percentage from which an attempt is passed; `nil` if there is no such limit.
    public var passing: Int?
    /// The number of attempts that each student has; `nil` for no limit.
    public var attempts: Int?
    public var shufflesQuestions: Bool
    public var shufflesOptions: Bool
    public var results: Results
    /// Whether the results show the right answers.
    public var showsAnswers: Bool
    /// Whether the results show the explanations of the questions.
    public var showsExplanations: Bool
    /// The instant from which students can start; `nil` for at once.
    public var opensAt: Date?
    /// The instant at which the quiz closes; `nil` if it stays open.
    public var dueAt: Date?
    /// The day of `dueAt` in the school's time zone.
    public var dueDay: Day?
    /// The instant at which the quiz was published last; `nil` while students do not see it.
    public var publishedAt: Date? { didSet { isPublished = publishedAt != nil } }
    /// Whether students see the quiz. It follows from `publishedAt`, and is stored because the API has it.
    public private(set) var isPublished: Bool
    /// The instant at which results that wait for the due time were released; `nil` until then.
    public var releasedAt: Date?
    /// The sum of the points of all questions, in hundredths.
    public var maximum: Int
    /// Grows with each change of the quiz's rules.
    public var version: Int
    public let createdAt: Date

    public init(
        id: UUID, courseId: UUID, title: String, details: String? = nil, minutes: Int? = nil, points: Int = 100,
        passing: Int? = nil, attempts: Int? = 1, shufflesQuestions: Bool = false, shufflesOptions: Bool = false,
        results: Results = .atOnce, showsAnswers: Bool = true, showsExplanations: Bool = true,
        opensAt: Date? = nil, dueAt: Date? = nil, dueDay: Day? = nil, publishedAt: Date? = nil,
        releasedAt: Date? = nil, maximum: Int = 0, version: Int = 1, createdAt: Date
    ) {
        self.id = id
        self.courseId = courseId
        self.title = title
        self.details = details
        self.minutes = minutes
        self.points = points
        self.passing = passing
        self.attempts = attempts
        self.shufflesQuestions = shufflesQuestions
        self.shufflesOptions = shufflesOptions
        self.results = results
        self.showsAnswers = showsAnswers
        self.showsExplanations = showsExplanations
        self.opensAt = opensAt
        self.dueAt = dueAt
        self.dueDay = dueDay
        self.publishedAt = publishedAt
        isPublished = publishedAt != nil
        self.releasedAt = releasedAt
        self.maximum = maximum
        self.version = version
        self.createdAt = createdAt
    }

    /// Whether students may see the results of closed attempts now.
    public var areResultsShown: Bool { results == .atOnce || releasedAt != nil }

    /// Whether a score reaches the passing percentage; `nil` if the quiz has none.
    public func isPassed(score: Int, of maximum: Int) -> Bool? {
        passing.map { score * 100 >= $0 * maximum }
    }
}

/// One student's try at a quiz.
public struct QuizAttempt: Identifiable, Codable, Sendable, Hashable {
    /// The reason for which an attempt was closed.
    public enum Ending: String, Codable, Sendable, Hashable, CaseIterable {
        case handedIn, timeOver
    }

    public let id: UUID
    public let quizId: UUID
    public let studentId: UUID
    /// The number of the attempt among the student's attempts, from 1.
    public let number: Int
    public let startedAt: Date
    /// The instant at which the time is over; `nil` if nothing limits it.
    public var endsAt: Date?
    /// The instant at which the attempt was closed; `nil` while it is open.
    public var closedAt: Date?
    public var ending: Ending?
    /// The score in hundredths; `nil` while the attempt is open.
    public var score: Int?
    /// The largest score of the attempt, in hundredths.
    public var maximum: Int

    public init(
        id: UUID, quizId: UUID, studentId: UUID, number: Int, startedAt: Date, endsAt: Date?, closedAt: Date? = nil,
        ending: Ending? = nil, score: Int? = nil, maximum: Int
    ) {
        self.id = id
        self.quizId = quizId
        self.studentId = studentId
        self.number = number
        self.startedAt = startedAt
        self.endsAt = endsAt
        self.closedAt = closedAt
        self.ending = ending
        self.score = score
        self.maximum = maximum
    }

    /// Whether answers are still accepted at an instant, including the grace period.
    public func accepts(at instant: Date) -> Bool {
        closedAt == nil && endsAt.map { instant <= $0.addingTimeInterval(AttemptTime.grace) } ?? true
    }
}

/// A question as a student sees it during an attempt, without its key.
public struct AskedQuestion: Identifiable, Codable, Sendable, Hashable {
    /// An option of the question, without whether it is right.
    public struct Option: Identifiable, Codable, Sendable, Hashable {
        public let id: UUID
        public let text: String

        public init(id: UUID, text: String) {
            self.id = id
            self.text = text
        }
    }

    public let id: UUID
    public let kind: Question.Kind
    /// The text of the question as Markdown.
    public let text: String
    /// The pictures that the texts of the question and of its options name. `QuestionPicture.path(of:)` is their address.
    public let pictures: [QuestionPicture]
    public let options: [Option]
    public let takesSeveral: Bool
    /// The number of texts of an answer.
    public let textCount: Int
    /// The points in hundredths.
    public let points: Int
    /// The answer that the server has stored.
    public let answer: QuizAnswer?
    /// Whether the student marked the question to come back to it.
    public let isMarked: Bool
    /// The instant at which the answer was stored.
    public let savedAt: Date?

    public init(_ question: Question, points: Int, answer: QuizAnswer?, isMarked: Bool, savedAt: Date?) {
        id = question.id
        kind = question.kind
        text = question.text
        pictures = question.pictures
        options = question.options.map { Option(id: $0.id, text: $0.text) }
        takesSeveral = question.takesSeveral
        textCount = question.textCount
        self.points = points
        self.answer = answer
        self.isMarked = isMarked
        self.savedAt = savedAt
    }
}
