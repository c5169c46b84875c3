public import FeatureKit

extension PageSubject {
    /// The page that somebody begins with; its id is the person's.
    public static let home = PageSubject("home")
}

extension NavigationPlace {
    /// A card among the tools of the home page, for what stands in no menu.
    public static let tools = NavigationPlace("tools")
    /// Settings > Account: what concerns signing in.
    public static let security = NavigationPlace("security")
    /// What a newcomer is offered for this device; the page returns to the path in the query's `next`.
    public static let device = NavigationPlace("device")
}
