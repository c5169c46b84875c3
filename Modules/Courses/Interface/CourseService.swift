public import Domain
public import FeatureKit
public import Foundation

/// Reads the courses of a school, in the caller's database transaction.
public protocol CourseService: Sendable {
    /// Returns a course that the member may enter.
    ///
    /// These are the courses that the member teaches or administers, is enrolled in, or in which a child of the
    /// member is. Throws `Problem.notFound` for all others.
    func course(_ id: UUID, enteredBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course
    /// Returns a course that the member teaches or administers. Throws `Problem.notFound` for all others.
    func course(_ id: UUID, ledBy membership: ActiveMembership, in sql: any SQLReading) throws -> Course
    /// Returns the courses with these ids, without checking rights. Unknown ids are left out.
    func courses(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [UUID: Course]
    /// Returns the courses of a teacher that are not archived, by name.
    func courses(taughtBy personId: UUID, in sql: any SQLReading) throws -> [Course]
    /// Returns every course that is not archived and whose term is not over, by subject and name.
    func offered(on day: Day, in sql: any SQLReading) throws -> [Course]
    /// Returns all terms of the school, latest first.
    func terms(in sql: any SQLReading) throws -> [Term]
    /// Returns a number that grows with each change of a course or a term. Cached data is valid until the number
    /// grows. Quick to call.
    func version(in sql: any SQLReading) throws -> Int64
}

/// The students in courses. Implemented by the feature block that enrolls students; without one, courses have no
/// students.
public protocol CourseRoster: Sendable {
    /// Returns the ids of the students who are in a course now.
    func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID]
    /// Returns the ids of the courses that a student is in now.
    func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID>
    /// Adapts the enrollments to a changed course: the waitlist gets new places, and an archived course loses its
    /// waitlist and requests. Called in the transaction that changed the course.
    func fit(_ course: Course, in context: inout CommandContext) throws
}

/// Finds whether a feature block stores records about students, such as scores, after they have left a course. Students
/// who come back are informed of them.
public protocol CourseRecords: Sendable {
    /// Whether there are records, such as scores, of a student in a course.
    /// - Parameter isReleased: whether only records count that the student may see.
    func hasRecords(
        of studentId: UUID, in courseId: UUID, seenByStudent isReleased: Bool, _ sql: any SQLReading
    ) throws -> Bool
}

extension CourseService {
    /// Returns a course that is offered on a day: not archived, and in a term that is not over; otherwise `nil`.
    public func course(_ id: UUID, offeredOn day: Day, in sql: any SQLReading) throws -> Course? {
        guard let course = try courses([id], in: sql)[id], !course.isArchived else { return nil }
        guard let termId = course.termId, let term = try terms(in: sql).first(where: { $0.id == termId }) else {
            return course
        }
        return term.lastDay >= day ? course : nil
    }
}

extension Course {
    /// Whether a member leads the course, that is, may change it. One of its teachers who may still teach does, and so
    /// does a member with the right to lead all courses.
    public func isLed(by membership: ActiveMembership) -> Bool {
        if Permission.manageCourses.isGiven(to: membership.roles) { return true }
        return Permission.teachCourses.isGiven(to: membership.roles) && teacherIds.contains(membership.personId)
    }
}

/// The refresh topics of pages about courses: a change that carries one makes the open pages that name it reload.
public enum CourseTopic {
    /// The refresh topic of pages with lists of courses.
    public static let list = "courses"
    /// Returns the refresh topic of pages about one course and its lessons.
    public static func course(_ id: UUID) -> String { "course:\(id.text)" }
    /// Returns the refresh topic of pages that show which lessons one student has completed.
    public static func lessons(of studentId: UUID) -> String { "lessons:\(studentId.text)" }
    /// Returns the refresh topic of pages that count the students who are in a course, have requested it, or are on its
    /// waitlist.
    public static func enrollmentCounts(of courseId: UUID) -> String { "seats:\(courseId.text)" }
}

extension Audience {
    /// Returns the audience of changes in a course: its teachers, its students and their families.
    public static func course(_ id: UUID) -> Audience { Audience("course:\(id.text)") }
    /// Returns the audience of changes that only a course's teachers may learn of.
    public static func teachers(of courseId: UUID) -> Audience { Audience("teachers:\(courseId.text)") }
}

extension Permission {
    /// Allows viewing the offered courses and the courses of which a person is a member.
    public static let viewCourses = Permission("courses.view", [.superAdmin, .admin, .guide, .student, .parent])
    /// Allows creating courses, and changing those that one teaches.
    public static let teachCourses = Permission("courses.teach", Set(Role.guideRoles))
    /// Allows changing every course, and managing terms.
    public static let manageCourses = Permission("courses.manage", [.superAdmin, .admin])
}
