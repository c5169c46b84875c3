public import Foundation

/// An announcement to a class, a course, the staff, the families, or the whole school.
public struct Announcement: Codable, Sendable, Hashable, Identifiable {
    /// The parts of the school that an announcement can be for: the staff or the families.
    public enum Circle: String, Codable, Sendable, Hashable, CaseIterable { case staff, families }

    public let id: UUID
    public let title: String
    public let text: String
    /// The class that the announcement is for; `nil` if it is not for a class.
    public let classroomId: UUID?
    /// The course that the announcement is for; `nil` if it is not for a course.
    public let courseId: UUID?
    /// The part of the school that the announcement is for. Without a class, a course and a part, it is for the
    /// whole school.
    public let circle: Circle?
    public let authorId: UUID
    public let publishedAt: Date

    /// Whether the announcement is for the whole school.
    public var isForAll: Bool { classroomId == nil && courseId == nil && circle == nil }

    public init(
        id: UUID, title: String, text: String, classroomId: UUID? = nil, courseId: UUID? = nil,
        circle: Circle? = nil, authorId: UUID, publishedAt: Date
    ) {
        self.id = id
        self.title = title
        self.text = text
        self.classroomId = classroomId
        self.courseId = courseId
        self.circle = circle
        self.authorId = authorId
        self.publishedAt = publishedAt
    }
}
