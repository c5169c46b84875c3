public import FeatureKit

extension PageSubject {
    /// Settings > Account > Profile; the id of the subject is the person's in the active school.
    public static let profile = PageSubject("profile")
}

extension NavigationPlacement {
    /// Beside the forms of sign-in and sign-up; open to everybody.
    public static let signIn = NavigationPlacement("signIn")
    /// What the privacy page links to; open to everybody.
    public static let legal = NavigationPlacement("legal")
}
