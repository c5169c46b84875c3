import CoursesInterface
import CourseworkModel
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// Reads the assignments of a student with the state of the work.
struct StudentWorkReader: Sendable {
    let access: CourseworkAccess

    /// The assignments that a student sees in the present courses, by due time.
    func work(of studentId: UUID, at now: Date, in sql: any SQLReading) throws -> [AssignedWork] {
        try work(
            of: studentId, in: Array(access.roster.courseIds(ofStudent: studentId, in: sql)), at: now, sql)
    }

    /// The assignments that a student sees in some courses, by due time.
    func work(
        of studentId: UUID, in courseIds: [UUID], at now: Date, _ sql: any SQLReading
    ) throws -> [AssignedWork] {
        let all = try AssignmentRepository.assignments(of: courseIds, seenBy: studentId, at: now, in: sql)
        guard !all.isEmpty else { return [] }
        let extensions = try AssignmentRepository.extensions(for: studentId, in: sql)
        let handedIn = try SubmissionRepository.times(of: studentId, in: sql)
        let drafts = try SubmissionRepository.drafts(of: studentId, in: sql)
        let returned = try MarkRepository.returned(to: studentId, in: sql)
        let scores = Dictionary(
            try MarkRepository.scores(of: courseIds, for: studentId, in: sql).map { ($0.mark.assignmentId, $0) },
            uniquingKeysWith: { first, _ in first })
        return all.map { one in
            AssignedWork(
                one, times: WorkTimes(of: one, extendedTo: extensions[one.id]), handedInAt: handedIn[one.id] ?? [],
                hasDraft: drafts.contains(one.id), isReturned: returned[one.id] != nil,
                score: scores[one.id].flatMap { CourseworkGrades.final($0, of: one) }.map { "\($0)" }, at: now)
        }
    }
}

/// Lists the assignments of a student.
struct ListWork: Query {
    static let contract = Contract(
        "coursework.work", "/api/v1/assignments", access: .member(.viewCourses),
        summary:
            "The assignments of the caller or of a child of the caller by due time, with the state of the work.")
    typealias Result = Page<AssignedWork>

    let student: UUID?

    init(_ fields: inout FieldReader) { student = fields.optionalId("student") }
}

extension StudentWorkReader {
    var queries: [QueryRegistration] {
        [
            .handle(ListWork.self) { query, context in
                let (membership, now) = (try context.membership, context.now)
                return try await context.school.read { sql in
                    let mine = try access.families.learners(of: membership, in: sql)
                    guard let id = query.student ?? mine.first else { return Page(items: [], next: nil) }
                    guard mine.contains(id) else { throw Problem.notFound }
                    return Page(items: try work(of: id, at: now, in: sql), next: nil)
                }
            }
        ]
    }
}
