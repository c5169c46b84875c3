public import FeatureKit
public import Foundation

/// How much work students have done, however well: for blocks that count and do not judge. Only what was released; work
/// is done when it was handed in and marked, and what somebody was excused from is nobody's work. Inside the caller's
/// own transaction.
public protocol WorkRecord: Sendable {
    /// How many pieces of work a student has done, in whatever course.
    func workDone(by studentId: UUID, in sql: any SQLReading) throws -> Int
    /// How many pieces of a course's work each student has done; those who have done none are left out.
    func workDone(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int]
}
