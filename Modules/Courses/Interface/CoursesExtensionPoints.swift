public import FeatureKit

extension NavigationPlace {
    /// Beside the list of one's courses.
    public static let courses = NavigationPlace("courses")
}

extension PageSubject {
    /// The page of one course.
    public static let course = PageSubject("course")
}
