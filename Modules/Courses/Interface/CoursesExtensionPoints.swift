public import FeatureKit

extension NavigationPlacement {
    /// Beside the list of one's courses.
    public static let courses = NavigationPlacement("courses")
}

extension PageSubject {
    /// The page of one course.
    public static let course = PageSubject("course")
}
