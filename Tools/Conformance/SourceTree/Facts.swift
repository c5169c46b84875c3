/// What the rules need to know of one Swift file, collected in a single walk over its tree.
///
/// Trees are not kept: a few hundred of them are large, and plain values can cross threads.
public struct Facts: Sendable {
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
    /// Names of functions declared here, local ones too.
    public internal(set) var functions: Set<String> = []
    public internal(set) var protocols: [ProtocolDeclaration] = []
    /// Identifiers of the code, comments and literals left out, each with the first line on which it stands.
    public internal(set) var identifiers: [String: Int] = [:]
    public internal(set) var tests: [TestFunction] = []
    public internal(set) var suites: [TestSuite] = []
    /// Comments by the line on which they stand.
    public internal(set) var comments: [Int: String] = [:]
}

/// A place in the file, with the line at which its statement begins.
public struct Finding: Sendable, Hashable {
    public let text: String
    public let line: Int
    public let statementLine: Int
}

public struct Import: Sendable, Hashable {
    public let module: String
    public let line: Int
    /// It stands in a branch of `#if`.
    public let isConditional: Bool
}

/// A string literal. Interpolated parts stand as `Literal.gap`.
public struct Literal: Sendable, Hashable {
    public static let gap: Character = "\u{FFFC}"

    public let text: String
    public let line: Int
    public let isMultiline: Bool
    /// The types around it, outermost first.
    public let types: [String]

    public var isInterpolated: Bool { text.contains(Literal.gap) }

    /// The line of the file on which `index` of the text stands.
    public func line(at index: String.Index) -> Int {
        guard isMultiline else { return line }
        return line + 1 + text[..<index].count { $0 == "\n" }
    }

    /// Whether a person could read something here: a letter outside the interpolated parts.
    public var hasLetter: Bool { text.contains(where: \.isLetter) }
}

/// A call of a function, method or initialiser.
public struct Call: Sendable, Hashable {
    /// What stands before the last dot: `context` in `context.words("x")`; `nil` without a dot, empty
    /// for an implicit member (`.toast(...)`).
    public let base: String?
    public let name: String
    public let arguments: [CallArgument]
    public let hasTrailingClosure: Bool
    public let line: Int
}

public struct CallArgument: Sendable, Hashable {
    public let label: String?
    /// The string literals that the argument consists of; those within calls in it are not its own.
    public let literals: [Literal]
    public let source: String
}

/// A number written as an argument: `cornerRadius: 8`.
public struct NumberArgument: Sendable, Hashable {
    public let call: String
    public let label: String?
    public let value: String
    public let line: Int
}

/// A mutable or well-known value that is reachable from everywhere.
public struct SharedState: Sendable, Hashable {
    public let name: String
    public let line: Int
    /// The comment above says why it is one.
    public let hasReason: Bool
}

/// A protocol and how much it asks of its implementations.
public struct ProtocolDeclaration: Sendable, Hashable {
    public let name: String
    public let line: Int
    /// Functions, properties, initialisers and subscripts.
    public let requirements: Int
}

/// A function marked `@Test`. Line and column are those of the attribute's name, as the test
/// library reports them.
public struct TestFunction: Sendable, Hashable {
    public let name: String
    public let types: [String]
    public let line: Int
    public let column: Int
    public let requirements: [String]
    /// It has something that can fail.
    public let asserts: Bool
}

public struct TestSuite: Sendable, Hashable {
    public let types: [String]
    public let requirements: [String]
}
