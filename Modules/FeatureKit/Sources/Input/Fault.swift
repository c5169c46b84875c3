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
    }

    public init(_ field: String, _ code: String, _ arguments: [Argument] = []) {
        self.field = field
        self.code = code
        self.arguments = arguments
    }

    public func sentence(_ words: Words) -> String { words.text("fault.\(code)", arguments.map(\.word)) }
}

extension Fault.Argument {
    /// The argument as the catalog wants it.
    public var word: any WordsArgument {
        switch self {
        case .text(let text): text
        case .number(let number): number
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

    public func sentence(_ words: Words) -> String { words.text("problem.\(code)", arguments.map(\.word)) }

    /// The answer for everything that is not there, or not there for this person.
    public static let notFound = Problem(404, "notFound")
    public static let signInNeeded = Problem(401, "signInNeeded")
    public static let notAllowed = Problem(403, "notAllowed")

    public static func invalid(_ faults: [Fault]) -> Problem { Problem(422, "invalid", faults: faults) }
    public static func invalid(_ field: String, _ code: String, _ arguments: [Fault.Argument] = []) -> Problem {
        .invalid([Fault(field, code, arguments)])
    }
}

/// A feature's own error that knows its public form.
public protocol ProblemConvertible: Error {
    var problem: Problem { get }
}
