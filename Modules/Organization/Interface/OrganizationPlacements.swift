public import FeatureKit

extension NavigationPlacement {
    /// Beside the list of members.
    public static let members = NavigationPlacement("members")
    /// The things of a school that Settings manages.
    public static let school = NavigationPlacement("school")
    /// What may be done about one person; `path` has `{personId}`.
    public static let person = NavigationPlacement("person")
}
