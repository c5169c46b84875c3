public import FeatureKit

extension PageSubject {
    /// The page Settings > Account > Profile, on which other feature blocks show sections. The id of the subject is
    /// that of the person in the active school.
    public static let profile = PageSubject("profile")
}

extension NavigationPlacement {
    /// The place for links beside the forms for signing in and signing up, visible without an account.
    public static let signIn = NavigationPlacement("signIn")
    /// The place for links on the privacy page, visible without an account.
    public static let legal = NavigationPlacement("legal")
}
