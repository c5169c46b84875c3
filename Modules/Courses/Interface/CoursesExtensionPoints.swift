public import FeatureKit

extension NavigationPlacement {
    /// The place for links of other feature blocks on the page with the list of a person's courses.
    public static let courses = NavigationPlacement("courses")
}

extension PageSubject {
    /// The page of one course, on which other feature blocks show sections.
    public static let course = PageSubject("course")
}
