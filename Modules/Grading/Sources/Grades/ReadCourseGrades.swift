import Domain
import FeatureKit
import Foundation
import GradingInterface

/// Reads a student's released scores in a course.
struct ReadCourseGrades: Query {
    static let contract = Contract(
        "grades.course", "/api/v1/courses/{courseId}/grades", access: .member(.viewGrades),
        summary:
            "A student's released scores in a course. For the student, their parents and the course's teachers."
    )
    typealias Result = StudentGrades

    let courseId: UUID
    let student: UUID?

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        student = fields.optionalId("student")
    }
}

/// A student's released scores in a course. Decimal numbers are text, so that no client turns them into binary
/// fractions.
struct StudentGrades: Codable, Sendable, Hashable {
    struct Entry: Codable, Sendable, Hashable {
        let itemId: UUID
        let title: String
        let category: GradeCategory
        let points: String?
        let maximum: String
        let state: GradeEntry.State?
        let comment: String?
    }
    let courseId: UUID
    let studentId: UUID
    let shown: String?
    let letter: String?
    let color: GradeColor?
    let trend: GradeTrend?
    let entries: [Entry]
}
