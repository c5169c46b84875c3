public import FeatureKit
public import Foundation

/// Counts the pieces of work that students have done, whatever their scores.
///
/// Work is done when it was handed in and scored. Only work counts whose scores were released, that is, shown to the
/// student; excused work does not count. All calls run in the caller's database transaction.
public protocol WorkRecord: Sendable {
    /// Returns the number of pieces of work that a student has done, in all courses.
    func workDone(by studentId: UUID, in sql: any SQLReading) throws -> Int
    /// Returns the number of pieces of work in a course that each student has done; students without any are left out.
    func workDone(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int]
    /// Returns the times at which a student handed in work, in any course, whether or not it is scored.
    func handedIn(by studentId: UUID, in sql: any SQLReading) throws -> [Date]
}
