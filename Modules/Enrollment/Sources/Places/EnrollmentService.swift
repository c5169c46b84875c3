import ClassroomInterface
public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Who is in which course, for the blocks that ask through `CourseRoster`, and all that changes it.
///
/// Every change takes the course as it is within the same transaction, so that capacity is exact however many come at
/// once: a school has one writer.
public struct EnrollmentService: CourseRoster {
    /// Whose parents hear of what becomes of a request.
    let families: any FamilyLinks

    public init(families: any FamilyLinks) { self.families = families }

    public func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try EnrollmentRepository.students(of: courseId, in: sql)
    }

    public func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try EnrollmentRepository.courseIds(ofStudent: studentId, in: sql)
    }

    // MARK: - Changes

    /// Brings a student into a course, on its list of requests, or on its waitlist.
    func enrol(
        _ studentId: UUID, in course: Course, isByLeader: Bool, _ context: inout CommandContext
    ) throws -> Enrollment {
        guard try EnrollmentRepository.enrollment(of: studentId, in: course.id, context.sql) == nil else {
            throw Problem(409, isByLeader ? "enrollment.isIn" : "enrollment.twice")
        }
        let state = try Admissions.arrival(
            at: course, seats(of: course, in: context.sql), isByLeader: isByLeader)
        let new = try EnrollmentRepository.insert(
            studentId, in: course.id, state, at: context.now, context.sql)
        switch state {
        case .enrolled: try record("enrollment.enrolled", new, tells: .family, &context)
        case .pending: try record("enrollment.requested", new, tells: .leaders, &context)
        case .waitlisted: try record("enrollment.waitlisted", new, tells: .family, &context)
        }
        return new
    }

    /// Takes a student out and gives the place on.
    func remove(
        _ enrollment: Enrollment, from course: Course, as kind: String, tells: Told, _ context: inout CommandContext
    ) throws {
        try EnrollmentRepository.delete(enrollment, in: context.sql)
        try record(kind, enrollment, tells: tells, &context)
        try promote(in: course, &context)
    }

    /// Agrees to a request.
    func approve(_ enrollment: Enrollment, _ context: inout CommandContext) throws {
        var approved = enrollment
        approved.state = .enrolled
        approved.since = context.now
        try EnrollmentRepository.update(approved, in: context.sql)
        try record("enrollment.approved", approved, tells: .family, &context)
    }

    /// Asks an administrator to let a student go, or takes the question back.
    func askToDrop(
        _ enrollment: Enrollment, _ asks: Bool, as kind: String, tells: Told, _ context: inout CommandContext
    )
        throws
    {
        var asked = enrollment
        asked.dropAskedAt = asks ? context.now : nil
        try EnrollmentRepository.update(asked, in: context.sql)
        try record(kind, asked, tells: tells, &context)
    }

    public func fit(_ course: Course, in context: inout CommandContext) throws {
        guard course.isArchived else { return try promote(in: course, &context) }
        for waiting in try EnrollmentRepository.enrollments(of: course.id, in: context.sql)
        where waiting.state != .enrolled {
            try EnrollmentRepository.delete(waiting, in: context.sql)
            try record("enrollment.lapsed", waiting, tells: .family, &context)
        }
    }

    /// Gives free places to those who wait, in the order in which they came.
    private func promote(in course: Course, _ context: inout CommandContext) throws {
        while let state = try Admissions.promotion(in: course, seats(of: course, in: context.sql)),
            var next = try EnrollmentRepository.firstWaiting(in: course.id, context.sql)
        {
            next.state = state
            next.since = context.now
            try EnrollmentRepository.update(next, in: context.sql)
            try record("enrollment.promoted", next, tells: .family, &context)
            if state == .pending { try record("enrollment.requested", next, tells: .leaders, &context) }
        }
    }

    func seats(of course: Course, in sql: any SQLReading) throws -> Seats {
        try EnrollmentRepository.seats(of: [course.id], in: sql)[course.id] ?? Seats()
    }

    // MARK: - Who hears of it

    /// Whom a notification of a change is for.
    enum Told {
        /// The student and their parents.
        case family
        /// Those who teach the course, and administrators.
        case leaders
    }

    /// Logs a change for those it concerns, and lets open pages of the course renew themselves.
    private func record(
        _ kind: String, _ enrollment: Enrollment, tells told: Told, _ context: inout CommandContext
    ) throws {
        let payload = ["course": enrollment.courseId.text, "student": enrollment.studentId.text]
        let parents = try families.parents(ofStudent: enrollment.studentId, in: context.sql)
        let family = ([enrollment.studentId] + parents).map(Audience.person)
        let leaders = [Audience.teachers(of: enrollment.courseId)] + Audience.roles([.superAdmin, .admin])
        context.record(
            Change(
                kind, topics: [CourseTopic.list], audience: told == .leaders ? leaders : family, payload: payload,
                reshapesAudience: true))
        // Whoever has a page open on which a number has changed learns that it did, and not whose.
        context.record(
            Change(
                "enrollment.seats",
                topics: [EnrollmentTopics.catalogue, CourseTopic.enrollmentCounts(of: enrollment.courseId)],
                audience: [.school], payload: ["course": enrollment.courseId.text]))
    }
}

/// The topics of this block's own pages; those of courses are `CourseTopic`.
enum EnrollmentTopics {
    static let catalogue = "catalogue"
}
