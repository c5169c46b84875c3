public import FeatureKit
public import Foundation

/// A student's place in a course, whether they are in it or wait.
public struct CoursePlace: Sendable, Hashable {
    public let courseId: UUID
    public let personId: UUID

    public init(courseId: UUID, personId: UUID) {
        self.courseId = courseId
        self.personId = personId
    }
}

/// Who learns in which course, for an import.
public protocol CoursePlaceImporting: Sendable {
    func places(in sql: any SQLReading) throws -> Set<CoursePlace>
    /// Brings students into courses; where one is full, they wait.
    func add(_ places: [CoursePlace], at instant: Date, in sql: any SQLWriting) throws
    func remove(_ places: [CoursePlace], in sql: any SQLWriting) throws
    /// The tables that it writes.
    var tables: Set<String> { get }
}
