/// The facts about one Swift file that the rules use, collected in a single walk over its syntax tree.
///
/// Syntax trees are discarded: hundreds of them are large, while plain values can cross threads.
public struct Facts: Codable, Sendable {
    public internal(set) var imports: [Import] = []
    public internal(set) var literals: [Literal] = []
    public internal(set) var calls: [Call] = []
    public internal(set) var numbers: [NumberArgument] = []
    /// `x!`, `try!` and `as!`.
    public internal(set) var forced: [Finding] = []
    /// `try?`.
    public internal(set) var hiddenErrors: [Finding] = []
    /// `@unchecked Sendable` and `nonisolated(unsafe)`.
    public internal(set) var uncheckedIsolation: [Finding] = []
    public internal(set) var shared: [SharedState] = []
    /// Names of types and enum cases declared here.
    public internal(set) var declared: Set<String> = []
    /// Names of functions declared here, including local ones.
    public internal(set) var functions: Set<String> = []
    public internal(set) var protocols: [ProtocolDeclaration] = []
    /// Identifiers in the code, without comments and literals, each with its first line.
    public internal(set) var identifiers: [String: Int] = [:]
    public internal(set) var tests: [TestFunction] = []
    public internal(set) var suites: [TestSuite] = []
    /// Comments by line.
    public internal(set) var comments: [Int: String] = [:]
}

/// A place in the file that a rule reports, with the first line of its statement.
public struct Finding: Codable, Sendable, Hashable {
    public let text: String
    public let line: Int
    public let statementLine: Int
}

public struct Import: Codable, Sendable, Hashable {
    public let module: String
    public let line: Int
    /// Whether the import is in a branch of `#if`.
    public let isConditional: Bool
}

/// A string literal. Interpolated parts are replaced by `Literal.gap`.
public struct Literal: Codable, Sendable, Hashable {
    public static let gap: Character = "\u{FFFC}"

    public let text: String
    public let line: Int
    public let isMultiline: Bool
    /// The enclosing types, outermost first.
    public let types: [String]

    public var isInterpolated: Bool { text.contains(Literal.gap) }

    /// The line of the file for an index of the text.
    public func line(at index: String.Index) -> Int {
        guard isMultiline else { return line }
        return line + 1 + text[..<index].count { $0 == "\n" }
    }

    /// Whether the text has a letter outside of interpolated parts, so that a person could read it.
    public var hasLetter: Bool { text.contains(where: \.isLetter) }
}

/// A call of a function, method or initializer.
public struct Call: Codable, Sendable, Hashable {
    /// The expression before the last dot: `context` in `context.words("x")`. It is `nil` without a dot, and empty for
    /// an implicit member (`.toast(...)`).
    public let base: String?
    public let name: String
    public let arguments: [CallArgument]
    public let hasTrailingClosure: Bool
    public let line: Int
}

public struct CallArgument: Codable, Sendable, Hashable {
    public let label: String?
    /// The string literals of the argument itself, without those in nested calls.
    public let literals: [Literal]
    public let source: String
}

/// A number written as an argument: `cornerRadius: 8`.
public struct NumberArgument: Codable, Sendable, Hashable {
    public let call: String
    public let label: String?
    public let value: String
    public let line: Int
}

/// A global or static value in a source file that is mutable or shared.
public struct SharedState: Codable, Sendable, Hashable {
    public let name: String
    public let line: Int
    /// Whether a comment above the value gives the reason why it is shared.
    public let hasReason: Bool
}

/// A protocol and the number of its requirements.
public struct ProtocolDeclaration: Codable, Sendable, Hashable {
    public let name: String
    public let line: Int
    /// The number of functions, properties, initializers and subscripts that the protocol requires.
    public let requirements: Int
}

/// A function marked `@Test`. Line and column are those of the attribute's name, as the test library reports them.
public struct TestFunction: Codable, Sendable, Hashable {
    public let name: String
    public let types: [String]
    public let line: Int
    public let column: Int
    public let requirements: [String]
    /// Whether the test's body contains an expectation that can fail.
    public let asserts: Bool
}

public struct TestSuite: Codable, Sendable, Hashable {
    public let types: [String]
    public let requirements: [String]
}
