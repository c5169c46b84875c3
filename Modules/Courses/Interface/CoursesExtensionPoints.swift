public import FeatureKit

extension NavigationPlacement {
    /// Links on the page with the list of a person's courses.
    public static let courses = NavigationPlacement("courses")
}

extension PageSubject {
    /// The page of one course, on which other blocks show sections.
    public static let course = PageSubject("course")
}
