public import Domain
public import FeatureKit
public import Foundation

/// The courses of a school, for other blocks; inside the caller's own transaction.
public protocol CourseService: Sendable {
    /// A course in whose rooms the member has a place: whoever teaches or administers it, is in it, or has a child in
    /// it. Throws `Problem.notFound` for everything else.
    func course(_ id: UUID, enteredBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course
    /// A course that the member teaches or administers. Throws `Problem.notFound` for everything else.
    func course(_ id: UUID, ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course
    /// The courses of these ids, whoever asks; those that do not exist are left out.
    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: Course]
    /// All that is offered: every course that is not archived and whose term is not over, by subject and name.
    func offered(on day: Day, in sql: any SQLReading) throws -> [Course]
    /// The courses that somebody teaches, by name.
    func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course]
    /// The terms, the latest first.
    func terms(in sql: any SQLReading) throws -> [Term]
    /// Grows whenever a course or a term is changed: what was made of them is good until then. Cheap.
    func version(in sql: any SQLReading) throws -> Int64
}

/// Who learns in which course. The block that enrols answers; without one, courses have nobody in them.
public protocol CourseRoster: Sendable {
    /// The students who are in a course now.
    func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID]
    /// The courses in which a student is now.
    func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID>
    /// How many are in each of these courses.
    func counts(of courseIds: [UUID], in sql: any SQLReading) throws -> [UUID: Int]
    /// Fits who is in a course to what it has become: there may be more room, or it is archived. Called within the
    /// transaction that changed it.
    func fit(_ course: Course, in context: inout CommandContext) throws
}

extension CourseService {
    /// A course that is offered on a day: it is not archived, and its term is not over.
    public func course(_ id: UUID, offeredOn day: Day, in sql: any SQLReading) throws -> Course? {
        guard let course = try courses([id], in: sql)[id], !course.isArchived else { return nil }
        guard let termId = course.termId, let term = try terms(in: sql).first(where: { $0.id == termId }) else {
            return course
        }
        return term.lastDay >= day ? course : nil
    }
}

/// How far students are with the lessons of their courses; inside the caller's own transaction.
public protocol CourseLessons: Sendable {
    /// How far a student is in each of these courses.
    func progress(
        of studentId: UUID, in courseIds: [UUID], _ sql: any SQLReading
    ) throws -> [UUID: LessonProgress]
    /// How many lessons a student has done in these courses from one day to another, both within.
    func completed(
        by studentId: UUID, in courseIds: [UUID], from first: Day, through last: Day, timeZone: TimeZone,
        _ sql: any SQLReading
    ) throws -> Int
}

/// How far one student is with the lessons of one course.
public struct LessonProgress: Codable, Sendable, Hashable {
    /// Lessons that are published.
    public let total: Int
    public let completed: Int
    /// The first lesson that is not done; `nil` when all are.
    public let nextLessonId: UUID?
    /// Minutes that the lessons left will take, from the average length of those that tell theirs; `nil` where none
    /// does.
    public let minutesLeft: Int?

    public init(total: Int, completed: Int, nextLessonId: UUID?, minutesLeft: Int?) {
        self.total = total
        self.completed = completed
        self.nextLessonId = nextLessonId
        self.minutesLeft = minutesLeft
    }
}

extension Audience {
    /// Everybody who has a place in a course.
    public static func course(_ id: UUID) -> Audience { Audience("course:\(id.text)") }
    /// Those who teach a course.
    public static func teachers(of courseId: UUID) -> Audience { Audience("teachers:\(courseId.text)") }
}

extension Permission {
    /// Seeing what is offered and the courses one has a place in.
    public static let viewCourses = Permission("courses.view", [.superAdmin, .admin, .guide, .student, .parent])
    /// Making courses and leading those one teaches.
    public static let teachCourses = Permission("courses.teach", Set(Role.guideRoles))
    /// Leading every course; terms.
    public static let manageCourses = Permission("courses.manage", [.superAdmin, .admin])
}
