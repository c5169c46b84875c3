import ClassroomInterface
public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

/// Enrolls students in courses, removes them, and returns to other feature blocks who is in which course
/// (`CourseRoster`).
///
/// Each change reads the course in its own transaction. A school has one writer, so capacity is exact for any number of
/// concurrent requests.
public struct EnrollmentService: CourseRoster {
    /// Finds the parents to notify.
    let families: any FamilyLinks

    /// Creates the service with the links between parents and children.
    public init(families: any FamilyLinks) { self.families = families }

    public func students(of courseId: UUID, in sql: any SQLReading) throws -> [UUID] {
        try EnrollmentRepository.students(of: courseId, in: sql)
    }

    public func courseIds(ofStudent studentId: UUID, in sql: any SQLReading) throws -> Set<UUID> {
        try EnrollmentRepository.courseIds(ofStudent: studentId, in: sql)
    }

    // MARK: - Changes

    /// Enrolls a student, or adds her to the requests or the waitlist. Throws `Problem` if she is in the course
    /// already.
    func enroll(
        _ studentId: UUID, in course: Course, isByLeader: Bool, _ context: inout CommandContext
    ) throws -> Enrollment {
        guard try EnrollmentRepository.enrollment(of: studentId, in: course.id, context.sql) == nil else {
            throw Problem(409, isByLeader ? "enrollment.isIn" : "enrollment.twice")
        }
        let state = try Admissions.arrival(
            at: course, placeCounts(of: course, in: context.sql), isByLeader: isByLeader)
        let new = try EnrollmentRepository.insert(
            studentId, in: course.id, state, at: context.now, context.sql)
        switch state {
        case .enrolled: try record("enrollment.enrolled", new, notifying: .family, &context)
        case .pending: try record("enrollment.requested", new, notifying: .leaders, &context)
        case .waitlisted: try record("enrollment.waitlisted", new, notifying: .family, &context)
        }
        return new
    }

    /// Removes a student and gives the free place to the waitlist.
    func remove(
        _ enrollment: Enrollment, from course: Course, as kind: String, notifying recipients: Recipients,
        _ context: inout CommandContext
    ) throws {
        try EnrollmentRepository.delete(enrollment, in: context.sql)
        try record(kind, enrollment, notifying: recipients, &context)
        try promote(in: course, &context)
    }

    /// Approves a request.
    func approve(_ enrollment: Enrollment, _ context: inout CommandContext) throws {
        var approved = enrollment
        approved.state = .enrolled
        approved.since = context.now
        try EnrollmentRepository.update(approved, in: context.sql)
        try record("enrollment.approved", approved, notifying: .family, &context)
    }

    /// Asks an administrator to approve a late drop, or withdraws the request.
    func askToDrop(
        _ enrollment: Enrollment, _ asks: Bool, as kind: String, notifying recipients: Recipients,
        _ context: inout CommandContext
    )
        throws
    {
        var asked = enrollment
        asked.dropAskedAt = asks ? context.now : nil
        try EnrollmentRepository.update(asked, in: context.sql)
        try record(kind, asked, notifying: recipients, &context)
    }

    public func fit(_ course: Course, in context: inout CommandContext) throws {
        guard course.isArchived else { return try promote(in: course, &context) }
        for waiting in try EnrollmentRepository.enrollments(of: course.id, in: context.sql)
        where waiting.state != .enrolled {
            try EnrollmentRepository.delete(waiting, in: context.sql)
            try record("enrollment.lapsed", waiting, notifying: .family, &context)
        }
    }

    /// Gives free places to the waitlist in the order of arrival.
    private func promote(in course: Course, _ context: inout CommandContext) throws {
        while let state = try Admissions.promotion(in: course, placeCounts(of: course, in: context.sql)),
            var next = try EnrollmentRepository.firstWaiting(in: course.id, context.sql)
        {
            next.state = state
            next.since = context.now
            try EnrollmentRepository.update(next, in: context.sql)
            try record("enrollment.promoted", next, notifying: .family, &context)
            if state == .pending { try record("enrollment.requested", next, notifying: .leaders, &context) }
        }
    }

    /// The numbers of students in a course.
    func placeCounts(of course: Course, in sql: any SQLReading) throws -> PlaceCounts {
        try EnrollmentRepository.placeCounts(of: [course.id], in: sql)[course.id] ?? PlaceCounts()
    }

    // MARK: - Notifications

    /// The people who are notified of a change.
    enum Recipients {
        /// The student and her parents.
        case family
        /// The teachers of the course, and administrators.
        case leaders
    }

    /// Logs a change for the people it concerns, and another one that refreshes open pages.
    private func record(
        _ kind: String, _ enrollment: Enrollment, notifying recipients: Recipients, _ context: inout CommandContext
    ) throws {
        let payload = ["course": enrollment.courseId.text, "student": enrollment.studentId.text]
        let parents = try families.parents(ofStudent: enrollment.studentId, in: context.sql)
        let family = ([enrollment.studentId] + parents).map(Audience.person)
        let leaders = [Audience.teachers(of: enrollment.courseId)] + Audience.roles([.superAdmin, .admin])
        context.record(
            Change(
                kind, topics: [CourseTopic.list], audience: recipients == .leaders ? leaders : family,
                payload: payload,
                reshapesAudience: true))
        // Everyone with an open page learns that a number has changed, but not whose enrollment.
        context.record(
            Change(
                "enrollment.seats",
                topics: [EnrollmentTopics.catalog, CourseTopic.enrollmentCounts(of: enrollment.courseId)],
                audience: [.school], payload: ["course": enrollment.courseId.text]))
    }
}

/// The topics of this block's own pages. Those of courses are in `CourseTopic`.
enum EnrollmentTopics {
    static let catalog = "catalogue"
}
