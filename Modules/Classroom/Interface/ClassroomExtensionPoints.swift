public import FeatureKit

extension NavigationPlacement {
    /// Links on the page of one classroom, whose paths contain `{classroomId}`.
    public static let classroom = NavigationPlacement("classroom")
    /// Links on the page of one student, whose paths contain `{studentId}`.
    public static let child = NavigationPlacement("child")
    /// Links beside an observation. Their paths contain `{observationId}`, and may contain `{studentId}` for the
    /// student whom it is about.
    public static let observation = NavigationPlacement("observation")
}

extension PageSubject {
    /// The page of one student of a classroom, on which other blocks show sections.
    public static let student = PageSubject("student")
}
