public import Domain

/// A fault in one field of an input. Its sentence is the catalog's text `fault.<code>`.
public struct Fault: Sendable, Hashable {
    /// The path of the faulty field: `lastName`, `students[2].firstName`.
    public let field: String
    /// The code of the fault: a general one (`required`, `tooLong`) or one of a feature's own (`code.unknown`).
    public let code: String
    /// The values that are put into the sentence of the fault.
    public let arguments: [Argument]

    /// A value that is put into the sentence of a fault or problem.
    public enum Argument: Sendable, Hashable {
        case text(String)
        case number(Int)
        /// A day that the sentence writes as "Wednesday 23 December".
        case day(Day)
        /// A number of seconds that the sentence writes as "30 seconds", "2 minutes" or "1 hour".
        case wait(Int)
    }

    public init(_ field: String, _ code: String, _ arguments: [Argument] = []) {
        self.field = field
        self.code = code
        self.arguments = arguments
    }

    /// Returns the sentence of the fault in the reader's language.
    public func sentence(_ words: Words) -> String { words.text("fault.\(code)", arguments.map { $0.word(words) }) }
}

extension Fault.Argument {
    /// Returns the value as the sentence writes it in the reader's language.
    public func word(_ words: Words) -> any WordsArgument {
        switch self {
        case .text(let text): text
        case .number(let number): number
        case .day(let day): words.longDate(day)
        // Rounded up, so that a try after the stated time is accepted.
        case .wait(let seconds) where seconds < 60: words("wait.seconds", seconds)
        case .wait(let seconds) where seconds <= 59 * 60: words("wait.minutes", (seconds + 59) / 60)
        case .wait(let seconds): words("wait.hours", (seconds + 3599) / 3600)
        }
    }
}

/// A refusal that a person or a program can act on, sent as an RFC 9457 problem document.
public struct Problem: Error, Sendable, Hashable {
    /// The HTTP status of the refusal (RFC 9110 section 15).
    public let status: Int
    /// The code of the problem, stable and public: `student.notFound`. Its sentence is a catalog's text
    /// `problem.<code>`.
    public let code: String
    public let arguments: [Fault.Argument]
    /// The faults of single fields of the input; empty for a problem with the request as a whole.
    public let faults: [Fault]
    /// The number of seconds after which the request may be repeated; `nil` if repeating does not help.
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

    /// Returns the sentence of the problem in the reader's language.
    public func sentence(_ words: Words) -> String {
        words.text("problem.\(code)", arguments.map { $0.word(words) })
    }

    /// The problem for everything that does not exist, or that the caller may not know of.
    public static let notFound = Problem(404, "notFound")
    /// The problem of a request that needs a signed-in account.
    public static let signInNeeded = Problem(401, "signInNeeded")
    /// The problem of a caller who lacks a permission.
    public static let notAllowed = Problem(403, "notAllowed")
    /// The problem of a session without the second factor that the school requires of its staff.
    public static let secondFactorNeeded = Problem(403, "secondFactorNeeded")

    /// Returns the problem of too many failed tries.
    /// - Parameter seconds: how long to wait.
    public static func tooManyTries(_ seconds: Int) -> Problem {
        Problem(429, "tooManyTries", [.wait(seconds)], retryAfter: seconds)
    }

    /// Returns the problem of an input with faults.
    public static func invalid(_ faults: [Fault]) -> Problem { Problem(422, "invalid", faults: faults) }
    /// Returns the problem of an input with one fault.
    public static func invalid(_ field: String, _ code: String, _ arguments: [Fault.Argument] = []) -> Problem {
        .invalid([Fault(field, code, arguments)])
    }
}

/// An error of a feature that can be answered as a `Problem`.
public protocol ProblemConvertible: Error {
    var problem: Problem { get }
}
