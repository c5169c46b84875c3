public import Domain
public import FeatureKit
public import Foundation

/// Reads and changes classrooms and their guides, in the caller's database transaction.
public protocol ClassroomService: Sendable {
    /// Returns the classrooms that the member may see: all for admins, their own for guides.
    func classrooms(visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> [ClassroomSummary]
    /// Returns a classroom. Throws `Problem.notFound` if the member may not see it.
    func classroom(_ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> Classroom
    /// Returns the ids of all classrooms of the school, for jobs.
    func classroomIds(in sql: any SQLReading) throws -> [UUID]
    func create(_ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom
    func update(_ id: UUID, _ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom
    func delete(_ id: UUID, in context: inout CommandContext) throws
    /// Replaces the guides of a classroom with other people.
    func assign(guides: [UUID], to id: UUID, in context: inout CommandContext) throws -> Classroom
}

/// Reads and changes students, in the caller's database transaction.
public protocol StudentService: Sendable {
    /// Returns the students of a classroom, in the order of a class list.
    func students(of classroomId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student]
    /// Returns a student. Throws `Problem.notFound` if the member may not see the student.
    func student(_ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> Student
    /// Returns the ids of the classrooms that a student is in now.
    func classroomIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [UUID]
    /// Returns the ids of at most `limit` students after an id, in the order of ids.
    func studentIds(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID]
    func create(_ draft: StudentDraft, in context: inout CommandContext) throws -> Student
    func update(_ id: UUID, _ draft: StudentDraft, in context: inout CommandContext) throws -> Student
    func delete(_ id: UUID, in context: inout CommandContext) throws
}

/// Adds students to classrooms and removes them, in the caller's database transaction.
public protocol StudentPlacing: Sendable {
    func add(_ id: UUID, to classroomId: UUID, in context: inout CommandContext) throws
    func remove(_ id: UUID, from classroomId: UUID, in context: inout CommandContext) throws
}

/// Imports classrooms with their members in bulk, with ids of another system.
///
/// All calls run in the caller's database transaction. The caller must check permissions and record changes.
public protocol ClassroomImporting: Sendable {
    /// Returns the school's present classrooms, guides and students, with which an import is compared.
    func holdings(in sql: any SQLReading) throws -> ClassroomHoldings
    /// Adds new classrooms and members, renames classrooms, and ends the stays in `departures`.
    /// - Parameter day: the school's day, on which a stay without a first day begins.
    func apply(_ additions: ClassroomAdditions, on day: Day, at instant: Date, in sql: any SQLWriting) throws
    /// Reverses `apply`: removes what was added, gives `renamedClassrooms` the names in `additions`, and continues
    /// the stays that were ended.
    func revert(_ additions: ClassroomAdditions, in sql: any SQLWriting) throws
    /// The names of the database tables that the import writes. Rows about a person in other tables came from
    /// elsewhere.
    var tables: Set<String> { get }
}

/// A classroom of an import, with its id in the other system.
public struct ImportedClassroom: Sendable, Hashable {
    public let id: UUID
    public var name: String
    public var externalId: String?

    public init(id: UUID, name: String, externalId: String?) {
        self.id = id
        self.name = name
        self.externalId = externalId
    }
}

/// The membership of a person in a classroom, as a guide or a student.
public struct ClassroomPlace: Sendable, Hashable {
    public let classroomId: UUID
    public let personId: UUID

    public init(classroomId: UUID, personId: UUID) {
        self.classroomId = classroomId
        self.personId = personId
    }
}

/// All classrooms and students of a school, and who is in which classroom.
public struct ClassroomHoldings: Sendable, Hashable {
    public var classrooms: [ImportedClassroom]
    public var students: Set<UUID>
    /// The students about whom the school has notes or a photo.
    public var notedStudents: Set<UUID>
    public var guidePlaces: Set<ClassroomPlace>
    public var studentPlaces: Set<ClassroomPlace>
    /// The first day of a student in a classroom, for those `studentPlaces` for which it is known.
    public var firstDays: [ClassroomPlace: Day]

    public init(
        classrooms: [ImportedClassroom] = [], students: Set<UUID> = [], notedStudents: Set<UUID> = [],
        guidePlaces: Set<ClassroomPlace> = [], studentPlaces: Set<ClassroomPlace> = [],
        firstDays: [ClassroomPlace: Day] = [:]
    ) {
        self.classrooms = classrooms
        self.students = students
        self.notedStudents = notedStudents
        self.guidePlaces = guidePlaces
        self.studentPlaces = studentPlaces
        self.firstDays = firstDays
    }
}

/// The classrooms and members that an import adds, the classrooms that it renames, and the stays that it ends.
public struct ClassroomAdditions: Sendable, Hashable {
    public var newClassrooms: [ImportedClassroom] = []
    public var renamedClassrooms: [ImportedClassroom] = []
    /// The people whom the import makes students.
    public var students: [UUID] = []
    public var guidePlaces: [ClassroomPlace] = []
    public var studentPlaces: [ClassroomPlace] = []
    /// The first day of a student in a classroom, for those `studentPlaces` for which the import has it.
    public var firstDays: [ClassroomPlace: Day] = [:]
    /// The students who leave a classroom, with their last day in it.
    ///
    /// The last day must not be in the future, because until then the student is a member.
    public var departures: [ClassroomPlace: Day] = [:]

    public init() {}
}

/// The values for a new classroom, or the new values of an existing one.
public struct ClassroomDraft: Sendable, Hashable {
    public var name: String
    public var avatarTint: Tint?
    public var externalId: String?

    public init(name: String, avatarTint: Tint? = nil, externalId: String? = nil) {
        self.name = name
        self.avatarTint = avatarTint
        self.externalId = externalId
    }
}

/// The values for a new student, or the new values of an existing one.
public struct StudentDraft: Sendable, Hashable {
    public var firstName: String
    public var lastName: String
    public var displayName: String?
    public var avatarTint: Tint?
    public var email: String?
    /// The school's number for the student, unique in the school.
    public var number: String?
    /// The grade level of the student, as the school writes it.
    public var gradeLevel: String?
    public var notes: String?
    /// The classroom that a new student joins.
    public var classroomId: UUID?
    /// The first day of the student in the classroom; `nil` for today.
    public var firstDay: Day?
    public var externalId: String?

    public init(
        firstName: String, lastName: String, displayName: String? = nil, avatarTint: Tint? = nil,
        email: String? = nil, number: String? = nil, gradeLevel: String? = nil, notes: String? = nil,
        classroomId: UUID? = nil, externalId: String? = nil
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.displayName = displayName
        self.avatarTint = avatarTint
        self.email = email
        self.number = number
        self.gradeLevel = gradeLevel
        self.notes = notes
        self.classroomId = classroomId
        self.externalId = externalId
    }
}

/// The data of a classroom that a list shows.
public struct ClassroomSummary: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let name: String
    public let avatarTint: Tint
    /// The address of a small version of the classroom's cover picture; `nil` if it has none.
    public let imageURL: String?
    public let studentCount: Int

    public init(id: UUID, name: String, avatarTint: Tint, imageURL: String? = nil, studentCount: Int) {
        self.id = id
        self.name = name
        self.imageURL = imageURL
        self.avatarTint = avatarTint
        self.studentCount = studentCount
    }
}

extension Permission {
    /// Allows viewing classrooms and their students.
    public static let viewClassrooms = Permission("classrooms.view", Set(Role.guideRoles))
    /// Allows creating, changing and deleting classrooms.
    public static let manageClassrooms = Permission("classrooms.manage", [.superAdmin, .admin])
    /// Allows creating, changing and deleting students.
    public static let manageStudents = Permission("students.manage", [.superAdmin, .admin])
    /// Allows marking the attendance of students.
    public static let markAttendance = Permission("attendance.mark", Set(Role.guideRoles))
}

extension Audience {
    /// Returns the audience of changes in a classroom: the people who may see the classroom.
    public static func classroom(_ id: UUID) -> Audience { Audience("classroom:\(id.text)") }
}
