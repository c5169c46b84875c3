/// A place where a rule is broken.
public struct Violation: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let file: String
    public let line: Int
    public let message: String

    public init(_ file: String, _ line: Int, _ message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    public var description: String { "\(file):\(line): \(message)" }

    public static func < (left: Violation, right: Violation) -> Bool {
        (left.file, left.line, left.message) < (right.file, right.line, right.message)
    }
}

/// One law of the tree.
public struct Rule: Sendable {
    /// How findings name it; also the folder of its fixture.
    public let name: String
    public let sentence: String
    private let check: @Sendable (SourceTree) -> [Violation]

    init(_ name: String, _ sentence: String, _ check: @escaping @Sendable (SourceTree) -> [Violation]) {
        self.name = name
        self.sentence = sentence
        self.check = check
    }

    /// Every place that breaks the rule, in order.
    public func violations(in tree: SourceTree) -> [Violation] { Set(check(tree)).sorted() }

    public static let all: [Rule] = [
        .layers, .cycles, .restrictedImports, .platform, .engines,
        .styleLiterals, .visibleText, .catalogs, .localeFormats,
        .migrations, .commands,
        .singletons, .printing, .hiddenErrors, .unchecked, .forced,
        .assertions, .ledgerIds, .machinePaths, .readmes, .wiring,
        .kernelNames, .protocols, .ownTables, .comments,
    ]
}

extension SourceTree {
    /// Checks every Swift file for itself.
    func inEachSource(
        where included: (SourceFile) -> Bool = { _ in true }, _ check: (SourceFile) -> [Violation]
    ) -> [Violation] {
        sources.filter(included).flatMap(check)
    }
}
