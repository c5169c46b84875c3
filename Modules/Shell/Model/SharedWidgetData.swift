public import Foundation

/// The document that a person's widgets show on the home screen of a device.
///
/// It has the work that is due, the next lesson, and the number of unread conversations. An app reads it at
/// `/api/v1/widget` and shares it with its widgets.
public struct SharedWidgetData: Codable, Sendable, Hashable {
    /// Work that is due.
    public struct DueWork: Codable, Sendable, Hashable, Identifiable {
        public let id: UUID
        public let title: String
        /// The name of the course to which the work belongs.
        public let course: String
        /// The name of the child whose work it is; `nil` for the person's own work.
        public let student: String?
        public let dueAt: Date
        /// The path on the server that opens the work.
        public let link: String

        public init(id: UUID, title: String, course: String, student: String?, dueAt: Date, link: String) {
            self.id = id
            self.title = title
            self.course = course
            self.student = student
            self.dueAt = dueAt
            self.link = link
        }
    }

    /// A meeting of a course.
    public struct Lesson: Codable, Sendable, Hashable {
        public let title: String
        /// The room; `nil` if the course names none.
        public let place: String?
        public let startsAt: Date
        public let endsAt: Date
        /// The path on the server that opens the course.
        public let link: String

        public init(title: String, place: String?, startsAt: Date, endsAt: Date, link: String) {
            self.title = title
            self.place = place
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.link = link
        }
    }

    /// The form of the document. A program that knows only smaller numbers shows its last document.
    public let version: Int
    /// The instant at which the server read the document.
    public let readAt: Date
    /// The school's time zone, in which the day of a due time and of a lesson is meant: an IANA name.
    public let timeZone: String
    /// The work that is due next, at most `dueLimit` of it.
    public let due: [DueWork]
    /// The number of all work that is due within the span that the server looks ahead.
    public let dueCount: Int
    /// The lesson that takes place now or begins next; `nil` if there is none within two weeks.
    public let nextLesson: Lesson?
    /// The number of conversations with unread messages.
    public let unread: Int

    /// The form of the document that is written.
    public static let version = 1
    /// The most pieces of work in a document.
    public static let dueLimit = 5

    public init(
        readAt: Date, timeZone: String, due: [DueWork], dueCount: Int, nextLesson: Lesson?, unread: Int
    ) {
        version = Self.version
        self.readAt = readAt
        self.timeZone = timeZone
        self.due = due
        self.dueCount = dueCount
        self.nextLesson = nextLesson
        self.unread = unread
    }
}
