import Domain
public import FeatureKit
public import Foundation

/// The progress of one student with the lessons of one course.
public struct LessonProgress: Sendable, Hashable {
    /// A lesson of a course, with its length.
    public struct Step: Sendable, Hashable {
        public let id: UUID
        public let title: String
        /// The length of the lesson in minutes; `nil` if it is unknown.
        public let minutes: Int?

        public init(id: UUID, title: String, minutes: Int?) {
            self.id = id
            self.title = title
            self.minutes = minutes
        }
    }
    /// The number of published lessons in the course.
    public let total: Int
    public let completed: Int
    /// The first lesson that the student has not completed; `nil` if all are completed.
    public let next: Step?
    /// The estimated minutes that the remaining lessons take; `nil` if no lesson has a length.
    ///
    /// A lesson without a length counts with the average of the others.
    public let minutesLeft: Int?

    /// Computes a student's progress with the lessons of a course.
    /// - Parameters:
    ///   - lessons: the published lessons, in the order of the course.
    ///   - done: the ids of the completed lessons; ids of other lessons are ignored.
    public init(of lessons: [Step], done: Set<UUID>) {
        let left = lessons.filter { !done.contains($0.id) }
        let known = lessons.compactMap(\.minutes)
        let average = known.isEmpty ? nil : Double(known.reduce(0, +)) / Double(known.count)
        // A lesson without a length counts with the average of the others.
        let minutes = average.map { average in
            Int(left.reduce(0.0) { $0 + ($1.minutes.map(Double.init) ?? average) }.rounded(.up))
        }
        total = lessons.count
        completed = lessons.count - left.count
        next = left.first
        minutesLeft = left.isEmpty ? nil : minutes
    }
}

/// Reads the completed lessons of students, in the caller's database transaction.
public protocol LessonRecord: Sendable {
    /// Returns the progress of a student in each of these courses.
    func progress(of studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading) throws -> [UUID: LessonProgress]
    /// Returns the times at which a student completed lessons, in any course.
    func completions(by studentId: UUID, in sql: any SQLReading) throws -> [Date]
    /// Returns the number of completed lessons in a course for each student who has completed any.
    func completed(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int]
}

/// The paths of the pages about lessons.
public enum LessonPath {
    /// Returns the path of a lesson's page.
    public static func path(of lessonId: UUID, in courseId: UUID) -> String {
        "/courses/\(courseId.text)/lessons/\(lessonId.text)"
    }
}
