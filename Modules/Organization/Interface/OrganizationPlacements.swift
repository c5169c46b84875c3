public import FeatureKit

extension NavigationPlacement {
    /// Links on the page with the list of members.
    public static let members = NavigationPlacement("members")
    /// The group of Settings about the school.
    public static let school = NavigationPlacement("school")
    /// Links on the page of one person; their paths contain `{personId}`.
    public static let person = NavigationPlacement("person")
}
