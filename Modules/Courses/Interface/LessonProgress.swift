import Domain
public import FeatureKit
public import Foundation

/// How far one student is with the lessons of one course.
public struct LessonProgress: Sendable, Hashable {
    /// A lesson as progress sees it.
    public struct Step: Sendable, Hashable {
        public let id: UUID
        public let title: String
        /// How long it takes, where it tells.
        public let minutes: Int?

        public init(id: UUID, title: String, minutes: Int?) {
            self.id = id
            self.title = title
            self.minutes = minutes
        }
    }
    /// Lessons that are published.
    public let total: Int
    public let completed: Int
    /// The first lesson that is not done; `nil` when all are.
    public let next: Step?
    /// Minutes that the lessons left will take, from the average length of those that tell theirs; `nil` where none
    /// does.
    public let minutesLeft: Int?

    /// - Parameters:
    ///   - lessons: those that are published, in the order of the course.
    ///   - done: the lessons that are done; others than these are left out.
    public init(of lessons: [Step], done: Set<UUID>) {
        let left = lessons.filter { !done.contains($0.id) }
        let known = lessons.compactMap(\.minutes)
        let average = known.isEmpty ? nil : Double(known.reduce(0, +)) / Double(known.count)
        // A lesson that does not tell its length takes as long as the others do.
        let minutes = average.map { average in
            Int(left.reduce(0.0) { $0 + ($1.minutes.map(Double.init) ?? average) }.rounded(.up))
        }
        total = lessons.count
        completed = lessons.count - left.count
        next = left.first
        minutesLeft = left.isEmpty ? nil : minutes
    }
}

/// What students have done of the lessons, for other blocks; inside the caller's own transaction.
public protocol LessonRecord: Sendable {
    /// How far a student is in each of these courses.
    func progress(of studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading) throws -> [UUID: LessonProgress]
    /// When a student did lessons, of whatever course.
    func completions(by studentId: UUID, in sql: any SQLReading) throws -> [Date]
    /// How many of a course's lessons each student has done; those who have done none are left out.
    func completed(inCourse courseId: UUID, _ sql: any SQLReading) throws -> [UUID: Int]
}

/// The page of a lesson.
public enum LessonPath {
    public static func path(of lessonId: UUID, in courseId: UUID) -> String {
        "/courses/\(courseId.text)/lessons/\(lessonId.text)"
    }
}
