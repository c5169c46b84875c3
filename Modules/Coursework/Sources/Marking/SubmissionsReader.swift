import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Reads the work of all students of an assignment, for its teachers.
struct SubmissionsReader: Sendable {
    let access: CourseworkAccess

    /// The work of one student.
    struct Row: Identifiable, Sendable {
        /// The state of a student's work for the teacher.
        enum State: String, Sendable, CaseIterable {
            /// Work was handed in after the last score, or has none.
            case toMark
            case marked, returned, missing
            /// Nothing was handed in yet, and it is not due.
            case waiting
        }

        let student: CourseworkAccess.Student
        /// Whether the student has left the course or the assignment, with work in it.
        let isFormer: Bool
        let times: WorkTimes
        let submissions: [Submission]
        let mark: WorkMark?
        let state: State

        var id: UUID { student.id }
        /// The submission that counts.
        var counted: Submission? { submissions.counted(by: times) }
        /// Whether all work was handed in late.
        var isLate: Bool { counted.map { !times.isOnTime($0.handedInAt) } ?? false }
        /// The score after deductions.
        var score: Hundredths? {
            mark?.points.map { points in
                let marked = submissions.first { $0.id == mark?.submissionId }
                return points.remaining(percent: marked.map { times.remainingPercent(at: $0.handedInAt) } ?? 100)
            }
        }
    }

    /// The work of the students by name; former students with work come last.
    func rows(of one: Assignment, _ orgId: UUID, at now: Date, in sql: any SQLReading) throws -> [Row] {
        let submissions = Dictionary(
            grouping: try SubmissionRepository.submissions(of: one.id, in: sql), by: \.studentId)
        let marks = try MarkRepository.marks(of: one.id, in: sql)
        let extensions = try AssignmentRepository.extensions(of: one.id, in: sql)
        let present = try access.students(of: one, orgId, in: sql)
        let gone = Set(submissions.keys).union(marks.keys).subtracting(present.map(\.id))
        let former = try access.named(Array(gone), orgId, in: sql)
        return (present.map { ($0, false) } + former.map { ($0, true) }).map { student, isFormer in
            let (own, mark) = (submissions[student.id] ?? [], marks[student.id])
            let times = WorkTimes(of: one, extendedTo: extensions[student.id])
            return Row(
                student: student, isFormer: isFormer, times: times, submissions: own, mark: mark,
                state: Self.state(one, own, mark, times, at: now))
        }
    }

    private static func state(
        _ one: Assignment, _ submissions: [Submission], _ mark: WorkMark?, _ times: WorkTimes, at now: Date
    ) -> Row.State {
        if let latest = submissions.map(\.handedInAt).max(), mark.map({ $0.markedAt < latest }) ?? true {
            return .toMark
        }
        if let mark { return mark.returnedAt == nil ? .marked : .returned }
        return one.takesSubmissions && one.isVisible(at: now) && !times.isOnTime(now) ? .missing : .waiting
    }
}
