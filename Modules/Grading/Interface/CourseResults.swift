public import FeatureKit
public import Foundation

/// A course of a student and the grade that the student has in it.
public struct CourseResult: Sendable, Hashable {
    public let courseId: UUID
    /// The grade of the student from released scores, that is, scores that were shown to the student; `nil` without one.
    public let grade: CourseGrade?
    /// Whether the student has left the course.
    public let isFormer: Bool

    public init(courseId: UUID, grade: CourseGrade?, isFormer: Bool) {
        self.courseId = courseId
        self.grade = grade
        self.isFormer = isFormer
    }
}

/// Reads all courses of a student with their grades, for feature blocks that print them. Scores that were not released
/// count nowhere.
///
/// All calls run in the caller's database transaction. The caller must check whether the member may see the student.
public protocol CourseResults: Sendable {
    /// Returns the courses that a student is in, and those that the student left with released scores.
    func results(of studentId: UUID, in sql: any SQLReading) throws -> [CourseResult]
    /// Returns the average over the grades of some results; `nil` if there is no grade among them.
    func average(of results: [CourseResult], in sql: any SQLReading) throws -> GradePointAverage?
}
