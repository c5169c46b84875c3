public import Domain
public import FeatureKit
public import Foundation

/// Classrooms: create, read, update and delete; who works and who learns in them. All of it inside the
/// caller's own transaction.
public protocol ClassroomService: Sendable {
    /// The classrooms that the member may see: all for admins, their own for guides.
    func classrooms(visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> [ClassroomSummary]
    /// Throws `Problem.notFound` where the member may not see it.
    func classroom(_ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> Classroom
    /// All classrooms of the school, for its jobs.
    func classroomIds(in sql: any SQLReading) throws -> [UUID]
    func create(_ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom
    func update(_ id: UUID, _ draft: ClassroomDraft, in context: inout CommandContext) throws -> Classroom
    func delete(_ id: UUID, in context: inout CommandContext) throws
    /// Replaces the guides who work in the classroom.
    func assign(guides: [UUID], to id: UUID, in context: inout CommandContext) throws -> Classroom
}

/// Students: create, read, update and delete. All of it inside the caller's own transaction.
public protocol StudentService: Sendable {
    /// The students of a classroom in the order of a class list.
    func students(of classroomId: UUID, orgId: UUID, in sql: any SQLReading) throws -> [Student]
    /// Throws `Problem.notFound` where the member may not see the student.
    func student(_ id: UUID, visibleTo membership: ActiveMembership, in sql: any SQLReading) throws -> Student
    /// The classrooms that a student is in now.
    func classroomIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [UUID]
    /// The ids of all students after one, in their order, a portion at a time.
    func studentIds(after id: UUID?, limit: Int, in sql: any SQLReading) throws -> [UUID]
    func create(_ draft: StudentDraft, in context: inout CommandContext) throws -> Student
    func update(_ id: UUID, _ draft: StudentDraft, in context: inout CommandContext) throws -> Student
    func delete(_ id: UUID, in context: inout CommandContext) throws
}

/// Brings students into classrooms and out of them, inside the caller's own transaction.
public protocol StudentPlacing: Sendable {
    func add(_ id: UUID, to classroomId: UUID, in context: inout CommandContext) throws
    func remove(_ id: UUID, from classroomId: UUID, in context: inout CommandContext) throws
}

/// Classrooms and who is in them by the thousand, with the ids that another system knows them by. All of it
/// inside the caller's own transaction; who may do it and what the change log says is the caller's to see to.
public protocol ClassroomImporting: Sendable {
    /// Everything that an import is compared with.
    func holdings(in sql: any SQLReading) throws -> ClassroomHoldings
    /// Adds what is new, renames what has another name, and ends the places in `departures`.
    /// - Parameter day: the school's day, on which a place without a first day begins.
    func apply(_ additions: ClassroomAdditions, on day: Day, at instant: Date, in sql: any SQLWriting) throws
    /// Takes away what was added, gives `renamedClassrooms` the names that they have in it, and gives those who
    /// departed their places back.
    func revert(_ additions: ClassroomAdditions, in sql: any SQLWriting) throws
    /// The tables that it writes; whatever other tables tell about a person came from elsewhere.
    var tables: Set<String> { get }
}

/// A classroom as another system knows it.
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

/// A person's place in a classroom.
public struct ClassroomPlace: Sendable, Hashable {
    public let classroomId: UUID
    public let personId: UUID

    public init(classroomId: UUID, personId: UUID) {
        self.classroomId = classroomId
        self.personId = personId
    }
}

/// All classrooms and students of a school, and who is where.
public struct ClassroomHoldings: Sendable, Hashable {
    public var classrooms: [ImportedClassroom]
    public var students: Set<UUID>
    /// The students of whom somebody wrote notes or added a photo.
    public var notedStudents: Set<UUID>
    public var guidePlaces: Set<ClassroomPlace>
    public var studentPlaces: Set<ClassroomPlace>
    /// The first day of each place in `studentPlaces` for which the school knows it.
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

/// What an import adds to the classrooms of a school.
public struct ClassroomAdditions: Sendable, Hashable {
    public var newClassrooms: [ImportedClassroom] = []
    public var renamedClassrooms: [ImportedClassroom] = []
    /// People who become students.
    public var students: [UUID] = []
    public var guidePlaces: [ClassroomPlace] = []
    public var studentPlaces: [ClassroomPlace] = []
    /// The first day of a place in `studentPlaces`, where the import knows it.
    public var firstDays: [ClassroomPlace: Day] = [:]
    /// Students who leave a classroom, with their last day in it. A last day to come is not allowed: until then the
    /// student is a member.
    public var departures: [ClassroomPlace: Day] = [:]

    public init() {}
}

/// What is typed about a classroom.
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

/// What is typed about a student.
public struct StudentDraft: Sendable, Hashable {
    public var firstName: String
    public var lastName: String
    public var displayName: String?
    public var avatarTint: Tint?
    public var email: String?
    /// The school's number for the student: of nobody else.
    public var number: String?
    /// The year of school, as the school writes it.
    public var gradeLevel: String?
    public var notes: String?
    /// The classroom that a new student enters.
    public var classroomId: UUID?
    /// Since when the student is in it; `nil` is the present day.
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

/// A classroom as a list shows it.
public struct ClassroomSummary: Identifiable, Hashable, Codable, Sendable {
    public let id: UUID
    public let name: String
    public let avatarTint: Tint
    /// The address of the small cover; `nil` where there is none.
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
    public static let viewClassrooms = Permission("classrooms.view", Set(Role.guideRoles))
    public static let manageClassrooms = Permission("classrooms.manage", [.superAdmin, .admin])
    public static let manageStudents = Permission("students.manage", [.superAdmin, .admin])
    public static let markAttendance = Permission("attendance.mark", Set(Role.guideRoles))
}

extension Audience {
    /// Whoever may see the classroom.
    public static func classroom(_ id: UUID) -> Audience { Audience("classroom:\(id.text)") }
}
