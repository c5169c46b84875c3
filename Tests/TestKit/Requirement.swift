public import Testing

/// Names the statements of the requirement ledger that a test shows to hold.
///
/// `tower status` finds the trait in the sources and joins it with the last test run, so the ids must be written as string
/// literals.
public struct Requirement: TestTrait {
    /// Ids of statements: `PT-2M.15.a`, or `PT-2M.15` where the row is one statement.
    public let ids: [String]
}

extension Trait where Self == Requirement {
    /// The test shows these statements of the ledger: `.requirement("PT-2M.15.a")`.
    public static func requirement(_ ids: String...) -> Self { Requirement(ids: ids) }
}
