public import FeatureKit

extension NavigationPlacement {
    /// Beside the forms of sign-in and sign-up; open to everybody.
    public static let signIn = NavigationPlacement("signIn")
    /// What the privacy page links to; open to everybody.
    public static let legal = NavigationPlacement("legal")
}
