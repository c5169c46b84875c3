import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// The changes that the block records, with those who may learn of them. Students and families never learn of a score
/// that was not returned.
struct CourseworkChanges: Sendable {
    let families: any FamilyLinks

    /// The refresh topic of pages about the assignments of a course.
    static func topic(_ courseId: UUID) -> String { "coursework:\(courseId.text)" }
    /// The refresh topic of pages about the work of one student.
    static func topic(ofStudent id: UUID) -> String { "work:\(id.text)" }

    static func payload(_ assignment: Assignment, _ studentId: UUID? = nil) -> [String: String] {
        var payload = ["course": assignment.courseId.text, "assignment": assignment.id.text]
        payload["student"] = studentId?.text
        return payload
    }

    private static func leaders(of courseId: UUID) -> [Audience] {
        [.teachers(of: courseId)] + Audience.roles([.superAdmin, .admin])
    }

    /// A change that only the course's teachers and administrators may learn of.
    func forLeaders(
        _ kind: String, _ assignment: Assignment, _ studentId: UUID? = nil, note noteId: UUID? = nil
    ) -> Change {
        var payload = Self.payload(assignment, studentId)
        payload["note"] = noteId?.text
        return Change(
            kind, topics: [Self.topic(assignment.courseId), GradeTopic.gradebook(assignment.courseId)],
            audience: Self.leaders(of: assignment.courseId), payload: payload)
    }

    /// A change that all people of an assignment may learn of: its students, their parents, and the teachers.
    func forAll(_ kind: String, _ assignment: Assignment, in sql: any SQLReading) throws -> Change {
        let audience =
            try assignment.isForEveryone
            ? [.course(assignment.courseId)] + Self.leaders(of: assignment.courseId)
            : Self.leaders(of: assignment.courseId) + people(of: assignment, in: sql).map(Audience.person)
        return Change(
            kind, topics: [Self.topic(assignment.courseId), GradeTopic.gradebook(assignment.courseId)],
            audience: audience, payload: Self.payload(assignment))
    }

    /// The students to whom an assignment was given by name, and their parents.
    func people(of assignment: Assignment, in sql: any SQLReading) throws -> [UUID] {
        try AssignmentRepository.assignees(of: assignment.id, in: sql).sorted().flatMap {
            try [$0] + families.parents(ofStudent: $0, in: sql)
        }
    }

    /// A change of one student's work that the student and the parents may learn of.
    func forFamily(
        _ kind: String, _ assignment: Assignment, _ studentId: UUID, alsoTeachers: Bool = false,
        in sql: any SQLReading
    ) throws -> Change {
        let family = try ([studentId] + families.parents(ofStudent: studentId, in: sql)).map(Audience.person)
        return Change(
            kind,
            topics: [Self.topic(ofStudent: studentId), GradeTopic.student(studentId)]
                + (alsoTeachers ? [Self.topic(assignment.courseId)] : []),
            audience: family + (alsoTeachers ? [.teachers(of: assignment.courseId)] : []),
            payload: Self.payload(assignment, studentId))
    }
}
