public import Testing

/// Names the statements of the requirement ledger that a test proves.
///
/// `tower status` finds the trait in the sources and joins it with the last test run. Write the ids as string
/// literals.
public struct Requirement: TestTrait {
    /// The ids of statements: `PT-2M.15.a`, or `PT-2M.15` if the requirement is one statement.
    public let ids: [String]
}

extension Trait where Self == Requirement {
    /// Names the statements that the test proves: `.requirement("PT-2M.15.a")`.
    public static func requirement(_ ids: String...) -> Self { Requirement(ids: ids) }
}
