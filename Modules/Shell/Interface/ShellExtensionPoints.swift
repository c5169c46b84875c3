public import FeatureKit

extension PageSubject {
    /// The home page of a person; the id of the subject is the person's.
    public static let home = PageSubject("home")
}

extension NavigationPlacement {
    /// A card among the tools of the home page, for what stands in no menu.
    public static let tools = NavigationPlacement("tools")
    /// Settings > Account: what concerns signing in.
    public static let security = NavigationPlacement("security")
    /// What a newcomer is offered for this device; the page returns to the path in the query's `next`.
    public static let device = NavigationPlacement("device")
}
