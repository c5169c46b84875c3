/// A violation of a rule at a line of a file.
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

/// A rule that the source tree must keep.
public struct Rule: Sendable {
    /// The name in findings, which is also the folder of its fixture.
    public let name: String
    public let sentence: String
    private let check: @Sendable (SourceTree) -> [Violation]

    init(_ name: String, _ sentence: String, _ check: @escaping @Sendable (SourceTree) -> [Violation]) {
        self.name = name
        self.sentence = sentence
        self.check = check
    }

    /// The violations in a source tree, sorted.
    public func violations(in tree: SourceTree) -> [Violation] { Set(check(tree)).sorted() }

    public static let all: [Rule] = [
        .layers, .cycles, .restrictedImports, .platform, .engines,
        .styleLiterals, .screenWidths, .visibleText, .catalogs, .localeFormats,
        .migrations, .commands,
        .singletons, .printing, .hiddenErrors, .unchecked, .forced,
        .assertions, .ledgerIds, .machinePaths, .readmes, .wiring,
        .kernelNames, .protocols, .ownTables, .services, .comments,
        .cachedImages, .viewModels, .apple, .storeCopies,
    ]
}

extension SourceTree {
    /// Checks each Swift file that matches `condition` separately.
    func inEachSource(
        where included: (SourceFile) -> Bool = { _ in true }, _ check: (SourceFile) -> [Violation]
    ) -> [Violation] {
        sources.filter(included).flatMap(check)
    }
}
