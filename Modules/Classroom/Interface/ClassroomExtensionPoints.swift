public import FeatureKit

extension NavigationPlacement {
    /// The place for links of other feature blocks on the page of one classroom; their paths contain `{classroomId}`.
    public static let classroom = NavigationPlacement("classroom")
    /// The place for links of other feature blocks on the page of one student; their paths contain `{studentId}`.
    public static let child = NavigationPlacement("child")
    /// The place for links of other feature blocks beside an observation of a child. Their paths contain
    /// `{observationId}`, and may contain `{studentId}` for the student whom it is about.
    public static let observation = NavigationPlacement("observation")
}

extension PageSubject {
    /// The page of one student of a classroom, on which other feature blocks show sections.
    public static let student = PageSubject("student")
}
