public import FeatureKit

extension NavigationPlacement {
    /// The place for links of other feature blocks on the page with the list of members.
    public static let members = NavigationPlacement("members")
    /// The place for links in the group of Settings about the school.
    public static let school = NavigationPlacement("school")
    /// The place for links of other feature blocks on the page of one person; their paths contain `{personId}`.
    public static let person = NavigationPlacement("person")
}
