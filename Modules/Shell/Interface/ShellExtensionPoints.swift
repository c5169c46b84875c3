public import FeatureKit

extension PageSubject {
    /// The home page of a person, whose id is the subject's id.
    public static let home = PageSubject("home")
}

extension NavigationPlacement {
    /// Cards among the tools of the home page, for pages that are in no menu.
    public static let tools = NavigationPlacement("tools")
    /// The group of Settings about signing in.
    public static let security = NavigationPlacement("security")
    /// Links that a new member is offered for this device. The page returns to the path in the query's `next`.
    public static let device = NavigationPlacement("device")
}
