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
    /// The courses that somebody teaches and that are not archived, by name.
    func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course]
    /// All that is offered: every course that is not archived and whose term is not over, by subject and name.
    func offered(on day: Day, in sql: any SQLReading) throws -> [Course]
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
    /// Fits who is in a course to what it has become: there may be more room, or it is archived. Called within the
    /// transaction that changed it.
    func fit(_ course: Course, in context: inout CommandContext) throws
}

/// What a block keeps about students after they have left a course. Whoever comes back finds it again and is told so.
public protocol CourseRecords: Sendable {
    /// - Parameter isReleased: whether only records that the student may see count.
    func hasRecords(
        of studentId: UUID, in courseId: UUID, seenByStudent isReleased: Bool, _ sql: any SQLReading
    ) throws -> Bool
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

extension Course {
    /// Whether somebody leads the course: they teach it, and may still teach, or lead all courses of the school.
    public func isLed(by membership: ActiveMembership) -> Bool {
        if Permission.manageCourses.isGiven(to: membership.roles) { return true }
        return Permission.teachCourses.isGiven(to: membership.roles) && teacherIds.contains(membership.personId)
    }
}

/// The topics of pages that show courses.
public enum CourseTopic {
    /// Lists of courses.
    public static let list = "courses"
    /// One course and its lessons.
    public static func course(_ id: UUID) -> String { "course:\(id.text)" }
    /// What one student has done of all lessons.
    public static func lessons(of studentId: UUID) -> String { "lessons:\(studentId.text)" }
    /// How many are in a course, ask, or wait.
    public static func enrollmentCounts(of courseId: UUID) -> String { "seats:\(courseId.text)" }
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
