public import FeatureKit

extension NavigationPlacement {
    /// Links beside the list of members.
    public static let members = NavigationPlacement("members")
    /// Links in the part of Settings about the school.
    public static let school = NavigationPlacement("school")
    /// Links on the page of one person; their paths contain `{personId}`.
    public static let person = NavigationPlacement("person")
}
