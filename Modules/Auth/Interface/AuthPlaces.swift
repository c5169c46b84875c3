public import FeatureKit

extension NavigationPlace {
    /// Beside the forms of sign-in and sign-up; open to everybody.
    public static let signIn = NavigationPlace("signIn")
    /// What the privacy page links to; open to everybody.
    public static let legal = NavigationPlace("legal")
}
