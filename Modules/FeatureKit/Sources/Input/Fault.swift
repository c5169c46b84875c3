public import Domain

/// What is wrong with one field of an input. The sentence is `fault.<code>` of the catalog.
public struct Fault: Sendable, Hashable {
    /// The path of the field: `lastName`, `students[2].firstName`.
    public let field: String
    /// `required`, `tooLong`, ... or a feature's own (`code.unknown`).
    public let code: String
    public let arguments: [Argument]

    public enum Argument: Sendable, Hashable {
        case text(String)
        case number(Int)
        /// Told as people say it: "Wednesday 23 December".
        case day(Day)
        /// Seconds to wait, told as a person would: "30 seconds", "2 minutes", "1 hour".
        case wait(Int)
    }

    public init(_ field: String, _ code: String, _ arguments: [Argument] = []) {
        self.field = field
        self.code = code
        self.arguments = arguments
    }

    public func sentence(_ words: Words) -> String { words.text("fault.\(code)", arguments.map { $0.word(words) }) }
}

extension Fault.Argument {
    /// The argument as the catalog wants it.
    public func word(_ words: Words) -> any WordsArgument {
        switch self {
        case .text(let text): text
        case .number(let number): number
        case .day(let day): words.longDate(day)
        // Rounded up: whoever waits for as long as they were told is let in.
        case .wait(let seconds) where seconds < 60: words("wait.seconds", seconds)
        case .wait(let seconds) where seconds <= 59 * 60: words("wait.minutes", (seconds + 59) / 60)
        case .wait(let seconds): words("wait.hours", (seconds + 3599) / 3600)
        }
    }
}

/// A refusal that a person or a program can act on: the body of an RFC 9457 problem document.
public struct Problem: Error, Sendable, Hashable {
    /// The HTTP status (RFC 9110 section 15).
    public let status: Int
    /// Stable and public: `student.notFound`. Its sentence is `problem.<code>` of a catalog.
    public let code: String
    public let arguments: [Fault.Argument]
    public let faults: [Fault]
    /// Seconds after which a repetition makes sense.
    public let retryAfter: Int?

    public init(
        _ status: Int, _ code: String, _ arguments: [Fault.Argument] = [], faults: [Fault] = [],
        retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.arguments = arguments
        self.faults = faults
        self.retryAfter = retryAfter
    }

    public func sentence(_ words: Words) -> String {
        words.text("problem.\(code)", arguments.map { $0.word(words) })
    }

    /// The answer for everything that is not there, or not there for this person.
    public static let notFound = Problem(404, "notFound")
    public static let signInNeeded = Problem(401, "signInNeeded")
    public static let notAllowed = Problem(403, "notAllowed")
    /// The school wants a second factor of its staff, and this session has shown none.
    public static let secondFactorNeeded = Problem(403, "secondFactorNeeded")

    /// - Parameter seconds: how long to wait.
    public static func tooManyTries(_ seconds: Int) -> Problem {
        Problem(429, "tooManyTries", [.wait(seconds)], retryAfter: seconds)
    }

    public static func invalid(_ faults: [Fault]) -> Problem { Problem(422, "invalid", faults: faults) }
    public static func invalid(_ field: String, _ code: String, _ arguments: [Fault.Argument] = []) -> Problem {
        .invalid([Fault(field, code, arguments)])
    }
}

/// A feature's own error that knows its public form.
public protocol ProblemConvertible: Error {
    var problem: Problem { get }
}
