public import FeatureKit

extension PageSubject {
    /// The home page of a person, on which other feature blocks show sections. The id of the subject is the person's
    /// id.
    public static let home = PageSubject("home")
}

extension NavigationPlacement {
    /// The place for cards among the tools of the home page, which lead to pages that are in no menu.
    public static let tools = NavigationPlacement("tools")
    /// The place for links in the group of Settings about signing in.
    public static let security = NavigationPlacement("security")
    /// The place for links that a new member is offered for the device in use. The page returns to the path in the
    /// query's `next`.
    public static let device = NavigationPlacement("device")
}
