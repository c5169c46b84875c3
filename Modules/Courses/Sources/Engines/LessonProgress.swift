import Foundation

/// How far one student is with the lessons of one course.
struct LessonProgress: Sendable, Hashable {
    /// Lessons that are published.
    let total: Int
    let completed: Int
    /// The first lesson that is not done; `nil` when all are.
    let nextLessonId: UUID?
    /// Minutes that the lessons left will take, from the average length of those that tell theirs; `nil` where none
    /// does.
    let minutesLeft: Int?

    /// - Parameters:
    ///   - lessons: those that are published, in the order of the course.
    ///   - done: the lessons that are done; others than these are left out.
    init(of lessons: [(id: UUID, minutes: Int?)], done: Set<UUID>) {
        let left = lessons.filter { !done.contains($0.id) }
        let known = lessons.compactMap(\.minutes)
        let average = known.isEmpty ? nil : Double(known.reduce(0, +)) / Double(known.count)
        // A lesson that does not tell its length takes as long as the others do.
        let minutes = average.map { average in
            Int(left.reduce(0.0) { $0 + ($1.minutes.map(Double.init) ?? average) }.rounded(.up))
        }
        total = lessons.count
        completed = lessons.count - left.count
        nextLessonId = left.first?.id
        minutesLeft = left.isEmpty ? nil : minutes
    }
}
