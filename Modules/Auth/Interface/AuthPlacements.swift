public import FeatureKit

extension NavigationPlacement {
    /// Links beside the forms for signing in and signing up, visible without an account.
    public static let signIn = NavigationPlacement("signIn")
    /// Links on the privacy page, visible without an account.
    public static let legal = NavigationPlacement("legal")
}
