public import FeatureKit
public import Foundation

/// Counts the work that students have done, whatever their scores.
///
/// Only released work counts. Work is done when it was handed in and scored; excused work does not count. All calls
/// run in the caller's transaction.
public protocol WorkRecord: Sendable {
    /// Returns the number of pieces of work that a student has done, in all courses.
    func workDone(by studentId: UUID, in sql: any SQLReading) throws -> Int
    /// Returns the number of pieces of work in a course for each student who has done any.
    func workDone(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int]
}
