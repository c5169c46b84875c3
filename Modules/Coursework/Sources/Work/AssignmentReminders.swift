public import CoursesInterface
import CourseworkModel
import Domain
public import FeatureKit
public import Foundation
public import RemindersInterface

/// Names the assignments that students still have to do, for reminders. An assignment that is not handed in here counts
/// until its work is returned.
public struct AssignmentReminders: DueWorkSource {
    private let courses: any CourseService
    private let roster: any CourseRoster

    /// Creates the source of due assignments, with the courses and their students.
    public init(courses: any CourseService, roster: any CourseRoster) {
        self.courses = courses
        self.roster = roster
    }

    public func open(
        _ workIds: Set<UUID>?, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading
    ) throws -> [DueWork] {
        let due = try AssignmentRepository.due(in: span, workIds, seenAt: now, in: sql)
        let courses = try courses.courses(Set(due.map(\.courseId)), in: sql)
        let ids = due.map(\.id)
        let extensions = try DueWorkRepository.extensions(of: ids, in: sql)
        let settled = try DueWorkRepository.settled(of: ids, in: sql)
        let chosen = try DueWorkRepository.assignees(of: due.filter { !$0.isForEveryone }.map(\.id), in: sql)
        let works = due.filter { courses[$0.courseId]?.isArchived == false }.map { one in
            work(
                one, extensions: extensions[one.id] ?? [:], settled: settled[one.id] ?? [],
                students: one.isForEveryone ? nil : chosen[one.id] ?? [])
        }
        return try CourseWork.open(works, dueIn: span) { try roster.students(of: $0, in: sql) }
    }

    public func open(
        for studentId: UUID, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading
    ) throws -> [DueWork] {
        let entered = try courses.courses(roster.courseIds(ofStudent: studentId, in: sql), in: sql)
        let all = try AssignmentRepository.assignments(
            of: entered.values.filter { !$0.isArchived }.map(\.id), seenBy: studentId, at: now, in: sql)
        guard !all.isEmpty else { return [] }
        let extensions = try AssignmentRepository.extensions(for: studentId, in: sql)
        let handedIn = try SubmissionRepository.times(of: studentId, in: sql)
        let returned = try MarkRepository.returned(to: studentId, in: sql)
        // What is visible to the student is for the student.
        return all.compactMap { one in
            let isSettled = handedIn[one.id] != nil || returned[one.id] != nil
            return work(
                one, extensions: extensions[one.id].map { [studentId: $0] } ?? [:],
                settled: isSettled ? [studentId] : []
            ).open(for: studentId, dueIn: span)
        }
    }

    private func work(
        _ one: Assignment, extensions: [UUID: Date], settled: Set<UUID>, students: Set<UUID>? = nil
    ) -> CourseWork {
        CourseWork(
            id: one.id, courseId: one.courseId, dueAt: WorkTimes(of: one).dueAt,
            since: max(one.publishedAt ?? .distantPast, one.opensAt ?? .distantPast), students: students,
            settled: settled,
            dueTimes: extensions.compactMapValues { WorkTimes(of: one, extendedTo: $0).dueAt })
    }

    public func named(
        _ workIds: Set<UUID>, for studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> [UUID: NamedWork] {
        let entered = try roster.courseIds(ofStudent: studentId, in: sql)
        let seen = try AssignmentRepository.assignments(Array(workIds), in: sql).filter {
            $0.isVisible(at: now) && entered.contains($0.courseId)
        }
        guard !seen.isEmpty else { return [:] }
        let chosen = try DueWorkRepository.assignees(of: seen.filter { !$0.isForEveryone }.map(\.id), in: sql)
        let names = try courses.courses(Set(seen.map(\.courseId)), in: sql)
        return seen.reduce(into: [:]) { all, one in
            guard one.isForEveryone || chosen[one.id]?.contains(studentId) == true else { return }
            all[one.id] = NamedWork(
                title: one.title, course: names[one.courseId]?.name ?? "", path: AssignmentScreens.path(one.id))
        }
    }
}

/// Reads the state of assignments for many students at once, by assignment.
enum DueWorkRepository {
    /// The later due times of students.
    static func extensions(of ids: [UUID], in sql: any SQLReading) throws -> [UUID: [UUID: Date]] {
        try sql.rows(
            """
            SELECT assignment_id, student_id, due_at FROM coursework_extensions WHERE assignment_id IN \(list: ids)
            """
        ).reduce(into: [:]) { all, row in
            let (id, student): (UUID, UUID) = try (row.get("assignment_id"), row.get("student_id"))
            all[id, default: [:]][student] = try row.get("due_at", as: Date.self)
        }
    }

    /// The students to whom assignments were given by name.
    static func assignees(of ids: [UUID], in sql: any SQLReading) throws -> [UUID: Set<UUID>] {
        guard !ids.isEmpty else { return [:] }
        return try students(
            "SELECT assignment_id, student_id FROM coursework_assignees WHERE assignment_id IN \(list: ids)", sql)
    }

    /// The students who have handed in work or got it back.
    static func settled(of ids: [UUID], in sql: any SQLReading) throws -> [UUID: Set<UUID>] {
        try students(
            """
            SELECT assignment_id, student_id FROM coursework_submissions WHERE assignment_id IN \(list: ids)
            UNION
            SELECT assignment_id, student_id FROM coursework_marks
            WHERE assignment_id IN \(list: ids) AND returned_at IS NOT NULL
            """, sql)
    }

    private static func students(_ statement: SQL, _ sql: any SQLReading) throws -> [UUID: Set<UUID>] {
        try sql.rows(statement).reduce(into: [:]) { all, row in
            let id: UUID = try row.get("assignment_id")
            try all[id, default: []].insert(row.get("student_id"))
        }
    }
}
