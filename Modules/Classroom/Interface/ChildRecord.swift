public import Domain
public import FeatureKit
public import Foundation

/// An observation of a child that supports a conclusion about the child.
public struct Evidence: Identifiable, Codable, Sendable, Hashable {
    /// The id of the observation that supports the conclusion about the child.
    public let id: UUID
    public let day: Day
    /// The beginning of the observation's text, at most 120 characters.
    public let excerpt: String

    public init(id: UUID, day: Day, excerpt: String) {
        self.id = id
        self.day = day
        self.excerpt = excerpt
    }
}

/// Reads the observations and lessons of one child and plans new ones, for feature blocks that draw conclusions or
/// plan.
///
/// All calls run in the caller's database transaction. The caller must check whether the member may see the child
/// (`StudentService.student`).
public protocol ChildRecord: Sendable {
    /// Returns the observations of a child that are tagged with one of the learning materials, by material, newest
    /// first, at most three for each.
    func evidence(
        of studentId: UUID, materials: Set<UUID>, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> [UUID: [Evidence]]
    /// Returns the titles of the child's lessons that are not completed.
    func openLessons(of studentId: UUID, in sql: any SQLReading) throws -> Set<String>
    /// Adds a lesson without a day to the plans for the child, and records the change in the change log.
    func plan(lesson title: String, details: String?, for studentId: UUID, in context: inout CommandContext) throws
    /// Adds a task without a day to the plans for the child, and records the change in the change log.
    func plan(task title: String, details: String?, for studentId: UUID, in context: inout CommandContext) throws
}

/// Reads one child's observations, lessons, tasks, habits and absences of past days, for feature blocks that report on
/// the child.
///
/// All calls run in the caller's database transaction. The caller must check whether the member may see the child
/// (`StudentService.student`).
public protocol ChildHistory: Sendable {
    /// Returns the child's observations, lessons, tasks, habits and absences between two days, both included.
    func period(
        of studentId: UUID, from first: Day, through last: Day, timeZone: TimeZone, in sql: any SQLReading
    ) throws -> ChildPeriod
    /// Returns an observation by its id; `nil` for an unknown id.
    func observation(_ id: UUID, timeZone: TimeZone, in sql: any SQLReading) throws -> RecordedObservation?
    /// Returns the photos of an observation, in their order.
    func photos(ofObservation id: UUID, in sql: any SQLReading) throws -> [RecordedPhoto]
}

/// The observations, lessons, tasks, habits and absences of a child in a period, in the order of their days.
public struct ChildPeriod: Sendable, Hashable {
    public let observations: [RecordedObservation]
    /// The lessons and tasks that were completed in the period.
    public let completed: [RecordedWork]
    /// The lessons and tasks that are open now, at most twenty.
    public let open: [RecordedWork]
    public let habits: [RecordedHabit]
    /// The days on which the child was marked absent.
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

/// An observation of a child, with its text as a guide wrote it.
public struct RecordedObservation: Identifiable, Sendable, Hashable {
    public let id: UUID
    /// The child that the observation is mainly about.
    public let studentId: UUID
    /// The other children who took part in what was observed.
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

/// A photo with its thumbnail, as files of the school.
public struct Photo: Codable, Sendable, Hashable {
    public let hash: BlobHash
    public let thumbnail: BlobHash
    /// The width of the photo in pixels.
    public let width: Int
    /// The height of the photo in pixels.
    public let height: Int

    public init(hash: BlobHash, thumbnail: BlobHash, width: Int, height: Int) {
        self.hash = hash
        self.thumbnail = thumbnail
        self.width = width
        self.height = height
    }
}

/// A photo that belongs to an observation of a child.
public struct RecordedPhoto: Sendable, Hashable {
    public let photo: Photo
    /// The paths under which people who may see the child load the photo and its thumbnail.
    public let path, thumbnailPath: String

    public init(_ photo: Photo, path: String, thumbnailPath: String) {
        self.photo = photo
        self.path = path
        self.thumbnailPath = thumbnailPath
    }
}

/// A lesson or a task on a child's record, with the day for which it is planned and the day on which it was completed.
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

/// A habit, and the days of a period on which it was done.
public struct RecordedHabit: Identifiable, Sendable, Hashable {
    public let id: UUID
    public let name: String
    public let doneOn: [Day]
    /// The day on which the habit was created; `nil` if the caller has no use for it.
    public let madeOn: Day?

    public init(id: UUID, name: String, doneOn: [Day], madeOn: Day? = nil) {
        self.madeOn = madeOn
        self.id = id
        self.name = name
        self.doneOn = doneOn
    }
}

/// Reads the contacts and attendance of the children of a class, for feature blocks that combine them.
///
/// All calls run in the caller's database transaction. The caller must check whether the member may see the children.
public protocol ClassRecord: Sendable {
    /// Returns the contacts of each child, sorted by name.
    func contacts(of studentIds: [UUID], in sql: any SQLReading) throws -> [UUID: [FamilyContact]]
    /// Returns the attendance marks of each child between two days, both included; `true` for present.
    func attendance(
        of studentIds: [UUID], from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [UUID: [Day: Bool]]
    /// Returns the students who belonged to a classroom during a period, with their attendance marks.
    ///
    /// They are in the order of a class list. A mark counts in the classroom to which the student belonged that day. On
    /// the day of a move it counts in the classroom in which it was made.
    func register(
        of classroomId: UUID, orgId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [RegisterLine]
}

/// The name, email address and telephone number of a person to contact about a child.
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

/// The refresh topic of the pages that a child's family can read: a change that carries it makes open pages reload.
public enum FamilyTopic {
    /// Returns the refresh topic of the pages that one student's family can read.
    public static func of(_ studentId: UUID) -> String { "family:\(studentId.text)" }
}
