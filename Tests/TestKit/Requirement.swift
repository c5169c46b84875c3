public import Testing

/// Names the rows of the requirement ledger that a test shows to hold.
///
/// On a suite it counts for every test in it. `tower status` finds the trait in the sources and joins
/// it with the last test run, so the ids must be written as string literals.
public struct Requirement: TestTrait, SuiteTrait {
    /// Ledger ids: `PT-2M.15`.
    public let ids: [String]

    public var isRecursive: Bool { true }
}

extension Trait where Self == Requirement {
    /// The test shows these rows of the ledger: `.requirement("PT-2M.15")`.
    public static func requirement(_ ids: String...) -> Self { Requirement(ids: ids) }
}
