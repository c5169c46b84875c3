public import FeatureKit

extension NavigationPlace {
    /// Beside the list of members.
    public static let members = NavigationPlace("members")
    /// The things of a school that Settings manages.
    public static let school = NavigationPlace("school")
    /// What may be done about one person; `path` has `{personId}`.
    public static let person = NavigationPlace("person")
}
