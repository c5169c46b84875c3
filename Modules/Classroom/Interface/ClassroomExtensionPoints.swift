public import FeatureKit

extension NavigationPlacement {
    /// What others show of one classroom; `path` has `{classroomId}`.
    public static let classroom = NavigationPlacement("classroom")
    /// What may be done for one student, on the student's page; `path` has `{studentId}`.
    public static let child = NavigationPlacement("child")
    /// What may be done with one observation; `path` has `{observationId}`, and `{studentId}` for the student whom it is
    /// about.
    public static let observation = NavigationPlacement("observation")
}

extension PageSubject {
    /// The page of one student of a classroom.
    public static let student = PageSubject("student")
}
