public import FeatureKit

extension PageSubject {
    /// Settings > Account > Profile; the id of the subject is the person's in the active school.
    public static let profile = PageSubject("profile")
}

extension NavigationPlacement {
    /// Links beside the forms for signing in and signing up, visible without an account.
    public static let signIn = NavigationPlacement("signIn")
    /// Links on the privacy page, visible without an account.
    public static let legal = NavigationPlacement("legal")
}
