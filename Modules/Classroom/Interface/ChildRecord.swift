public import Domain
public import FeatureKit
public import Foundation

/// An observation that something is concluded from.
public struct Evidence: Identifiable, Codable, Sendable, Hashable {
    /// The observation.
    public let id: UUID
    public let day: Day
    /// Its beginning, at most 120 characters.
    public let excerpt: String

    public init(id: UUID, day: Day, excerpt: String) {
        self.id = id
        self.day = day
        self.excerpt = excerpt
    }
}

/// What is written about a child, for blocks that conclude from it or plan with it. All of it inside the caller's
/// own transaction; whether the member may see the child is the caller's to ask (`StudentService.student`).
public protocol ChildRecord: Sendable {
    /// The observations of a child that are tagged with one of the materials, by it, newest first, at most three for
    /// each.
    func evidence(
        of studentId: UUID, materials: Set<UUID>, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]]
    /// The titles of the child's lessons that are not completed yet.
    func openLessons(of studentId: UUID, in sql: any SQLReading) throws -> Set<String>
    /// Plans a lesson for the child, without a day yet, and records the change.
    func plan(lesson title: String, details: String?, for studentId: UUID, in context: inout CommandContext) throws
    /// The same for a task.
    func plan(task title: String, details: String?, for studentId: UUID, in context: inout CommandContext) throws
}

/// What was written about a child, for blocks that tell of it. All of it inside the caller's own transaction;
/// whether the member may see the child is the caller's to ask (`StudentService.student`).
public protocol ChildHistory: Sendable {
    /// What was written between two days, both included.
    func period(
        of studentId: UUID, from first: Day, through last: Day, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> ChildPeriod
    /// One observation; `nil` for an id that is not there.
    func observation(_ id: UUID, timeZone: TimeZone, in sql: any SQLReading) throws -> RecordedObservation?
    /// The photos of an observation, in their order.
    func photos(ofObservation id: UUID, in sql: any SQLReading) throws -> [RecordedPhoto]
}

/// A child's record in a period, each part in the order of its days.
public struct ChildPeriod: Sendable, Hashable {
    public let observations: [RecordedObservation]
    /// Lessons and tasks completed in it.
    public let completed: [RecordedWork]
    /// Lessons and tasks that are open now, at most twenty.
    public let open: [RecordedWork]
    public let habits: [RecordedHabit]
    /// The days on which it was marked absent.
    public let absentOn: [Day]

    public init(
        observations: [RecordedObservation], completed: [RecordedWork], open: [RecordedWork],
        habits: [RecordedHabit], absentOn: [Day]
    ) {
        self.observations = observations
        self.completed = completed
        self.open = open
        self.habits = habits
        self.absentOn = absentOn
    }
}

/// What a guide wrote, in her own words.
public struct RecordedObservation: Identifiable, Sendable, Hashable {
    public let id: UUID
    /// Whom it is about first.
    public let studentId: UUID
    /// Other children who took part.
    public let taggedStudentIds: [UUID]
    public let day: Day
    public let content: String
    public let subjectTag: UUID?
    public let materialTag: UUID?
    public let followUpOn: Day?

    public init(
        id: UUID, studentId: UUID, taggedStudentIds: [UUID], day: Day, content: String, subjectTag: UUID?,
        materialTag: UUID?, followUpOn: Day?
    ) {
        self.id = id
        self.studentId = studentId
        self.taggedStudentIds = taggedStudentIds
        self.day = day
        self.content = content
        self.subjectTag = subjectTag
        self.materialTag = materialTag
        self.followUpOn = followUpOn
    }
}

/// A photo: the picture and a small one of it, as files of the school.
public struct Photo: Codable, Sendable, Hashable {
    public let hash: BlobHash
    public let thumbnail: BlobHash
    /// Of the picture, in pixels.
    public let width: Int
    public let height: Int

    public init(hash: BlobHash, thumbnail: BlobHash, width: Int, height: Int) {
        self.hash = hash
        self.thumbnail = thumbnail
        self.width = width
        self.height = height
    }
}

/// A photo of an observation.
public struct RecordedPhoto: Sendable, Hashable {
    public let photo: Photo
    /// Where whoever sees the child sees it, and the small one.
    public let path, thumbnailPath: String

    public init(_ photo: Photo, path: String, thumbnailPath: String) {
        self.photo = photo
        self.path = path
        self.thumbnailPath = thumbnailPath
    }
}

/// A lesson or a task.
public struct RecordedWork: Identifiable, Sendable, Hashable {
    public let id: UUID
    public let isLesson: Bool
    public let title: String
    public let scheduledFor: Day?
    public let completedOn: Day?

    public init(id: UUID, isLesson: Bool, title: String, scheduledFor: Day?, completedOn: Day?) {
        self.id = id
        self.isLesson = isLesson
        self.title = title
        self.scheduledFor = scheduledFor
        self.completedOn = completedOn
    }
}

/// A habit and the days of the period on which it was done.
public struct RecordedHabit: Identifiable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    public let doneOn: [Day]
    /// When somebody began to keep it; `nil` where that does not matter.
    public let madeOn: Day?

    public init(id: UUID, name: String, doneOn: [Day], madeOn: Day? = nil) {
        self.madeOn = madeOn
        self.id = id
        self.name = name
        self.doneOn = doneOn
    }
}

/// What is written about the children of a class, for blocks that put it together. All of it inside the caller's own
/// transaction; whether the member may see the children is the caller's to ask.
public protocol ClassRecord: Sendable {
    /// Whom to call about each child, by name.
    func contacts(of studentIds: [UUID], in sql: any SQLReading) throws -> [UUID: [FamilyContact]]
    /// The days between two, both included, on which each child was marked, and whether it was present.
    func attendance(
        of studentIds: [UUID], from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [UUID: [Day: Bool]]
    /// The students who belonged to a classroom on one of the days between two days, both included, with their marks, in
    /// the order of a class list. A mark counts in the classroom to which the student belonged that day; on the day of a
    /// move it counts in the classroom in which it was made.
    func register(
        of classroomId: UUID, orgId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [RegisterLine]
}

/// Whom to call about a child.
public struct FamilyContact: Sendable, Hashable {
    public let fullName: String
    public let email: String?
    public let phone: String?

    public init(fullName: String, email: String?, phone: String?) {
        self.fullName = fullName
        self.email = email
        self.phone = phone
    }
}

/// The topic under which a child's family hears of what it may read.
public enum FamilyTopic {
    public static func of(_ studentId: UUID) -> String { "family:\(studentId.text)" }
}
